//! The book in `docs`: pages that are made from the program, a table of contents that names every
//! page, and links that lead somewhere.
//!
//! `RULEWARD_BLESS=1 cargo test book::` regenerates the pages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Machine, doc_pages};
use ruleward::adapters::{HOSTS, Host};
use ruleward::domain::effect::EffectKind;
use ruleward::domain::event::kind::{EVENT_SPECS, Kind};
use ruleward::domain::layer::Layer;
use ruleward::domain::policy::gate::Gate;
use ruleward::io::policy::builtin::{COOKBOOK, COOKBOOK_PREFIX, PACKS, Pack};
use ruleward::io::policy::schema;
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn assert_up_to_date(name: &str, text: &str) {
    if std::env::var_os("RULEWARD_BLESS").is_some() {
        fs::write(root().join(name), text).unwrap();
    }
    let written = fs::read_to_string(root().join(name)).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == text, "{name} is not what the program says: run RULEWARD_BLESS=1 cargo test --test book");
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ").replace('<', "&lt;")
}

/// The schema as a page: one section a type, one row a key.
struct Reference {
    schema: Value,
    text: String,
    left: Vec<String>,
    seen: BTreeSet<String>,
}

impl Reference {
    fn parse(schema: &str) -> Self {
        let schema = serde_json::from_str(schema).unwrap();
        Self { schema, text: String::new(), left: Vec::new(), seen: BTreeSet::new() }
    }

    fn render(mut self, root_title: &str) -> String {
        let root = self.schema.clone();
        self.section(root_title, &root);
        while !self.left.is_empty() {
            let name = self.left.remove(0);
            let definition = self.schema["definitions"][&name].clone();
            self.section(&name, &definition);
        }
        self.text
    }

    fn section(&mut self, title: &str, definition: &Value) {
        writeln!(self.text, "\n## {title}\n").unwrap();
        let about = definition["description"].as_str().or_else(|| definition["$comment"].as_str()).unwrap_or_default();
        if !about.is_empty() {
            writeln!(self.text, "{}\n", about.replace('<', "&lt;")).unwrap();
        }
        if let Some(examples) = definition["examples"].as_array() {
            for example in examples {
                writeln!(self.text, "Example: `{}`\n", json_text(example)).unwrap();
            }
        }
        let forms = definition["anyOf"].as_array().cloned().unwrap_or_else(|| vec![definition.clone()]);
        let maps: Vec<&Value> = forms.iter().filter(|form| form["properties"].is_object()).collect();
        let others: Vec<&Value> = forms.iter().filter(|form| !form["properties"].is_object()).collect();
        if !others.is_empty() {
            let values: BTreeSet<String> = others.into_iter().map(|form| self.value(form)).collect();
            let values: Vec<String> = values.into_iter().filter(|value| value != "any value").collect();
            if !values.is_empty() {
                let or = if maps.is_empty() { "" } else { ", or a map" };
                writeln!(self.text, "Value: {}{or}.\n", values.join(" or ")).unwrap();
            }
        }
        if let Some(choices) = definition["oneOf"].as_array() {
            self.text += "| value | meaning |\n|---|---|\n";
            for choice in choices {
                let about = choice["description"].as_str().unwrap_or_default();
                writeln!(self.text, "| `{}` | {} |", json_text(&choice["const"]), cell(about)).unwrap();
            }
        }
        for map in maps {
            self.keys(map);
        }
    }

