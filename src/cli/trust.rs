//! `ruleward trust`: a user looks at what a project's policy asks for, and says that it may.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::approval::approve;
use crate::cli::context::{self, PolicyContext};
use crate::cli::output::diff::unified_diff;
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::output::to_texts;
use crate::cli::{CommandError, ExitStatus};
use crate::domain::layer::Layer;
use crate::domain::policy::DisabledRule;
use crate::domain::policy::consent::{PolicyLocation, RequiredTrust};
use crate::io::audit::GrantKind;
use crate::io::platform::Platform;
use crate::io::policy::discover::{may_exist, project_root};
use crate::io::policy::load::LoadedPolicy;
use crate::io::policy::locate::RuleLocator;
use crate::io::process::stdio;
use crate::io::trust::{self, ProjectFile, TrustBasis, TrustRecord, TrustStatus, relative_path};

/// Review and trust a project's policy
///
/// Shows which approvals, changes, messages and disabled rules the project's policy requests, and
/// what changed since you trusted it. Trust covers the current text only. Until you trust a policy,
/// only its denials and questions apply. Requires a person at a terminal.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// A directory of the project (default: the current one).
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Revoke trust in the project.
    #[arg(long, conflicts_with_all = ["list", "yes"])]
    revoke: bool,
    /// List trusted projects.
    #[arg(long, conflicts_with_all = ["directory", "yes"])]
    list: bool,
    /// Don't ask for confirmation; still requires a terminal.
    #[arg(long)]
    yes: bool,
    /// Print JSON, without recording anything.
    #[arg(long, conflicts_with = "yes")]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    if args.list { Ok(list(args)) } else { review_project(args) }
}

fn list(args: &Args) -> ExitStatus {
    let (records, doubts) = trust::all_records(&Platform::current());
    if args.json {
        let one =
            |record: &TrustRecord| json!({ "root": record.root, "at": record.at, "fingerprint": record.fingerprint() });
        let projects: Vec<Value> = records.iter().map(one).collect();
        print_json(&format!("{:#}\n", json!({ "projects": projects, "doubtful": to_texts(&doubts) })));
        return ExitStatus::Success;
    }
    let mut text = String::new();
    for record in &records {
        let _written = writeln!(text, "{}  {}", record.at, &record.root);
    }
    if records.is_empty() {
        text.push_str("no project is trusted\n");
    }
    print(&text);
    for doubt in doubts {
        stdio::print_stderr(&format!("note: {doubt}"));
    }
    ExitStatus::Success
}

fn review_project(args: &Args) -> Result<ExitStatus, CommandError> {
    let surroundings = Platform::current();
    let directory = context::absolute_directory(args.directory.as_deref())?;
    let root = project_root(&surroundings, &directory, &[], &may_exist).ok_or_else(|| {
        CommandError::NotFound(format!("{directory} is not in a project: no `.ruleward` or `.git` in it or above it"))
    })?;
    if args.revoke {
        let done = if trust::revoke(&surroundings, &root)? { "is no longer trusted" } else { "was not trusted" };
        print(&format!("{root} {done}\n"));
        return Ok(ExitStatus::Success);
    }
    let project = ProjectTrust::load(&surroundings, &directory, root)?;
    if args.json {
        print_json(&format!("{:#}\n", project.as_json()));
        return Ok(ExitStatus::Success);
    }
    print(&project.as_text());
    match project.status {
        TrustStatus::NotApplicable | TrustStatus::Trusted => return Ok(ExitStatus::Success),
        TrustStatus::Untrusted | TrustStatus::Changed | TrustStatus::Invalid(_) => {}
    }
    if let Some(mistake) = project.loaded.diagnostics.iter().find(|mistake| mistake.is_error()) {
        let message = format!("the policy has an error; fix it first: {mistake}");
        return Err(CommandError::Policy(message));
    }
    let question = (!args.yes).then_some("\nTrust this policy?");
    let Some(approval) = approve(&surroundings, question)? else {
        print("Nothing was recorded.\n");
        return Ok(ExitStatus::Failure);
    };
    trust::save_record(&surroundings, &project.current_record)?;
    let text = format!("A person trusts the policy of {}", project.root);
    approval.record(GrantKind::Trust, &text);
    print(&format!("{} is trusted until its policy changes\n", project.root));
    Ok(ExitStatus::Success)
}

/// A project, and what its policy would come to if it were trusted.
struct ProjectTrust {
    root: String,
    status: TrustStatus,
    trusted_record: Option<TrustRecord>,
    current_record: TrustRecord,
    loaded: LoadedPolicy,
}

impl ProjectTrust {
    fn load(surroundings: &Platform, directory: &str, root: String) -> Result<Self, CommandError> {
        let PolicyContext { loaded: supposed, .. } =
            context::load_for_project(surroundings, &[], directory, Some(&root), TrustBasis::Assumed);
        let brought = supposed.files.iter().filter(|file| file.layer.is_project());
        let sources: Vec<ProjectFile<'_>> = brought
            .filter_map(|file| file.source.as_ref())
            .map(|source| ProjectFile { path: &source.name, text: &source.text })
            .collect();
        let standing = trust::trust_status(surroundings, &root, &sources);
        let known = if standing == TrustStatus::Changed { trust::load_record(surroundings, &root)? } else { None };
        let fresh = TrustRecord::new(&root, &sources);
        Ok(Self { root, status: standing, trusted_record: known, current_record: fresh, loaded: supposed })
    }

