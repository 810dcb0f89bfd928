//! The programs behind the names of packages, modules and images. This file has tables.
//!
//! A runner is given the name of a package with its scope and version: `npx @railway/cli@3`, `go run
//! example.org/tool@v1`, `docker run hashicorp/terraform:1.9`. What runs is the program that the package brings.

use crate::domain::shell::script::Word;

/// What a runner's words name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackageKind {
    /// A program by its name or path.
    Program,
    /// A package of npm.
    Npm,
    /// A package of npm where `npm:` or `jsr:` is in front, otherwise nothing that is followed here.
    NpmSpecifier,
    /// A file; nothing that is followed here unless an installed package brings it.
    NodeModule,
    /// A package for Python.
    Python,
    /// A module for Go; nothing that is followed here when it is a file or directory.
    GoModule,
    /// A tool for .NET: `dotnet-ef` is `dotnet ef`.
    DotnetTool,
    /// A program after the environment that it runs in: `dev:pytest`.
    Environment,
    /// Packages to provide, with a plus sign, and a program with a version.
    Pkgx,
    /// The arguments of an image, which is the first operand.
    Image,
    /// The arguments of the entry point of a service, which is the first operand.
    Service,
    /// The arguments of a flake's program; the flake is an operand.
    Flake,
}

/// Packages of npm whose program has another name.
const NPM_PROGRAMS: &[(&str, &str)] = &[
    ("@angular/cli", "ng"),
    ("@aws-amplify/cli", "amplify"),
    ("@aws-amplify/backend-cli", "ampx"),
    ("@azure/static-web-apps-cli", "swa"),
    ("@biomejs/biome", "biome"),
    ("@capacitor/cli", "cap"),
    ("@expo/cli", "expo"),
    ("@google/clasp", "clasp"),
    ("@mermaid-js/mermaid-cli", "mmdc"),
    ("@moonrepo/cli", "moon"),
    ("@nestjs/cli", "nest"),
    ("@openapitools/openapi-generator-cli", "openapi-generator-cli"),
    ("@prisma/cli", "prisma"),
    ("@redocly/cli", "redocly"),
    ("@salesforce/cli", "sf"),
    ("@sentry/cli", "sentry-cli"),
    ("@tailwindcss/cli", "tailwindcss"),
    ("aws-cdk", "cdk"),
    ("cdktf-cli", "cdktf"),
    ("chokidar-cli", "chokidar"),
    ("dotenv-cli", "dotenv"),
    ("eas-cli", "eas"),
    ("expo-cli", "expo"),
    ("firebase-tools", "firebase"),
    ("fkill-cli", "fkill"),
    ("hasura-cli", "hasura"),
    ("netlify-cli", "netlify"),
    ("now", "vercel"),
    ("prisma2", "prisma"),
    ("shelljs", "shjs"),
    ("trash-cli", "trash"),
    ("typescript", "tsc"),
    ("wait-port-cli", "wait-port"),
];

/// Packages for Python whose program has another name.
const PYTHON_PROGRAMS: &[(&str, &str)] = &[
    ("ansible-core", "ansible"),
    ("apache-airflow", "airflow"),
    ("awscli", "aws"),
    ("awscli-local", "awslocal"),
    ("azure-cli", "az"),
    ("databricks-cli", "databricks"),
    ("dbt-core", "dbt"),
    ("httpie", "http"),
    ("linode-cli", "linode-cli"),
    ("poethepoet", "poe"),
    ("python-dotenv", "dotenv"),
    ("python-openstackclient", "openstack"),
    ("snowflake-cli", "snow"),
    ("trash-cli", "trash-put"),
];

/// Packages of Nix whose program has another name.
const NIX_PROGRAMS: &[(&str, &str)] = &[
    ("awscli", "aws"),
    ("awscli2", "aws"),
    ("azure-cli", "az"),
    ("flyway", "flyway"),
    ("google-cloud-sdk", "gcloud"),
    ("kubernetes-helm", "helm"),
    ("minio-client", "mc"),
    ("opentofu", "tofu"),
    ("postgresql", "psql"),
    ("pulumi-bin", "pulumi"),
    ("redis", "redis-cli"),
    ("terraform_1", "terraform"),
    ("turso-cli", "turso"),
];

