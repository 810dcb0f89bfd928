//! Code that a call writes into a file and that a tool runs later.

use std::borrow::Cow;

use super::{Facts, ParsedScript, script};
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{Access, ToolCall, ToolKind};
use crate::domain::shell::script_files::MAX_FILE_BYTES;
use crate::domain::shell::{FileContent, deferred_lines, is_deferred_file};

/// The most files of a call that are read.
const MAX_FILES: usize = 16;

/// Names of arguments that hold what a tool of a server writes into a file.
const CONTENT_ARGUMENTS: &[&str] = &[
    "content",
    "contents",
    "text",
    "file_text",
    "fileText",
    "newText",
    "new_text",
    "new_string",
    "newString",
    "new_str",
    "new_source",
    "cell_source",
    "source",
    "body",
    "data",
    "code",
];

impl<'a> Facts<'a> {
    /// Returns what a tool runs later of the files that a call writes. Lines that were there before do not count.
    pub(super) fn deferred_scripts(&self, call: usize, tool: &'a ToolCall<'a>) -> Vec<ParsedScript<'a>> {
        let is_markdown = || tool.input.get("cell_type").and_then(|kind| kind.as_str()) == Some("markdown");
        let is_before = matches!(self.event.kind, Kind::ToolBefore | Kind::PermissionRequest);
        if !is_before || tool.texts.is_empty() || tool.files.is_empty() || is_markdown() {
            return Vec::new();
        }
        let mut scripts = Vec::new();
        for file in tool.files.iter().filter(|file| file.access.contains(Access::Write)).take(MAX_FILES) {
            let path = self.path_context.resolve(&file.path, None);
            if !is_deferred_file(&path) {
                continue;
            }
            let before = match self.file_system.read(&path, MAX_FILE_BYTES) {
                FileContent::Text(text) => text,
                _ => String::new(),
            };
            let known = deferred_lines(&path, &before);
            let written = texts_after(tool, &before);
            let mut lines: Vec<_> = written.iter().flat_map(|text| deferred_lines(&path, text)).collect();
            lines.retain(|line| known.iter().all(|old| old.text != line.text));
            if !lines.is_empty() {
                let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
                let text = Cow::Owned(text.join("\n"));
                let shown = self.path_context.display(&path);
                let script = script::parse_deferred(&lines, &shown, self.path_context, self.file_system);
                scripts.push(ParsedScript { call, text, start_directory: None, script });
            }
        }
        scripts
    }
}

/// Returns the text of a file after a call, or the parts that the call writes where the rest is not known.
fn texts_after(tool: &ToolCall<'_>, before: &str) -> Vec<String> {
    let is_own = |origin: &str| tool.kind != ToolKind::Mcp || CONTENT_ARGUMENTS.contains(&origin);
    let texts: Vec<&str> =
        tool.texts.iter().filter(|text| is_own(&text.origin)).map(|text| text.text.as_ref()).collect();
    if tool.replaced_texts.len() != texts.len() {
        return texts.into_iter().map(ToOwned::to_owned).collect();
    }
    let mut whole = before.to_owned();
    let mut parts = Vec::new();
    for (old, new) in tool.replaced_texts.iter().zip(texts) {
        if !old.is_empty() && whole.contains(old.as_ref()) {
            whole = whole.replace(old.as_ref(), new);
        } else {
            parts.push(new.to_owned());
        }
    }
    if whole != before {
        parts.push(whole);
    }
    parts
}
