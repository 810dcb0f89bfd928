//! Command lines of cloud services that upload files from this machine or download them.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::Word;

impl FileCollector {
    /// Records the files that a service's command line sends and receives.
    pub(super) fn add_cloud(&mut self, program: &str, arguments: &Arguments<'_>) {
        let words: Vec<&str> = arguments.operands.iter().map(|word| word.text.as_str()).collect();
        let rest = |skip: usize| arguments.operands.get(skip..).unwrap_or_default();
        match (program, words.as_slice()) {
            ("aws" | "gsutil" | "rclone" | "s3cmd" | "s5cmd" | "mc" | "gcloud", _) => {
                let verb = words.iter().position(|word| {
                    matches!(
                        *word,
                        "cp" | "mv" | "sync" | "rsync" | "copy" | "copyto" | "move" | "moveto" | "put" | "get"
                    )
                });
                let from_service = program != "aws" || words.first() == Some(&"s3");
                if let Some(verb) = verb.filter(|_| from_service && is_copy_command(program, &words)) {
                    let moves = matches!(words.get(verb), Some(&("mv" | "move" | "moveto")));
                    self.add_transfer(rest(verb + 1), moves);
                }
            }
            ("az", ["storage", ..]) => {
                let verb =
                    if words.iter().any(|word| word.starts_with("download")) { Access::Write } else { Access::Read };
                self.add_all(arguments.values(&["-f", "--file", "-s", "--source"]), verb);
            }
            ("gh", ["gist", "create" | "edit", ..]) => self.add_all(rest(2).iter().copied(), Access::Read),
            ("gh" | "glab", ["release", "create" | "upload", ..]) => {
                self.add_all(rest(3).iter().copied(), Access::Read);
            }
            ("gh", ["secret" | "variable", "set", ..]) => {
                self.add_all(arguments.values(&["-f", "--env-file"]), Access::Read);
            }
            _ => {}
        }
    }

    fn add_transfer(&mut self, operands: &[&Word], moves: bool) {
        let Some((target, sources)) = operands.split_last() else { return };
        // A lone operand, as of `put`, is what is sent.
        let (sources, target) = if sources.is_empty() { (operands, None) } else { (sources, Some(*target)) };
        for source in sources.iter().copied().filter(|word| Self::is_local(word)) {
            self.add(source, Access::Read);
            if moves {
                self.add(source, Access::Delete);
            }
        }
        self.add_all(target.filter(|word| Self::is_local(word)), Access::Write);
    }
}

fn is_copy_command(program: &str, words: &[&str]) -> bool {
    program != "gcloud" || words.contains(&"storage") || words.contains(&"scp")
}
