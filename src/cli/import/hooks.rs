//! `ruleward import hooks`: the hooks of coding agents' settings, as `hooks:` of a policy.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::adapters::adopt::{Adopted, Hook, Program, adopt, host_of};
use crate::adapters::registration::Scope;
use crate::adapters::{HOSTS, Host};
use crate::cli::registration::path;
use crate::cli::{Exit, hosts};
use crate::io::platform::Surroundings;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::settings::Settings;
use crate::io::{files, stdio};

/// Write the hooks of coding agents' settings as `hooks:` of a policy
///
/// Each runs as before: in its own dialect, at its events, for what its matcher covers, and now on
/// every host. What cannot be taken over is told on standard error, each with its reason. Take the
/// entries out of the settings yourself, or they run twice.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Settings, or the `hooks.json` of a plugin or an extension; or else the project's settings.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Whose hooks they are, where neither the path nor the events tell.
    #[arg(long, value_enum)]
    from: Option<From>,
    /// Where to write the policy, instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum From {
    Claude,
    Gemini,
}

impl From {
    fn host(self) -> Option<&'static Host> {
        Host::named(match self {
            Self::Claude => "claude",
            Self::Gemini => "gemini",
        })
    }
}

pub(super) fn run(args: &Args) -> ExitCode {
    match taken(args) {
        Ok(exit) => exit.into(),
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn taken(args: &Args) -> Result<Exit, String> {
    let files = if args.files.is_empty() { of_project()? } else { args.files.clone() };
    if files.is_empty() {
        return Err("the project has no settings with hooks: name the file".to_owned());
    }
    let mut policy = Written::default();
    let mut total = Adopted::default();
    for file in &files {
        let shown = file.display().to_string();
        let Some((host, adopted)) = of_file(file, args.from)? else { continue };
        for (place, why) in &adopted.left {
            stdio::say(&format!("{shown}: {place}: {why}"));
        }
        policy.begin(&shown, host);
        adopted.hooks.iter().for_each(|hook| policy.add(host, hook));
        total.own += adopted.own;
        total.hooks.extend(adopted.hooks);
    }
    let own = if total.own > 0 { format!("; {} of ruleward itself left out", total.own) } else { String::new() };
    stdio::say(&format!("{} hooks taken over{own}", total.hooks.len()));
    match &args.output {
        Some(output) => fs::write(output, policy.finish())
            .map_err(|error| format!("{} cannot be written: {error}", output.display()))?,
        None => stdio::print(&policy.finish()),
    }
    Ok(Exit::Done)
}

/// Returns the settings of the project, of every host whose hooks can be taken over.
fn of_project() -> Result<Vec<PathBuf>, String> {
    let surroundings = Surroundings::here();
    let cwd = hosts::directory(None)?;
    let project = project_root(&surroundings, &cwd, &[], &is_there).unwrap_or(cwd);
    let hosts = HOSTS.iter().filter(|host| !matches!(host.name, "llxprt"));
    let files = hosts.flat_map(|host| {
        let files = host.registration.files.iter();
        let shared = files.filter(|file| matches!(file.scope, Scope::Project | Scope::Local));
        shared.filter_map(|file| path(&surroundings, host, file.at, &project).ok()).collect::<Vec<_>>()
    });
    Ok(files.map(PathBuf::from).filter(|file| file.is_file()).collect())
}

fn of_file(file: &Path, from: Option<From>) -> Result<Option<(&'static Host, Adopted)>, String> {
    let settings = Settings::open(file, true)?;
    if settings.before().is_none() {
        return Err(format!("{} is not there", file.display()));
    }
    let settings = settings.value();
    let Some(hooks) = settings.get("hooks").and_then(Value::as_object) else {
        stdio::say(&format!("{}: it has no `hooks`", file.display()));
        return Ok(None);
    };
    let absolute = files::absolute(file)?;
    let by_path = HOSTS.iter().copied().find(|host| {
        let folders = absolute.split(['/', '\\']);
        folders.into_iter().any(|folder| folder == host.registration.folder)
    });
    let host = from.and_then(From::host).or_else(|| host_of(hooks)).or(by_path);
    let host = host.ok_or_else(|| format!("{}: say whose hooks they are: `--from claude`", file.display()))?;
    Ok(Some((host, adopt(host, &settings, bundle(&absolute).as_deref()))))
}

/// Returns the folder of the plugin or extension that a file of hooks belongs to.
fn bundle(file: &str) -> Option<String> {
    let path = Path::new(file);
    let folder = path.parent()?;
    let is_bundle = path.file_name()?.to_str()? == "hooks.json" && folder.file_name()?.to_str()? == "hooks";
    is_bundle.then(|| folder.parent()).flatten().map(|root| root.to_string_lossy().into_owned())
}

/// A policy as it is written.
#[derive(Debug, Default)]
struct Written {
    text: String,
    ids: BTreeSet<String>,
}

impl Written {
    fn begin(&mut self, file: &str, host: &Host) {
        let _ = writeln!(self.text, "\n  # From {file}, hooks of {}.", host.title);
    }

    fn add(&mut self, host: &Host, hook: &Hook) {
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
        match &hook.run {
            Program::Shell(text) => put("run", &format!("{{ shell: {} }}", json!(text))),
            Program::Words(words) => put("run", &json!(words).to_string()),
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
        if !hook.pass.is_empty() || !hook.set.is_empty() {
            let mut env = Map::new();
            if !hook.pass.is_empty() {
                env.insert("pass".to_owned(), json!(hook.pass));
            }
            if !hook.set.is_empty() {
                env.insert("set".to_owned(), json!(hook.set));
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
