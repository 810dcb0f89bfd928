//! Files that code of other languages opens, moves and removes, and the scripts interpreters run.
//!
//! Only what stands in the code as a string literal is found; a path that is computed is not.

use super::{Access, Touched};
use crate::domain::shell::code::table::Meaning;
use crate::domain::shell::code::{Argument, calls};
use crate::domain::shell::script::{Command, RedirectKind, Word};
use crate::domain::shell::walk::code_of;

impl Touched {
    /// Notes the files that an interpreter's code touches, or the script it is given.
    pub(super) fn document(&mut self, command: &Command) {
        let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
        let input =
            command.redirects.iter().rev().find(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
        let program = command.written_program();
        let Some((language, codes)) = code_of(program, &command.words, input) else { return };
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
            self.all(arguments.values(&["-f", "--file"]), Access::Read);
        } else if codes.is_empty() && !matches!(program, "deno" | "bun") && !arguments.has(&["-m"]) {
            self.all(arguments.operands.first().copied(), Access::Read);
        }
        for code in codes {
            for call in calls(&code.text, language) {
                self.call(call.meaning, &call.arguments);
            }
        }
    }

    fn call(&mut self, meaning: Meaning, arguments: &[Argument]) {
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
            Meaning::Read => self.all(first, Access::Read),
            Meaning::Write => self.all(first, Access::Write),
            Meaning::Delete => {
                for argument in arguments {
                    match argument {
                        Argument::Text(word) => self.add(word, Access::Delete),
                        Argument::List(words) => self.all(words, Access::Delete),
                        Argument::Unknown => {}
                    }
                }
            }
            Meaning::Move | Meaning::Copy => {
                self.all(first, Access::Read);
                if meaning == Meaning::Move {
                    self.moved(first);
                }
                if let (true, Some(Argument::Text(target))) = (arguments.len() > 1, arguments.get(1)) {
                    self.add(target, Access::Write);
                }
            }
            Meaning::Mode => {
                self.all(first, Access::Write);
                self.all(first, Access::Mode);
            }
            Meaning::Link => {
                self.all(first, Access::Read);
                self.all(first, Access::Link);
                self.all(arguments.get(1).and_then(text), Access::Write);
            }
            Meaning::Open => self.open(&texts),
            Meaning::Shell | Meaning::Argv | Meaning::Code => {}
        }
    }

    /// Notes a file that is opened: the texts are its path and its mode, in either order.
    fn open(&mut self, texts: &[&Word]) {
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
        self.path(name, path, if writes { Access::Write } else { Access::Read });
    }
}

fn text(argument: &Argument) -> Option<&Word> {
    match argument {
        Argument::Text(word) => Some(word),
        Argument::List(_) | Argument::Unknown => None,
    }
}