    fn places(&self, source: &str) -> Option<RuleLocator> {
        let file = self.loaded.files.iter().find(|file| file.name == source)?;
        file.source.clone().map_or_else(|| RuleLocator::from_pack(source), RuleLocator::parse)
    }

    /// Returns the bundled rules that an order would disable.
    fn disabled_rules<'p>(&'p self, want: &'p RequiredTrust) -> impl Iterator<Item = &'p DisabledRule> {
        let down = self.loaded.policy.disabled_rules.iter();
        down.filter(move |down| {
            down.layer == Layer::Bundled
                && down.disabled_in == want.source
                && want.location == PolicyLocation::Disable(down.pattern.clone())
        })
    }

    fn as_text(&self) -> String {
        let palette = Palette::for_stdout();
        let (standing, about) = match &self.status {
            TrustStatus::NotApplicable => (palette.success("nothing to trust"), "the project has no policy".to_owned()),
            TrustStatus::Untrusted => (palette.warning("not trusted"), "its policy has not been reviewed".to_owned()),
            TrustStatus::Changed => (palette.warning("not trusted"), "its policy has changed since then".to_owned()),
            TrustStatus::Trusted => (palette.success("trusted"), "its policy applies in full".to_owned()),
            TrustStatus::Invalid(why) => (palette.error("not trusted"), why.clone()),
        };
        let mut text = format!("{}: {standing}, {about}\n", palette.bold(&self.root));
        let mut line = |line: &str| {
            let _written = writeln!(text, "{line}");
        };
        if self.status != TrustStatus::NotApplicable {
            line(if self.loaded.policy.required_trust.is_empty() {
                "It only denies, asks and records. If you trust it, the agent receives its reasons as yours."
            } else {
                "In addition to denying, asking and recording, it requests:"
            });
        }
        for (index, want) in self.loaded.policy.required_trust.iter().enumerate() {
            let places = self.places(&want.source);
            let at = places.as_ref().and_then(|places| places.requirement_line(&want.location)).unwrap_or(1);
            line(&format!("  {}:{at}: {want}", relative_path(&self.root, &want.source)));
            for down in self.disabled_rules(want) {
                line(&format!("      {}", down.rule));
            }
            // A rule with two wishes is shown once, below the last of them.
            let PolicyLocation::Rule(id, _) = &want.location else { continue };
            let next = self.loaded.policy.required_trust.get(index + 1);
            if next.is_some_and(|next| matches!(&next.location, PolicyLocation::Rule(other, _) if other == id)) {
                continue;
            }
            let rule = places.and_then(|places| places.rule_text(id)).unwrap_or_default();
            rule.lines().for_each(|it| line(&format!("      {it}")));
        }
        if let Some(known) = &self.trusted_record {
            line(&format!("\nChanges since {}:", known.at).replace('\n', ""));
            self.diff_text(known).lines().for_each(|it| line(&format!("  {it}")));
        }
        text
    }

    /// Returns what differs from what was trusted.
    fn diff_text(&self, known: &TrustRecord) -> String {
        let mut text = String::new();
        let paths = known.files.iter().chain(&self.current_record.files).map(|file| file.path.as_str());
        let paths: std::collections::BTreeSet<&str> = paths.collect();
        for path in paths {
            let of = |record: &'_ TrustRecord| {
                let file = record.files.iter().find(|file| file.path == path);
                file.map(|file| file.text.clone()).unwrap_or_default()
            };
            let (before, now) = (of(known), of(&self.current_record));
            if before != now {
                text.push_str(&unified_diff(path, &before, &now));
            }
        }
        text
    }

    fn as_json(&self) -> Value {
        let wants = self.loaded.policy.required_trust.iter().map(|want| {
            let (rule, effect) = match &want.location {
                PolicyLocation::Rule(id, effect) => (Some(id.as_str()), Some(effect.name())),
                PolicyLocation::Disable(_) | PolicyLocation::Key(..) => (None, None),
            };
            json!({
                "file": relative_path(&self.root, &want.source),
                "line": self.places(&want.source).and_then(|places| places.requirement_line(&want.location)),
                "rule": rule,
                "effect": effect,
                "turns_down": self.disabled_rules(want).map(|down| down.rule.as_str()).collect::<Vec<_>>(),
                "what": want.to_string(),
            })
        });
        let files = self.current_record.files.iter().map(|file| json!({ "path": file.path, "sha256": file.sha256 }));
        json!({
            "root": self.root,
            "standing": self.status.name(),
            "fingerprint": self.current_record.fingerprint(),
            "trusted_at": self.trusted_record.as_ref().map(|known| known.at.as_str()),
            "files": files.collect::<Vec<_>>(),
            "wants": wants.collect::<Vec<_>>(),
            "changes": self.trusted_record.as_ref().map(|known| self.diff_text(known)),
        })
    }
}
