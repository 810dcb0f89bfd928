//! Documents that are made from the tables, and the README's examples.
//!
//! `RULEWARD_BLESS=1 cargo test docs::` regenerates them.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ruleward::adapters::capability::{capabilities, supported_effects};
use ruleward::adapters::{EventRow, HOSTS, Host};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::kind::EVENT_SPECS;
use ruleward::domain::pii::{Detection, KINDS};
use ruleward::domain::text::vocabulary::VOCABULARY;
use ruleward::io::policy::code::DiagnosticCode;
use serde_json::Value;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn assert_up_to_date(name: &str, text: &str) {
    if std::env::var_os("RULEWARD_BLESS").is_some() {
        fs::write(file(name), text).unwrap();
    }
    let written = fs::read_to_string(file(name)).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == text, "{name} is not what the tables say: run RULEWARD_BLESS=1 cargo test --test docs");
}

/// Compares the part of a document between `<!-- name -->` and `<!-- /name -->`.
fn assert_section_up_to_date(document: &str, name: &str, part: &str) {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let text = fs::read_to_string(file(document)).unwrap().replace("\r\n", "\n");
    let (head, rest) = text.split_once(&begin).unwrap();
    let (_, tail) = rest.split_once(&end).unwrap();
    assert_up_to_date(document, &format!("{head}{begin}{part}{end}{tail}"));
}

/// What runs of the real programs have shown: `true`, or why a row cannot be reached by one.
fn runs() -> Value {
    serde_json::from_str(&fs::read_to_string(file("tests/live/rows.json")).unwrap()).unwrap()
}

/// Returns what a run has shown of an event and an effect, or why none can; a host that cannot be
/// run at all has one reason for everything.
fn check_demonstrated(runs: &Value, host: &Host, row: &EventRow, effect: EffectKind) -> Result<(), String> {
    let entry = match &runs[host.name] {
        Value::String(why) => return Err(why.clone()),
        rows => &rows[row.wire][effect.name()],
    };
    match entry {
        Value::Bool(true) => Ok(()),
        Value::String(why) => Err(why.clone()),
        _ => Err("no run has shown it yet".into()),
    }
}

fn footnote_number(notes: &mut Vec<String>, text: &str) -> usize {
    let known = notes.iter().position(|known| known == text);
    known.map_or_else(
        || {
            notes.push(text.to_owned());
            notes.len()
        },
        |known| known + 1,
    )
}

fn host_table(host: &Host, runs: &Value) -> String {
    let mut text = format!("## Events\n\nThis table describes version {}.\n", host.version);
    text.push_str("An empty cell means that the host doesn't support the effect; `audit` works everywhere.\n\n");
    let effects = supported_effects(host);
    let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
    writeln!(text, "| event | moment | {} |", names.join(" | ")).unwrap();
    writeln!(text, "|---|---|{}", "---|".repeat(effects.len())).unwrap();
    let (mut notes, mut reasons) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    for row in host.events {
        let listed = capabilities(row);
        let cells: Vec<String> = effects
            .iter()
            .map(|effect| {
                let Some(can) = listed.iter().find(|can| can.effect == *effect) else { return String::new() };
                let mut cell = can.summary.clone();
                match check_demonstrated(runs, host, row, *effect) {
                    Ok(()) => cell.push_str(" ✓"),
                    Err(why) => {
                        let place = format!("{} {effect}", row.wire);
                        match reasons.iter_mut().find(|(known, _)| *known == why) {
                            Some((_, places)) => places.push(place),
                            None => reasons.push((why, vec![place])),
                        }
                    }
                }
                if !can.note.is_empty() {
                    write!(cell, " ({})", footnote_number(&mut notes, can.note)).unwrap();
                }
                cell
            })
            .collect();
        writeln!(text, "| {} | `{}` | {} |", row.wire, row.kind, cells.join(" | ")).unwrap();
    }
    text.push('\n');
    for (index, note) in notes.iter().enumerate() {
        writeln!(text, "{}. {note}", index + 1).unwrap();
    }
    if !reasons.is_empty() {
        text.push_str("\nNot confirmed by a test:\n\n");
        for (why, places) in &reasons {
            let places = if runs[host.name].is_string() { "everything".to_owned() } else { places.join(", ") };
            writeln!(text, "- {places}: {why}").unwrap();
        }
    }
    text.push_str("\n## Tools\n\nTools that are not listed are evaluated by the names of their arguments.\n\n");
    text.push_str("| tool | kind | evaluated arguments |\n|---|---|---|\n");
    for tool in host.tools {
        let looked_at = tool.args.iter().filter(|arg| arg.role.is_policy_relevant());
        let mut args: Vec<String> = looked_at.map(|arg| format!("`{}`", arg.key)).collect();
        args.dedup();
        writeln!(text, "| {} | {} | {} |", tool.wire, tool.kind, args.join(", ")).unwrap();
    }
    text
}

fn coexistence_table(host: &Host) -> String {
    let mut text =
        String::from("| events | how the host combines several answers | what ruleward does |\n|---|---|---|\n");
    for beside in host.registration.coexistence {
        let events = if beside.events.is_empty() { "every event".to_owned() } else { beside.events.join(", ") };
        let field = if beside.field.is_empty() { String::new() } else { format!(", `{}`", beside.field) };
        writeln!(text, "| {events}{field} | {} | {} |", beside.resolution, beside.advice).unwrap();
    }
    text
}

