//! `ruleward install` and `ruleward uninstall`: the hook in the hosts' settings.

mod plugin;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::adapters::registration::change::keeps_all_calls;
use crate::adapters::registration::{Bundle, HookCommand, SettingsScope, is_ruleward_hook};
use crate::adapters::{EventRow, Host};
use crate::cli::approval::{Approval, approve};
use crate::cli::args::hosts;
use crate::cli::output::diff::print_diff;
use crate::cli::output::print::print;
use crate::cli::registration::{
    EventSelection, hook_caller, installed_hosts, installed_version, parse_registration, program_path,
    resolve_location, selected_rows, settings_file,
};
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::text::version::Version;
use crate::io::audit::GrantKind;
use crate::io::files::{self, FileAction, FileError};
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::process::stdio;
use crate::io::settings::SettingsDocument;

/// Register the hook with the coding agents on this machine
///
/// Without a host, registers with all hosts that are found. Keeps the order and comments of
/// settings files, and saves a backup next to them. Run it again to update the registration.
/// Replacing or removing a registration requires a person at a terminal. `ruleward uninstall`
/// removes the hook.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: TargetArgs,
    /// The events to register for.
    #[arg(long, value_enum, default_value_t = EventSelection::Used)]
    events: EventSelection,
    /// A user is present and can be asked, for hosts that don't report it (Gemini CLI).
    #[arg(long)]
    interactive: bool,
    /// The program to register instead of this one; for shared settings, its name.
    #[arg(long, value_name = "PATH")]
    command: Option<String>,
    /// A policy for the hook to use instead of the user's and the project's; repeatable.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
}

/// Remove the hook from the coding agents' settings
///
/// Settings files that haven't been edited since are restored byte for byte. Requires a person at a
/// terminal.
#[derive(Debug, clap::Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    which: TargetArgs,
}

#[derive(Debug, clap::Args)]
struct TargetArgs {
    #[arg(value_name = "HOST", help = hosts::install_help())]
    hosts: Vec<String>,
    /// The settings to change: yours, the project's (shared), the project's for you, the machine's;
    /// or an extension or plugin.
    #[arg(long, value_enum, default_value_t = InstallScope::User)]
    scope: InstallScope,
    /// Where to write an extension or a plugin.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show what would change, without changing anything.
    #[arg(long)]
    dry_run: bool,
}

/// Where a registration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum InstallScope {
    User,
    Project,
    Local,
    Managed,
    Extension,
    Plugin,
}

impl InstallScope {
    /// Returns the scope of a settings file, or the kind of folder.
    const fn settings_scope(self) -> Result<SettingsScope, &'static str> {
        match self {
            Self::User => Ok(SettingsScope::User),
            Self::Project => Ok(SettingsScope::Project),
            Self::Local => Ok(SettingsScope::Local),
            Self::Managed => Ok(SettingsScope::Managed),
            Self::Extension => Err("extension"),
            Self::Plugin => Err("plugin"),
        }
    }
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    for_each_host(&args.which, args.command.is_some() || !args.policy.is_empty(), &|job| job.install(args))
}

#[inline(never)]
pub(super) fn uninstall(args: &UninstallArgs) -> Result<ExitStatus, CommandError> {
    for_each_host(&args.which, false, &|job: &Installation<'_>| job.uninstall())
}

/// That a change of registrations may be made.
enum ChangeApproval {
    /// It relaxes nothing.
    NotNeeded,
    /// A user agreed to it.
    Given { approval: Approval, kind: GrantKind, text: String },
}

impl ChangeApproval {
    /// Records that the change was made.
    fn record(&self) {
        if let Self::Given { approval, kind, text } = self {
            approval.record(*kind, text);
        }
    }
}

/// One host to be dealt with.
struct Installation<'a> {
    host: &'static Host,
    target: &'a TargetArgs,
    surroundings: &'a Platform,
    project: String,
    /// Whether the command line names a program or a policy.
    is_special: bool,
}