/// The last parts of the names of images whose entry point is a program that rules know.
const IMAGE_PROGRAMS: &[(&str, &str)] = &[
    ("alpine/curl", "curl"),
    ("alpine/git", "git"),
    ("alpine/helm", "helm"),
    ("alpine/mongosh", "mongosh"),
    ("amacneil/dbmate", "dbmate"),
    ("amazon/aws-cli", "aws"),
    ("argoproj/argocd", "argocd"),
    ("arigaio/atlas", "atlas"),
    ("aws-cli/aws-cli", "aws"),
    ("bitnami/git", "git"),
    ("bitnami/kubectl", "kubectl"),
    ("curlimages/curl", "curl"),
    ("d3fk/s3cmd", "s3cmd"),
    ("digitalocean/doctl", "doctl"),
    ("flyio/flyctl", "flyctl"),
    ("flyway/flyway", "flyway"),
    ("hashicorp/consul", "consul"),
    ("hashicorp/nomad", "nomad"),
    ("hashicorp/packer", "packer"),
    ("hashicorp/terraform", "terraform"),
    ("hashicorp/vault", "vault"),
    ("hetznercloud/cli", "hcloud"),
    ("linode/cli", "linode-cli"),
    ("liquibase/liquibase", "liquibase"),
    ("migrate/migrate", "migrate"),
    ("minio/mc", "mc"),
    ("opentofu/opentofu", "tofu"),
    ("peakcom/s5cmd", "s5cmd"),
    ("planetscale/pscale", "pscale"),
    ("pulumi/pulumi", "pulumi"),
    ("rancher/kubectl", "kubectl"),
    ("rclone/rclone", "rclone"),
    ("redgate/flyway", "flyway"),
    ("registry.k8s.io/kubectl", "kubectl"),
    ("restic/restic", "restic"),
    ("scaleway/cli", "scw"),
    ("weaveworks/eksctl", "eksctl"),
];

impl PackageKind {
    /// Returns the words of the program that a runner runs; none where it runs nothing that is followed here.
    ///
    /// `operands` are the words that the runner keeps for itself, `words` those that it passes on.
    pub(super) fn resolve(self, operands: &[Word], mut words: Vec<Word>) -> Vec<Word> {
        match self {
            Self::Program | Self::Service => return words,
            Self::Image => return with_program(operands.first().and_then(|image| image_program(&image.text)), words),
            Self::Flake => return with_program(operands.iter().find_map(|word| flake_program(&word.text)), words),
            Self::Pkgx => {
                let provided = words.iter().take_while(|word| word.text.starts_with('+') || word.text == "--").count();
                words.drain(..provided);
            }
            Self::Npm
            | Self::NpmSpecifier
            | Self::NodeModule
            | Self::Python
            | Self::GoModule
            | Self::DotnetTool
            | Self::Environment => {}
        }
        let Some(first) = words.first_mut() else { return words };
        let program = match self {
            Self::Npm | Self::Pkgx => Some(npm_program(&first.text)),
            Self::NpmSpecifier => {
                let name = ["npm:", "jsr:"].iter().find_map(|scheme| first.text.strip_prefix(scheme));
                name.map(npm_program)
            }
            Self::NodeModule => node_module_program(&first.text),
            Self::Python => Some(python_program(&first.text)),
            Self::GoModule => go_program(&first.text),
            Self::Environment => Some(first.text.split_once(':').map_or(first.text.as_str(), |(_, program)| program)),
            Self::DotnetTool => first.text.strip_prefix("dotnet-").or(Some(&first.text)),
            Self::Program | Self::Service | Self::Image | Self::Flake => None,
        };
        let Some(program) = program.map(ToOwned::to_owned) else { return Vec::new() };
        let is_dotnet = self == Self::DotnetTool && program != first.text;
        first.text = program;
        if is_dotnet {
            words.insert(0, Word::known("dotnet"));
        } else if self == Self::Npm && words.get(1).is_some_and(|word| word.text == "--") {
            // What is after it are the program's own options.
            words.remove(1);
        }
        words
    }
}

/// Returns arguments with the program before them that they are for.
fn with_program(program: Option<&str>, mut words: Vec<Word>) -> Vec<Word> {
    if let Some(program) = program.filter(|_| !words.is_empty()) {
        words.insert(0, Word::known(program));
    }
    words
}

fn renamed(table: &'static [(&str, &str)], package: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == package).map(|(_, program)| *program)
}

/// Returns the program of a package of npm: `@scope/name@version`.
fn npm_program(package: &str) -> &str {
    let package = package.strip_prefix("npm:").unwrap_or(package);
    if package.contains("://") || package.starts_with(['.', '/', '~', '$']) {
        return package;
    }
    let version = package.char_indices().skip(1).find(|(_, letter)| *letter == '@');
    let package = version.and_then(|(at, _)| package.get(..at)).unwrap_or(package);
    let scoped = package.strip_prefix('@').and_then(|name| name.split_once('/'));
    match (renamed(NPM_PROGRAMS, package), scoped) {
        (Some(program), _) => program,
        // A vendor's program has the vendor's name.
        (None, Some((scope, "cli"))) => scope,
        (None, Some((_, name))) => name,
        (None, None) => package,
    }
}

