//! How an event was understood, for `check`: what runs, what it does to files, and what else it does.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::output::palette::Palette;
use crate::domain::event::tool::Accesses;
use crate::domain::facts::action::ActionFact;
use crate::domain::facts::location::Location;
use crate::domain::facts::loss::{LossKind, summary};
use crate::domain::facts::push::PushTarget;
use crate::domain::facts::target::Target;
use crate::domain::facts::{CommandIndex, Facts, FileFact};
use crate::domain::shell::{ActionKind, Command};

/// The kinds of losses that are shown: what can be made or got again is none.
const SHOWN_LOSSES: [LossKind; 7] = [
    LossKind::Modified,
    LossKind::Staged,
    LossKind::Untracked,
    LossKind::Ignored,
    LossKind::Unpushed,
    LossKind::Stashed,
    LossKind::Unknown,
];

/// A file with all that one command or call does to it.
struct TouchedFile<'f> {
    file: &'f FileFact<'f>,
    access: Accesses,
}

/// Returns what the event is and does, a line each.
pub(super) fn as_text(facts: &Facts<'_>, palette: Palette) -> String {
    let calls = facts.event.calls().iter();
    let tools: Vec<String> = calls.map(|call| format!(" · {} {}", call.kind, palette.dim(call.name))).collect();
    let mut text = format!("{}{}\n", palette.bold(facts.event.kind), tools.concat());
    let mut line = |what: &str, rest: String, more: String| {
        let more = if more.is_empty() { more } else { format!("  {}", palette.dim(format!("({more})"))) };
        let _written = writeln!(text, "  {what:<8} {rest}{more}");
    };
    for command in facts.commands().filter(|command| !command.words.is_empty()) {
        let place = command.file.as_ref().map(|file| format!("{}:{}", file.path, file.line));
        line(
            "runs",
            command.text(),
            [command_context(command), place.unwrap_or_default()].join("; ").trim_matches([';', ' ']).to_owned(),
        );
    }
    for opaque in facts.opaque() {
        let known = facts.scripts().iter().any(|script| script.text == opaque.text);
        let shown = if known { String::new() } else { format!(": {}", opaque.text) };
        line("opaque", format!("{}{shown}", opaque.reason), opaque.reason.name().to_owned());
    }
    for touched in touched_files(facts) {
        line(
            &touched.access.describe(),
            facts.path_context.display(&touched.file.path).into_owned(),
            describe_target(touched.file, facts),
        );
    }
    for (number, fact) in facts.losses().iter().enumerate() {
        let lost = facts.loss(number, None).map(|loss| summary(&loss, &SHOWN_LOSSES, facts.path_context, facts.now));
        if let Some(lost) = lost.filter(|lost| !lost.is_empty()) {
            line("loses", lost, command_text(fact.command, facts));
        }
    }
    for push in facts.pushes() {
        let updated = push.target(facts).map(PushTarget::summary);
        if let Some(updated) = updated {
            line("pushes", updated.trim_start_matches("pushes ").to_owned(), command_text(Some(push.command), facts));
        }
    }
    for url in facts.urls() {
        line("fetches", url.url.clone().into_owned(), String::new());
    }
    for deed in facts.actions() {
        let (what, rest) = describe_action(deed, facts);
        line(what, rest, command_text(deed.command, facts));
    }
    text
}

/// Returns the steps of the proof that the event is harmless, or the first one that is missing.
pub(super) fn proof_text(facts: &Facts<'_>, palette: Palette) -> String {
    let proof = facts.proof();
    let mut text = String::new();
    for step in &proof.steps {
        let _written = writeln!(text, "  {:<8} {step}", "proves");
    }
    if let Err(missing) = &proof.effects {
        let _written = writeln!(text, "  {:<8} {}", "unproven", palette.warning(missing));
    }
    text
}

/// Returns the proof as JSON.
pub(super) fn proof_json(facts: &Facts<'_>) -> Value {
    let proof = facts.proof();
    let effects = proof.effects.as_ref().ok();
    json!({
        "steps": proof.steps,
        "effects": effects.map(|effects| effects.iter().map(|effect| effect.name()).collect::<Vec<_>>()),
        "missing": proof.effects.as_ref().err().map(ToString::to_string),
    })
}

/// Returns the word for what is done, and what it is done to.
fn describe_action(deed: &ActionFact, facts: &Facts<'_>) -> (&'static str, String) {
    match deed.kind {
        ActionKind::Send => {
            let files = sent_files(deed, facts);
            let what = if files.is_empty() { "data".to_owned() } else { files.join(", ") };
            let to = deed.host().map(|host| format!(" to {host}")).unwrap_or_default();
            ("sends", format!("{what}{to}"))
        }
        ActionKind::History => ("history", deed.name.clone()),
        ActionKind::Environment => ("sets", format!("{}={}, which runs code", deed.name, deed.value)),
        ActionKind::Dump => ("shows", "all variables".to_owned()),
        ActionKind::Remote => {
            ("remote", format!("{} {} ({})", deed.name, deed.destination.as_deref().unwrap_or_default(), deed.value))
        }
        ActionKind::Disclose => {
            let to = deed.host().map(|host| format!(" to {host}")).unwrap_or_default();
            ("discloses", format!("{} as {}{to}", deed.name, deed.value))
        }
    }
}

fn sent_files(deed: &ActionFact, facts: &Facts<'_>) -> Vec<String> {
    let files = facts.sent_files(deed).into_iter().filter_map(|file| facts.files().get(file));
    let mut paths: Vec<String> = files.map(|file| facts.path_context.display(&file.path).into_owned()).collect();
    paths.dedup();
    paths
}