fn for_each_host(
    which: &TargetArgs,
    is_special: bool,
    act: &dyn Fn(&Installation<'_>) -> Result<(), CommandError>,
) -> Result<ExitStatus, CommandError> {
    let surroundings = Platform::current();
    let mut exit = ExitStatus::Success;
    for host in selected_hosts(which, &surroundings)? {
        let project = context::absolute_directory(None)
            .map(|cwd| project_root(&surroundings, &cwd, &[], &may_exist).unwrap_or(cwd));
        let done = project.map_err(CommandError::from).and_then(|project| {
            act(&Installation { host, target: which, surroundings: &surroundings, project, is_special })
        });
        if let Err(why) = done {
            stdio::print_stderr(&format!("error: {}: {why}", host.title));
            exit = ExitStatus::Failure;
        }
    }
    Ok(exit)
}

fn selected_hosts(which: &TargetArgs, surroundings: &Platform) -> Result<Vec<&'static Host>, CommandError> {
    let named: Result<Vec<_>, _> = which.hosts.iter().map(|name| context::by_name(name)).collect();
    let mut chosen = named?;
    if chosen.is_empty() {
        chosen = installed_hosts(surroundings);
        if let Err(kind) = which.scope.settings_scope() {
            chosen.retain(|host| host.registration.bundle.as_ref().is_some_and(|bundle| bundle.kind == kind));
        }
        if chosen.is_empty() {
            return Err(format!("no coding agent found; name one: {}", context::names().join(", ")).into());
        }
    }
    Ok(chosen)
}

