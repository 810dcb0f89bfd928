//! `ruleward policy`: what holds here and where each rule of it comes from, and what a change would change.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use annotate_snippets::normalize_untrusted_str;
use serde_json::{Value, json};

use super::hosts::{self, Here};
use super::style::Palette;
use super::{Exit, replay, trust};
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::kind::{Kind, Moments};
use crate::domain::policy::{DisabledTo, Layer, TurnedDown};
use crate::domain::rule::{Mode, Severity};
use crate::domain::suggest;
use crate::io::policy::locate::Places;
use crate::io::stdio;
use crate::io::trust::Standing;

/// Show what holds here, and what a change of it would change
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Show(ShowArgs),
    Diff(DiffArgs),
}

/// Show which past decisions a change of a policy would change
///
/// The same as `ruleward replay AUDIT --policy NEW --against OLD`: the reviewers of a policy see what
/// it does, and not only its text.
#[derive(Debug, clap::Args)]
struct DiffArgs {
    /// The policy before.
    old: PathBuf,
    /// The policy after.
    new: PathBuf,
    /// Records or payloads to hold them against, `-` for standard input; the audit log of this machine
    /// when not given.
    #[arg(long, value_name = "AUDIT")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    manner: replay::Manner,
}

/// Show the rules in force, or one of them in full
///
/// Each with what it does, the layer that brought it and its place. Without `--effective`, those of
/// your own files; with it, the bundled ones as well, and what is turned down or left out.
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The id of one rule, to be shown as it is written.
    #[arg(value_name = "RULE", conflicts_with_all = ["id", "event", "effective"])]
    rule: Option<String>,
    /// All that holds, with the bundled rules, and what does not and why.
    #[arg(long)]
    effective: bool,
    /// The rules of this id or glob.
    #[arg(long, value_name = "GLOB")]
    id: Option<String>,
    /// The rules that look at this moment, such as `tool.before`.
    #[arg(long, value_name = "MOMENT")]
    event: Option<String>,
    /// A policy file in place of those found here; may be given again.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> ExitCode {
    let args = match &args.command {
        Command::Show(args) => args,
        Command::Diff(DiffArgs { old, new, against, manner }) => {
            return replay::compare(against, std::slice::from_ref(new), std::slice::from_ref(old), manner);
        }
    };
    shown(args).map_or_else(
        |why| {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        },
        |text| {
            stdio::print(&text);
            Exit::Done.into()
        },
    )
}

fn shown(args: &ShowArgs) -> Result<String, String> {
    let here = hosts::for_person(&args.policy, &hosts::directory(None)?);
    let moment = args.event.as_deref().map(|name| Kind::from_name(name).ok_or_else(|| hosts::unknown_moment(name)));
    let moment = moment.transpose()?;
    let shelf = Shelf::of(&here);
    let standing: Vec<Line> = lines(&here, &shelf)?;
    if let Some(id) = &args.rule {
        return one(id, &here, &shelf, &standing, args.json);
    }
    let wanted = |id: &str| args.id.as_ref().is_none_or(|glob| fast_glob::glob_match(glob, id));
    let lines: Vec<Line> = standing
        .into_iter()
        .filter(|line| args.effective || line.layer != Layer::Bundled)
        .filter(|line| wanted(&line.id) && moment.is_none_or(|moment| line.when.contains(moment)))
        .collect();
    let down: Vec<&TurnedDown> = here.loaded.policy.turned_down.iter().filter(|down| wanted(&down.rule)).collect();
    Ok(if args.json { as_json(&here, &lines, &down) } else { as_text(args, &here, &lines, &down) })
}

/// A rule in force.
struct Line {
    id: String,
    effects: Effects,
    withheld: Effects,
    mode: Mode,
    severity: Severity,
    when: Moments,
    layer: Layer,
    source: String,
    at: Option<usize>,
}

impl Line {
    fn place(&self) -> String {
        self.at.map_or_else(|| self.source.clone(), |at| format!("{}:{at}", self.source))
    }
}

/// The texts of the policy's files and packs.
struct Shelf(HashMap<String, Places>);