    fn keys(&mut self, map: &Value) {
        let required: Vec<&str> = map["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        self.text += "| key | value | meaning |\n|---|---|---|\n";
        for (key, property) in map["properties"].as_object().unwrap() {
            let value = self.value(property);
            let mut about = cell(property["description"].as_str().unwrap_or_default());
            if let Some(default) = property.get("default") {
                write!(about, " Default: `{}`.", json_text(default)).unwrap();
            }
            for example in property["examples"].as_array().into_iter().flatten() {
                write!(about, " Example: `{}`.", cell(&json_text(example))).unwrap();
            }
            let needed = if required.contains(&key.as_str()) { " (required)" } else { "" };
            writeln!(self.text, "| `{key}`{needed} | {} | {about} |", cell(&value)).unwrap();
        }
    }

    /// Says what a value may be.
    fn value(&mut self, schema: &Value) -> String {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/definitions/")) {
            if self.seen.insert(name.to_owned()) {
                self.left.push(name.to_owned());
            }
            return format!("[{name}](#{})", name.to_lowercase());
        }
        if let Some(value) = schema.get("const") {
            return format!("`{}`", json_text(value));
        }
        if let Some(choices) = schema["enum"].as_array() {
            return choices.iter().map(|choice| format!("`{}`", json_text(choice))).collect::<Vec<_>>().join(", ");
        }
        for key in ["allOf", "anyOf"] {
            if let Some(forms) = schema[key].as_array() {
                let mut said: Vec<String> = Vec::new();
                for form in forms {
                    let one = self.value(form);
                    if !said.contains(&one) {
                        said.push(one);
                    }
                }
                return said.join(" or ");
            }
        }
        match &schema["type"] {
            Value::String(kind) if kind == "array" => format!("list of {}", self.value(&schema["items"])),
            Value::String(kind) if kind == "object" && schema["additionalProperties"].is_object() => {
                format!("map of {}", self.value(&schema["additionalProperties"]))
            }
            Value::String(kind) => type_name(kind).to_owned(),
            Value::Array(kinds) => {
                kinds.iter().filter_map(Value::as_str).map(type_name).collect::<Vec<_>>().join(" or ")
            }
            _ => "any value".to_owned(),
        }
    }
}

fn type_name(kind: &str) -> &str {
    match kind {
        "string" => "text",
        "integer" | "number" => "number",
        "boolean" => "`true` or `false`",
        "object" => "map",
        "array" => "list",
        other => other,
    }
}

fn json_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

#[test]
fn the_reference_is_what_the_schema_says() {
    let mut text = String::from(
        "# Reference\n\n\
         Every key of a policy, generated from the published schemas (`ruleward schema`, `ruleward schema suite`).\n\
         A single value can be used instead of a list with one entry.\n\
         For a guide, see [Writing a policy](policy.md).\n",
    );
    text += &Reference::parse(schema::POLICY_SCHEMA).render("Policy file");
    assert_up_to_date("docs/reference.md", &text);
}

#[test]
fn the_packs_page_is_what_is_bundled() {
    let mut text = String::from(
        "# Bundled packs\n\n\
         Generated from `policies/`.\n\
         `recommended` applies without configuration. Add other packs by name under `extends`.\n\
         `ruleward packs show NAME` prints the source of a pack, with examples for each rule.\n",
    );
    for pack in PACKS {
        let tree: Value = serde_yaml::from_str(pack.text).unwrap();
        writeln!(text, "\n## {}\n\n{}", pack.name, pack.description()).unwrap();
        if let Some(extended) = tree["extends"].as_array() {
            let names: Vec<String> =
                extended.iter().filter_map(Value::as_str).map(|name| format!("[{name}](#{name})")).collect();
            writeln!(text, "\nIncludes {}.", names.join(", ")).unwrap();
        }
        let rules = tree["rules"].as_array().cloned().unwrap_or_default();
        if rules.is_empty() {
            continue;
        }
        text += "\n| rule | effect | severity | why |\n|---|---|---|---|\n";
        for rule in rules {
            let effects: Vec<&str> =
                rule["then"].as_object().into_iter().flat_map(|then| then.keys()).map(String::as_str).collect();
            let about = cell(rule["description"].as_str().unwrap_or_default());
            let severity = rule["severity"].as_str().unwrap_or("medium");
            writeln!(text, "| `{}` | {} | {severity} | {about} |", json_text(&rule["id"]), effects.join(", ")).unwrap();
        }
    }
    assert_up_to_date("docs/packs.md", &text);
}

/// What a recipe does at which moment, and at which moments its gates change.
fn recipe_effects(pack: &Pack) -> (BTreeSet<(Kind, EffectKind)>, BTreeSet<Kind>) {
    let (mut done, mut changes) = (BTreeSet::new(), BTreeSet::new());
    for part in pack.parts().unwrap().into_iter().map(|part| part.into_part(Layer::Bundled)) {
        for rule in &part.rules {
            for moment in rule.when.iter() {
                let effects = rule.then.effects().iter().filter(|effect| *effect != EffectKind::Audit);
                done.extend(effects.map(|effect| (moment.kind, effect)));
            }
        }
        let moments = part.gates.iter().flat_map(Gate::transitions).flat_map(|transition| transition.when.iter());
        changes.extend(moments.map(|moment| moment.kind));
    }
    (done, changes)
}

