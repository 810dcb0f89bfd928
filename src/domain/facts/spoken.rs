//! Texts that stand in commands, as programs receive them and files get them.

use super::Analysed;
use crate::domain::shell::{Command, RedirectKind, Script, Word};

/// Bytes of a word in which a secret could be hidden.
const HIDDEN: usize = 8;

/// Returns what commands put into files.
pub(super) fn written(scripts: &[Analysed<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for script in scripts.iter().map(|analysed| &analysed.script) {
        for command in script.commands.iter().filter(|command| command.file.is_none()) {
            let kinds = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
            texts.extend(command.redirects.iter().filter(|it| kinds(it.kind)).map(|it| it.target.text.clone()));
            if matches!(command.program(), "echo" | "printf") && leaves_the_screen(command, script) {
                let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
                texts.push(words.join(" "));
            }
        }
    }
    texts
}

/// Tells whether what a command prints goes into a file or a further command.
fn leaves_the_screen(command: &Command, script: &Script) -> bool {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let behind = |other: &&Command| other.pipeline == command.pipeline && other.stage > command.stage;
    command.redirects.iter().any(|redirect| writes(redirect.kind)) || script.commands.iter().any(|other| behind(&other))
}

/// Returns commands whose words do not stand in their shell text as programs receive them.
pub(super) fn unquoted(scripts: &[Analysed<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for Analysed { text, script, .. } in scripts {
        let hidden = |word: &Word| word.quoted && word.text.len() >= HIDDEN && !text.contains(&word.text);
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