impl Shelf {
    fn of(here: &Here) -> Self {
        let files = here.loaded.files.iter();
        let own = files.filter_map(|file| Some((file.name.clone(), Places::of(file.source.clone()?)?)));
        let mut shelf = Self(own.collect());
        let packs = here.loaded.policy.bundled.iter().map(|(packed, _)| packed.source.to_string());
        let extended = here.loaded.policy.rules.iter().map(|active| active.source.clone());
        let down = here.loaded.policy.turned_down.iter().map(|down| down.source.clone());
        for name in packs.chain(extended).chain(down) {
            if !shelf.0.contains_key(&name)
                && let Some(places) = Places::of_pack(&name)
            {
                shelf.0.insert(name, places);
            }
        }
        shelf
    }

    fn line(&self, source: &str, id: &str) -> Option<usize> {
        self.0.get(source)?.line_of_rule(id)
    }
}

/// Returns the rules in force, the highest layer first.
fn lines(here: &Here, shelf: &Shelf) -> Result<Vec<Line>, String> {
    let policy = &here.loaded.policy;
    let mut lines: Vec<Line> = Vec::new();
    for active in &policy.rules {
        lines.push(Line {
            id: active.rule.id.clone(),
            effects: active.rule.then.effects(),
            withheld: active.withheld,
            mode: active.rule.mode,
            severity: active.rule.severity,
            when: active.rule.when,
            layer: active.layer,
            source: active.source.clone(),
            at: shelf.line(&active.source, &active.rule.id),
        });
    }
    for (packed, mode) in &policy.bundled {
        let rule = packed.rule()?;
        lines.push(Line {
            effects: rule.then.effects(),
            withheld: Effects::default(),
            mode: rule.mode.max(*mode),
            severity: rule.severity,
            when: rule.when,
            layer: Layer::Bundled,
            source: packed.source.to_string(),
            at: shelf.line(&packed.source, &packed.id),
            id: rule.id,
        });
    }
    Ok(lines)
}

/// Shows one rule as it is written.
fn one(id: &str, here: &Here, shelf: &Shelf, lines: &[Line], json: bool) -> Result<String, String> {
    let down: Vec<&TurnedDown> = here.loaded.policy.turned_down.iter().filter(|down| down.rule == id).collect();
    let found: Vec<&Line> = lines.iter().filter(|line| line.id == id).collect();
    if found.is_empty() && down.is_empty() {
        let known = lines.iter().map(|line| line.id.as_str());
        let known = known.chain(here.loaded.policy.turned_down.iter().map(|down| down.rule.as_str()));
        return Err(suggest::unknown("rule", id, suggest::nearest(id, known)));
    }
    let written = |source: &str| shelf.0.get(source).and_then(|places| places.text_of_rule(id)).unwrap_or_default();
    if json {
        let texts = found.iter().map(|line| {
            let mut value = line_json(line);
            if let Some(fields) = value.as_object_mut() {
                fields.insert("text".into(), json!(written(&line.source)));
            }
            value
        });
        let down: Vec<Value> = down.iter().map(|down| down_json(down)).collect();
        return Ok(format!("{:#}\n", json!({ "rules": texts.collect::<Vec<_>>(), "turned_down": down })));
    }
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for line in found {
        let what = format!("# {} ({}), {}", line.place(), line.layer.name(), state(line));
        let _written = writeln!(text, "{}", palette.faint(normalize_untrusted_str(&what)));
        for row in written(&line.source).lines() {
            let _written = writeln!(text, "{}", normalize_untrusted_str(row));
        }
    }
    for down in down {
        let _written = writeln!(text, "{}", palette.faint(normalize_untrusted_str(&format!("# {}", down_text(down)))));
        if down.to == DisabledTo::Off {
            for row in written(&down.source).lines() {
                let _written = writeln!(text, "{}", normalize_untrusted_str(row));
            }
        }
    }
    Ok(text)
}

fn names(effects: Effects) -> Vec<&'static str> {
    effects.iter().map(EffectKind::name).collect()
}

fn state(line: &Line) -> String {
    let mode = if line.mode == Mode::Monitor { "only recorded" } else { "in force" };
    let withheld = if line.withheld.is_empty() {
        String::new()
    } else {
        format!(", without {} until the project is trusted", names(line.withheld).join(", "))
    };
    format!("{mode}{withheld}")
}

fn down_text(down: &TurnedDown) -> String {
    let how = match down.to {
        DisabledTo::Off => "turned off",
        DisabledTo::Monitor => "turned down to monitor",
    };
    let (layer, by) = (down.layer.name(), down.by.name());
    format!("{layer}, {how} by `{}` in {} ({by}): “{}”", down.order, down.by_source, down.reason)
}

