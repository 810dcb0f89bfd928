//! Programs that take files from one place to another.
//!
//! A target that looks like a directory is noted twice, as itself and with each source's name inside:
//! which of the two is written depends on what is there, and nothing here may look. A directory that is
//! filled with files of unknown names, or copied with all it holds, is noted as `dir/**`.

use super::{Access, Touched, is_stream};
use crate::domain::shell::option::Arguments;
use crate::domain::shell::script::Word;

impl Touched {
    /// Notes sources that are read, or taken away, and the target that is written.
    pub(super) fn copy(&mut self, arguments: &Arguments<'_>, takes_away: bool) {
        let into = arguments.values(&["-t", "--target-directory"]);
        let operands: Vec<&Word> = arguments.operands.iter().copied().filter(|word| !is_remote(&word.text)).collect();
        let remote_target = arguments.operands.last().is_some_and(|word| is_remote(&word.text));
        let (sources, target) = match (into.first(), operands.split_last()) {
            (Some(target), _) => (operands.as_slice(), Some(*target)),
            (None, Some((target, sources))) if !remote_target && arguments.operands.len() > 1 => {
                (sources, Some(*target))
            }
            (None, _) => (operands.as_slice(), None),
        };
        let deep = arguments.has(RECURSIVE);
        for source in sources {
            self.add(source, Access::Read);
            if deep {
                self.tree(source, Access::Read);
            }
            if takes_away {
                self.moved([*source]);
            }
        }
        let Some(target) = target else { return };
        self.add(target, Access::Write);
        // What a directory's own content, or a directory under a new name, brings along is not known.
        let content = |source: &&&Word| deep && (source.text.ends_with(['/', '.']) || source.glob);
        if arguments.operands.iter().filter(content).any(|source| !std::ptr::eq(*source, target))
            || ((takes_away || deep) && arguments.operands.len() == 2 && is_hidden(&target.text))
        {
            self.tree(target, Access::Write);
        }
        let alone = into.is_empty() && arguments.operands.len() <= 2;
        if is_stream(&target.text) || (alone && !may_be_directory(&target.text)) {
            return;
        }
        let dir = target.text.trim_end_matches('/');
        for source in
            arguments.operands.iter().filter(|source| !std::ptr::eq(**source, target) && !is_stream(&source.text))
        {
            let name = source.text.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
            if !matches!(name, "" | "." | "..") {
                let word = Word {
                    glob: source.glob || target.glob,
                    literal: source.literal && target.literal,
                    ..(*source).clone()
                };
                self.path(&format!("{dir}/{name}"), &word, Access::Write);
            }
        }
    }