/// What each host makes of a recipe: a row for each moment and effect, and what there is to know.
#[derive(Default)]
struct HostTable {
    rows: String,
    notes: Vec<&'static str>,
}

impl HostTable {
    fn render(pack: &Pack) -> String {
        let (done, changes) = recipe_effects(pack);
        let mut page = Self::default();
        for moment in EVENT_SPECS {
            for (_, effect) in done.iter().filter(|(kind, _)| *kind == moment.kind) {
                let cells: Vec<_> = HOSTS.iter().map(|host| page.cell(host, moment.kind, Some(*effect))).collect();
                page.row(moment.name, effect.name(), &cells);
            }
            if changes.contains(&moment.kind) {
                let cells: Vec<_> = HOSTS.iter().map(|host| page.cell(host, moment.kind, None)).collect();
                page.row(moment.name, "the gate changes", &cells);
            }
        }
        if page.rows.is_empty() {
            return String::new();
        }
        let titles: Vec<&str> = HOSTS.iter().map(|host| host.title).collect();
        let mut text =
            format!("\n\n| moment | effect | {} |\n|---|---|{}\n", titles.join(" | "), "---|".repeat(HOSTS.len()));
        text += &page.rows;
        for (index, note) in page.notes.iter().enumerate() {
            writeln!(text, "{}{}. {note}", if index == 0 { "\n" } else { "" }, index + 1).unwrap();
        }
        text.trim_end().to_owned()
    }

    fn row(&mut self, moment: &str, what: &str, cells: &[String]) {
        writeln!(self.rows, "| `{moment}` | {what} | {} |", cells.join(" | ")).unwrap();
    }

    /// What a host makes of an effect at a moment, or at which events the moment comes.
    fn cell(&mut self, host: &Host, kind: Kind, effect: Option<EffectKind>) -> String {
        let cells: Vec<String> = host
            .event_rows(kind)
            // What a rule has run or backed up does not go through the host.
            .map(|row| {
                match effect
                    .filter(|it| !matches!(it, EffectKind::Run | EffectKind::Backup))
                    .map(|effect| row.support(effect))
                {
                    None => row.wire.to_owned(),
                    Some(None) => format!("{}: not possible", row.wire),
                    Some(Some(support)) => {
                        let (short, note) = support.describe();
                        format!("{}: {short}{}", row.wire, self.footnote(note))
                    }
                }
            })
            .collect();
        if cells.is_empty() { "no such event".to_owned() } else { cells.join("; ") }
    }

    fn footnote(&mut self, note: &'static str) -> String {
        if note.is_empty() {
            return String::new();
        }
        let known = self.notes.iter().position(|known| *known == note);
        let index = known.unwrap_or(self.notes.len());
        if known.is_none() {
            self.notes.push(note);
        }
        format!(" ({})", index + 1)
    }
}

#[test]
fn the_cookbook_page_is_what_the_recipes_say() {
    let mut text = String::from(
        "# Cookbook\n\n\
         Generated from `policies/cookbook/`: policies for common uses of hooks, with tests.\n\
         Copy one, change it, and run its tests:\n\n\
         ```sh\nruleward init --from gates --from token-budget\nruleward test\n```\n\n\
         `init` writes the recipe and its tests next to your policy, which extends it. With `--user`, it uses your own policy, which applies in every project.\n\
         To use a recipe unchanged, write `extends: [cookbook/gates]`.\n\n\
         The table of each recipe shows its events, and how each host supports its effects.\n\n\
         | recipe | what it does |\n|---|---|\n",
    );
    let names = || COOKBOOK.iter().map(|pack| (pack.name.trim_start_matches(COOKBOOK_PREFIX), pack));
    for (name, pack) in names() {
        writeln!(text, "| [{name}](#{name}) | {} |", cell(pack.description())).unwrap();
    }
    for (name, pack) in names() {
        let comment = pack.comment();
        let policy = pack.text.lines().skip_while(|line| line.starts_with('#'));
        let policy = policy.fold(String::new(), |text, line| text + line + "\n");
        writeln!(
            text,
            "\n## {name}\n\n{}\n\n{comment}\n\n```yaml\n{policy}```\n{}",
            pack.description(),
            HostTable::render(pack)
        )
        .unwrap();
    }
    assert_up_to_date("docs/cookbook.md", &(text.trim_end().to_owned() + "\n"));
}

