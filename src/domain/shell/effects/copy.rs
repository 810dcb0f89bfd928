//! Programs that copy or move files.
//!
//! A target that looks like a directory is noted twice, as itself and with each source's name inside: which of the two
//! is written depends on the file system, which is not read here. A directory that is filled with files of unknown
//! names, or copied recursively, is noted as `dir/**`.

use super::{Access, FileCollector, is_stream};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::Word;

impl FileCollector {
    /// Records sources that are read, or taken away, and the target that is written.
    pub(super) fn add_copy(&mut self, arguments: &Arguments<'_>, takes_away: bool) {
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
        let deep = arguments.has(RECURSIVE_OPTIONS);
        for source in sources {
            self.add(source, Access::Read);
            if deep {
                self.add_tree(source, Access::Read);
            }
            if takes_away {
                self.add_moved([*source]);
            }
        }
        let Some(target) = target else { return };
        self.add(target, Access::Write);
        // What a directory's own content, or a directory under a new name, brings along is unknown.
        let content = |source: &&&Word| deep && (source.text.ends_with(['/', '.']) || source.glob);
        if arguments.operands.iter().filter(content).any(|source| !std::ptr::eq(*source, target))
            || ((takes_away || deep) && arguments.operands.len() == 2 && is_hidden(&target.text))
        {
            self.add_tree(target, Access::Write);
        }
        // What a list names goes into the directory under names of its own.
        if !into.is_empty() && arguments.operands.is_empty() {
            self.add_tree(target, Access::Write);
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
                self.add_path(&format!("{dir}/{name}"), &word, Access::Write);
                // A directory brings along what it holds.
                if (deep || takes_away) && is_hidden(name) && !word.glob {
                    self.add_tree(&Word { text: format!("{dir}/{name}"), ..word }, Access::Write);
                }
            }
        }
    }

    /// Records files that are moved away.
    pub(super) fn add_moved<'a>(&mut self, sources: impl IntoIterator<Item = &'a Word>) {
        for source in sources {
            self.add(source, Access::Delete);
            self.add(source, Access::Move);
        }
    }

    /// Records a directory with all that is in it, or with whatever is put there.
    pub(super) fn add_tree(&mut self, dir: &Word, access: Access) {
        let text = dir.text.strip_suffix("/.").unwrap_or(&dir.text).trim_end_matches('/');
        if !is_stream(&dir.text) && !is_remote(&dir.text) && !dir.text.is_empty() {
            self.add_path(&format!("{text}/**"), &Word { glob: true, ..dir.clone() }, access);
        }
    }

    /// Records the files of `ln` and of a copy that is a link.
    pub(super) fn add_link(&mut self, arguments: &Arguments<'_>) {
        if let [only] = arguments.operands.as_slice() {
            self.add(only, Access::Read);
        } else {
            self.add_copy(arguments, false);
        }
        let into = arguments.has(&["-t", "--target-directory"]) || arguments.operands.len() == 1;
        let sources = arguments.operands.len().saturating_sub(usize::from(!into));
        self.add_all(arguments.operands.iter().take(sources).copied(), Access::Link);
        if let Some(target) = arguments.operands.last().filter(|target| is_hidden(&target.text)) {
            self.add_tree(target, Access::Write);
        }
    }

    pub(super) fn add_rsync(&mut self, arguments: &Arguments<'_>) {
        if arguments.has(&["-n", "--dry-run"]) {
            let sources = arguments.operands.len().saturating_sub(1);
            return self.add_all(arguments.operands.iter().take(sources).copied(), Access::Read);
        }
        self.add_all(arguments.values(&["--link-dest"]), Access::Link);
        self.add_copy(arguments, arguments.has(&["--remove-source-files", "--remove-sent-files"]));
        let deletes = arguments.options.iter().any(|given| given.name == "--del" || given.name.starts_with("--delete"));
        if deletes && let Some(target) = arguments.operands.last().filter(|word| !is_remote(&word.text)) {
            self.add(target, Access::Delete);
        }
        self.add_all(
            arguments.values(&["--files-from", "--exclude-from", "--include-from", "--password-file"]),
            Access::Read,
        );
    }

    /// Records what archivers pack and unpack.
    pub(super) fn add_tar(&mut self, arguments: &Arguments<'_>) {
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
            self.add_all(archives, Access::Read);
            if !mode('O', "--to-stdout") {
                self.add_unpacked(&dirs, &operands);
                if mode('P', "--absolute-names") || arguments.has(&["--absolute-paths"]) {
                    self.add_tree(&Word::known("/."), Access::Write);
                }
            }
        } else if mode('t', "--list") {
            self.add_all(archives, Access::Read);
        } else {
            self.add_all(archives, Access::Write);
            self.add_relative_to(&operands, dirs.last().copied());
            if dirs.is_empty() {
                for source in &operands {
                    self.add_tree(source, Access::Read);
                }
            }
            if arguments.has(&["--remove-files"]) {
                let inside = |word: &Word| match dirs.last() {
                    Some(dir) => format!("{}/{}", dir.text.trim_end_matches('/'), word.text),
                    None => word.text.clone(),
                };
                let moved: Vec<Word> =
                    operands.iter().map(|word| Word { text: inside(word), ..(*word).clone() }).collect();
                self.add_moved(&moved);
            }
            self.add_all(arguments.values(&["-T", "--files-from"]), Access::Read);
        }
    }

    /// Records what comes out of an archive: the members that are named, or whatever is in it.
    fn add_unpacked(&mut self, dirs: &[&Word], members: &[&Word]) {
        let here = Word::known(".");
        let target = dirs.last().copied().unwrap_or(&here);
        self.add(target, Access::Write);
        let dir = target.text.trim_end_matches('/');
        for member in members {
            let path = if dir == "." { member.text.clone() } else { format!("{dir}/{}", member.text) };
            self.add_path(&path, member, Access::Write);
        }
        if members.is_empty() {
            self.add_tree(target, Access::Write);
        }
    }

    /// Records files that are read in a directory the program goes to first.
    fn add_relative_to(&mut self, operands: &[&Word], dir: Option<&Word>) {
        for operand in operands {
            match dir {
                Some(dir) if !operand.text.starts_with(['/', '~']) => {
                    let path = format!("{}/{}", dir.text.trim_end_matches('/'), operand.text);
                    self.add_path(&path, operand, Access::Read);
                }
                _ => self.add(operand, Access::Read),
            }
        }
    }

    pub(super) fn add_zip(&mut self, arguments: &Arguments<'_>) {
        let Some((archive, members)) = arguments.operands.split_first() else { return };
        self.add(archive, Access::Write);
        self.add_all(members.iter().copied(), Access::Read);
        if arguments.has(&["-r", "--recurse-paths"]) {
            for source in members {
                self.add_tree(source, Access::Read);
            }
        }
        if arguments.has(&["-m", "--move"]) {
            self.add_moved(members.iter().copied());
        }
    }

    pub(super) fn add_unzip(&mut self, arguments: &Arguments<'_>) {
        self.add_all(arguments.operands.first().copied(), Access::Read);
        if !arguments.has(&["-p", "-l", "-t", "-c", "-Z"]) {
            self.add_unpacked(&arguments.values(&["-d"]), arguments.operands.get(1..).unwrap_or_default());
        }
    }

    pub(super) fn add_seven_zip(&mut self, arguments: &Arguments<'_>) {
        let [verb, archive, members @ ..] = arguments.operands.as_slice() else { return };
        if matches!(verb.text.as_str(), "a" | "u") {
            self.add(archive, Access::Write);
            for source in members {
                self.add(source, Access::Read);
                self.add_tree(source, Access::Read);
            }
            if arguments.has(&["-sdel"]) {
                self.add_all(members.iter().copied(), Access::Delete);
            }
        } else {
            self.add(archive, Access::Read);
            let mut options = arguments.options.iter().filter_map(|given| given.name.strip_prefix("-o"));
            if let Some(dir) = options.find(|dir| !dir.is_empty()) {
                self.add_unpacked(&[&Word::known(dir)], members);
            } else if matches!(verb.text.as_str(), "x" | "e") {
                self.add_unpacked(&[], members);
            }
        }
    }
}

/// The options that take directories along with all they hold.
const RECURSIVE_OPTIONS: &[&str] = &["-r", "-R", "-a", "--recursive", "--archive"];

/// Returns whether the name of a directory begins with a dot, as those of settings and keys do.
fn is_hidden(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    name.starts_with('.') && !matches!(name, "." | "..")
}

/// Returns whether a path is on another machine, as in `host:path`.
pub(crate) fn is_remote(path: &str) -> bool {
    path.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/')) || path.contains("://")
}

/// Returns whether a target looks like a directory, into which files go under their own names.
fn may_be_directory(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.ends_with('/') || matches!(name, "." | ".." | "~") || !name.trim_start_matches('.').contains('.')
}
