//! Where a token goes that a command prints into a variable or an argument.

use super::masking::is_output_hidden;
use super::upstream_commands;
use crate::domain::shell::effects::command_urls;
use crate::domain::shell::glob;
use crate::domain::shell::script::{Command, RedirectKind, Script, Word};
use crate::domain::shell::walk::DECLARATION_BUILTINS;
use crate::domain::text::url::host_of;

/// The programs that print tokens, and the hosts of the services that the tokens are for.
const SERVICES: &[(&str, &str)] = &[
    ("gh", "github.com *.github.com *.githubusercontent.com ghcr.io"),
    ("glab", "gitlab.com *.gitlab.com"),
    ("gcloud", "*.googleapis.com *.run.app *.cloudfunctions.net *.pkg.dev gcr.io *.gcr.io"),
    ("az", "*.azure.com *.azure.net *.windows.net *.azurecr.io *.microsoft.com *.visualstudio.com"),
    ("fly", "*.fly.io"),
    ("flyctl", "*.fly.io"),
    ("heroku", "api.heroku.com"),
    ("doctl", "api.digitalocean.com registry.digitalocean.com"),
];

/// Programs that send requests.
const REQUEST_PROGRAMS: &[&str] = &["curl", "wget", "wget2", "http", "https", "xh"];

/// Options of these programs that show the request, or send it by way of another host.
const SHOWING_OPTIONS: &[&str] = &[
    "-v",
    "--verbose",
    "--trace",
    "--trace-ascii",
    "-x",
    "--proxy",
    "--preproxy",
    "-K",
    "--config",
    "-d",
    "--debug",
    "--location-trusted",
    "--connect-to",
    "--resolve",
];

/// What a variable with a token in it is called that tools read by themselves.
const TOKEN_VARIABLES: &[&str] = &[
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GITHUB_PERSONAL_ACCESS_TOKEN",
    "GITLAB_TOKEN",
    "HOMEBREW_GITHUB_API_TOKEN",
    "CLOUDSDK_AUTH_ACCESS_TOKEN",
    "FLY_API_TOKEN",
    "HEROKU_API_KEY",
    "DIGITALOCEAN_ACCESS_TOKEN",
    "NODE_AUTH_TOKEN",
];

/// Where what a command prints goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputUse {
    /// To whoever reads the output, or into a file, or to another program.
    Shown,
    /// Nowhere, or only names, counts and checks of it.
    Hidden,
    /// Into variables and arguments that only the service gets whose token it is.
    Kept,
}

impl OutputUse {
    /// Returns the name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Hidden => "hidden",
            Self::Kept => "kept",
        }
    }
}

/// Returns where what a command prints goes.
pub fn output_use(index: usize, script: &Script) -> OutputUse {
    let Some(command) = script.commands.get(index) else { return OutputUse::Shown };
    if is_output_hidden(command, script) {
        return OutputUse::Hidden;
    }
    let hosts = SERVICES.iter().find(|(program, _)| *program == command.program()).map_or("", |(_, hosts)| hosts);
    if is_kept(index, command, script, hosts) { OutputUse::Kept } else { OutputUse::Shown }
}

fn is_kept(index: usize, command: &Command, script: &Script, hosts: &str) -> bool {
    let is_captured = command.call_chain.last().is_some_and(|via| via.contains('…'));
    let mut behind =
        script.commands.iter().filter(|other| other.pipeline == command.pipeline && other.stage > command.stage);
    if !is_captured {
        return behind.next().is_some_and(|next| is_login(next, hosts)) && behind.next().is_none();
    }
    let holders: Vec<&Command> = script.commands.iter().filter(|other| holds_output(other)).collect();
    let takes = |other: &Command| upstream_commands(other, script).any(|(source, _)| source == index);
    behind.next().is_none()
        && command.redirects.is_empty()
        && holders.iter().any(|other| takes(other))
        && holders.iter().all(|other| keeps_token(other, script, hosts))
}

/// Returns whether a command is given what another one prints.
fn holds_output(command: &Command) -> bool {
    let has = |word: &Word| !word.literal && word.text.contains("$(");
    command.words.iter().any(has)
        || command.assignments.iter().any(|(_, value)| has(value))
        || command.redirects.iter().any(|redirect| has(&redirect.target))
}

/// Returns whether a command keeps a token to itself, or sends it to the token's own service.
fn keeps_token(command: &Command, script: &Script, hosts: &str) -> bool {
    let has = |word: &Word| !word.literal && word.text.contains("$(");
    let program = command.program();
    if command.words.is_empty() {
        return command.redirects.is_empty();
    }
    if !command.words.iter().any(has) && command.redirects.is_empty() {
        // The program gets it as a variable, by the name under which it looks for it.
        let given = command.assignments.iter().filter(|(_, value)| has(value));
        return given.map(|(name, _)| name.as_str()).all(|name| TOKEN_VARIABLES.contains(&name))
            && !matches!(program, "env" | "printenv" | "set" | "export");
    }
    if DECLARATION_BUILTINS.contains(&program) {
        return !command.args().iter().any(|word| word.text.starts_with("-p"));
    }
    if matches!(program, "test" | "[" | "[[") {
        return true;
    }
    if REQUEST_PROGRAMS.contains(&program) {
        let urls = command_urls(command);
        let arguments = command.arguments();
        let in_options = arguments.operands.iter().all(|word| !has(word));
        let kept = !command.redirects.iter().any(|redirect| has(&redirect.target));
        return kept
            && in_options
            && !urls.is_empty()
            && urls.iter().all(|url| is_own_host(&host_of(url), hosts))
            && !arguments.has(SHOWING_OPTIONS);
    }
    // `echo "$TOKEN" | docker login --password-stdin`
    if matches!(program, "echo" | "printf") {
        let mut next = script.commands.iter().filter(|it| it.pipeline == command.pipeline && it.stage > command.stage);
        return next.next().is_some_and(|next| is_login(next, hosts)) && next.next().is_none();
    }
    is_login(command, hosts)
}

/// Returns whether a command logs in to the service, with what is in its input or arguments.
fn is_login(command: &Command, hosts: &str) -> bool {
    let words = command.args();
    let logs_in = matches!(command.program(), "docker" | "podman" | "nerdctl" | "helm" | "crane" | "oras" | "buildah")
        && words.iter().any(|word| word.text == "login");
    let names_host = words.iter().any(|word| is_own_host(&host_of(&word.text), hosts));
    let copies =
        command.redirects.iter().any(|it| !matches!(it.kind, RedirectKind::Duplicate | RedirectKind::HereString));
    logs_in && names_host && !copies
}

fn is_own_host(host: &str, hosts: &str) -> bool {
    !host.is_empty() && hosts.split(' ').any(|known| glob::matches(known, host))
}
