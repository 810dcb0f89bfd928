//! `ruleward lint`: the mistakes of policies, each with its place.

mod broad;
mod format;
mod hosting;
mod overlap;
mod slow;
mod spoken;
mod tested;
mod tried;

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::{Exit, examples, hosts, trust};
use crate::domain::leak::{Known, Reign};
use crate::domain::policy::{Active, Policy};
use crate::io::policy::code::{Code, Severity};
use crate::io::policy::diagnostic::{Diagnostic, Source};
use crate::io::policy::load::Loaded;
use crate::io::policy::locate::{Places, Step};
use crate::io::{files, stdio};

/// Find mistakes in policies
///
/// Without a file, the policies that hold in this directory. Besides what makes a policy unusable, it
/// finds rules that never hold, that others leave nothing to decide, that hold for everything or miss
/// what they mean; examples that do not hold; suggestions that are themselves refused; and what a host
/// cannot carry out. Each finding has a code, a place, and what to do; docs/lint.md has them all.
///
/// The exit code is 1 when a policy cannot be used, with `--strict` also for warnings.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Policy files.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fail for warnings too; notes never fail.
    #[arg(long)]
    strict: bool,
    /// How to print what was found.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// For code hosts that show findings beside the code.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let loaded = match hosts::directory(None) {
        Ok(cwd) => {
            let mut here = hosts::for_person(&args.files, &cwd);
            let known = Known::new(&here.loaded.policy.quieting, Reign::Whole, &here.place, &files::text);
            let troubles = known.troubles().to_vec();
            here.loaded.policy.notices.extend(troubles);
            let withheld = trust::withheld(&here.loaded);
            here.loaded.policy.notices.extend(withheld);
            here.loaded
        }
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            return Exit::Usage.into();
        }
    };
    let mut found = loaded.diagnostics.clone();
    found.extend(examples::failures(&loaded));
    found.extend(looked(&loaded));
    let format = if args.json { Format::Json } else { args.format };
    stdio::print(&format::report(&found, &loaded.policy, format));
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    let failed = found.iter().any(|diagnostic| diagnostic.severity() >= least);
    if failed { Exit::Failed.into() } else { Exit::Done.into() }
}

/// Looks at the rules of files for what is well-formed and hardly meant.
fn looked(loaded: &Loaded) -> Vec<Diagnostic> {
    let Ok(policy) = loaded.policy.clone().unpacked() else { return Vec::new() };
    let mut look = Look::new(loaded, &policy);
    for place in 0..look.files.len() {
        broad::look(&mut look, place);
        overlap::look(&mut look, place);
        hosting::look(&mut look, place);
        slow::look(&mut look, place);
        spoken::look(&mut look, place);
        tried::look(&mut look, place);
        tested::look(&mut look, loaded, place);
    }
    look.found
}

/// A file of the policy, and its rules in force.
struct File<'a> {
    name: &'a str,
    places: Places,
    rules: Vec<&'a Active>,
}

/// What is looked at, and what was found.
struct Look<'a> {
    /// The policy in force, bundled rules and all.
    policy: &'a Policy,
    files: Vec<File<'a>>,
    found: Vec<Diagnostic>,
}

impl<'a> Look<'a> {
    fn new(loaded: &'a Loaded, policy: &'a Policy) -> Self {
        let places = |source: &Option<Arc<Source>>| Places::of(Arc::clone(source.as_ref()?));
        let with_text = loaded.files.iter().filter_map(|file| Some((file, places(&file.source)?)));
        let files = with_text.map(|(file, places)| File {
            name: &file.name,
            places,
            rules: policy.rules.iter().filter(|active| active.source == file.name).collect(),
        });
        Self { policy, files: files.collect(), found: Vec::new() }
    }

    /// Returns the rules of a file.
    fn rules(&self, file: usize) -> Vec<&'a Active> {
        self.files.get(file).map(|file| file.rules.clone()).unwrap_or_default()
    }

    /// Returns where a part of a rule stands.
    fn at(&self, file: usize, rule: &str, path: &[Step<'_>]) -> Option<(Arc<Source>, Range<usize>)> {
        let places = &self.files.get(file)?.places;
        Some((Arc::clone(&places.source), places.at(rule, path)?))
    }

    /// Adds a finding about a part of a rule.
    fn add(&mut self, file: usize, rule: &str, path: &[Step<'_>], code: Code, message: String, help: &str) {
        let Some((source, span)) = self.at(file, rule, path) else { return };
        let found = Diagnostic { code, source, span: Some(span), message, help: Some(help.to_owned()) };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    /// Returns where a rule stands, for people: `file:line`, or the pack.
    fn shown(&self, active: &Active) -> String {
        let file = self.files.iter().find(|file| file.name == active.source);
        let line = file.and_then(|file| file.places.position(&active.rule.id, &[])).map(|(line, _)| format!(":{line}"));
        let kind = if file.is_some() { "" } else { "the pack " };
        format!("{kind}{}{}", active.source, line.unwrap_or_default())
    }
}
