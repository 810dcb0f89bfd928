//! Files that code of other languages opens, moves and removes, and the scripts that interpreters run.
//!
//! Only string literals in the code are found; computed paths are not.

use super::{Access, FileCollector};
use crate::domain::shell::code::function_table::CallKind;
use crate::domain::shell::code::{Argument, calls};
use crate::domain::shell::script::{Command, RedirectKind, Word};
use crate::domain::shell::walk::inline_code;

/// The modules of Python that print the files that they are given: `python3 -m json.tool f`.
const READING_MODULES: &[&str] =
    &["json.tool", "base64", "quopri", "tokenize", "ast", "dis", "pprint", "plistlib", "xml.dom.minidom", "gzip"];

impl FileCollector {
    /// Records the files that an interpreter's code touches, or the script it is given.
    pub(super) fn add_interpreter(&mut self, command: &Command) {
        let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        let input =
            command.redirects.iter().rev().find(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
        let program = command.written_program();
        let Some((language, codes)) = inline_code(program, &command.words, input) else { return };
        let arguments = command.arguments();
        if program.ends_with("awk") {
            let skip = usize::from(!arguments.has(&["-f", "--file"]));
            let files = arguments.operands.iter().skip(skip).filter(|word| !word.text.contains('='));
            let in_place = arguments.values(&["-i"]).iter().any(|word| word.text == "inplace");
            for file in files {
                self.add(file, Access::Read);
                if in_place {
                    self.add(file, Access::Write);
                }
            }
            self.add_all(arguments.values(&["-f", "--file"]), Access::Read);
        } else if let Some(at) = command.words.iter().position(|word| READING_MODULES.contains(&word.text.as_str())) {
            let behind = command.words.get(at + 1..).unwrap_or_default();
            self.add_all(behind.iter().filter(|word| !word.text.starts_with('-')), Access::Read);
        } else if codes.is_empty() && !matches!(program, "deno" | "bun") && !arguments.has(&["-m"]) {
            self.add_all(arguments.operands.first().copied(), Access::Read);
        }
        for code in codes {
            let mut directory: Option<Word> = None;
            for call in calls(&code.text, language) {
                match (call.kind, call.arguments.first(), &directory) {
                    (CallKind::ChangeDirectory, target, _) => directory = target.and_then(as_text).cloned(),
                    (_, _, Some(directory)) => {
                        let arguments: Vec<Argument> =
                            call.arguments.iter().map(|argument| join_argument(directory, argument)).collect();
                        self.add_call(call.kind, &arguments);
                    }
                    _ => self.add_call(call.kind, &call.arguments),
                }
            }
        }
    }

    fn add_call(&mut self, meaning: CallKind, arguments: &[Argument]) {
        let texts: Vec<&Word> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Text(word) => Some(word),
                Argument::List(_) | Argument::Unknown => None,
            })
            .collect();
        let first = match arguments.first() {
            Some(Argument::Text(word)) => Some(word),
            _ => None,
        };
        match meaning {
            CallKind::Read => self.add_all(first, Access::Read),
            CallKind::Write => self.add_all(first, Access::Write),
            CallKind::Delete => {
                for argument in arguments {
                    match argument {
                        Argument::Text(word) => self.add(word, Access::Delete),
                        Argument::List(words) => self.add_all(words, Access::Delete),
                        Argument::Unknown => {}
                    }
                }
            }
            CallKind::Move | CallKind::Copy => {
                self.add_all(first, Access::Read);
                if meaning == CallKind::Move {
                    self.add_moved(first);
                }
                if let (true, Some(Argument::Text(target))) = (arguments.len() > 1, arguments.get(1)) {
                    self.add(target, Access::Write);
                }
            }
            CallKind::Mode => {
                self.add_all(first, Access::Write);
                self.add_all(first, Access::Mode);
            }
            CallKind::Link => {
                self.add_all(first, Access::Read);
                self.add_all(first, Access::Link);
                self.add_all(arguments.get(1).and_then(as_text), Access::Write);
            }
            CallKind::Open => self.add_open_call(&texts),
            CallKind::Shell | CallKind::Argv | CallKind::Code | CallKind::ChangeDirectory => {}
        }
    }

    /// Records a file that is opened: the texts are its path and its mode, in either order.
    fn add_open_call(&mut self, texts: &[&Word]) {
        let is_mode = |word: &&&Word| {
            let text = word.text.trim_start_matches(['<', '>', '+']);
            !word.text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| b"rwaxbt+U:".contains(&byte))
        };
        let mode = texts.iter().find(is_mode).map_or("r", |word| word.text.as_str());
        let Some(path) = texts.iter().find(|word| !is_mode(word)) else { return };
        // Perl's older form has the mode in front of the path.
        let name = path.text.trim_start_matches(['<', '>', '+', ' ']);
        let writes =
            mode.contains(['w', 'a', 'x', '>', '+']) || path.text.starts_with('>') || path.text.starts_with("+<");
        self.add_path(name, path, if writes { Access::Write } else { Access::Read });
    }
}

/// Returns an argument as it is meant after a change of the working directory.
fn join_argument(directory: &Word, argument: &Argument) -> Argument {
    let joined = |word: &Word| {
        let is_relative = !word.text.is_empty() && !word.text.starts_with(['/', '~', '$', '<', '>', '+']);
        if is_relative && word.literal {
            Word { text: format!("{}/{}", directory.text, word.text), ..directory.clone() }
        } else {
            word.clone()
        }
    };
    match argument {
        // A short text may be the mode of a file that is opened.
        Argument::Text(word) if word.text.len() > 3 => Argument::Text(joined(word)),
        Argument::List(words) => Argument::List(words.iter().map(joined).collect()),
        Argument::Text(word) => Argument::Text(word.clone()),
        Argument::Unknown => Argument::Unknown,
    }
}

fn as_text(argument: &Argument) -> Option<&Word> {
    match argument {
        Argument::Text(word) => Some(word),
        Argument::List(_) | Argument::Unknown => None,
    }
}
