//! The variables that `match`, `if` and messages may use.
//!
//! The value of a variable is only computed if something names it. What a rule picked out (a command, a file, a URL,
//! a secret) has its own variable.

use serde_json::{Map, Value, json};

use super::binding::Binding;
use crate::domain::event::tool::ToolCall;
use crate::domain::event::{AgentAnswer, Message, ModelCall, Notice, Payload};
use crate::domain::facts::location::Location;
use crate::domain::facts::loss::{LossKind, summary};
use crate::domain::facts::{Facts, TextField};
use crate::domain::scope::Scope;
use crate::domain::shell::actions::output_use;
use crate::domain::text::url;

/// Returns the value of a variable.
pub fn lookup(facts: &Facts<'_>, focus: &Binding, word: &str) -> Option<Value> {
    let event = facts.event;
    let call = event.calls().first();
    Some(match word {
        "event" => json!({ "kind": event.kind.name(), "name": event.wire_name }),
        "host" => json!(event.host),
        "session" => with_counts(
            facts,
            Scope::Session,
            json!({
                "id": event.session.id,
                "cwd": event.session.cwd,
                "transcript": event.session.transcript,
                "permission_mode": event.session.permission_mode,
            }),
        ),
        "project" => with_counts(facts, Scope::Project, json!({ "root": facts.path_context.project })),
        "day" => with_counts(facts, Scope::Day, json!({})),
        "subagent" => event.session.subagent.as_ref().map(|agent| json!({ "id": agent.id, "name": agent.name }))?,
        "tool" => tool(call?),
        "mcp" => call?.mcp.as_ref().map(|mcp| json!({ "server": mcp.server, "tool": mcp.tool }))?,
        "agent" => call?.agent.as_ref().map(|agent| json!({ "name": agent.name, "prompt": agent.prompt }))?,
        "command" => command(facts, focus, None)?,
        "file" => file(facts, focus)?,
        "url" => url_value(facts, focus)?,
        "does" => action(facts, focus)?,
        "opaque" => opaque(facts, focus)?,
        "push" => push(facts, focus)?,
        "git" => git(facts, focus)?,
        "loss" => loss(facts, focus)?,
        "shell" => text(facts, TextField::Command)?,
        "secret" => secret(focus)?,
        "pii" => pii(focus)?,
        "finding" => finding(facts, focus)?,
        "gate" => gate(focus)?,
        "passage" => focus.passage.as_ref().map(|at| json!({ "line": at.line, "origin": at.origin }))?,
        "prompt" => text(facts, TextField::Prompt)?,
        "output" => text(facts, TextField::Output)?,
        "response" => text(facts, TextField::Response)?,
        "request" => request(&event.payload)?,
        "usage" => usage(&event.payload)?,
        "guard" => {
            let standing = facts.hook_status()?.status();
            json!({ "broken": standing.is_broken, "faults": standing.faults })
        }
        "model" | "subject" | "message" | "path" => payload_value(&event.payload, word)?,
        "native" => Value::Object(event.native.clone()),
        _ => return None,
    })
}

/// Adds the counters of a scope to its variable.
fn with_counts(facts: &Facts<'_>, scope: Scope, mut value: Value) -> Value {
    if let (Some(memory), Value::Object(words)) = (facts.memory(), &mut value) {
        words.extend(memory.counts(scope).into_iter().map(|(name, count)| (name.to_owned(), count)));
    }
    value
}

/// Returns the value at a dotted path; numbers index lists, and `last` is the last item of a list.
pub fn lookup_path(facts: &Facts<'_>, focus: &Binding, path: &str) -> Option<Value> {
    let mut steps = path.split('.');
    let word = steps.next()?;
    if word == "native" {
        // Not through the whole variable, which would copy a payload of megabytes for one of its fields.
        let first = steps.next()?;
        return descend(facts.event.native.get(first)?, steps).cloned();
    }
    if let (Some(at), Payload::Model(call)) = (path.strip_prefix("request.messages."), &facts.event.payload) {
        // One message is read without copying all of them.
        let mut steps = at.split('.');
        let message = match steps.next()? {
            "last" => call.messages.last()?,
            number => call.messages.get(number.parse::<usize>().ok()?)?,
        };
        return descend(&message_value(message), steps).cloned();
    }
    let part = path.split('.').nth(1);
    let value = if word == "command" { command(facts, focus, part) } else { lookup(facts, focus, word) };
    descend(&value?, steps).cloned()
}

fn descend<'v, 's>(value: &'v Value, steps: impl Iterator<Item = &'s str>) -> Option<&'v Value> {
    let mut value = value;
    for step in steps {
        value = match value {
            Value::Object(entries) => entries.get(step)?,
            Value::Array(items) if step == "last" => items.last()?,
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
    }
    Some(value)
}