#[test]
fn the_commands_page_is_what_help_says() {
    let machine = Machine::new();
    let mut text = String::from(
        "# Commands\n\n\
         Generated from `ruleward COMMAND --help`. `ruleward man` prints the same as manual pages.\n",
    );
    let mut left = vec![Vec::<String>::new()];
    while let Some(command) = left.pop() {
        let mut args: Vec<&str> = command.iter().map(String::as_str).collect();
        args.push("--help");
        let ran = machine.run(&args, b"");
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        let name = command.iter().fold("ruleward".to_owned(), |name, word| name + " " + word);
        let help = ran.stdout.lines().fold(String::new(), |help, line| help + line.trim_end() + "\n");
        writeln!(text, "\n## {name}\n\n```text\n{help}```").unwrap();
        let section = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = section.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
            let word = line.strip_prefix("  ")?;
            word.chars().next().is_some_and(char::is_lowercase).then(|| word.split_whitespace().next())?
        });
        let more: Vec<Vec<String>> = names
            .filter(|name| *name != "help")
            .map(|name| command.iter().cloned().chain([name.to_owned()]).collect())
            .collect();
        left.extend(more.into_iter().rev());
    }
    assert_up_to_date("docs/commands.md", &text);
}

/// The targets of a text's links, and the anchors of its headings.
fn links_and_anchors(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let mut links = Vec::new();
    let mut anchors = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        if line.starts_with('#') {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
            anchors.insert(kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect());
        }
        // What stands in backquotes is no link.
        let plain: String = line.split('`').step_by(2).collect();
        let mut rest = plain.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            links.push(rest[..end].to_owned());
        }
    }
    (links, anchors)
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let more = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md"];
    for page in doc_pages().into_iter().chain(more.map(|name| root().join(name))) {
        let text = fs::read_to_string(&page).unwrap();
        for link in links_and_anchors(&text).0 {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let known = fs::read_to_string(&target).map(|text| links_and_anchors(&text).1);
            let leads = match &known {
                Ok(anchors) => anchor.is_empty() || anchors.contains(anchor),
                Err(_) => target.is_dir() && anchor.is_empty(),
            };
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = root().join("docs/SUMMARY.md");
    let (links, _) = links_and_anchors(&fs::read_to_string(&summary).unwrap());
    let listed: BTreeSet<PathBuf> = links.iter().map(|link| root().join("docs").join(link)).collect();
    let there: BTreeSet<PathBuf> = doc_pages().into_iter().filter(|page| *page != summary).collect();
    assert_eq!(listed, there);
}

/// Finds the keys that say nothing to somebody who writes a policy in an editor.
#[test]
fn every_key_of_the_schema_has_a_description() {
    let mut bare = Vec::new();
    for text in [schema::POLICY_SCHEMA, schema::SUITE_SCHEMA] {
        let schema: Value = serde_json::from_str(text).unwrap();
        let mut left: Vec<(String, &Value)> = vec![(String::new(), &schema)];
        while let Some((path, node)) = left.pop() {
            for (key, property) in node["properties"].as_object().into_iter().flatten() {
                if property["description"].as_str().unwrap_or_default().is_empty() {
                    bare.push(format!("{path}/{key}"));
                }
            }
            match node {
                Value::Object(entries) => {
                    left.extend(entries.iter().map(|(key, value)| (format!("{path}/{key}"), value)));
                }
                Value::Array(items) => left.extend(items.iter().map(|item| (path.clone(), item))),
                _ => {}
            }
        }
    }
    assert!(bare.is_empty(), "{}", bare.join("\n"));
}