/// Returns what was turned down, by the order that did it.
fn by_order<'d>(all: &[&'d TurnedDown]) -> Vec<(String, Vec<&'d str>)> {
    let mut orders: Vec<(String, Vec<&str>)> = Vec::new();
    for down in all {
        let what = down_text(down);
        match orders.iter_mut().find(|(known, _)| *known == what) {
            Some((_, rules)) => rules.push(&down.rule),
            None => orders.push((what, vec![&down.rule])),
        }
    }
    orders
}

fn as_text(args: &ShowArgs, here: &Here, lines: &[Line], down: &[&TurnedDown]) -> String {
    let palette = Palette::for_stdout();
    let loaded = &here.loaded;
    let mut text = String::new();
    for diagnostic in &loaded.diagnostics {
        let _written = writeln!(text, "{}", diagnostic.render(palette.is_on()));
    }
    let width = lines.iter().map(|line| line.id.chars().count()).max().unwrap_or_default();
    for line in lines {
        let mut effects = if line.effects.is_empty() { "none".to_owned() } else { names(line.effects).join(",") };
        if line.mode == Mode::Monitor {
            effects = format!("({effects})");
        }
        let id = format!("{:<width$}", line.id);
        let _written = writeln!(
            text,
            "{effects:<14} {}  {:<13} {}",
            palette.bold(normalize_untrusted_str(&id)),
            line.layer.name(),
            palette.faint(normalize_untrusted_str(&line.place()))
        );
        if !line.withheld.is_empty() {
            let _written = writeln!(text, "{:<14} {}", "", palette.careful(state(line)));
        }
    }
    if args.effective {
        for (what, rules) in by_order(down) {
            let rules = rules.join(", ");
            let _written = writeln!(text, "{}: {rules}: {}", palette.careful("down"), normalize_untrusted_str(&what));
        }
        if !loaded.standing.trust().is_given() {
            for want in &loaded.policy.wants {
                let what = format!("{}: {want}", want.source);
                let _written = writeln!(text, "{}: {}", palette.careful("not trusted"), normalize_untrusted_str(&what));
            }
        }
    }
    for notice in loaded.policy.notices.iter().cloned().chain(trust::notice(loaded)) {
        let _written = writeln!(text, "{}: {}", palette.careful("note"), normalize_untrusted_str(&notice));
    }
    let monitored = lines.iter().filter(|line| line.mode == Mode::Monitor).count();
    let monitored = if monitored > 0 { format!(", {monitored} of them only recorded") } else { String::new() };
    let _written = writeln!(text, "{} rules{monitored}", lines.len());
    if !args.effective && !loaded.policy.bundled.is_empty() {
        let _written = writeln!(
            text,
            "{}",
            palette.faint(format!("{} bundled rules hold as well: --effective", loaded.policy.bundled.len()))
        );
    }
    text
}

fn as_json(here: &Here, lines: &[Line], down: &[&TurnedDown]) -> String {
    let loaded = &here.loaded;
    let files: Vec<Value> = loaded
        .files
        .iter()
        .map(|file| json!({ "layer": file.layer.name(), "name": file.name, "rules": file.rules }))
        .collect();
    let withheld = loaded.policy.wants.iter().filter(|_| loaded.standing != Standing::Trusted);
    let value = json!({
        "project": loaded.standing.name(),
        "files": files,
        "rules": lines.iter().map(line_json).collect::<Vec<_>>(),
        "turned_down": down.iter().map(|down| down_json(down)).collect::<Vec<_>>(),
        "withheld": withheld.map(|want| json!({ "source": want.source, "what": want.to_string() })).collect::<Vec<_>>(),
        "notices": loaded.policy.notices,
        "diagnostics": loaded.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn line_json(line: &Line) -> Value {
    json!({
        "id": line.id,
        "effects": names(line.effects),
        "withheld": names(line.withheld),
        "mode": if line.mode == Mode::Monitor { "monitor" } else { "enforce" },
        "severity": line.severity,
        "when": line.when.iter().map(|moment| moment.name).collect::<Vec<_>>(),
        "layer": line.layer.name(),
        "source": line.source,
        "line": line.at,
    })
}

fn down_json(down: &TurnedDown) -> Value {
    json!({
        "rule": down.rule,
        "layer": down.layer.name(),
        "source": down.source,
        "to": if down.to == DisabledTo::Off { "off" } else { "monitor" },
        "by": down.by.name(),
        "by_source": down.by_source,
        "order": down.order,
        "reason": down.reason,
    })
}