    /// Notes files that are moved away.
    pub(super) fn moved<'a>(&mut self, sources: impl IntoIterator<Item = &'a Word>) {
        for source in sources {
            self.add(source, Access::Delete);
            self.add(source, Access::Move);
        }
    }

    /// Notes a directory with all that is in it, or with whatever is put there.
    pub(super) fn tree(&mut self, dir: &Word, access: Access) {
        let text = dir.text.strip_suffix("/.").unwrap_or(&dir.text).trim_end_matches('/');
        if !is_stream(&dir.text) && !is_remote(&dir.text) && !dir.text.is_empty() {
            self.path(&format!("{text}/**"), &Word { glob: true, ..dir.clone() }, access);
        }
    }

    /// Notes the files of `ln` and of a copy that is a link.
    pub(super) fn link(&mut self, arguments: &Arguments<'_>) {
        if let [only] = arguments.operands.as_slice() {
            self.add(only, Access::Read);
        } else {
            self.copy(arguments, false);
        }
        let into = arguments.has(&["-t", "--target-directory"]) || arguments.operands.len() == 1;
        let sources = arguments.operands.len().saturating_sub(usize::from(!into));
        self.all(arguments.operands.iter().take(sources).copied(), Access::Link);
        if let Some(target) = arguments.operands.last().filter(|target| is_hidden(&target.text)) {
            self.tree(target, Access::Write);
        }
    }

    pub(super) fn rsync(&mut self, arguments: &Arguments<'_>) {
        self.copy(arguments, arguments.has(&["--remove-source-files", "--remove-sent-files"]));
        let deletes = arguments.options.iter().any(|given| given.name == "--del" || given.name.starts_with("--delete"));
        if deletes && let Some(target) = arguments.operands.last().filter(|word| !is_remote(&word.text)) {
            self.add(target, Access::Delete);
        }
        self.all(
            arguments.values(&["--files-from", "--exclude-from", "--include-from", "--password-file"]),
            Access::Read,
        );
    }

    /// Notes what archivers pack and unpack.
    pub(super) fn tar(&mut self, arguments: &Arguments<'_>) {
        // The oldest spelling has letters without a dash as the first operand: `tar czf a.tgz dir`.
        let mut operands = arguments.operands.clone();
        let dashed: String =
            arguments.options.iter().map(|given| given.name.as_str()).filter(|name| name.len() == 2).collect();
        let is_letters =
            |word: &&Word| word.text.bytes().all(|byte| byte.is_ascii_alphabetic()) && word.text.len() < 10;
        let bundled = match operands.first().copied().filter(is_letters) {
            Some(letters) if !dashed.contains(['c', 'x', 't', 'r', 'u']) => {
                operands.remove(0);
                letters.text.clone()
            }
            _ => String::new(),
        };
        let mut archives = arguments.values(&["-f", "--file"]);
        if bundled.contains('f') && !operands.is_empty() {
            archives.push(operands.remove(0));
        }
        let mode =
            |letter: char, long: &str| dashed.contains(letter) || bundled.contains(letter) || arguments.has(&[long]);
        let dirs = arguments.values(&["-C", "--directory"]);
        if mode('x', "--extract") || arguments.has(&["--get"]) {
            self.all(archives, Access::Read);
            if !mode('O', "--to-stdout") {
                self.unpack(&dirs, &operands);
            }
        } else if mode('t', "--list") {
            self.all(archives, Access::Read);
        } else {
            self.all(archives, Access::Write);
            self.inside(&operands, dirs.last().copied());
            if dirs.is_empty() {
                for source in &operands {
                    self.tree(source, Access::Read);
                }
            }
            if arguments.has(&["--remove-files"]) {
                self.moved(operands);
            }
            self.all(arguments.values(&["-T", "--files-from"]), Access::Read);
        }
    }

    /// Notes what comes out of an archive: the members that are named, or whatever is in it.
    fn unpack(&mut self, dirs: &[&Word], members: &[&Word]) {
        let here = Word::known(".");
        let target = dirs.last().copied().unwrap_or(&here);
        self.add(target, Access::Write);
        let dir = target.text.trim_end_matches('/');
        for member in members {
            let path = if dir == "." { member.text.clone() } else { format!("{dir}/{}", member.text) };
            self.path(&path, member, Access::Write);
        }
        if members.is_empty() {
            self.tree(target, Access::Write);
        }
    }

    /// Notes files that are read in a directory the program goes to first.
    fn inside(&mut self, operands: &[&Word], dir: Option<&Word>) {
        for operand in operands {
            match dir {
                Some(dir) if !operand.text.starts_with(['/', '~']) => {
                    let path = format!("{}/{}", dir.text.trim_end_matches('/'), operand.text);
                    self.path(&path, operand, Access::Read);
                }
                _ => self.add(operand, Access::Read),
            }
        }
    }

    pub(super) fn zip(&mut self, arguments: &Arguments<'_>) {
        let Some((archive, members)) = arguments.operands.split_first() else { return };
        self.add(archive, Access::Write);
        self.all(members.iter().copied(), Access::Read);
        if arguments.has(&["-r", "--recurse-paths"]) {
            for source in members {
                self.tree(source, Access::Read);
            }
        }
        if arguments.has(&["-m", "--move"]) {
            self.moved(members.iter().copied());
        }
    }

    pub(super) fn unzip(&mut self, arguments: &Arguments<'_>) {
        self.all(arguments.operands.first().copied(), Access::Read);
        if !arguments.has(&["-p", "-l", "-t", "-c", "-Z"]) {
            self.unpack(&arguments.values(&["-d"]), arguments.operands.get(1..).unwrap_or_default());
        }
    }

    pub(super) fn seven_zip(&mut self, arguments: &Arguments<'_>) {
        let [verb, archive, members @ ..] = arguments.operands.as_slice() else { return };
        if matches!(verb.text.as_str(), "a" | "u") {
            self.add(archive, Access::Write);
            for source in members {
                self.add(source, Access::Read);
                self.tree(source, Access::Read);
            }
            if arguments.has(&["-sdel"]) {
                self.all(members.iter().copied(), Access::Delete);
            }
        } else {
            self.add(archive, Access::Read);
            let mut options = arguments.options.iter().filter_map(|given| given.name.strip_prefix("-o"));
            if let Some(dir) = options.find(|dir| !dir.is_empty()) {
                self.unpack(&[&Word::known(dir)], members);
            } else if matches!(verb.text.as_str(), "x" | "e") {
                self.unpack(&[], members);
            }
        }
    }
}

/// The options that take directories along with all they hold.
const RECURSIVE: &[&str] = &["-r", "-R", "-a", "--recursive", "--archive"];

/// Tells whether the name of a directory begins with a dot, as those of settings and keys do.
fn is_hidden(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    name.starts_with('.') && !matches!(name, "." | "..")
}

/// Tells whether a path is on another machine, as in `host:path`.
pub(crate) fn is_remote(path: &str) -> bool {
    path.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/')) || path.contains("://")
}

/// Tells whether a target looks like a directory, into which files go under their own names.
fn may_be_directory(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.ends_with('/') || matches!(name, "." | ".." | "~") || !name.trim_start_matches('.').contains('.')
}
