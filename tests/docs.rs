//! Documents that are made from the tables, and the README's examples.
//!
//! `RULEWARD_BLESS=1 cargo test --test docs` writes them anew.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "here a panic is how a failure is told"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ruleward::adapters::{HOSTS, Host, Row, Support};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::kind::MOMENTS;
use ruleward::domain::pii::{Find, KINDS};
use ruleward::domain::vocabulary::VOCABULARY;
use ruleward::io::policy::code::Code;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn compare(name: &str, text: &str) {
    if std::env::var_os("RULEWARD_BLESS").is_some() {
        fs::write(file(name), text).unwrap();
    }
    let written = fs::read_to_string(file(name)).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == text, "{name} is not what the tables say: run RULEWARD_BLESS=1 cargo test --test docs");
}

fn cell(row: &Row, effect: EffectKind, notes: &mut Vec<String>) -> String {
    let mut note = |text: &str| {
        let position = notes.iter().position(|known| known == text);
        position.map_or_else(
            || {
                notes.push(text.to_owned());
                notes.len()
            },
            |position| position + 1,
        )
    };
    match row.support(effect) {
        None => String::new(),
        Some(Support::Honoured("")) => "yes".into(),
        Some(Support::Honoured(since)) => format!("yes, since {since}"),
        Some(Support::With(text)) => format!("yes ({})", note(text)),
        Some(Support::Unsaid(text)) => format!("by itself ({})", note(text)),
        Some(Support::As(to, text)) => format!("as {to} ({})", note(text)),
        Some(Support::Interactive(to, text)) => format!("with a person; else as {to} ({})", note(text)),
        Some(Support::Shaped(to, text)) => format!("where the result's shape is known; else as {to} ({})", note(text)),
        Some(Support::Beside(beside, to, text)) => format!("beside {beside}; else as {to} ({})", note(text)),
    }
}

fn host_table(text: &mut String, host: &Host) {
    let effects = EffectKind::ALL.into_iter().filter(|effect| *effect != EffectKind::Audit);
    let effects: Vec<EffectKind> = effects.collect();
    writeln!(text, "\n## {} (`ruleward hook {}`)\n", host.title, host.name).unwrap();
    writeln!(text, "The contract of version {}.\n", host.version).unwrap();
    let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
    writeln!(text, "| event | moment | {} |", names.join(" | ")).unwrap();
    writeln!(text, "|---|---|{}", "---|".repeat(effects.len())).unwrap();
    let mut notes = Vec::new();
    for row in host.rows {
        let cells: Vec<String> = effects.iter().map(|effect| cell(row, *effect, &mut notes)).collect();
        writeln!(text, "| {} | `{}` | {} |", row.wire, row.kind, cells.join(" | ")).unwrap();
    }
    text.push('\n');
    for (index, note) in notes.iter().enumerate() {
        writeln!(text, "{}. {note}", index + 1).unwrap();
    }
    writeln!(text, "\n| tool | kind | arguments that are looked at |\n|---|---|---|").unwrap();
    for tool in host.tools {
        let args: Vec<String> = tool.args.iter().map(|arg| format!("`{}`", arg.key)).collect();
        writeln!(text, "| {} | {} | {} |", tool.wire, tool.kind, args.join(", ")).unwrap();
    }
}

#[test]
fn the_hosts_document_is_what_the_tables_say() {
    let mut text = String::from(
        "# What each host makes of each effect\n\n\
         Generated from the tables in `src/adapters`.\n\
         An empty cell means that the host has no way to do it: `ruleward lint` says so of a rule that asks for it, and `ruleward check` of an event.\n\
         What a host cannot do as meant is sent as something stricter, never as something milder, unless the policy says `ask_fallback: allow`.\n\
         `audit` works everywhere: it does not go through the host.\n\
         Tools that are in no table are judged by the names of their arguments.\n",
    );
    for host in HOSTS {
        host_table(&mut text, host);
    }
    compare("docs/hosts.md", &text);
}

#[test]
fn the_vocabulary_document_is_what_the_tables_say() {
    let mut text = String::from(
        "# Moments and words\n\n\
         Generated from the tables in `src/domain`.\n\n\
         ## Moments\n\n\
         A rule names them under `when`: one, a list, a group such as `tool.*`, or `any`.\n\n\
         | moment | when | effects that some host carries out |\n|---|---|---|\n",
    );
    for moment in MOMENTS {
        let effects: Vec<&str> = moment.effects.iter().map(EffectKind::name).collect();
        writeln!(text, "| `{}` | {} | {} |", moment.name, moment.about, effects.join(", ")).unwrap();
    }
    text.push_str("\n## Words\n\nMessages (`{{ … }}`), `if` and the paths of `match` begin with one of these.\n\n| word | what it stands for |\n|---|---|\n");
    for (word, about) in VOCABULARY {
        writeln!(text, "| `{word}` | {about} |").unwrap();
    }
    compare("docs/vocabulary.md", &text);
}

#[test]
fn the_codes_of_mistakes_are_what_the_table_says() {
    let mut table = String::from("\n| code | severity | about |\n|---|---|---|\n");
    for code in Code::ALL.iter().filter(|code| code.is_found_at_load()) {
        let severity = format!("{:?}", code.severity()).to_lowercase();
        writeln!(table, "| `{code}` | {severity} | {} |", code.about()).unwrap();
    }
    table.push('\n');
    let (begin, end) = ("<!-- codes -->\n", "<!-- /codes -->");
    let text = fs::read_to_string(file("docs/lint.md")).unwrap().replace("\r\n", "\n");
    let (head, rest) = text.split_once(begin).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    compare("docs/lint.md", &format!("{head}{begin}{table}{end}{tail}"));
}

#[test]
fn the_kinds_of_personal_data_are_what_the_table_says() {
    let mut table = String::from("\n| kind | what | needs a word beside it |\n|---|---|---|\n");
    for kind in KINDS {
        let needs = match kind.find {
            Find::Number(forms, _) if forms.iter().all(|form| form.needs_word) => "yes",
            Find::Number(forms, _) if forms.iter().any(|form| form.needs_word) => "in some forms",
            Find::Search(_) if !kind.words.is_empty() => "in some forms",
            Find::Number(..) | Find::Search(_) => "",
        };
        writeln!(table, "| `{}` | {} | {needs} |", kind.id, kind.name).unwrap();
    }
    table.push('\n');
    let (begin, end) = ("<!-- kinds -->\n", "<!-- /kinds -->");
    let text = fs::read_to_string(file("docs/secrets.md")).unwrap().replace("\r\n", "\n");
    let (head, rest) = text.split_once(begin).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    compare("docs/secrets.md", &format!("{head}{begin}{table}{end}{tail}"));
}
