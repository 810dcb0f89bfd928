//! The services that secrets belong to, and the hosts of each. This file is a table.
//!
//! A secret that goes to a host of its own service goes where it is for. A service that people run themselves is also
//! known by a host that begins with its name.

/// A service.
struct Owner {
    /// Parts of the names of its variables, separated by blanks.
    variables: &'static str,
    /// The commands that print a token of it, separated by `|`.
    commands: &'static str,
    /// Its domains, separated by blanks.
    domains: &'static str,
    /// The first label of hosts on which people run it themselves.
    own_label: &'static str,
}

const fn owner(variables: &'static str, domains: &'static str) -> Owner {
    Owner { variables, commands: "", domains, own_label: "" }
}

impl Owner {
    const fn with_commands(self, commands: &'static str) -> Self {
        Self { commands, ..self }
    }

    const fn self_hosted(self, own_label: &'static str) -> Self {
        Self { own_label, ..self }
    }
}

/// What a host is to a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It belongs to the service of the secret.
    Own,
    /// The secret belongs to another service.
    Foreign,
    /// The service of the secret is not known, or is one that people run themselves.
    Unknown,
}

/// Returns the names of the variables of services that are in a text with a part for each blank of it.
fn names(owner: &Owner) -> impl Iterator<Item = &'static str> {
    owner.variables.split(' ').filter(|name| !name.is_empty())
}

/// Returns the services of a secret, which is a variable or a command.
fn owners(secret: &str) -> impl Iterator<Item = &'static Owner> {
    let parts = format!("_{secret}_");
    let command = secret.contains(' ').then(|| secret.to_owned());
    OWNERS.iter().filter(move |owner| match &command {
        Some(command) => owner.commands.split('|').any(|own| !own.is_empty() && command.starts_with(own)),
        None => names(owner).any(|name| parts.match_indices(name).any(|(at, _)| is_bounded(&parts, at, name.len()))),
    })
}

fn is_bounded(text: &str, at: usize, length: usize) -> bool {
    let bytes = text.as_bytes();
    at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'_') && bytes.get(at + length) == Some(&b'_')
}

/// Returns whether the service of a variable is known.
pub(super) fn has_owner(variable: &str) -> bool {
    owners(variable).next().is_some()
}

/// Returns what a host is to a secret.
pub(super) fn relation(secret: &str, host: &str) -> Relation {
    let mut relation = Relation::Unknown;
    for owner in owners(secret) {
        let first = host.split('.').next().unwrap_or_default();
        let is_domain =
            |domain: &str| host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'));
        let is_own_label = !owner.own_label.is_empty() && first.contains(owner.own_label) && !host.contains(".com.");
        if owner.domains.split(' ').any(is_domain) || is_own_label {
            return Relation::Own;
        }
        if owner.own_label.is_empty() && !secret.contains("ENTERPRISE") {
            relation = Relation::Foreign;
        }
    }
    relation
}

