//! `ruleward import hooks`: the hooks of coding agents' settings, as `hooks:` of a policy.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};

use crate::adapters::registration::SettingsScope;
use crate::adapters::registration::hook_import::{HookProgram, ImportedHook, ImportedHooks, detect_host, import_hooks};
use crate::adapters::{HOSTS, Host, host_names};
use crate::cli::output::print::print_file;
use crate::cli::registration::resolve_location;
use crate::cli::{CommandError, ExitStatus, context};
use crate::domain::policy::host_name::HostName;
use crate::io::files;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::process::stdio;
use crate::io::settings::SettingsDocument;

/// Convert the hooks in coding agents' settings to `hooks:` of a policy
///
/// Each hook runs as before, with its protocol, events and matcher, and now under every host. Hooks
/// that can't be converted are listed on standard error, with the reason. Remove the entries from
/// the settings yourself, or they run twice.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Settings files, or the `hooks.json` of a plugin or an extension (default: the project's
    /// settings).
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The host of the hooks, if neither the path nor the events show it.
    #[arg(long, value_parser = PossibleValuesParser::new(HostName::protocols(&host_names())))]
    from: Option<String>,
    /// Write the policy to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    import_command(args)
}

fn import_command(args: &Args) -> Result<ExitStatus, CommandError> {
    let files = if args.files.is_empty() { project_settings()? } else { args.files.clone() };
    if files.is_empty() {
        return Err("the project has no settings with hooks; name the file".into());
    }
    let mut policy = PolicyWriter::default();
    let mut total = ImportedHooks::default();
    for file in &files {
        let shown = file.display().to_string();
        let Some((host, adopted)) = import_file(file, args.from.as_deref())? else { continue };
        for (place, why) in &adopted.skipped {
            stdio::print_stderr(&format!("{shown}: {place}: {why}"));
        }
        policy.start_file(&shown, host);
        adopted.hooks.iter().for_each(|hook| policy.add_hook(host, hook));
        total.own_count += adopted.own_count;
        total.hooks.extend(adopted.hooks);
    }
    let own =
        if total.own_count > 0 { format!("; skipped {} of ruleward itself", total.own_count) } else { String::new() };
    stdio::print_stderr(&format!("{} hooks converted{own}", total.hooks.len()));
    match &args.output {
        Some(output) => fs::write(output, policy.finish())
            .map_err(|error| format!("{} can't be written: {error}", output.display()))?,
        None => print_file(&policy.finish()),
    }
    Ok(ExitStatus::Success)
}

/// Returns the settings of the project, of every host whose hooks can be imported.
fn project_settings() -> Result<Vec<PathBuf>, CommandError> {
    let surroundings = Platform::current();
    let cwd = context::absolute_directory(None)?;
    let project = project_root(&surroundings, &cwd, &[], &may_exist).unwrap_or(cwd);
    let hosts = HOSTS.iter().filter(|host| host.is_protocol());
    let files = hosts.flat_map(|host| {
        let files = host.registration.files.iter();
        let shared = files.filter(|file| matches!(file.scope, SettingsScope::Project | SettingsScope::Local));
        shared
            .filter_map(|file| resolve_location(&surroundings, host, file.location, &project).ok())
            .collect::<Vec<_>>()
    });
    Ok(files.map(PathBuf::from).filter(|file| file.is_file()).collect())
}

fn import_file(file: &Path, from: Option<&str>) -> Result<Option<(&'static Host, ImportedHooks)>, CommandError> {
    let settings = SettingsDocument::open(file, true)?;
    if settings.original_text().is_none() {
        return Err(CommandError::NotFound(format!("{} is not there", file.display())));
    }
    let settings = settings.value();
    let Some(hooks) = settings.get("hooks").and_then(Value::as_object) else {
        stdio::print_stderr(&format!("{}: it has no `hooks`", file.display()));
        return Ok(None);
    };
    let absolute = files::canonical_path(file)?;
    let by_path = HOSTS.iter().copied().find(|host| {
        let folders = absolute.split(['/', '\\']);
        folders.into_iter().any(|folder| folder == host.registration.config_dir)
    });
    let host = from.and_then(Host::by_name).or_else(|| detect_host(HOSTS, hooks, by_path)).or(by_path);
    let host = host.ok_or_else(|| {
        let example = HostName::protocols(&host_names()).first().copied().unwrap_or("HOST");
        format!("{}: unknown host; name it with `--from {example}`", file.display())
    })?;
    Ok(Some((host, import_hooks(host, &settings, bundle_root(&absolute).as_deref()))))
}

/// Returns the folder of the plugin or extension that a file of hooks belongs to.
fn bundle_root(file: &str) -> Option<String> {
    let path = Path::new(file);
    let folder = path.parent()?;
    let is_bundle = path.file_name()?.to_str()? == "hooks.json" && folder.file_name()?.to_str()? == "hooks";
    is_bundle.then(|| folder.parent()).flatten().map(|root| root.to_string_lossy().into_owned())
}

/// A policy as it is written.
#[derive(Debug, Default)]
struct PolicyWriter {
    text: String,
    ids: BTreeSet<String>,
}

impl PolicyWriter {
    fn start_file(&mut self, file: &str, host: &Host) {
        let _ = writeln!(self.text, "\n  # From {file}, hooks of {}.", host.title);
    }

    fn add_hook(&mut self, host: &Host, hook: &ImportedHook) {
        let mut id = hook.name.clone();
        let mut number = 1;
        while !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{}-{number}", hook.name);
        }
        let _ = writeln!(self.text, "  - id: {id}");
        let mut put = |key: &str, value: &str| {
            let _ = writeln!(self.text, "    {key}: {value}");
        };
        let when = hook.when.join(", ");
        put("when", &if hook.when.len() == 1 { when } else { format!("[{when}]") });
        match hook.failed {
            Some(true) => put("outcome", "failed"),
            Some(false) => put("except", "{ outcome: failed }"),
            None => {}
        }
        match &hook.program {
            HookProgram::Shell(text) => put("run", &format!("{{ shell: {} }}", json!(text))),
            HookProgram::Words(words) => put("run", &json!(words).to_string()),
        }
        put("speaks", host.name);
        if let Some(matcher) = &hook.matcher {
            put("matcher", &json!(matcher).to_string());
        }
        let millis = hook.timeout;
        put(
            "timeout",
            &if millis.is_multiple_of(1000) { format!("{}s", millis / 1000) } else { format!("{millis}ms") },
        );
        if hook.is_async {
            put("async", "true");
        } else {
            if hook.parallel {
                put("parallel", "true");
            }
            if !hook.fails_closed {
                put("on_failure", "allow");
            }
        }
        if !hook.pass_env.is_empty() || !hook.set_env.is_empty() {
            let mut env = Map::new();
            if !hook.pass_env.is_empty() {
                env.insert("pass".to_owned(), json!(hook.pass_env));
            }
            if !hook.set_env.is_empty() {
                env.insert("set".to_owned(), json!(hook.set_env));
            }
            put("env", &Value::Object(env).to_string());
        }
    }

    fn finish(&self) -> String {
        if self.ids.is_empty() {
            return "version: 1\n".to_owned();
        }
        format!("version: 1\n\nhooks:{}", self.text)
    }
}