impl Installation<'_> {
    fn install(&self, args: &Args) -> Result<(), CommandError> {
        let version = installed_version(self.surroundings, self.host);
        let program = self.registered_program(args)?;
        let arguments = self.hook_arguments(args)?;
        let caller = hook_caller(self.surroundings, self.host, &program, &arguments, version);
        let chosen: Vec<String> = args.policy.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let here = context::load_context(self.surroundings, &chosen, &self.project, &[]);
        if let Some(mistake) = here.loaded.diagnostics.iter().find(|mistake| mistake.is_error()) {
            return Err(CommandError::Policy(format!(
                "the policy has an error, so every call would be denied: {mistake}; see `ruleward lint`"
            )));
        }
        let rows = selected_rows(self.host, args.events, here.loaded.policy.registered_kinds());
        match self.target.scope.settings_scope() {
            Ok(scope) if self.host.registration.plugin.is_some() => self.write_plugin(scope, &caller, &rows)?,
            Ok(scope) => self.register(scope, &caller, &rows)?,
            Err(kind) => self.write_bundle(kind, &caller, &rows)?,
        }
        self.print_notes(&program, version);
        Ok(())
    }

    fn uninstall(&self) -> Result<(), CommandError> {
        match self.target.scope.settings_scope() {
            Ok(scope) if self.host.registration.plugin.is_some() => self.remove_plugin(scope),
            Ok(scope) => self.unregister(scope),
            Err(kind) => self.remove_bundle(kind),
        }
    }

    fn register(&self, scope: SettingsScope, caller: &HookCommand<'_>, rows: &[&EventRow]) -> Result<(), CommandError> {
        let settings = self.open_settings(scope)?;
        let before = settings.value();
        settings.remove_hooks(&|entry| is_ruleward_hook(entry, self.host.name));
        for row in rows {
            settings.add_hook(row.wire, &(self.host.registration.hook_entry)(row, caller))?;
        }
        if let Some((key, switch)) = self.host.registration.enable_switch {
            settings.enable_switch(key, switch)?;
        }
        let path = self.settings_path(scope)?;
        let after = settings.value();
        if after == before {
            print(&format!("{}: {path} is up to date\n", self.host.title));
            return Ok(());
        }
        if self.target.dry_run {
            print_diff(
                &path,
                settings.original_text().unwrap_or_default(),
                &settings.edited_text().unwrap_or_default(),
            );
            return Ok(());
        }
        let is_kept = keeps_all_calls(&before, &after, self.host.name);
        let Some(approval) = self.approve_change(is_kept, &path)? else { return Ok(()) };
        settings.save()?;
        approval.record();
        let events: Vec<&str> = rows.iter().map(|row| row.wire).collect();
        print(&format!("{}: registered in {path} for {}\n", self.host.title, events.join(", ")));
        Ok(())
    }

    fn unregister(&self, scope: SettingsScope) -> Result<(), CommandError> {
        let settings = self.open_settings(scope)?;
        let path = self.settings_path(scope)?;
        if settings.remove_hooks(&|entry| is_ruleward_hook(entry, self.host.name)) == 0 {
            print(&format!("{}: not registered in {path}\n", self.host.title));
            return Ok(());
        }
        if let Some((key, switch)) = self.host.registration.enable_switch {
            settings.restore_switch(key, switch);
        }
        if self.target.dry_run {
            print_diff(
                &path,
                settings.original_text().unwrap_or_default(),
                &settings.edited_text().unwrap_or_default(),
            );
            return Ok(());
        }
        let Some(approval) = self.approve_removal(&path)? else { return Ok(()) };
        settings.restore()?;
        approval.record();
        print(&format!("{}: removed from {path}\n", self.host.title));
        Ok(())
    }

    fn write_bundle(&self, kind: &str, caller: &HookCommand<'_>, rows: &[&EventRow]) -> Result<(), CommandError> {
        let directory = self.bundle_directory(kind)?;
        let mut hooks = Map::new();
        let mut approvals = Vec::new();
        for row in rows {
            hooks.insert(row.wire.to_owned(), json!([{ "hooks": [(self.host.registration.hook_entry)(row, caller)] }]));
        }
        let bundle = self.bundle(kind)?;
        let (manifest, about) = (bundle.manifest)();
        for (name, value) in [(manifest, about), (bundle.hooks, json!({ "hooks": hooks }))] {
            let path = directory.join(name);
            let text = pretty_json(&value);
            let old = files::read_regular_file(&path).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(Vec::new()),
                _ => Err(FileError::on(FileAction::Read, &path)(error)),
            })?;
            let old = String::from_utf8_lossy(&old);
            if self.target.dry_run {
                print_diff(&path.to_string_lossy(), &old, &text);
                continue;
            }
            let before = serde_json::from_str(&old).unwrap_or_default();
            let is_kept = keeps_all_calls(&before, &value, self.host.name);
            let Some(approval) = self.approve_change(is_kept, &path.to_string_lossy())? else { return Ok(()) };
            files::write_atomic(&path, &text)?;
            approvals.push(approval);
        }
        for approval in &approvals {
            approval.record();
        }
        if !self.target.dry_run {
            print(&format!("{}: the {kind} is in {}\n", self.host.title, directory.display()));
        }
        Ok(())
    }

    fn remove_bundle(&self, kind: &str) -> Result<(), CommandError> {
        let directory = self.bundle_directory(kind)?;
        let bundle = self.bundle(kind)?;
        let (manifest, about) = (bundle.manifest)();
        let said = files::read_regular_file(&directory.join(manifest)).ok();
        let said = said.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        if said.and_then(|it| it.get("name").cloned()) != about.get("name").cloned() {
            print(&format!("{}: no ruleward {kind} in {}\n", self.host.title, directory.display()));
            return Ok(());
        }
        if self.target.dry_run {
            print(&format!("would remove {}\n", directory.display()));
            return Ok(());
        }
        let Some(approval) = self.approve_removal(&directory.to_string_lossy())? else { return Ok(()) };
        files::remove_files(&directory, &[manifest, bundle.hooks])?;
        approval.record();
        print(&format!("{}: removed the {kind} in {}\n", self.host.title, directory.display()));
        Ok(())
    }

    /// Asks the user about a registration that takes the place of another one, in its file (`is_kept` says that it does
    /// not) or, with a program or a
    /// policy of its own, in the order of the host's settings. One that only adds relaxes nothing: anybody may do it,
    /// also where there is no terminal. `None` where the user says no.
    fn approve_change(&self, is_kept: bool, path: &str) -> Result<Option<ChangeApproval>, CommandError> {
        let displaces = self.is_special && self.is_registered_beside(path);
        if !displaces && is_kept {
            return Ok(Some(ChangeApproval::NotNeeded));
        }
        let question = if displaces {
            format!("{}: {path} may replace a registration elsewhere. Register it?", self.host.title)
        } else {
            format!("{}: this replaces the registration in {path}. Replace it?", self.host.title)
        };
        let text = format!("A person replaced the registration in {path}");
        self.ask(&question, GrantKind::Install, text)
    }

    /// Returns whether another settings file of the host has a registration.
    fn is_registered_beside(&self, path: &str) -> bool {
        let files = self.host.registration.files.iter();
        let others = files.filter_map(|file| {
            resolve_location(self.surroundings, self.host, file.location, &self.project).ok().filter(|at| at != path)
        });
        let texts = others.filter_map(|at| files::read_text(&at).ok());
        let settings = texts.filter_map(|text| parse_registration(self.host, &text).ok());
        settings.into_iter().any(|settings| !keeps_all_calls(&settings, &Value::Null, self.host.name))
    }

    /// Asks the user whether the hook is to be taken out; `None` where the user says no.
    fn approve_removal(&self, path: &str) -> Result<Option<ChangeApproval>, CommandError> {
        let question = format!("{}: remove the hook from {path}?", self.host.title);
        self.ask(&question, GrantKind::Uninstall, format!("A person removed the hook from {path}"))
    }

    fn ask(&self, question: &str, kind: GrantKind, text: String) -> Result<Option<ChangeApproval>, CommandError> {
        let approval = approve(self.surroundings, Some(question))?;
        if approval.is_none() {
            print("Nothing was changed.\n");
        }
        Ok(approval.map(|approval| ChangeApproval::Given { approval, kind, text }))
    }

    /// Says what a user should know of the outcome.
    fn print_notes(&self, program: &str, version: Option<Version>) {
        let note = |text: &str| stdio::print_stderr(&format!("note: {text}"));
        if Path::new(program).components().any(|part| part.as_os_str() == "target") {
            note(&format!(
                "{program} is in a build directory; if that is deleted, every call is denied. Install it with `cargo install --path .`"
            ));
        }
        let registration = self.host.registration;
        if let Some(setting) = registration.fail_closed
            && version.is_some_and(|version| version < setting.since)
        {
            note(&format!(
                "this {} allows a call if a hook fails or times out; since {} it denies the call",
                self.host.title, setting.since
            ));
        }
        let needs_consent =
            matches!(self.target.scope, InstallScope::User | InstallScope::Project | InstallScope::Local);
        if let Some(text) = registration.consent.filter(|_| needs_consent) {
            note(text);
        }
        if registration.trusted_folders.is_some() && self.target.scope == InstallScope::User {
            note(&format!(
                "in an untrusted folder, {} runs no hooks of settings files; `--scope extension` works there too",
                self.host.title
            ));
        }
        if let Some((key, switch)) = registration.enable_switch.filter(|_| self.target.scope.settings_scope().is_err())
        {
            note(&format!("{} only runs hooks if `{key}.{switch}` is true in its settings", self.host.title));
        }
    }

    fn open_settings(&self, scope: SettingsScope) -> Result<SettingsDocument, CommandError> {
        let path = self.settings_path(scope)?;
        Ok(SettingsDocument::open(Path::new(&path), self.host.registration.allows_comments)?)
    }

    fn settings_path(&self, scope: SettingsScope) -> Result<String, CommandError> {
        let file = settings_file(self.host, scope)?;
        Ok(resolve_location(self.surroundings, self.host, file.location, &self.project)?)
    }

    fn bundle(&self, kind: &str) -> Result<&'static Bundle, CommandError> {
        match &self.host.registration.bundle {
            Some(bundle) if bundle.kind == kind => Ok(bundle),
            Some(bundle) => Err(format!("it doesn't support {kind}; it supports the {}", bundle.kind).into()),
            None => Err(format!("it doesn't support {kind} for hooks").into()),
        }
    }

    fn bundle_directory(&self, kind: &str) -> Result<PathBuf, CommandError> {
        let bundle = self.bundle(kind)?;
        if let Some(out) = &self.target.out {
            return Ok(out.clone());
        }
        if !bundle.is_auto_discovered {
            return Err(format!("name the directory of the {kind}: `--out DIR`").into());
        }
        Ok(PathBuf::from(resolve_location(self.surroundings, self.host, bundle.install_location, &self.project)?)
            .join("ruleward"))
    }

    fn registered_program(&self, args: &Args) -> Result<String, CommandError> {
        if let Some(command) = &args.command {
            return Ok(command.clone());
        }
        // What others get as well must not hold a path of this machine.
        let shared = matches!(self.target.scope, InstallScope::Project | InstallScope::Plugin);
        let shared = shared || self.target.scope == InstallScope::Extension && self.target.out.is_some();
        let program = if shared { "ruleward".to_owned() } else { program_path(self.surroundings)? };
        if program.contains('$') && self.host.registration.allows_comments {
            return Err(CommandError::Usage(format!(
                "{program} contains `$`, which the host would expand; name another path with `--command`"
            )));
        }
        Ok(program)
    }

    fn hook_arguments(&self, args: &Args) -> Result<Vec<String>, CommandError> {
        let mut arguments = vec!["hook".to_owned(), self.host.name.to_owned()];
        if args.interactive {
            arguments.push("--interactive".to_owned());
        }
        for policy in &args.policy {
            arguments.push("--policy".to_owned());
            arguments.push(files::canonical_path(policy)?);
        }
        Ok(arguments)
    }
}

fn pretty_json(value: &Value) -> String {
    format!("{value:#}\n")
}