/// Returns whether a host belongs to a service in the table.
pub(super) fn is_known_service(host: &str) -> bool {
    OWNERS
        .iter()
        .flat_map(|owner| owner.domains.split(' '))
        .any(|domain| host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

const OWNERS: &[Owner] = &[
    owner(
        "GITHUB GH GHCR",
        "github.com githubusercontent.com ghcr.io ghe.com github.ai githubcopilot.com models.inference.ai.azure.com",
    )
    .with_commands("gh auth token|gh auth status"),
    owner("GITLAB CI_JOB GL", "gitlab.com").with_commands("glab auth token").self_hosted("gitlab"),
    owner("BITBUCKET", "bitbucket.org atlassian.com atlassian.net").self_hosted("bitbucket"),
    // The login to a database is for no other service.
    owner(
        "DATABASE POSTGRES POSTGRESQL PGPASSWORD PGPASS MYSQL MONGO MONGODB",
        "neon.tech supabase.co supabase.com mongodb.com mongodb.net planetscale.com psdb.cloud turso.io cockroachlabs.cloud",
    ),
    owner("JIRA CONFLUENCE ATLASSIAN", "atlassian.net atlassian.com jira.com").self_hosted("jira"),
    owner("CODEBERG", "codeberg.org"),
    owner(
        "NPM NODE_AUTH",
        "npmjs.org npmjs.com yarnpkg.com npm.pkg.github.com pkg.dev fontawesome.com",
    )
    .with_commands("npm config get"),
    owner("PYPI TWINE", "pypi.org").self_hosted("pypi"),
    owner("CARGO_REGISTRY", "crates.io"),
    owner("RUBYGEMS GEM_HOST", "rubygems.org"),
    owner("DOCKERHUB DOCKER_HUB DOCKER", "docker.com docker.io").self_hosted("registry"),
    owner(
        "OPENAI",
        "openai.com openai.azure.com oaistatic.com gateway.ai.cloudflare.com helicone.ai",
    ),
    owner(
        "ANTHROPIC CLAUDE",
        "anthropic.com claude.ai claude.com gateway.ai.cloudflare.com helicone.ai",
    ),
    owner("OPENROUTER", "openrouter.ai"),
    owner("MISTRAL", "mistral.ai"),
    owner("GROQ", "groq.com"),
    owner("COHERE", "cohere.ai cohere.com"),
    owner("DEEPSEEK", "deepseek.com"),
    owner("XAI", "x.ai"),
    owner("PERPLEXITY", "perplexity.ai"),
    owner("TOGETHER", "together.xyz together.ai"),
    owner("FIREWORKS", "fireworks.ai"),
    owner("REPLICATE", "replicate.com"),
    owner("ELEVENLABS", "elevenlabs.io"),
    owner("TAVILY", "tavily.com"),
    owner("PINECONE", "pinecone.io"),
    owner("HF HUGGINGFACE HUGGING_FACE", "huggingface.co hf.co huggingface.cloud"),
    owner("WANDB", "wandb.ai"),
    owner(
        "AWS",
        "amazonaws.com amazonaws.com.cn aws.amazon.com awsapps.com api.aws r2.cloudflarestorage.com digitaloceanspaces.com backblazeb2.com wasabisys.com",
    )
    .with_commands("aws "),
    owner("GOOGLE GCP GCLOUD GEMINI FIREBASE VERTEX YOUTUBE", "googleapis.com google.com googleusercontent.com run.app cloudfunctions.net gcr.io pkg.dev goog firebaseio.com cloudfunctions.net app.goo.gl")
        .with_commands("gcloud |firebase "),
    owner(
        "AZURE ARM AZ",
        "azure.com azure.net windows.net microsoft.com microsoftonline.com azurewebsites.net azurecr.io visualstudio.com azure.cn",
    )
    .with_commands("az "),
    owner("CLOUDFLARE CF", "cloudflare.com workers.dev cloudflarestorage.com"),
    owner("VERCEL", "vercel.com vercel.app").with_commands("vercel "),
    owner("NETLIFY", "netlify.com netlify.app"),
    owner("HEROKU", "heroku.com herokuapp.com").with_commands("heroku "),
    owner("DIGITALOCEAN DO", "digitalocean.com digitaloceanspaces.com").with_commands("doctl "),
    owner("FLY", "fly.io machines.dev fly.dev").with_commands("fly |flyctl "),
    owner("RAILWAY", "railway.app railway.com").with_commands("railway "),
    owner("RENDER", "render.com onrender.com"),
    owner("SUPABASE", "supabase.co supabase.com supabase.in"),
    owner("PLANETSCALE", "planetscale.com"),
    owner("NEON", "neon.tech"),
    owner("HETZNER HCLOUD", "hetzner.cloud hetzner.com"),
    owner("LINODE", "linode.com"),
    owner("VULTR", "vultr.com"),
    owner("SCALEWAY SCW", "scaleway.com"),
    owner("FASTLY", "fastly.com"),
    owner("SLACK", "slack.com"),
    owner("DISCORD", "discord.com discordapp.com"),
    owner("TELEGRAM TG", "telegram.org"),
    owner("STRIPE", "stripe.com"),
    owner("PAYPAL", "paypal.com"),
    owner("SENTRY", "sentry.io").with_commands("sentry-cli ").self_hosted("sentry"),
    owner("DATADOG DD", "datadoghq.com datadoghq.eu ddog-gov.com"),
    owner("NEW_RELIC NEWRELIC", "newrelic.com nr-data.net"),
    owner("GRAFANA", "grafana.com grafana.net").self_hosted("grafana"),
    owner("SONAR SONARQUBE", "sonarcloud.io").self_hosted("sonar"),
    owner("SNYK", "snyk.io"),
    owner("CODECOV", "codecov.io codecov.com"),
    owner("COVERALLS", "coveralls.io"),
    owner("CIRCLE CIRCLECI", "circleci.com"),
    owner("BUILDKITE", "buildkite.com"),
    owner("TRAVIS", "travis-ci.com travis-ci.org"),
    owner("LINEAR", "linear.app"),
    owner("NOTION", "notion.com notion.so"),
    owner("ASANA", "asana.com"),
    owner("TRELLO", "trello.com"),
    owner("FIGMA", "figma.com"),
    owner("AIRTABLE", "airtable.com"),
    owner("HUBSPOT", "hubapi.com hubspot.com"),
    owner("SHOPIFY", "shopify.com myshopify.com"),
    owner("TWILIO", "twilio.com"),
    owner("SENDGRID", "sendgrid.com twilio.com"),
    owner("MAILGUN", "mailgun.net mailgun.org"),
    owner("POSTMARK", "postmarkapp.com"),
    owner("RESEND", "resend.com"),
    owner("TWITTER X_API", "twitter.com x.com"),
    owner("SPOTIFY", "spotify.com"),
    owner("MAPBOX", "mapbox.com"),
    owner("ALGOLIA", "algolia.net algolia.com algolianet.com"),
    owner("CLERK", "clerk.com clerk.dev"),
    owner("AUTH0", "auth0.com"),
    owner("OKTA", "okta.com oktapreview.com"),
    owner("PAGERDUTY", "pagerduty.com"),
    owner("TERRAFORM TFC TF", "terraform.io hashicorp.com hashicorp.cloud"),
    owner("PULUMI", "pulumi.com"),
    owner("EXPO EAS", "expo.dev expo.io"),
    owner("DATABRICKS", "databricks.com azuredatabricks.net").with_commands("databricks "),
    owner("SNOWFLAKE", "snowflakecomputing.com"),
    owner("POSTHOG", "posthog.com").self_hosted("posthog"),
];

#[cfg(test)]
mod tests {
    use super::{Relation, relation};

    #[test]
    fn a_secret_has_its_own_hosts() {
        for (secret, host, expected) in [
            ("GITHUB_TOKEN", "api.github.com", Relation::Own),
            ("MY_GH_TOKEN", "github.com", Relation::Own),
            ("GITHUB_TOKEN", "github.com.evil.example", Relation::Foreign),
            ("GITHUB_TOKEN", "notgithub.com", Relation::Foreign),
            ("GITLAB_TOKEN", "gitlab.company.com", Relation::Own),
            ("GITLAB_TOKEN", "evil.example", Relation::Unknown),
            ("GH_ENTERPRISE_TOKEN", "code.company.com", Relation::Unknown),
            ("API_KEY", "api.example.com", Relation::Unknown),
            ("gh auth token", "api.github.com", Relation::Own),
            ("gh auth token", "evil.example", Relation::Foreign),
        ] {
            assert_eq!(relation(secret, host), expected, "{secret} {host}");
        }
    }
}
