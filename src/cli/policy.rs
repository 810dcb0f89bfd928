//! `ruleward policy`: what holds here and where each rule of it comes from, and what a change would change.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::context::{self, PolicyContext};
use crate::cli::output::palette::Palette;
use crate::cli::output::print::{print, print_json};
use crate::cli::{CommandError, ExitStatus, replay, trust_notice};
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::layer::Layer;
use crate::domain::policy::DisabledRule;
use crate::domain::policy::part::DisabledMode;
use crate::domain::severity::{Mode, Severity};
use crate::domain::text::suggest;
use crate::io::policy::locate::RuleLocator;
use crate::io::trust::TrustStatus;

/// Show the rules in force, or compare two policies
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

/// Show which past decisions a policy change would affect
///
/// The same as `ruleward replay AUDIT --policy NEW --against OLD`.
#[derive(Debug, clap::Args)]
struct DiffArgs {
    /// The policy before.
    old: PathBuf,
    /// The policy after.
    new: PathBuf,
    /// Records or payloads to evaluate, `-` for standard input (default: the audit log of this
    /// machine).
    #[arg(long, value_name = "AUDIT")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    manner: replay::ReplayOptions,
}

/// Show the rules in force, or the source of one rule
///
/// Shows each rule's effect, layer and location. By default, lists the rules of your files; with
/// `--effective`, also bundled, disabled and ignored rules.
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Show the source of this rule.
    #[arg(value_name = "RULE", conflicts_with_all = ["id", "event", "effective"])]
    rule: Option<String>,
    /// Show all rules in force, including bundled ones, and disabled rules with the reason.
    #[arg(long)]
    effective: bool,
    /// Only rules with this id or glob.
    #[arg(long, value_name = "GLOB")]
    id: Option<String>,
    /// Only rules for this moment, such as `tool.before`.
    #[arg(long, value_name = "MOMENT")]
    event: Option<String>,
    /// Use this policy file instead of the policies in force here; repeatable.
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    let args = match &args.command {
        Command::Show(args) => args,
        Command::Diff(DiffArgs { old, new, against, manner }) => {
            return replay::compare(against, std::slice::from_ref(new), std::slice::from_ref(old), manner);
        }
    };
    let text = show(args)?;
    if args.json {
        print_json(&text);
    } else {
        print(&text);
    }
    Ok(ExitStatus::Success)
}

fn show(args: &ShowArgs) -> Result<String, CommandError> {
    let here = context::load_for_user(&args.policy, &context::absolute_directory(None)?);
    let moment = args.event.as_deref().map(|name| Kind::from_name(name).ok_or_else(|| context::unknown_event(name)));
    let moment = moment.transpose()?;
    let shelf = SourceIndex::from_context(&here);
    let standing: Vec<RuleEntry> = active_rules(&here, &shelf)?;
    if let Some(id) = &args.rule {
        return show_rule(id, &here, &shelf, &standing, args.json);
    }
    let wanted = |id: &str| args.id.as_ref().is_none_or(|glob| fast_glob::glob_match(glob, id));
    let lines: Vec<RuleEntry> = standing
        .into_iter()
        .filter(|line| args.effective || line.layer != Layer::Bundled)
        .filter(|line| wanted(&line.id) && moment.is_none_or(|moment| line.when.contains(moment)))
        .collect();
    let down: Vec<&DisabledRule> = here.loaded.policy.disabled_rules.iter().filter(|down| wanted(&down.rule)).collect();
    Ok(if args.json { as_json(&here, &lines, &down) } else { as_text(args, &here, &lines, &down) })
}

/// A rule in force.
struct RuleEntry {
    id: String,
    effects: Effects,
    withheld: Effects,
    mode: Mode,
    severity: Severity,
    when: KindSet,
    layer: Layer,
    source: String,
    line: Option<usize>,
}

impl RuleEntry {
    fn location(&self) -> String {
        self.line.map_or_else(|| self.source.clone(), |at| format!("{}:{at}", self.source))
    }
}

/// The texts of the policy's files and packs.
struct SourceIndex(HashMap<String, RuleLocator>);

impl SourceIndex {
    fn from_context(here: &PolicyContext) -> Self {
        let files = here.loaded.files.iter();
        let own = files.filter_map(|file| Some((file.name.clone(), RuleLocator::parse(file.source.clone()?)?)));
        let mut shelf = Self(own.collect());
        let packs = here.loaded.policy.bundled_rules.iter().map(|(packed, _)| packed.source.to_string());
        let extended = here.loaded.policy.rules.iter().map(|active| active.source.clone());
        let down = here.loaded.policy.disabled_rules.iter().map(|down| down.source.clone());
        for name in packs.chain(extended).chain(down) {
            if !shelf.0.contains_key(&name)
                && let Some(places) = RuleLocator::from_pack(&name)
            {
                shelf.0.insert(name, places);
            }
        }
        shelf
    }