fn command_text(at: Option<CommandIndex>, facts: &Facts<'_>) -> String {
    at.and_then(|at| facts.command(at)).map(|command| format!("by {}", command.text())).unwrap_or_default()
}

/// Paths of a pattern that are listed.
const MAX_LISTED: usize = 5;

/// Returns how much is known of which file is touched, and where it leads.
fn describe_target(file: &FileFact<'_>, facts: &Facts<'_>) -> String {
    match facts.target(file) {
        Target::Exact => file.real_path.as_deref().map(|real| format!("leads to {real}")).unwrap_or_default(),
        Target::OneOf => "one of several".to_owned(),
        Target::Unknown => "unknown".to_owned(),
        Target::Inside => "somewhere inside".to_owned(),
        Target::Glob => match facts.expansion(file) {
            None => "pattern".to_owned(),
            Some([]) => "pattern; nothing on disk matches".to_owned(),
            Some(found) => {
                let shown = found.iter().take(MAX_LISTED).map(|path| facts.path_context.display(&path.path));
                let more = found.len().saturating_sub(MAX_LISTED);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                format!("pattern; on disk: {}{more}", shown.collect::<Vec<_>>().join(", "))
            }
        },
    }
}

/// Returns how a command was reached, and where it runs when not here.
fn command_context(command: &Command) -> String {
    let mut parts = Vec::new();
    if !command.call_chain.is_empty() {
        parts.push(format!("through {}", command.call_chain.join(", ")));
    }
    if let Some(program) = &command.assumed_by {
        parts.push(format!("if `{program}` runs its arguments"));
    }
    if command.is_remote {
        parts.push("elsewhere".to_owned());
    }
    let set: Vec<String> = command.assignments.iter().map(|(name, word)| format!("{name}={}", word.text)).collect();
    if !set.is_empty() {
        parts.push(format!("with {}", set.join(" ")));
    }
    parts.join("; ")
}

/// Returns the files of an event, each once for whoever touches it.
fn touched_files<'f>(facts: &'f Facts<'_>) -> Vec<TouchedFile<'f>> {
    let mut all: Vec<TouchedFile<'f>> = Vec::new();
    for file in facts.files() {
        let same = |touched: &&mut TouchedFile<'_>| {
            touched.file.path == file.path && touched.file.command == file.command && touched.file.call == file.call
        };
        match all.iter_mut().rev().take(64).find(same) {
            Some(touched) => touched.access = touched.access.union(file.access),
            None => all.push(TouchedFile { file, access: file.access }),
        }
    }
    all
}

/// Returns what the event is and does, as JSON.
pub(super) fn as_json(facts: &Facts<'_>) -> Value {
    let commands = facts.commands().filter(|command| !command.words.is_empty()).map(|command| {
        let set: Vec<Value> =
            command.assignments.iter().map(|(name, word)| json!({ "name": name, "value": word.text })).collect();
        json!({
            "text": command.text(),
            "program": command.program(),
            "via": command.call_chain,
            "where": Location::of(command).name(),
            "with": set,
            "script": command.file.as_ref().map(|file| file.path.as_ref()),
            "line": command.file.as_ref().map(|file| file.line),
        })
    });
    let opaque = facts
        .opaque()
        .iter()
        .map(|opaque| json!({ "reason": opaque.reason.name(), "why": opaque.reason.to_string(), "text": opaque.text }));
    let files = touched_files(facts).into_iter().map(|TouchedFile { file, access }| {
        let target = facts.target(file);
        let matches = if target == Target::Glob { facts.expansion(file) } else { None };
        let matches = matches.map(|found| found.iter().map(|path| path.path.as_str()).collect::<Vec<_>>());
        json!({
            "path": file.path,
            "written": file.written_path,
            "leads_to": file.real_path,
            "target": target.name(),
            "matches": matches,
            "access": access.names(),
        })
    });
    let deeds = facts.actions().iter().map(|deed| {
        json!({
            "what": deed.kind.name(),
            "name": deed.name,
            "value": deed.value,
            "to": deed.destination,
            "host": deed.host(),
            "files": sent_files(deed, facts),
            "command": deed.command.and_then(|at| facts.command(at)).map(Command::text),
        })
    });
    let tools = facts.event.calls().iter().map(|call| json!({ "kind": call.kind.name(), "name": call.name }));
    json!({
        "kind": facts.event.kind.name(),
        "name": facts.event.wire_name,
        "tools": tools.collect::<Vec<_>>(),
        "commands": commands.collect::<Vec<_>>(),
        "opaque": opaque.collect::<Vec<_>>(),
        "files": files.collect::<Vec<_>>(),
        "urls": facts.urls().iter().map(|url| url.url.as_ref()).collect::<Vec<_>>(),
        "does": deeds.collect::<Vec<_>>(),
        "loses": losses_as_json(facts),
    })
}

/// Returns what the changes of an event lose.
fn losses_as_json(facts: &Facts<'_>) -> Vec<Value> {
    let losses = facts.losses().iter().enumerate().filter_map(|(number, fact)| {
        let loss = facts.loss(number, None)?;
        let counts = LossKind::ALL.iter().map(|kind| (kind.name().to_owned(), json!(loss.total(*kind).count)));
        Some(json!({
            "summary": summary(&loss, &SHOWN_LOSSES, facts.path_context, facts.now),
            "kinds": counts.collect::<serde_json::Map<_, _>>(),
            "unknown": loss.unknown,
            "command": fact.command.and_then(|at| facts.command(at)).map(Command::text),
        }))
    });
    losses.collect()
}
