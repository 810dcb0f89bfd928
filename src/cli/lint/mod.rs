//! `ruleward lint`: the mistakes of policies, each with its place.

mod format;
mod host_support;
mod overbroad;
mod overlap;
mod performance;
mod self_conflict;
mod test_coverage;
mod unsupported_event;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::output::print::{print, print_json, print_rendered};
use crate::cli::{CommandError, ExitStatus, context, examples, trust_notice};
use crate::domain::allowlist::{Authority, Suppression};
use crate::domain::policy::{ActiveRule, Policy};
use crate::io::files;
use crate::io::policy::code::{DiagnosticCode, DiagnosticSeverity};
use crate::io::policy::diagnostic::{Diagnostic, SourceText};
use crate::io::policy::load::LoadedPolicy;
use crate::io::policy::locate::{PathSegment, RuleLocator};

/// Find mistakes in policies
///
/// Without a file, checks the policies in force in this directory. In addition to errors, it finds
/// rules that never match, that other rules shadow, or that match too much or too little; failing
/// examples; suggestions that are denied themselves; and effects that a host doesn't support. Each
/// finding has a code, a location and a fix; docs/lint.md lists all of them.
///
/// The exit code is 1 if a policy has errors; with `--strict`, also for warnings.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Policy files.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also fail for warnings; notes never fail.
    #[arg(long)]
    strict: bool,
    /// The output format.
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
    /// For code scanning services.
    Sarif,
    /// GitHub Actions annotations.
    Github,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let mut here = context::load_for_user(&args.files, &context::absolute_directory(None)?);
    let known = Suppression::new(&here.loaded.policy.suppressions, Authority::All, &here.place, &|path| {
        Ok(files::read_text(path)?)
    });
    let troubles = known.errors().to_vec();
    here.loaded.policy.notices.extend(troubles);
    let withheld = trust_notice::withheld_notices(&here.loaded);
    here.loaded.policy.notices.extend(withheld);
    let loaded = here.loaded;
    let mut found = loaded.diagnostics.clone();
    found.extend(examples::run_examples(&loaded));
    found.extend(run_checks(&loaded));
    let format = if args.json { Format::Json } else { args.format };
    let report = format::report(&found, &loaded.policy, format);
    match format {
        Format::Human => print_rendered(&report),
        Format::Github => print(&report),
        Format::Json | Format::Sarif => print_json(&report),
    }
    let least = if args.strict { DiagnosticSeverity::Warning } else { DiagnosticSeverity::Error };
    let failed = found.iter().any(|diagnostic| diagnostic.severity() >= least);
    Ok(if failed { ExitStatus::Failure } else { ExitStatus::Success })
}

/// Checks the rules of files for what is well-formed and hardly meant.
fn run_checks(loaded: &LoadedPolicy) -> Vec<Diagnostic> {
    let Ok(policy) = loaded.policy.clone().with_decoded_rules() else { return Vec::new() };
    let mut look = Linter::new(loaded, &policy);
    for place in 0..look.files.len() {
        overbroad::check(&mut look, place);
        overlap::check(&mut look, place);
        host_support::check(&mut look, place);
        performance::check(&mut look, place);
        unsupported_event::check(&mut look, place);
        self_conflict::check(&mut look, place);
        test_coverage::check(&mut look, loaded, place);
    }
    look.diagnostics
}

/// A file of the policy, and its rules in force.
struct LintedFile<'a> {
    name: &'a str,
    places: RuleLocator,
    rules: Vec<&'a ActiveRule>,
}

/// What is looked at, and what was found.
struct Linter<'a> {
    /// The policy in force, bundled rules and all.
    policy: &'a Policy,
    files: Vec<LintedFile<'a>>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    fn new(loaded: &'a LoadedPolicy, policy: &'a Policy) -> Self {
        let places = |source: &Option<Arc<SourceText>>| RuleLocator::parse(Arc::clone(source.as_ref()?));
        let with_text = loaded.files.iter().filter_map(|file| Some((file, places(&file.source)?)));
        let files = with_text.map(|(file, places)| LintedFile {
            name: &file.name,
            places,
            rules: policy.rules.iter().filter(|active| active.source == file.name).collect(),
        });
        Self { policy, files: files.collect(), diagnostics: Vec::new() }
    }

    /// Returns the rules of a file.
    fn rules(&self, file: usize) -> Vec<&'a ActiveRule> {
        self.files.get(file).map(|file| file.rules.clone()).unwrap_or_default()
    }

    /// Returns where a part of a rule is.
    fn locate(&self, file: usize, rule: &str, path: &[PathSegment<'_>]) -> Option<(Arc<SourceText>, Range<usize>)> {
        let places = &self.files.get(file)?.places;
        Some((Arc::clone(&places.source), places.span(rule, path)?))
    }

    /// Adds a finding about a part of a rule.
    fn add(
        &mut self,
        file: usize,
        rule: &str,
        path: &[PathSegment<'_>],
        code: DiagnosticCode,
        message: String,
        help: &str,
    ) {
        let Some((source, span)) = self.locate(file, rule, path) else { return };
        let found = Diagnostic { code, source, span: Some(span), message, help: Some(help.to_owned()) };
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }

    /// Returns where a rule is, for people: `file:line`, or the pack.
    fn location_text(&self, active: &ActiveRule) -> String {
        let file = self.files.iter().find(|file| file.name == active.source);
        let line = file.and_then(|file| file.places.position(&active.rule.id, &[])).map(|(line, _)| format!(":{line}"));
        let kind = if file.is_some() { "" } else { "the pack " };
        format!("{kind}{}{}", active.source, line.unwrap_or_default())
    }
}
