//! Secrets that a command prints for their own service alone: a token that only logs in there, and a password that is
//! piped to the program which keeps it.

use super::disclosure::{Disclosure, Means};
use crate::domain::shell::script::{Command, Script};

/// The programs that print tokens, and those that print a variable.
const TOKEN_PROGRAMS: &[&str] = &["gh", "glab", "gcloud", "az", "heroku", "fly", "flyctl", "doctl", "databricks"];
const VARIABLE_PROGRAMS: &[&str] = &["echo", "printf", "print", "printenv"];

/// The commands that take a secret from their input and keep it, or show no part of it: the program, words that are
/// among its arguments.
const KEEPERS: &[(&str, &[&str])] = &[
    ("docker podman nerdctl buildah skopeo helm oras crane regctl", &["--password-stdin"]),
    ("docker podman", &["secret", "create"]),
    ("docker podman", &["config", "create"]),
    ("gh", &["auth", "login", "--with-token"]),
    ("gh", &["secret", "set"]),
    ("glab", &["auth", "login", "--stdin"]),
    ("vault bao", &["login"]),
    ("wrangler", &["secret", "put"]),
    ("wrangler", &["secret:put"]),
    ("vercel", &["env", "add"]),
    ("fly flyctl", &["secrets", "import"]),
    ("gcloud", &["secrets", "create"]),
    ("gcloud", &["secrets", "versions", "add"]),
    ("firebase", &["functions:secrets:set"]),
    ("pulumi", &["config", "set"]),
    ("doppler", &["secrets", "set"]),
    ("kubeseal ansible-vault", &[]),
    ("age sops", &["-e"]),
    ("wc sha256sum shasum sha1sum md5sum cksum", &[]),
];

/// Returns whether a command prints a token that is used to log in to its own service and for nothing else.
/// `disclosures` returns what a command discloses.
pub(super) fn token_for_own_service(
    command: &Command,
    script: &Script,
    disclosures: &dyn Fn(usize, &Command) -> Vec<Disclosure>,
) -> Option<Disclosure> {
    let own = |secret: String| Disclosure { secret, destination: None, means: Means::Own };
    let program = command.program();
    if VARIABLE_PROGRAMS.contains(&program) {
        let behind = |other: &&Command| other.pipeline == command.pipeline && other.stage == command.stage + 1;
        let is_kept = script.commands.iter().filter(behind).any(is_keeper);
        return is_kept.then(|| own(program.to_owned()));
    }
    if !TOKEN_PROGRAMS.contains(&program) {
        return None;
    }
    let text = command.text();
    let name = format!("$({text})");
    let mut users = 0;
    for (index, user) in script.commands.iter().enumerate() {
        let has = |text: &str| text.contains(&name);
        let is_argument = user.words.iter().any(|word| has(&word.text));
        let is_input = user.redirects.iter().any(|redirect| has(&redirect.target.text));
        let is_assigned = user.assignments.iter().any(|(_, value)| has(&value.text));
        if !is_argument && !is_input && (user.words.is_empty() || !is_assigned) {
            continue;
        }
        let found = disclosures(index, user);
        let mut found = found.iter().filter(|it| it.secret == text).peekable();
        if is_input || is_assigned || found.peek().is_none() || !found.all(|it| it.means == Means::Own) {
            return None;
        }
        users += 1;
    }
    (users > 0).then(|| own(text))
}

fn is_keeper(command: &Command) -> bool {
    let program = command.program();
    KEEPERS.iter().any(|(programs, words)| {
        programs.split(' ').any(|name| name == program)
            && words.iter().all(|wanted| command.args().iter().any(|word| word.text == *wanted))
    })
}
