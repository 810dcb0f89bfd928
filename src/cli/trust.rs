//! `ruleward trust`: a person looks at what a project's policy asks for, and says that it may.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use annotate_snippets::normalize_untrusted_str;
use serde_json::{Value, json};
use similar::TextDiff;

use super::Exit;
use super::hosts::{self, Here};
use super::person;
use super::style::Palette;
use crate::domain::policy::{Layer, TurnedDown};
use crate::domain::want::{Want, WantedAt};
use crate::io::platform::Surroundings;
use crate::io::policy::diagnostic::Source;
use crate::io::policy::discover::{is_there, project_root};
use crate::io::policy::load::Loaded;
use crate::io::policy::locate::Places;
use crate::io::stdio;
use crate::io::trust::{self, Basis, Record, Standing, within};

/// Let a project's policy do more than refuse and ask
///
/// Shows what the policy that a project brings wants to approve, change, tell or turn down, and when
/// it has changed, what. A person who agrees has its present text recorded; any other text is not
/// trusted. Until then its refusals and questions hold, and nothing else of it.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// A directory of the project; the present one when not given.
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Take the trust in the project back.
    #[arg(long, conflicts_with_all = ["list", "yes"])]
    revoke: bool,
    /// List the projects that are trusted.
    #[arg(long, conflicts_with_all = ["directory", "yes"])]
    list: bool,
    /// Do not ask; only at a terminal as well.
    #[arg(long)]
    yes: bool,
    /// Print JSON, and record nothing.
    #[arg(long, conflicts_with = "yes")]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let done = if args.list { Ok(list(args)) } else { about_project(args) };
    done.unwrap_or_else(|why| {
        stdio::say(&format!("error: {why}"));
        Exit::Usage
    })
    .into()
}

fn list(args: &Args) -> Exit {
    let (records, doubts) = trust::all(&Surroundings::here());
    if args.json {
        let one =
            |record: &Record| json!({ "root": record.root, "at": record.at, "fingerprint": record.fingerprint() });
        let projects: Vec<Value> = records.iter().map(one).collect();
        stdio::print(&format!("{:#}\n", json!({ "projects": projects, "doubtful": doubts })));
        return Exit::Done;
    }
    let mut text = String::new();
    for record in &records {
        let _written = writeln!(text, "{}  {}", record.at, normalize_untrusted_str(&record.root));
    }
    if records.is_empty() {
        text.push_str("no project is trusted\n");
    }
    stdio::print(&text);
    for doubt in doubts {
        stdio::say(&format!("note: {doubt}"));
    }
    Exit::Done
}

fn about_project(args: &Args) -> Result<Exit, String> {
    let surroundings = Surroundings::here();
    let directory = hosts::directory(args.directory.as_deref())?;
    let root = project_root(&surroundings, &directory, &[], &is_there)
        .ok_or_else(|| format!("{directory} is in no project: there is neither `.ruleward` nor `.git` above it"))?;
    if args.revoke {
        let done = if trust::revoke(&surroundings, &root)? { "is not trusted any more" } else { "was not trusted" };
        stdio::print(&format!("{root} {done}\n"));
        return Ok(Exit::Done);
    }
    let project = Project::look(&surroundings, &directory, root)?;
    if args.json {
        stdio::print(&format!("{:#}\n", project.as_json()));
        return Ok(Exit::Done);
    }
    stdio::print(&project.as_text());
    match project.standing {
        Standing::Nothing | Standing::Trusted => return Ok(Exit::Done),
        Standing::Unknown | Standing::Changed | Standing::Doubtful(_) => {}
    }
    if let Some(mistake) = project.supposed.diagnostics.iter().find(|mistake| mistake.is_error()) {
        return Err(format!("the policy has an error, and is not trusted before it is mended: {mistake}"));
    }
    person::is_here(&surroundings)?;
    if !args.yes && !person::agrees("\nTrust this policy as it stands?") {
        stdio::print("Nothing was recorded.\n");
        return Ok(Exit::Failed);
    }
    trust::keep(&surroundings, &project.fresh)?;
    stdio::print(&format!("{} is trusted until its policy changes\n", project.root));
    Ok(Exit::Done)
}

/// A project, and what its policy would come to if it were trusted.
struct Project {
    root: String,
    standing: Standing,
    known: Option<Record>,
    fresh: Record,
    supposed: Loaded,
}

impl Project {
    fn look(surroundings: &Surroundings, directory: &str, root: String) -> Result<Self, String> {
        let Here { loaded: supposed, .. } =
            hosts::of_project(surroundings, &[], directory, Some(&root), Basis::Supposed);
        let brought = supposed.files.iter().filter(|file| file.layer.is_of_project());
        let sources: Vec<Arc<Source>> = brought.filter_map(|file| file.source.clone()).collect();
        let standing = trust::standing(surroundings, &root, &sources);
        let known = if standing == Standing::Changed { trust::record(surroundings, &root)? } else { None };
        let fresh = Record::of(&root, &sources);
        Ok(Self { root, standing, known, fresh, supposed })
    }

    fn places(&self, source: &str) -> Option<Places> {
        let file = self.supposed.files.iter().find(|file| file.name == source)?;
        file.source.clone().map_or_else(|| Places::of_pack(source), Places::of)
    }

    /// Returns the bundled rules that an order would turn down.
    fn turned_down<'p>(&'p self, want: &'p Want) -> impl Iterator<Item = &'p TurnedDown> {
        let down = self.supposed.policy.turned_down.iter();
        down.filter(move |down| {
            down.layer == Layer::Bundled
                && down.by_source == want.source
                && want.place == WantedAt::Disable(down.order.clone())
        })
    }