fn tool(call: &ToolCall<'_>) -> Value {
    let mut tool = Map::new();
    tool.insert("kind".into(), json!(call.kind.name()));
    tool.insert("name".into(), json!(call.name));
    tool.insert("id".into(), json!(call.id));
    tool.insert("input".into(), Value::Object(call.input.clone()));
    if let Some(outcome) = &call.result {
        tool.insert("ok".into(), json!(outcome.is_ok));
        tool.insert("output".into(), json!(outcome.output.join("\n")));
    }
    Value::Object(tool)
}

/// Returns the variable of the command, or only the requested part of it.
fn command(facts: &Facts<'_>, focus: &Binding, part: Option<&str>) -> Option<Value> {
    let Some(at) = focus.command else {
        let text = facts.event.calls().first()?.commands.first()?;
        return Some(json!({ "text": text.text }));
    };
    let command = facts.command(at)?;
    let mut value = Map::new();
    let mut put = |name: &str, work_out: &dyn Fn() -> Value| {
        if part.is_none_or(|part| part == name) {
            value.insert(name.to_owned(), work_out());
        }
    };
    put("text", &|| json!(command.text()));
    put("program", &|| json!(command.program()));
    put("args", &|| command.args().iter().map(|word| word.text.as_str()).collect());
    put("received", &|| json!(command.received()));
    put("via", &|| json!(command.call_chain));
    put("where", &|| json!(Location::of(command).name()));
    put("output", &|| {
        facts
            .scripts()
            .get(at.script)
            .map_or(Value::Null, |analysed| json!(output_use(at.command, &analysed.script).name()))
    });
    if let Some(file) = &command.file {
        put("script", &|| json!(file.path.as_ref()));
        put("line", &|| json!(file.line));
    }
    Some(Value::Object(value))
}

fn file(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let files = facts.files();
    let file = files.get(focus.file.unwrap_or_default())?;
    let access = file.access.names();
    let absolute = focus.matched_path.as_deref().unwrap_or(&file.path);
    let path = facts.path_context.display(absolute);
    let (dir, name) = path.rsplit_once('/').unwrap_or((".", &path));
    Some(json!({
        "path": path,
        "dir": dir,
        "name": name,
        "stem": name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty()).unwrap_or(name),
        "absolute": absolute,
        "written": file.written_path,
        "target": facts.target(file).name(),
        "access": access,
    }))
}

fn url_value(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let fetched = facts.urls().get(focus.url.unwrap_or_default())?;
    Some(json!({ "text": fetched.url, "host": url::host_of(&fetched.url) }))
}

fn action(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let deed = facts.actions().get(focus.action?)?;
    let sent: Vec<_> = facts.sent_files(deed).into_iter().filter_map(|file| facts.files().get(file)).collect();
    Some(json!({
        "what": deed.kind.name(),
        "name": deed.name,
        "value": deed.value,
        "to": deed.destination,
        "host": deed.host(),
        "files": sent.iter().map(|file| facts.path_context.display(&file.path)).collect::<Vec<_>>(),
    }))
}

fn opaque(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let opaque = facts.opaque().get(focus.opaque?)?;
    Some(json!({ "reason": opaque.reason.name(), "why": opaque.reason.to_string(), "text": opaque.text }))
}

fn push(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let target = facts.pushes().get(focus.push?)?.target(facts)?;
    let branches: Vec<&str> = target.branches.iter().map(|branch| branch.name.as_str()).collect();
    Some(json!({
        "summary": target.summary(),
        "branches": branches,
        "remote": target.remote,
        "urls": target.urls,
        "unknown": target.unknown,
    }))
}

fn git(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let directory = focus.command.and_then(|at| facts.git_directories(at)?.into_iter().next());
    let directory = directory.as_deref().unwrap_or(&facts.path_context.cwd);
    let state = facts.repository(directory);
    // What takes long to find out is there if a condition has asked for it.
    let divergence = facts.known_divergence(directory);
    match state.as_ref() {
        Ok(state) => {
            let state = state.as_ref()?;
            Some(json!({
                "branch": state.branch,
                "detached": state.branch.is_none(),
                "remotes": state.remotes(),
                "ahead": divergence.map(|found| found.ahead),
                "behind": divergence.map(|found| found.behind),
            }))
        }
        Err(why) => Some(json!({ "branch": null, "detached": null, "remotes": [], "unknown": why.to_string() })),
    }
}

