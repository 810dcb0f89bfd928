//! `ruleward lint`: the mistakes of policies, each with its place.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::style::Palette;
use super::{Exit, examples, hosts, trust};
use crate::adapters::HOSTS;
use crate::domain::effect::EffectKind;
use crate::domain::leak::{Known, Reign};
use crate::io::policy::code::Severity;
use crate::io::policy::diagnostic::Diagnostic;
use crate::io::policy::load::Loaded;
use crate::io::{files, stdio};

/// Find mistakes in policies
///
/// Without a file, the policies that hold in this directory. Besides mistakes, it says which examples
/// of rules do not hold, and where a host cannot carry out what a rule asks for. The exit code is 1 when a policy cannot be used, with
/// `--strict` also for warnings.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Policy files.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fail for warnings too.
    #[arg(long)]
    strict: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let mut loaded = match hosts::directory(None) {
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
    let failures = examples::failures(&loaded);
    loaded.diagnostics.extend(failures);
    let gaps = gaps(&loaded);
    stdio::print(&if args.json { as_json(&loaded, &gaps) } else { as_text(&loaded, &gaps) });
    let failed = loaded.has_errors() || (args.strict && !loaded.diagnostics.is_empty());
    if failed { Exit::Failed.into() } else { Exit::Done.into() }
}

/// What a host makes of a rule that it cannot carry out as meant.
struct Gap {
    rule: String,
    source: String,
    text: String,
}

/// Returns where hosts cannot carry out what rules ask for, but for bundled rules, which know.
fn gaps(loaded: &Loaded) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let own = loaded.policy.rules.iter().filter(|active| active.layer != crate::domain::policy::Layer::Bundled);
    for active in own {
        for host in HOSTS {
            if active.rule.conditions.host.as_ref().is_some_and(|hosts| !hosts.0.iter().any(|name| name == host.name)) {
                continue;
            }
            for row in active.rule.when.iter().flat_map(|moment| host.rows_of(moment.kind)) {
                let lost = active
                    .rule
                    .then
                    .effects()
                    .iter()
                    .filter(|effect| *effect != EffectKind::Audit && row.support(*effect).is_none());
                for effect in lost {
                    gaps.push(Gap {
                        rule: active.rule.id.clone(),
                        source: active.source.clone(),
                        text: format!("{} cannot carry out `{effect}` at {} ({})", host.title, row.kind, row.wire),
                    });
                }
            }
        }
    }
    gaps
}

fn as_text(loaded: &Loaded, gaps: &[Gap]) -> String {
    let palette = Palette::for_stdout();
    let mut lines: Vec<String> =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(palette.is_on()) + "\n").collect();
    lines.extend(loaded.policy.notices.iter().map(|notice| format!("{}: {notice}", palette.careful("note"))));
    lines.extend(
        gaps.iter()
            .map(|gap| format!("{}: {}: rule `{}`: {}", palette.careful("note"), gap.source, gap.rule, gap.text)),
    );
    let count = |severity| loaded.diagnostics.iter().filter(|diagnostic| diagnostic.severity() == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let own = loaded.policy.rules.len();
    let summary = format!("{own} rules in force, {errors} errors, {warnings} warnings");
    lines.push(if errors > 0 { palette.bad(summary) } else { palette.good(summary) });
    lines.join("\n") + "\n"
}

fn as_json(loaded: &Loaded, gaps: &[Gap]) -> String {
    let diagnostics: Vec<Value> = loaded.diagnostics.iter().map(diagnostic_json).collect();
    let gaps: Vec<Value> =
        gaps.iter().map(|gap| json!({ "rule": gap.rule, "source": gap.source, "message": gap.text })).collect();
    format!("{:#}\n", json!({ "diagnostics": diagnostics, "notices": loaded.policy.notices, "host_gaps": gaps }))
}

fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    let (line, column) = diagnostic.position().unzip();
    json!({
        "code": diagnostic.code.name(),
        "severity": if diagnostic.is_error() { "error" } else { "warning" },
        "file": diagnostic.source.name,
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}