    fn as_text(&self) -> String {
        let palette = Palette::for_stdout();
        let (standing, about) = match &self.standing {
            Standing::Nothing => (palette.good("nothing to trust"), "the project brings no policy".to_owned()),
            Standing::Unknown => (palette.careful("not trusted"), "nobody has looked at its policy".to_owned()),
            Standing::Changed => (palette.careful("not trusted"), "its policy has changed since it was".to_owned()),
            Standing::Trusted => (palette.good("trusted"), "its policy counts in full".to_owned()),
            Standing::Doubtful(why) => (palette.bad("not trusted"), why.clone()),
        };
        let mut text = format!("{}: {standing}, {about}\n", palette.bold(normalize_untrusted_str(&self.root)));
        let mut line = |line: &str| {
            let _written = writeln!(text, "{}", normalize_untrusted_str(line));
        };
        if self.standing != Standing::Nothing {
            line(if self.supposed.policy.wants.is_empty() {
                "It only refuses, asks and records; with trust, its reasons reach the agent as your own."
            } else {
                "Beyond refusing, asking and recording, this is what it wants:"
            });
        }
        for (index, want) in self.supposed.policy.wants.iter().enumerate() {
            let places = self.places(&want.source);
            let at = places.as_ref().and_then(|places| places.line_of(&want.place)).unwrap_or(1);
            line(&format!("  {}:{at}: {want}", within(&self.root, &want.source)));
            for down in self.turned_down(want) {
                line(&format!("      {}", down.rule));
            }
            // A rule with two wishes is shown once, below the last of them.
            let WantedAt::Rule(id, _) = &want.place else { continue };
            let next = self.supposed.policy.wants.get(index + 1);
            if next.is_some_and(|next| matches!(&next.place, WantedAt::Rule(other, _) if other == id)) {
                continue;
            }
            let rule = places.and_then(|places| places.text_of_rule(id)).unwrap_or_default();
            rule.lines().for_each(|it| line(&format!("      {it}")));
        }
        if let Some(known) = &self.known {
            line(&format!("\nWhat has changed since {}:", known.at).replace('\n', ""));
            self.changes(known).lines().for_each(|it| line(&format!("  {it}")));
        }
        text
    }

    /// Returns what differs from what was trusted.
    fn changes(&self, known: &Record) -> String {
        let mut text = String::new();
        let paths = known.files.iter().chain(&self.fresh.files).map(|file| file.path.as_str());
        let paths: std::collections::BTreeSet<&str> = paths.collect();
        for path in paths {
            let of = |record: &'_ Record| {
                let file = record.files.iter().find(|file| file.path == path);
                file.map(|file| file.text.clone()).unwrap_or_default()
            };
            let (before, now) = (of(known), of(&self.fresh));
            if before != now {
                let diff = TextDiff::from_lines(&before, &now);
                text.push_str(&diff.unified_diff().header(path, path).to_string());
            }
        }
        text
    }

    fn as_json(&self) -> Value {
        let wants = self.supposed.policy.wants.iter().map(|want| {
            let (rule, effect) = match &want.place {
                WantedAt::Rule(id, effect) => (Some(id.as_str()), Some(effect.name())),
                WantedAt::Disable(_) | WantedAt::Key(..) => (None, None),
            };
            json!({
                "file": within(&self.root, &want.source),
                "line": self.places(&want.source).and_then(|places| places.line_of(&want.place)),
                "rule": rule,
                "effect": effect,
                "turns_down": self.turned_down(want).map(|down| down.rule.as_str()).collect::<Vec<_>>(),
                "what": want.to_string(),
            })
        });
        let files = self.fresh.files.iter().map(|file| json!({ "path": file.path, "sha256": file.sha256 }));
        json!({
            "root": self.root,
            "standing": self.standing.name(),
            "fingerprint": self.fresh.fingerprint(),
            "trusted_at": self.known.as_ref().map(|known| known.at.as_str()),
            "files": files.collect::<Vec<_>>(),
            "wants": wants.collect::<Vec<_>>(),
            "changes": self.known.as_ref().map(|known| self.changes(known)),
        })
    }
}

/// Returns what is said of a project's policy that is not trusted and wants more than that.
pub(super) fn notice(loaded: &Loaded) -> Option<String> {
    let number = loaded.policy.wants.len();
    let before = match &loaded.standing {
        Standing::Nothing | Standing::Trusted => return None,
        Standing::Unknown if number == 0 => return None,
        Standing::Unknown => String::new(),
        Standing::Changed => "this project's policy has changed since you trusted it; ".to_owned(),
        Standing::Doubtful(why) => format!("{why}; "),
    };
    let counted =
        if number == 1 { "1 thing that it wants is".to_owned() } else { format!("{number} things that it wants are") };
    let left_out = match number {
        0 => "it refuses and asks as before".to_owned(),
        _ => format!("{counted} left out"),
    };
    let of = if before.is_empty() { "you do not trust this project's policy yet; " } else { "" };
    Some(format!("{before}{of}{left_out}: see `ruleward trust`"))
}

/// Returns what a project's policy wants and does not get, and how it would, each with its file.
pub(super) fn withheld(loaded: &Loaded) -> Vec<String> {
    let Some(notice) = notice(loaded) else { return Vec::new() };
    let wants = loaded.policy.wants.iter().map(|want| format!("{}: left out for lack of trust: {want}", want.source));
    wants.chain([notice]).collect()
}
