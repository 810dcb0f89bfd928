//! Rules that hold for everything, and patterns that say more or less than they seem to.

use super::Look;
use crate::domain::condition::{Conditions, Files, Text};
use crate::domain::kind::Kind;
use crate::domain::path::Glob;
use crate::domain::pattern::Pattern;
use crate::domain::rule::{Mode, Rule};
use crate::io::policy::code::Code;
use crate::io::policy::locate::Step;

/// A text that no pattern is about.
const ANYTHING: &str = "\u{10fffd}";

pub(super) fn look(look: &mut Look<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        if refuses_everything(rule) {
            let moment = rule.when.iter().next().map_or("", |moment| moment.name);
            let message = format!("`{}` refuses everything at {moment}; no `allow` weakens that", rule.id);
            let help = "say what is refused; to stop an agent altogether, take its hook's permission away";
            look.add(file, &rule.id, &[], Code::BroadRule, message, help);
        }
        patterns(look, file, &rule.id, &rule.conditions, &[]);
        for (index, exception) in rule.except.iter().enumerate() {
            patterns(look, file, &rule.id, exception, &[Step::Key("except"), Step::Item(index)]);
        }
    }
}

/// Tells whether a rule leaves nothing that could go ahead.
fn refuses_everything(rule: &Rule) -> bool {
    let refuses = rule.then.deny.is_some() || rule.then.stop.is_some();
    let acts = rule.mode == Mode::Enforce && rule.except.is_empty();
    let moments = [Kind::ToolBefore, Kind::PermissionRequest, Kind::PromptSubmit];
    let watches = moments.into_iter().any(|kind| rule.when.contains(kind));
    refuses && acts && watches && asks_nothing(&rule.conditions)
}

fn asks_nothing(conditions: &Conditions) -> bool {
    let every_tool = conditions.tool.as_ref().is_none_or(|tools| tools.0.iter().any(|name| name == "*"));
    every_tool && Conditions { tool: None, ..conditions.clone() } == Conditions::default()
}

fn patterns(look: &mut Look<'_>, file: usize, rule: &str, conditions: &Conditions, path: &[Step<'_>]) {
    let mut at = |steps: &[Step<'_>], code: Code, message: String, help: &str| {
        look.add(file, rule, &[path, steps].concat(), code, message, help);
    };
    let texts: [(&'static str, &Option<Text>); 5] = [
        ("shell", &conditions.shell),
        ("content", &conditions.content),
        ("prompt", &conditions.prompt),
        ("output", &conditions.output),
        ("response", &conditions.response),
    ];
    for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
        if let Some(index) = text.contains.iter().position(String::is_empty) {
            let path = [Step::Key(key), Step::Key("contains"), Step::Item(index)];
            at(&path, Code::MatchesEverything, "the empty text stands in every text".into(), "name a word");
        }
        at_patterns(&text.regex, &[Step::Key(key), Step::Key("regex")], &mut at);
    }
    if let Some(urls) = &conditions.urls {
        at_patterns(&urls.regex, &[Step::Key("urls"), Step::Key("regex")], &mut at);
    }
    for (field, matcher) in conditions.r#match.iter().flatten() {
        at_patterns(&matcher.regex, &[Step::Key("match"), Step::Key(field), Step::Key("regex")], &mut at);
    }
    if let Some(files) = &conditions.files {
        at_globs(files, &mut at);
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        patterns(look, file, rule, branch, &[path, &[Step::Key("any"), Step::Item(index)]].concat());
    }
}

type Add<'a> = dyn FnMut(&[Step<'_>], Code, String, &str) + 'a;

fn at_patterns(patterns: &[Pattern], path: &[Step<'_>], at: &mut Add<'_>) {
    for (index, pattern) in patterns.iter().enumerate() {
        if pattern.find("").is_some() && pattern.find(ANYTHING).is_some() {
            let message = format!("`{}` matches the empty text, and so every text", pattern.source());
            let help = "leave out what is optional at both ends, or write `+` in place of `*`";
            at(&[path, &[Step::Item(index)]].concat(), Code::MatchesEverything, message, help);
        }
    }
}

fn at_globs(files: &Files, at: &mut Add<'_>) {
    for (key, globs) in [("paths", &files.paths), ("except", &files.except)] {
        for (index, glob) in globs.iter().enumerate() {
            let Some((code, message, help)) = of_glob(glob) else { continue };
            at(&[Step::Key("files"), Step::Key(key), Step::Item(index)], code, message, &help);
        }
    }
}

/// Says what is wrong with a glob: a path is compared whole, without `.`, `..` and a last `/`.
fn of_glob(glob: &Glob) -> Option<(Code, String, String)> {
    let text = glob.source();
    let segments: Vec<&str> = text.split('/').collect();
    if segments.iter().any(|segment| matches!(*segment, "." | "..")) {
        let tidy: Vec<&str> = segments.into_iter().filter(|segment| *segment != ".").collect();
        let help = format!("write `{}`", tidy.join("/").replace("../", ""));
        return Some((
            Code::DeadGlob,
            format!("`{text}` covers no file: paths are compared without `.` and `..`"),
            help,
        ));
    }
    if text.len() > 1 && text.ends_with('/') && text.trim_end_matches('/').contains('/') {
        let help = format!("write `{text}**` for all that is in the directory");
        return Some((Code::DeadGlob, format!("`{text}` covers no file: no path ends in `/`"), help));
    }
    if let Some(rest) = text.strip_prefix("*/").filter(|rest| rest.contains(char::is_alphanumeric)) {
        let message = format!("`{text}` covers `{rest}` in the directories of the project's root alone");
        return Some((Code::ShallowGlob, message, format!("write `**/{rest}` for any depth")));
    }
    let glued = segments.iter().find(|segment| segment.contains("**") && **segment != "**")?;
    let message = format!("in `{text}`, `**` stands beside other characters and is no more than `*`");
    let meant =
        if segments.len() == 1 { glued.replace("**", "*") } else { text.replace(glued, &glued.replace("**", "**/*")) };
    Some((Code::ShallowGlob, message, format!("write `{meant}`")))
}