    fn line_of_rule(&self, source: &str, id: &str) -> Option<usize> {
        self.0.get(source)?.rule_line(id)
    }
}

/// Returns the rules in force, the highest layer first.
fn active_rules(here: &PolicyContext, shelf: &SourceIndex) -> Result<Vec<RuleEntry>, CommandError> {
    let policy = &here.loaded.policy;
    let mut lines: Vec<RuleEntry> = Vec::new();
    for active in &policy.rules {
        lines.push(RuleEntry {
            id: active.rule.id.clone(),
            effects: active.rule.then.effects(),
            withheld: active.withheld_effects,
            mode: active.rule.mode,
            severity: active.rule.severity,
            when: active.rule.when,
            layer: active.layer,
            source: active.source.clone(),
            line: shelf.line_of_rule(&active.source, &active.rule.id),
        });
    }
    for (packed, mode) in &policy.bundled_rules {
        let rule = packed.decode().map_err(|error| error.to_string())?;
        lines.push(RuleEntry {
            effects: rule.then.effects(),
            withheld: Effects::default(),
            mode: rule.mode.max(*mode),
            severity: rule.severity,
            when: rule.when,
            layer: Layer::Bundled,
            source: packed.source.to_string(),
            line: shelf.line_of_rule(&packed.source, &packed.id),
            id: rule.id,
        });
    }
    Ok(lines)
}

/// Shows one rule as it is written.
fn show_rule(
    id: &str,
    here: &PolicyContext,
    shelf: &SourceIndex,
    lines: &[RuleEntry],
    json: bool,
) -> Result<String, CommandError> {
    let down: Vec<&DisabledRule> = here.loaded.policy.disabled_rules.iter().filter(|down| down.rule == id).collect();
    let found: Vec<&RuleEntry> = lines.iter().filter(|line| line.id == id).collect();
    if found.is_empty() && down.is_empty() {
        let known = lines.iter().map(|line| line.id.as_str());
        let known = known.chain(here.loaded.policy.disabled_rules.iter().map(|down| down.rule.as_str()));
        return Err(CommandError::NotFound(suggest::unknown_message("rule", id, suggest::nearest(id, known))));
    }
    let written = |source: &str| shelf.0.get(source).and_then(|places| places.rule_text(id)).unwrap_or_default();
    if json {
        let texts = found.iter().map(|line| {
            let mut value = rule_json(line);
            if let Some(fields) = value.as_object_mut() {
                fields.insert("text".into(), json!(written(&line.source)));
            }
            value
        });
        let down: Vec<Value> = down.iter().map(|down| disabled_json(down)).collect();
        return Ok(format!("{:#}\n", json!({ "rules": texts.collect::<Vec<_>>(), "turned_down": down })));
    }
    let palette = Palette::for_stdout();
    let mut text = String::new();
    for line in found {
        let what = format!("# {} ({}), {}", line.location(), line.layer.name(), status_text(line));
        let _written = writeln!(text, "{}", palette.dim(&what));
        for row in written(&line.source).lines() {
            let _written = writeln!(text, "{row}");
        }
    }
    for down in down {
        let _written = writeln!(text, "{}", palette.dim(format!("# {}", disabled_text(down))));
        if down.mode == DisabledMode::Off {
            for row in written(&down.source).lines() {
                let _written = writeln!(text, "{row}");
            }
        }
    }
    Ok(text)
}

fn effect_names(effects: Effects) -> Vec<&'static str> {
    effects.iter().map(EffectKind::name).collect()
}

fn status_text(line: &RuleEntry) -> String {
    let mode = if line.mode == Mode::Monitor { "only recorded" } else { "in force" };
    let withheld = if line.withheld.is_empty() {
        String::new()
    } else {
        format!(", without {} until you trust the project", effect_names(line.withheld).join(", "))
    };
    format!("{mode}{withheld}")
}

fn disabled_text(down: &DisabledRule) -> String {
    let how = match down.mode {
        DisabledMode::Off => "turned off",
        DisabledMode::Monitor => "set to monitor",
    };
    let (layer, by) = (down.layer.name(), down.disabled_by.name());
    format!("{layer}, {how} by `{}` in {} ({by}): “{}”", down.pattern, down.disabled_in, down.reason)
}

