//! Texts inside commands, in the form in which programs receive them or write them to files.

use super::ParsedScript;
use crate::domain::shell::{Command, RedirectKind, Script, Word};
use crate::domain::text::patch::{self, FileChange};

/// The least number of bytes of a word that can hide a secret.
const MIN_HIDDEN_BYTES: usize = 8;

/// Returns the texts that commands write to files.
pub(super) fn written_texts(scripts: &[ParsedScript<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for script in scripts.iter().map(|analysed| &analysed.script) {
        for command in script.commands.iter().filter(|command| command.file.is_none()) {
            let kinds = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
            let given = command.redirects.iter().filter(|it| kinds(it.kind));
            given.for_each(|it| add_written_text(&it.target.text, &mut texts));
            if matches!(command.program(), "echo" | "printf") && is_redirected(command, script) {
                let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
                texts.push(words.join(" "));
            }
        }
    }
    texts
}

/// Adds a text on a command's standard input; of a patch, only what it adds.
fn add_written_text(text: &str, texts: &mut Vec<String>) {
    if !patch::is_patch(text) {
        return texts.push(text.to_owned());
    }
    for change in patch::file_changes(text) {
        match change {
            FileChange::Add { content, .. } => texts.push(content),
            FileChange::Update { parts, .. } => texts.extend(parts.into_iter().map(|part| part.added)),
            FileChange::Delete { .. } => {}
        }
    }
}

/// Returns whether the output of a command goes to a file or to another command.
fn is_redirected(command: &Command, script: &Script) -> bool {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let behind = |other: &&Command| other.pipeline == command.pipeline && other.stage > command.stage;
    command.redirects.iter().any(|redirect| writes(redirect.kind)) || script.commands.iter().any(|other| behind(&other))
}

/// Returns the commands whose words, as programs receive them, differ from their spelling in the shell text.
pub(super) fn dequoted_commands(scripts: &[ParsedScript<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for ParsedScript { text, script, .. } in scripts {
        let hidden = |word: &Word| word.quoted && word.text.len() >= MIN_HIDDEN_BYTES && !text.contains(&word.text);
        let set = |command: &Command| command.assignments.iter().any(|(_, word)| hidden(word));
        let given = |command: &Command| command.words.iter().any(hidden);
        for command in script.commands.iter().filter(|command| given(command) || set(command)) {
            let set = command.assignments.iter().map(|(name, word)| format!("{name}={}", word.text));
            let words = command.words.iter().map(|word| word.text.clone());
            texts.push(set.chain(words).collect::<Vec<_>>().join(" "));
        }
    }
    texts
}
