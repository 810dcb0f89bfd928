//! Repositories that the program `git` makes, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Machine, skip};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A directory with a repository in it; both go when it does, unless they are a machine's.
pub(crate) struct Fixture {
    root: PathBuf,
    name: &'static str,
}

impl Fixture {
    /// Makes an empty repository `repo`; `None`, with a line that says so, where there is no git.
    pub(crate) fn new(test: &str) -> Option<Self> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ruleward-git-{}-{number}", std::process::id()));
        Self::at(test, &root, "repo")
    }

    /// Makes the project of a machine an empty repository.
    pub(crate) fn of_machine(test: &str, machine: &Machine) -> Option<Self> {
        Self::at(test, &machine.home(), "project")
    }

    fn at(test: &str, root: &Path, name: &'static str) -> Option<Self> {
        let found = Command::new("git").arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            skip(test, "there is no git");
            return None;
        }
        fs::create_dir_all(root.join(name)).unwrap();
        let made = Self { root: root.canonicalize().unwrap(), name };
        made.git(&["init", "-q", "-b", "main"]);
        Some(made)
    }

    /// The directory around the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of the repository.
    pub(crate) fn repo(&self) -> PathBuf {
        self.root.join(self.name)
    }

    /// A path in the directory around the repository.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Runs git in the repository.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_in(self.name, args)
    }

    /// Runs git in a directory; it must succeed.
    pub(crate) fn git_in(&self, directory: &str, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]);
        command.args(args).current_dir(self.root.join(directory)).env("HOME", &self.root);
        command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR").env("GIT_EDITOR", "true");
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Writes a file of the repository.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes files, and commits all there is.
    pub(crate) fn commit(&self, files: &[(&str, &str)]) -> String {
        for (path, text) in files {
            self.write(path, text);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "a commit"]);
        self.git(&["rev-parse", "HEAD"])
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.root);
    }
}