/// Returns the disabled rules, each with the order that did it.
fn group_by_order<'d>(all: &[&'d DisabledRule]) -> Vec<(String, Vec<&'d str>)> {
    let mut orders: Vec<(String, Vec<&str>)> = Vec::new();
    for down in all {
        let what = disabled_text(down);
        match orders.iter_mut().find(|(known, _)| *known == what) {
            Some((_, rules)) => rules.push(&down.rule),
            None => orders.push((what, vec![&down.rule])),
        }
    }
    orders
}

fn as_text(args: &ShowArgs, here: &PolicyContext, lines: &[RuleEntry], down: &[&DisabledRule]) -> String {
    let palette = Palette::for_stdout();
    let loaded = &here.loaded;
    let mut text = String::new();
    for diagnostic in &loaded.diagnostics {
        let _written = writeln!(text, "{}", diagnostic.render(palette.is_on()));
    }
    let width = lines.iter().map(|line| line.id.chars().count()).max().unwrap_or_default();
    for line in lines {
        let mut effects =
            if line.effects.is_empty() { "none".to_owned() } else { effect_names(line.effects).join(",") };
        if line.mode == Mode::Monitor {
            effects = format!("({effects})");
        }
        let id = format!("{:<width$}", line.id);
        let _written = writeln!(
            text,
            "{effects:<14} {}  {:<13} {}",
            palette.bold(&id),
            line.layer.name(),
            palette.dim(line.location())
        );
        if !line.withheld.is_empty() {
            let _written = writeln!(text, "{:<14} {}", "", palette.warning(status_text(line)));
        }
    }
    if args.effective {
        for (what, rules) in group_by_order(down) {
            let rules = rules.join(", ");
            let _written = writeln!(text, "{}: {rules}: {what}", palette.warning("down"));
        }
        if !loaded.trust_status.trust().is_trusted() {
            for want in &loaded.policy.required_trust {
                let what = format!("{}: {want}", want.source);
                let _written = writeln!(text, "{}: {what}", palette.warning("not trusted"));
            }
        }
    }
    for notice in loaded.policy.notices.iter().cloned().chain(trust_notice::notice(loaded)) {
        let _written = writeln!(text, "{}: {notice}", palette.warning("note"));
    }
    let monitored = lines.iter().filter(|line| line.mode == Mode::Monitor).count();
    let monitored = if monitored > 0 { format!(", {monitored} of them only recorded") } else { String::new() };
    let _written = writeln!(text, "{} rules{monitored}", lines.len());
    if !args.effective && !loaded.policy.bundled_rules.is_empty() {
        let _written = writeln!(
            text,
            "{}",
            palette.dim(format!(
                "{} bundled rules also apply; list them with --effective",
                loaded.policy.bundled_rules.len()
            ))
        );
    }
    text
}

fn as_json(here: &PolicyContext, lines: &[RuleEntry], down: &[&DisabledRule]) -> String {
    let loaded = &here.loaded;
    let files: Vec<Value> = loaded
        .files
        .iter()
        .map(|file| json!({ "layer": file.layer.name(), "name": file.name, "rules": file.rule_count }))
        .collect();
    let withheld = loaded.policy.required_trust.iter().filter(|_| loaded.trust_status != TrustStatus::Trusted);
    let value = json!({
        "project": loaded.trust_status.name(),
        "files": files,
        "rules": lines.iter().map(rule_json).collect::<Vec<_>>(),
        "turned_down": down.iter().map(|down| disabled_json(down)).collect::<Vec<_>>(),
        "withheld": withheld.map(|want| json!({ "source": want.source, "what": want.to_string() })).collect::<Vec<_>>(),
        "notices": loaded.policy.notices,
        "diagnostics": loaded.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn rule_json(line: &RuleEntry) -> Value {
    json!({
        "id": line.id,
        "effects": effect_names(line.effects),
        "withheld": effect_names(line.withheld),
        "mode": if line.mode == Mode::Monitor { "monitor" } else { "enforce" },
        "severity": line.severity,
        "when": line.when.iter().map(|moment| moment.name).collect::<Vec<_>>(),
        "layer": line.layer.name(),
        "source": line.source,
        "line": line.line,
    })
}

fn disabled_json(down: &DisabledRule) -> Value {
    json!({
        "rule": down.rule,
        "layer": down.layer.name(),
        "source": down.source,
        "to": if down.mode == DisabledMode::Off { "off" } else { "monitor" },
        "by": down.disabled_by.name(),
        "by_source": down.disabled_in,
        "order": down.pattern,
        "reason": down.reason,
    })
}
