//! Rules that hold for everything, and patterns that say more or less than they seem to.

use super::Linter;
use crate::domain::condition::{Conditions, Files, TextMatcher};
use crate::domain::event::kind::Kind;
use crate::domain::policy::rule::Rule;
use crate::domain::severity::Mode;
use crate::domain::text::path::Glob;
use crate::domain::text::pattern::Pattern;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::locate::PathSegment;

/// A text that no pattern is about.
const ARBITRARY_TEXT: &str = "\u{10fffd}";

pub(super) fn check(look: &mut Linter<'_>, file: usize) {
    for active in look.rules(file) {
        let rule = &active.rule;
        if is_deny_all(rule) {
            let moment = rule.when.iter().next().map_or("", |moment| moment.name);
            let message = format!("`{}` denies everything at {moment}, and no `allow` overrides it", rule.id);
            let help = "add conditions to limit what is denied";
            look.add(file, &rule.id, &[], DiagnosticCode::BroadRule, message, help);
        }
        check_patterns(look, file, &rule.id, &rule.conditions, &[]);
        for (index, exception) in rule.except.iter().enumerate() {
            check_patterns(look, file, &rule.id, exception, &[PathSegment::Key("except"), PathSegment::Item(index)]);
        }
    }
}

/// Returns whether a rule leaves nothing that could go ahead.
fn is_deny_all(rule: &Rule) -> bool {
    let refuses = rule.then.deny.is_some() || rule.then.stop.is_some();
    let acts = rule.mode == Mode::Enforce && rule.except.is_empty();
    let moments = [Kind::ToolBefore, Kind::PermissionRequest, Kind::PromptSubmit];
    let watches = moments.into_iter().any(|kind| rule.when.contains(kind));
    refuses && acts && watches && is_unconditional(&rule.conditions)
}

fn is_unconditional(conditions: &Conditions) -> bool {
    let every_tool = conditions.tool.as_ref().is_none_or(|tools| tools.0.iter().any(|name| name == "*"));
    every_tool && Conditions { tool: None, ..conditions.clone() } == Conditions::default()
}

fn check_patterns(look: &mut Linter<'_>, file: usize, rule: &str, conditions: &Conditions, path: &[PathSegment<'_>]) {
    let mut at = |steps: &[PathSegment<'_>], code: DiagnosticCode, message: String, help: &str| {
        look.add(file, rule, &[path, steps].concat(), code, message, help);
    };
    let texts: [(&'static str, Option<&TextMatcher>); 5] = [
        ("shell", conditions.shell.as_ref().map(|it| &it.0)),
        ("content", conditions.content.as_ref().map(|it| &it.0)),
        ("prompt", conditions.prompt.as_ref().map(|it| &it.0)),
        ("output", conditions.output.as_ref().map(|it| &it.0)),
        ("response", conditions.response.as_ref().map(|it| &it.0)),
    ];
    for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text?))) {
        if let Some(index) = text.contains.iter().position(String::is_empty) {
            let path = [PathSegment::Key(key), PathSegment::Key("contains"), PathSegment::Item(index)];
            at(&path, DiagnosticCode::MatchesEverything, "every text contains the empty text".into(), "name a word");
        }
        check_regexes(&text.regex, &[PathSegment::Key(key), PathSegment::Key("regex")], &mut at);
    }
    if let Some(urls) = &conditions.urls {
        check_regexes(&urls.regex, &[PathSegment::Key("urls"), PathSegment::Key("regex")], &mut at);
    }
    for (field, matcher) in conditions.r#match.iter().flatten() {
        check_regexes(
            &matcher.regex,
            &[PathSegment::Key("match"), PathSegment::Key(field), PathSegment::Key("regex")],
            &mut at,
        );
    }
    if let Some(files) = &conditions.files {
        check_globs(files, &mut at);
    }
    for (index, branch) in conditions.any.iter().flatten().enumerate() {
        check_patterns(
            look,
            file,
            rule,
            branch,
            &[path, &[PathSegment::Key("any"), PathSegment::Item(index)]].concat(),
        );
    }
}

type AddDiagnostic<'a> = dyn FnMut(&[PathSegment<'_>], DiagnosticCode, String, &str) + 'a;

fn check_regexes(patterns: &[Pattern], path: &[PathSegment<'_>], at: &mut AddDiagnostic<'_>) {
    for (index, pattern) in patterns.iter().enumerate() {
        if pattern.find("").is_some() && pattern.find(ARBITRARY_TEXT).is_some() {
            let message = format!("`{}` matches the empty text, and therefore every text", pattern.source());
            let help = "remove optional parts at both ends, or use `+` instead of `*`";
            at(&[path, &[PathSegment::Item(index)]].concat(), DiagnosticCode::MatchesEverything, message, help);
        }
    }
}

fn check_globs(files: &Files, at: &mut AddDiagnostic<'_>) {
    for (key, globs) in [("paths", &files.paths), ("except", &files.except)] {
        for (index, glob) in globs.iter().enumerate() {
            let Some((code, message, help)) = glob_problem(glob) else { continue };
            at(&[PathSegment::Key("files"), PathSegment::Key(key), PathSegment::Item(index)], code, message, &help);
        }
    }
}

/// Says what is wrong with a glob: a path is compared whole, without `.`, `..` and a last `/`.
fn glob_problem(glob: &Glob) -> Option<(DiagnosticCode, String, String)> {
    let text = glob.source();
    let segments: Vec<&str> = text.split('/').collect();
    if !glob.names_program() && segments.iter().any(|segment| matches!(*segment, "." | "..")) {
        let tidy: Vec<&str> = segments.into_iter().filter(|segment| *segment != ".").collect();
        let help = format!("write `{}`", tidy.join("/").replace("../", ""));
        return Some((
            DiagnosticCode::DeadGlob,
            format!("`{text}` matches no file: paths are compared without `.` and `..`"),
            help,
        ));
    }
    if text.len() > 1 && text.ends_with('/') && text.trim_end_matches('/').contains('/') {
        let help = format!("use `{text}**` for everything in the directory");
        return Some((DiagnosticCode::DeadGlob, format!("`{text}` matches no file: no path ends in `/`"), help));
    }
    if let Some(rest) = text.strip_prefix("*/").filter(|rest| rest.contains(char::is_alphanumeric)) {
        let message = format!("`{text}` covers `{rest}` only in directories of the project's root");
        return Some((DiagnosticCode::ShallowGlob, message, format!("use `**/{rest}` for any depth")));
    }
    let glued = segments.iter().find(|segment| segment.contains("**") && **segment != "**")?;
    let message = format!("in `{text}`, `**` is next to other characters and equals `*`");
    let meant =
        if segments.len() == 1 { glued.replace("**", "*") } else { text.replace(glued, &glued.replace("**", "**/*")) };
    Some((DiagnosticCode::ShallowGlob, message, format!("write `{meant}`")))
}
