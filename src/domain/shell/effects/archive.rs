//! Archivers besides `tar`, `zip` and `7z`: what they pack and unpack.

use super::{Access, FileCollector};
use crate::domain::shell::arguments::{self, Arguments};
use crate::domain::shell::script::{Command, Word};

impl FileCollector {
    /// Records the files of an archiver; returns whether the program is one.
    pub(super) fn add_archiver(&mut self, program: &str, command: &Command) -> bool {
        let with_values = |names: &[&str]| arguments::parse(&command.words, command.dialect, names);
        match program {
            "cpio" | "gcpio" => {
                self.add_cpio(&with_values(&["-D", "--directory", "-F", "-I", "-O", "--file", "-H", "-E"]));
            }
            "pax" => self.add_pax(&with_values(&["-f", "-s", "-b", "-x"])),
            "ar" | "jar" => self.add_letters(program, command),
            "dpkg-deb" | "dpkg" => self.add_debian(&command.arguments()),
            "unrar" | "rar" | "unar" | "lha" | "cabextract" | "unsquashfs" | "bsdcpio" => {
                let directories = &["-d", "-o", "-dest", "-output-directory", "-f"];
                self.add_extractor(program, &with_values(directories), directories);
            }
            _ => return false,
        }
        true
    }

    /// Records what `python3 -m tarfile` and `python3 -m zipfile` unpack and pack.
    pub(super) fn add_archive_module(&mut self, module: &str, words: &[Word]) {
        let option = words.iter().position(|word| word.text.starts_with('-') && word.text != "-v");
        let Some((option, files)) = option.and_then(|at| words.get(at..)?.split_first()) else { return };
        let Some((archive, rest)) = files.split_first() else { return };
        match option.text.as_str() {
            "-e" | "--extract" => {
                self.add(archive, Access::Read);
                self.add_filled(rest.first());
            }
            "-c" | "--create" => {
                self.add(archive, Access::Write);
                self.add_all(rest, Access::Read);
                for source in rest.iter().filter(|_| matches!(module, "tarfile" | "zipfile")) {
                    self.add_tree(source, Access::Read);
                }
            }
            _ => self.add(archive, Access::Read),
        }
    }

    /// Records that a directory, or else the current one, is filled with files of unknown names.
    fn add_filled(&mut self, directory: Option<&Word>) {
        let here = Word::known(".");
        let directory = directory.unwrap_or(&here);
        self.add(directory, Access::Write);
        self.add_tree(directory, Access::Write);
    }

    fn add_cpio(&mut self, arguments: &Arguments<'_>) {
        let archives = arguments.values(&["-F", "-I", "-O", "--file"]);
        let directory = arguments.values(&["-D", "--directory"]).last().copied();
        if arguments.has(&["-i", "--extract"]) && !arguments.has(&["-t", "--list", "--to-stdout"]) {
            self.add_all(archives, Access::Read);
            self.add_filled(directory);
            if arguments.has(&["--absolute-filenames"]) {
                self.add_tree(&Word::known("/."), Access::Write);
            }
        } else if arguments.has(&["-p", "--pass-through"]) {
            self.add_filled(arguments.operands.first().copied().or(directory));
        } else if arguments.has(&["-o", "--create"]) {
            self.add_all(archives, Access::Write);
        } else {
            self.add_all(archives, Access::Read);
        }
    }

    fn add_pax(&mut self, arguments: &Arguments<'_>) {
        let archives = arguments.values(&["-f"]);
        match (arguments.has(&["-r"]), arguments.has(&["-w"])) {
            (true, true) => {
                if let Some((target, sources)) = arguments.operands.split_last() {
                    self.add_all(sources.iter().copied(), Access::Read);
                    self.add_filled(Some(target));
                }
            }
            (true, false) => {
                self.add_all(archives, Access::Read);
                self.add_filled(None);
            }
            (false, true) => {
                self.add_all(archives, Access::Write);
                self.add_all(arguments.operands.iter().copied(), Access::Read);
            }
            (false, false) => self.add_all(archives, Access::Read),
        }
    }

    /// Records the files of an archiver whose first word are letters: `ar x a.a`, `jar xf a.jar`.
    fn add_letters(&mut self, program: &str, command: &Command) {
        let Some((letters, rest)) = command.args().split_first() else { return };
        let Some((archive, members)) = rest.split_first() else { return };
        let letters = letters.text.trim_start_matches('-');
        if letters.contains('x') {
            self.add(archive, Access::Read);
            match members {
                [] => self.add_filled(None),
                members => self.add_all(members, Access::Write),
            }
        } else if letters.contains(['r', 'q', 'c', 'u', 'd', 'm', 's']) && !letters.contains('t') {
            self.add(archive, Access::Write);
            self.add_all(members.iter().filter(|_| program == "ar"), Access::Read);
        } else {
            self.add(archive, Access::Read);
        }
    }

    /// Records what `dpkg -x package directory` and its like unpack, and what `dpkg-deb -b` builds.
    fn add_debian(&mut self, arguments: &Arguments<'_>) {
        let unpacks = ["-x", "--extract", "-X", "--vextract", "-R", "--raw-extract", "-e", "--control"];
        match arguments.operands.as_slice() {
            [package, directory, ..] if arguments.has(&unpacks) => {
                self.add(package, Access::Read);
                self.add_filled(Some(directory));
            }
            [directory, package, ..] if arguments.has(&["-b", "--build"]) => {
                self.add(directory, Access::Read);
                self.add(package, Access::Write);
            }
            operands => self.add_all(operands.iter().copied(), Access::Read),
        }
    }

    fn add_extractor(&mut self, program: &str, arguments: &Arguments<'_>, directories: &[&str]) {
        let is_verb = program.ends_with("rar") || program == "lha";
        let verb = arguments.operands.first().map_or("", |word| word.text.as_str());
        self.add_all(arguments.operands.get(usize::from(is_verb)).copied(), Access::Read);
        if !is_verb || verb.starts_with(['x', 'e']) {
            let rest = arguments.operands.get(2..).unwrap_or_default();
            let target = rest.iter().copied().rfind(|word| is_verb && word.text.ends_with('/'));
            self.add_filled(arguments.values(directories).last().copied().or(target));
        }
    }
}
