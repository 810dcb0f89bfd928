//! Patches in files, which name the files that they change.

use super::{Invocation, Walker};
use crate::domain::shell::arguments;
use crate::domain::shell::effects::patch_headers;
use crate::domain::shell::script::{Dialect, Redirect, RedirectKind, Word, program_name};

impl Walker {
    /// Adds to the command that was listed last what the patches say that it reads from files: the lines that name
    /// the patched files, as if they were on its standard input.
    pub(super) fn attach_patches(&mut self, call: &Invocation) {
        let files = patch_files(&call.words, &call.redirects);
        if files.is_empty() || self.is_remote || self.file_budget.is_active() || self.stopped {
            return;
        }
        let mut redirects = Vec::new();
        for file in files.into_iter().filter(|file| file.literal && !file.glob) {
            for found in self.lookup_files(&[&file.text], false, call) {
                if let Some(text) = self.file_text(&found, call) {
                    let target = Word::known(patch_headers(text));
                    redirects.push(Redirect { kind: RedirectKind::HereDoc, fd: None, target });
                }
            }
        }
        if let Some(command) = self.script.commands.last_mut() {
            command.redirects.extend(redirects);
        }
    }
}

/// Returns the files that a command reads patches from.
fn patch_files(words: &[Word], redirects: &[Redirect]) -> Vec<Word> {
    let Some(program) = words.first().map(|word| program_name(&word.text)) else { return Vec::new() };
    let is_patch = matches!(program, "patch" | "gpatch");
    if !is_patch && program != "git" {
        return Vec::new();
    }
    let arguments = arguments::parse(words, Dialect::Posix, &[]);
    let mut files: Vec<Word> = match arguments.operands.split_first() {
        Some((_, rest)) if is_patch => rest.first().copied().cloned().into_iter().collect(),
        Some((verb, rest)) if matches!(verb.text.as_str(), "apply" | "am") => rest.iter().copied().cloned().collect(),
        None if is_patch => Vec::new(),
        Some(_) | None => return Vec::new(),
    };
    files.extend(arguments.values(&["-i", "--input"]).into_iter().cloned());
    let is_input = |redirect: &&Redirect| redirect.kind == RedirectKind::Read && redirect.fd.is_none_or(|fd| fd == 0);
    files.extend(redirects.iter().filter(is_input).map(|redirect| redirect.target.clone()));
    files
}
