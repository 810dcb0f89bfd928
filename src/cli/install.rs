//! `ruleward install` and `ruleward uninstall`: the hook in the hosts' settings.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use similar::TextDiff;

use super::registration::{Events, caller, own_path, path, present, rows, settings_file, version};
use super::style::Palette;
use super::{Exit, hosts};
use crate::adapters::registration::{Caller, Scope, is_ours};
use crate::adapters::{Host, Row};
use crate::domain::version::Version;
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::settings::Settings;
use crate::io::{files, stdio};

/// The version of Claude Code from which a failing hook can be made to refuse.
const FAILS_CLOSED_SINCE: Version = Version([2, 1, 295]);

/// Register the hook with the coding agents that are here
///
/// Names no host: all that are found. What stands in a settings file stays, with its order and
/// comments; what it was is kept beside it. Doing it again brings the registration up to date.
/// `ruleward uninstall` takes it out.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// The events to register for.
    #[arg(long, value_enum, default_value_t = Events::Used)]
    events: Events,
    /// A person sits at the host and can be asked, for hosts that do not say (Gemini CLI).
    #[arg(long)]
    interactive: bool,
    /// The program to register, instead of this one; for settings that are shared, its name.
    #[arg(long, value_name = "PATH")]
    command: Option<String>,
    /// A policy that the hook goes by instead of the person's and the project's. Repeatable.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
}

/// Take the hook out of the coding agents' settings
///
/// A settings file that nobody changed since is byte for byte what it was before.
#[derive(Debug, clap::Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// The hosts: `claude`, `gemini`, `llxprt`.
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Whose settings: yours, the project's (shared), the project's for you, or the machine's; or
    /// a folder that brings the hook to others.
    #[arg(long, value_enum, default_value_t = Target::User)]
    scope: Target,
    /// Where to write an extension or a plugin.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Where a registration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    User,
    Project,
    Local,
    Managed,
    Extension,
    Plugin,
}

impl Target {
    /// Returns the scope of a settings file, or the kind of folder.
    const fn scope(self) -> Result<Scope, &'static str> {
        match self {
            Self::User => Ok(Scope::User),
            Self::Project => Ok(Scope::Project),
            Self::Local => Ok(Scope::Local),
            Self::Managed => Ok(Scope::Managed),
            Self::Extension => Err("extension"),
            Self::Plugin => Err("plugin"),
        }
    }
}

pub(super) fn run(args: &Args) -> ExitCode {
    each(&args.which, |job| job.install(args))
}

pub(super) fn uninstall(args: &UninstallArgs) -> ExitCode {
    each(&args.which, |job: &Job<'_>| job.uninstall())
}

/// One host to be dealt with.
struct Job<'a> {
    host: &'static Host,
    which: &'a Which,
    surroundings: &'a Surroundings,
    project: String,
}

fn each(which: &Which, act: impl Fn(&Job<'_>) -> Result<(), String>) -> ExitCode {
    let surroundings = Surroundings::here();
    let chosen = match chosen(which, &surroundings) {
        Ok(chosen) => chosen,
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            return Exit::Usage.into();
        }
    };
    let mut exit = Exit::Done;
    for host in chosen {
        let project =
            hosts::directory(None).map(|cwd| project_root(&surroundings, &cwd, &[], &is_there).unwrap_or(cwd));
        let done = project.and_then(|project| act(&Job { host, which, surroundings: &surroundings, project }));
        if let Err(why) = done {
            stdio::say(&format!("error: {}: {why}", host.title));
            exit = Exit::Failed;
        }
    }
    exit.into()
}

fn chosen(which: &Which, surroundings: &Surroundings) -> Result<Vec<&'static Host>, String> {
    let named: Result<Vec<_>, _> = which.hosts.iter().map(|name| hosts::named(name)).collect();
    let mut chosen = named?;
    if chosen.is_empty() {
        chosen = present(surroundings);
        if let Err(kind) = which.scope.scope() {
            chosen.retain(|host| host.registration.bundle.kind == kind);
        }
        if chosen.is_empty() {
            return Err(format!("no coding agent was found here; name one: {}", hosts::names().join(", ")));
        }
    }
    Ok(chosen)
}