fn loss(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    let at = focus.loss.as_ref()?;
    let loss = facts.loss(at.fact, focus.file)?;
    let total = loss.total_of(&at.kinds);
    let items = loss.items.iter().filter(|item| at.kinds.contains(&item.kind));
    let counts = LossKind::ALL.iter().map(|kind| (kind.name().to_owned(), json!(loss.total(*kind).count)));
    Some(json!({
        "summary": summary(&loss, &at.kinds, facts.path_context, facts.now),
        "count": total.count,
        "bytes": total.bytes,
        "seconds": total.newest.map(|newest| facts.now.seconds_since(newest)),
        "names": items.map(|item| facts.path_context.display(&item.name)).collect::<Vec<_>>(),
        "kinds": counts.collect::<Map<_, _>>(),
        "unknown": loss.unknown,
    }))
}

fn secret(focus: &Binding) -> Option<Value> {
    let secret = focus.secret.as_ref()?;
    Some(json!({
        "id": secret.id,
        "name": secret.name,
        "tier": secret.tier,
        "line": secret.line,
        "masked": secret.masked,
        "advice": secret.advice,
        "origin": secret.origin,
    }))
}

fn pii(focus: &Binding) -> Option<Value> {
    let at = focus.pii.as_ref()?;
    Some(json!({ "id": at.id, "name": at.name, "line": at.line, "masked": at.masked, "origin": at.origin }))
}

/// Returns the parts of a placeholder: the id, the name, and a tag for the value.
fn finding_parts(facts: &Facts<'_>, focus: &Binding) -> Option<(&'static str, &'static str, String)> {
    let (id, name, value) = match (&focus.secret, &focus.pii, &focus.passage) {
        (Some(secret), ..) => (secret.id, secret.name, secret.value.as_str()),
        (None, Some(at), _) => (at.id, at.name, at.value.as_str()),
        (None, None, Some(passage)) => ("text", "text", passage.value(facts)?),
        (None, None, None) => return None,
    };
    Some((id, name, facts.tag(value)))
}

fn finding(facts: &Facts<'_>, focus: &Binding) -> Option<Value> {
    finding_parts(facts, focus).map(|(id, name, tag)| json!({ "id": id, "name": name, "tag": tag }))
}

/// Returns the default placeholder for what a rule found.
pub fn placeholder(facts: &Facts<'_>, focus: &Binding) -> String {
    finding_parts(facts, focus).map_or_else(|| "[redacted]".to_owned(), |(id, _, tag)| format!("[{id}:{tag}]"))
}

fn gate(focus: &Binding) -> Option<Value> {
    let gate = focus.gate.as_ref()?;
    Some(json!({
        "id": gate.id,
        "stands": gate.status.name(),
        "turns": gate.turns,
        "calls": gate.calls,
        "seconds": gate.seconds,
        "opened": gate.open_count,
        "file": gate.file,
    }))
}

fn text(facts: &Facts<'_>, place: TextField) -> Option<Value> {
    let texts = facts.texts(place);
    let whole = match texts.as_slice() {
        [] => return None,
        [(text, _)] => (*text).to_owned(),
        several => several.iter().map(|(text, _)| *text).collect::<Vec<_>>().join("\n"),
    };
    Some(json!({ "length": whole.chars().count(), "text": whole }))
}

fn request(payload: &Payload<'_>) -> Option<Value> {
    let Payload::Model(call) = payload else { return None };
    let messages: Vec<Value> = call.messages.iter().map(message_value).collect();
    let mut request: Map<String, Value> =
        call.config.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
    request.insert("model".into(), json!(call.model));
    request.insert("messages".into(), Value::Array(messages));
    Some(Value::Object(request))
}

fn message_value(message: &Message<'_>) -> Value {
    json!({ "role": message.role, "text": message.text, "length": message.text.chars().count() })
}

fn usage(payload: &Payload<'_>) -> Option<Value> {
    let Payload::Model(ModelCall { usage, .. }) = payload else { return None };
    let counts = [("prompt", usage.prompt), ("output", usage.output), ("total", usage.total), ("cached", usage.cached)];
    let known: Map<String, Value> =
        counts.into_iter().filter_map(|(name, count)| Some((name.to_owned(), json!(count?)))).collect();
    (!known.is_empty()).then_some(Value::Object(known))
}

fn payload_value(payload: &Payload<'_>, word: &str) -> Option<Value> {
    let text = match (payload, word) {
        (Payload::Model(ModelCall { model, .. }), "model") => return Some(json!({ "name": model })),
        (Payload::Notice(Notice { subject, .. }), "subject") => *subject,
        (Payload::Notice(Notice { path, .. }), "path") => *path,
        (Payload::Notice(Notice { text, .. }) | Payload::Answer(AgentAnswer { text, .. }), "message") => *text,
        _ => None,
    };
    text.map(Value::from)
}