/// Returns the program that a file among installed packages is of.
fn node_module_program(path: &str) -> Option<&str> {
    let (_, inside) = path.rsplit_once("node_modules/")?;
    if path.contains([' ', '(', '\'', '"']) {
        return None;
    }
    if let Some(program) = inside.strip_prefix(".bin/") {
        return Some(program);
    }
    let parts = if inside.starts_with('@') { 2 } else { 1 };
    let end = inside.match_indices('/').nth(parts - 1).map_or(inside.len(), |(at, _)| at);
    inside.get(..end).map(npm_program)
}

/// Returns the program of a package for Python: `name[extra]==version`, `name@version`.
fn python_program(package: &str) -> &str {
    if package.contains("://") {
        return package;
    }
    let name = package.split(['[', '=', '<', '>', '!', '~', '@', ';', ' ']).next().unwrap_or(package);
    renamed(PYTHON_PROGRAMS, name).unwrap_or(name)
}

/// Returns the program of a module for Go that is not a part of the project.
fn go_program(module: &str) -> Option<&str> {
    let path = module.split('@').next().unwrap_or(module);
    let (host, _) = path.split_once('/')?;
    if !host.contains('.') || host.starts_with('.') {
        return None;
    }
    let is_version =
        |part: &&str| part.strip_prefix('v').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    path.rsplit('/').find(|part| !is_version(part))
}

/// Returns the program that an image begins with.
fn image_program(image: &str) -> Option<&'static str> {
    let image = image.split('@').next()?;
    let name = image.rfind(':').filter(|at| !image.get(*at..).is_some_and(|tag| tag.contains('/')));
    let name = name.and_then(|at| image.get(..at)).unwrap_or(image);
    let is_same = |known: &str| name.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    IMAGE_PROGRAMS.iter().find(|(known, _)| is_same(known)).map(|(_, program)| *program)
}

/// Returns the program of a flake: `nixpkgs#terraform`.
fn flake_program(flake: &str) -> Option<&str> {
    let (_, attribute) = flake.split_once('#')?;
    let name = attribute.rsplit('.').next().filter(|name| !name.is_empty())?;
    Some(renamed(NIX_PROGRAMS, name).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::{PackageKind, go_program, image_program, node_module_program, npm_program, python_program};
    use crate::domain::shell::script::Word;

    #[test]
    fn packages_are_known_by_their_program() {
        for (package, program) in [
            ("prisma@latest", "prisma"),
            ("npm:prisma@^5.0.0", "prisma"),
            ("@railway/cli@3", "railway"),
            ("@angular/cli", "ng"),
            ("@scope/tool@1.0.0", "tool"),
            ("firebase-tools@13", "firebase"),
            ("./bin/x@1", "./bin/x@1"),
            ("https://example.org/x.tgz", "https://example.org/x.tgz"),
        ] {
            assert_eq!(npm_program(package), program, "{package}");
        }
        assert_eq!(python_program("alembic[tz]==1.13"), "alembic");
        assert_eq!(python_program("awscli@1"), "aws");
        assert_eq!(go_program("github.com/amacneil/dbmate/v2@latest"), Some("dbmate"));
        assert_eq!(go_program("./cmd/server"), None);
        assert_eq!(go_program("main.go"), None);
        assert_eq!(image_program("docker.io/hashicorp/terraform:1.9@sha256:ab"), Some("terraform"));
        assert_eq!(image_program("localhost:5000/alpine"), None);
        assert_eq!(node_module_program("/app/node_modules/@railway/cli/bin.js"), Some("railway"));
        assert_eq!(node_module_program("x.js"), None);
    }

    #[test]
    fn words_are_those_of_the_program() {
        let words = |text: &str| text.split_whitespace().map(Word::known).collect::<Vec<Word>>();
        let resolve = |kind: PackageKind, operands: &str, text: &str| {
            let found = kind.resolve(&words(operands), words(text));
            found.iter().map(|word| word.text.as_str()).collect::<Vec<&str>>().join(" ")
        };
        assert_eq!(resolve(PackageKind::Npm, "", "prisma@5 -- migrate reset"), "prisma migrate reset");
        assert_eq!(resolve(PackageKind::NpmSpecifier, "", "main.ts x"), "");
        assert_eq!(resolve(PackageKind::DotnetTool, "", "dotnet-ef database drop"), "dotnet ef database drop");
        assert_eq!(resolve(PackageKind::Pkgx, "", "+a -- terraform@1 plan"), "terraform plan");
        assert_eq!(resolve(PackageKind::Image, "alpine/helm:3", "uninstall x"), "helm uninstall x");
        assert_eq!(resolve(PackageKind::Image, "alpine", "ls"), "ls");
        assert_eq!(resolve(PackageKind::Flake, "nixpkgs#opentofu", "plan"), "tofu plan");
        assert_eq!(resolve(PackageKind::Environment, "", "dev:pytest -q"), "pytest -q");
    }
}