impl Job<'_> {
    fn install(&self, args: &Args) -> Result<(), String> {
        let version = version(self.surroundings, self.host);
        let program = self.program(args)?;
        let arguments = self.arguments(args)?;
        let caller = caller(self.surroundings, &program, &arguments, version);
        let chosen: Vec<String> = args.policy.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let here = hosts::here(self.surroundings, &chosen, &self.project, &[]);
        if let Some(mistake) = here.loaded.diagnostics.iter().find(|mistake| mistake.is_error()) {
            return Err(format!(
                "the policy has an error, and every call would be refused: {mistake}; see `ruleward lint`"
            ));
        }
        let rows = rows(self.host, args.events, here.loaded.policy.moments());
        match self.which.scope.scope() {
            Ok(scope) => self.register(scope, &caller, &rows)?,
            Err(kind) => self.write_bundle(kind, &caller, &rows)?,
        }
        self.notes(&program, version);
        Ok(())
    }

    fn uninstall(&self) -> Result<(), String> {
        match self.which.scope.scope() {
            Ok(scope) => self.withdraw(scope),
            Err(kind) => self.remove_bundle(kind),
        }
    }

    fn register(&self, scope: Scope, caller: &Caller<'_>, rows: &[&Row]) -> Result<(), String> {
        let settings = self.open(scope)?;
        let before = settings.value();
        settings.remove_hooks(&|entry| is_ours(entry, self.host.name));
        for row in rows {
            settings.add_hook(row.wire, &(self.host.registration.entry)(row, caller))?;
        }
        if let Some((key, switch)) = self.host.registration.switched_on {
            settings.switch_on(key, switch)?;
        }
        let path = self.path(scope)?;
        if settings.value() == before {
            stdio::print(&format!("{}: {path} is up to date\n", self.host.title));
            return Ok(());
        }
        if self.which.dry_run {
            show(&path, settings.before().unwrap_or_default(), &settings.after().unwrap_or_default());
            return Ok(());
        }
        settings.save()?;
        let events: Vec<&str> = rows.iter().map(|row| row.wire).collect();
        stdio::print(&format!("{}: registered in {path} for {}\n", self.host.title, events.join(", ")));
        Ok(())
    }

    fn withdraw(&self, scope: Scope) -> Result<(), String> {
        let settings = self.open(scope)?;
        let path = self.path(scope)?;
        if settings.remove_hooks(&|entry| is_ours(entry, self.host.name)) == 0 {
            stdio::print(&format!("{}: not registered in {path}\n", self.host.title));
            return Ok(());
        }
        if let Some((key, switch)) = self.host.registration.switched_on {
            settings.switch_back(key, switch);
        }
        if self.which.dry_run {
            show(&path, settings.before().unwrap_or_default(), &settings.after().unwrap_or_default());
            return Ok(());
        }
        settings.restore()?;
        stdio::print(&format!("{}: taken out of {path}\n", self.host.title));
        Ok(())
    }

    fn write_bundle(&self, kind: &str, caller: &Caller<'_>, rows: &[&Row]) -> Result<(), String> {
        let directory = self.bundle_directory(kind)?;
        let mut hooks = Map::new();
        for row in rows {
            hooks.insert(row.wire.to_owned(), json!([{ "hooks": [(self.host.registration.entry)(row, caller)] }]));
        }
        let bundle = &self.host.registration.bundle;
        let (manifest, about) = (bundle.manifest)();
        for (name, value) in [(manifest, about), (bundle.hooks, json!({ "hooks": hooks }))] {
            let path = directory.join(name);
            let text = pretty(&value);
            let old = files::ordinary(&path).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(Vec::new()),
                _ => Err(format!("{} could not be read: {error}", path.display())),
            })?;
            let old = String::from_utf8_lossy(&old);
            if self.which.dry_run {
                show(&path.to_string_lossy(), &old, &text);
            } else {
                files::replace(&path, &text)?;
            }
        }
        if !self.which.dry_run {
            stdio::print(&format!("{}: the {kind} is in {}\n", self.host.title, directory.display()));
        }
        Ok(())
    }

    fn remove_bundle(&self, kind: &str) -> Result<(), String> {
        let directory = self.bundle_directory(kind)?;
        let bundle = &self.host.registration.bundle;
        let (manifest, about) = (bundle.manifest)();
        let said = files::ordinary(&directory.join(manifest)).ok();
        let said = said.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        if said.and_then(|it| it.get("name").cloned()) != about.get("name").cloned() {
            stdio::print(&format!("{}: there is no {kind} of ruleward in {}\n", self.host.title, directory.display()));
            return Ok(());
        }
        if self.which.dry_run {
            stdio::print(&format!("would remove {}\n", directory.display()));
            return Ok(());
        }
        files::remove(&directory, &[manifest, bundle.hooks])?;
        stdio::print(&format!("{}: removed the {kind} in {}\n", self.host.title, directory.display()));
        Ok(())
    }

    /// Says what a person should know of the outcome.
    fn notes(&self, program: &str, version: Option<Version>) {
        let note = |text: &str| stdio::say(&format!("note: {text}"));
        if Path::new(program).components().any(|part| part.as_os_str() == "target") {
            note(&format!(
                "{program} is in a build directory; when it goes, every call is refused. `cargo install --path .` gives it a place of its own"
            ));
        }
        if self.host.name == "claude" && version.is_some_and(|version| version < FAILS_CLOSED_SINCE) {
            note(&format!(
                "this Claude Code lets a call through when a hook fails or is late; from {FAILS_CLOSED_SINCE} on it refuses"
            ));
        }
        let registration = self.host.registration;
        if registration.trusted_folders.is_some() && self.which.scope == Target::User {
            note(&format!(
                "in a folder that is not trusted, {} runs no hooks of settings files; `--scope extension` holds there too",
                self.host.title
            ));
        }
        if let Some((key, switch)) = registration.switched_on.filter(|_| self.which.scope.scope().is_err()) {
            note(&format!("{} runs hooks only when `{key}.{switch}` is true in its settings", self.host.title));
        }
    }

    fn open(&self, scope: Scope) -> Result<Settings, String> {
        Settings::open(Path::new(&self.path(scope)?), self.host.registration.comments)
    }

    fn path(&self, scope: Scope) -> Result<String, String> {
        path(self.surroundings, self.host, settings_file(self.host, scope)?.at, &self.project)
    }

    fn bundle_directory(&self, kind: &str) -> Result<PathBuf, String> {
        let bundle = &self.host.registration.bundle;
        if bundle.kind != kind {
            return Err(format!("it knows no {kind}; it has the {}", bundle.kind));
        }
        if let Some(out) = &self.which.out {
            return Ok(out.clone());
        }
        if !bundle.found_there {
            return Err(format!("say where the {kind} is to be: `--out DIR`"));
        }
        Ok(PathBuf::from(path(self.surroundings, self.host, bundle.kept, &self.project)?).join("ruleward"))
    }

    fn program(&self, args: &Args) -> Result<String, String> {
        if let Some(command) = &args.command {
            return Ok(command.clone());
        }
        // What others get as well must not hold a path of this machine.
        let shared = matches!(self.which.scope, Target::Project | Target::Plugin);
        let shared = shared || self.which.scope == Target::Extension && self.which.out.is_some();
        let program = if shared { "ruleward".to_owned() } else { own_path(self.surroundings)? };
        if program.contains('$') && self.host.registration.comments {
            return Err(format!(
                "{program} has a `$` in it, which the host would read as a variable; name another with `--command`"
            ));
        }
        Ok(program)
    }

    fn arguments(&self, args: &Args) -> Result<Vec<String>, String> {
        let mut arguments = vec!["hook".to_owned(), self.host.name.to_owned()];
        if args.interactive {
            arguments.push("--interactive".to_owned());
        }
        for policy in &args.policy {
            arguments.push("--policy".to_owned());
            arguments.push(files::absolute(policy)?);
        }
        Ok(arguments)
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn show(path: &str, before: &str, after: &str) {
    let diff = TextDiff::from_lines(before, after);
    let text = diff.unified_diff().header(path, path).to_string();
    let palette = Palette::for_stdout();
    for line in text.lines() {
        let line = match line.chars().next() {
            Some('+') => palette.good(line),
            Some('-') => palette.bad(line),
            _ => line.to_owned(),
        };
        stdio::print(&format!("{line}\n"));
    }
}