#[test]
fn what_is_said_of_other_hooks_is_about_events_there_are() {
    for host in HOSTS {
        for wire in host.registration.coexistence.iter().flat_map(|beside| beside.events) {
            assert!(host.event_row(wire).is_some(), "{} {wire}", host.name);
        }
    }
}

#[test]
fn the_hosts_documents_are_what_the_tables_say() {
    let runs = runs();
    let mut index = String::from(
        "# Supported effects\n\n\
         Generated from the tables in `src/adapters`; `ruleward hosts` prints them.\n\
         If a host doesn't support an effect, ruleward falls back to the next stricter option, never to a weaker one, unless the policy has `ask_fallback: allow`.\n\
         `ruleward lint` reports rules with an effect that a host doesn't support, and `ruleward check` shows the result for an event.\n\
         `audit` works everywhere, because it doesn't involve the host.\n\n\
         | host | version | events | supported effects | confirmed by tests |\n|---|---|---|---|---|\n",
    );
    for host in HOSTS {
        let name = format!("docs/hosts/{}.md", host.name);
        assert_section_up_to_date(&name, "table", &format!("\n{}\n", host_table(host, &runs)));
        assert_section_up_to_date(&name, "beside", &format!("\n{}\n", coexistence_table(host)));
        let all = || host.events.iter().flat_map(|row| capabilities(row).into_iter().map(move |can| (row, can.effect)));
        let proven = all().filter(|(row, effect)| check_demonstrated(&runs, host, row, *effect).is_ok()).count();
        let (title, version, rows) = (host.title, host.version, host.events.len());
        writeln!(index, "| [{title}](hosts/{}.md) | {version} | {rows} | {} | {proven} |", host.name, all().count())
            .unwrap();
    }
    assert_up_to_date("docs/hosts.md", &index);
}

#[test]
fn runs_speak_only_of_what_the_tables_have() {
    for (name, rows) in runs().as_object().unwrap() {
        let host = Host::by_name(name).unwrap_or_else(|| panic!("{name} is no host"));
        for (wire, effects) in rows.as_object().into_iter().flatten() {
            let row = host.event_row(wire).unwrap_or_else(|| panic!("{name} has no event {wire}"));
            for effect in effects.as_object().unwrap().keys() {
                let known = capabilities(row).iter().any(|can| can.effect.name() == effect);
                assert!(known, "{name} {wire} does not carry `{effect}`: take it out of tests/live/rows.json");
            }
        }
    }
}

#[test]
fn the_vocabulary_document_is_what_the_tables_say() {
    let mut text = String::from(
        "# Moments and variables\n\n\
         Generated from the tables in `src/domain`.\n\n\
         ## Moments\n\n\
         Use them under `when`: a moment, a list, a group such as `tool.*`, or `any`.\n\n\
         | moment | when | effects that at least one host supports |\n|---|---|---|\n",
    );
    for moment in EVENT_SPECS {
        let effects: Vec<&str> = moment.effects.iter().map(EffectKind::name).collect();
        writeln!(text, "| `{}` | {} | {} |", moment.name, moment.description, effects.join(", ")).unwrap();
    }
    text.push_str("\n## Variables\n\nMessages (`{{ … }}`), `if` and the paths of `match` start with one of these.\n\n| variable | meaning |\n|---|---|\n");
    for variable in VOCABULARY {
        writeln!(text, "| `{}` | {} |", variable.name, variable.about).unwrap();
    }
    assert_up_to_date("docs/vocabulary.md", &text);
}

#[test]
fn the_codes_of_mistakes_are_what_the_table_says() {
    let mut table = String::from("\n| code | severity | about |\n|---|---|---|\n");
    for code in DiagnosticCode::ALL.iter().filter(|code| code.is_found_at_load()) {
        let severity = format!("{:?}", code.severity()).to_lowercase();
        writeln!(table, "| `{code}` | {severity} | {} |", code.about()).unwrap();
    }
    table.push('\n');
    let (begin, end) = ("<!-- codes -->\n", "<!-- /codes -->");
    let text = fs::read_to_string(file("docs/lint.md")).unwrap().replace("\r\n", "\n");
    let (head, rest) = text.split_once(begin).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    assert_up_to_date("docs/lint.md", &format!("{head}{begin}{table}{end}{tail}"));
}

#[test]
fn the_kinds_of_personal_data_are_what_the_table_says() {
    let mut table = String::from("\n| kind | description | needs a context word |\n|---|---|---|\n");
    for kind in KINDS {
        let needs = match kind.detection {
            Detection::Number(forms, _) if forms.iter().all(|form| form.needs_context) => "yes",
            Detection::Number(forms, _) if forms.iter().any(|form| form.needs_context) => "in some forms",
            Detection::BuiltIn(_) if !kind.context_words.is_empty() => "in some forms",
            Detection::Number(..) | Detection::BuiltIn(_) => "",
        };
        writeln!(table, "| `{}` | {} | {needs} |", kind.id, kind.name).unwrap();
    }
    table.push('\n');
    assert_section_up_to_date("docs/secrets.md", "kinds", &table);
}
