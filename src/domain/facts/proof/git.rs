//! What a command of git runs and shows, as the settings, the index and the trees of the repository tell.

use super::command::Site;
use super::{Checkout, Proved, Prover, gap};
use crate::domain::shell::FileContent;

/// The paths of a tree of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RevisionFiles {
    /// There is no such revision.
    Missing,
    /// It cannot be told.
    #[default]
    Unknown,
    /// Absolute paths in the working tree.
    Paths(Vec<String>),
}

/// Settings that run something, wherever they occur.
const RUNNING_SETTINGS: &[&str] = &[
    "diff.external",
    "core.sshcommand",
    "core.gitproxy",
    "core.askpass",
    "core.alternaterefscommand",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "gpg.openpgp.program",
    "extensions.partialclone",
    "mailmap.file",
    "mailmap.blob",
    "core.worktree",
    "log.showsignature",
    "remote.pushdefault.vcs",
];

/// Pagers that only show.
const PAGERS: &[&str] =
    &["less", "more", "cat", "delta", "diff-so-fancy", "bat", "most", "less -FRX", "less -R", "less -F -X", ""];

/// Options with which a command of git shows names and counts, and no content.
const NAMES_ONLY: &[&str] = &[
    "--stat",
    "--name-only",
    "--name-status",
    "--shortstat",
    "--numstat",
    "--dirstat",
    "--summary",
    "--no-patch",
    "-s",
    "--quiet",
    "--check",
    "--compact-summary",
];

/// Options with which a command of git shows content.
const CONTENT: &[&str] =
    &["-p", "-u", "--patch", "--patch-with-stat", "-U", "--unified", "-W", "--word-diff", "-c", "--cc", "-L"];

/// The ways in which remotes ask for a login that are not of the project.
const CREDENTIAL_HELPERS: &[&str] = &[
    "",
    "store",
    "cache",
    "osxkeychain",
    "manager",
    "manager-core",
    "libsecret",
    "wincred",
    "!gh auth git-credential",
    "!/usr/bin/gh auth git-credential",
    "!/opt/homebrew/bin/gh auth git-credential",
    "!/usr/local/bin/gh auth git-credential",
];

impl Checkout {
    fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Prover<'_, '_> {
    pub(super) fn checkout(&self, directory: &str) -> Proved<(String, Checkout)> {
        let Some(found) = self.facts.file_system.checkout(directory) else {
            return gap("the repository is not known");
        };
        let Some(root) = found.root.clone() else { return gap("there is no repository") };
        self.inside(&root)?;
        Ok((root, found))
    }

    /// Checks that a repository runs nothing of its own when it is read.
    pub(super) fn git_is_inert(&self, directory: &str) -> Proved {
        let (_, found) = self.checkout(directory)?;
        if let Some(hook) = found.hooks.iter().find(|hook| hook.as_str() == "post-index-change") {
            return gap(format!("the hook `{hook}` would run"));
        }
        if found.has_nested {
            return gap("git looks at the repositories inside as well");
        }
        let is_inert = |name: &str, value: &str| {
            let is_switch =
                ["true", "false", "1", "0", "yes", "no", "on", "off", ""].contains(&value.to_lowercase().as_str());
            let is_filter =
                name.starts_with("filter.") && [".clean", ".smudge", ".process"].iter().any(|it| name.ends_with(it));
            let is_driver = name.starts_with("diff.") && [".command", ".textconv"].iter().any(|it| name.ends_with(it));
            let is_pager = name == "core.pager" || name.starts_with("pager.");
            if name == "core.fsmonitor" {
                return is_switch;
            }
            if is_pager {
                return is_switch || PAGERS.contains(&value);
            }
            if is_filter {
                return matches!(value, "" | "git-lfs clean -- %f" | "git-lfs smudge -- %f" | "git-lfs filter-process");
            }
            let is_promisor = name.starts_with("remote.") && name.ends_with(".promisor");
            !is_driver && !is_promisor && !name.starts_with("trace2.") && !RUNNING_SETTINGS.contains(&name)
        };
        match found.settings.iter().find(|(name, value)| !is_inert(name, value)) {
            Some((name, _)) => gap(format!("the setting `{name}` of git may run something")),
            None => Ok(()),
        }
    }

    /// Checks that no address of a remote holds credentials.
    pub(super) fn git_remotes(&self, directory: &str) -> Proved {
        let (_, found) = self.checkout(directory)?;
        let is_address = |name: &str| name.starts_with("remote.") || name.starts_with("url.");
        let has_login = |text: &str| {
            let behind = text.split_once("://").map_or("", |(_, rest)| rest);
            let login = behind.split('/').next().unwrap_or_default().rsplit_once('@');
            login.is_some_and(|(login, _)| login != "git")
        };
        let bad = found.settings.iter().find(|(name, value)| is_address(name) && (has_login(value) || has_login(name)));
        bad.map_or(Ok(()), |_| gap("the address of a remote holds a login"))
    }

    /// Checks that a command only asks a configured remote.
    pub(super) fn git_service(&self, site: &Site<'_>) -> Proved {
        let (_, found) = self.checkout(site.directory)?;
        let remote = site.arguments.operands.first().map_or("origin", |it| it.text.as_str());
        let Some(address) = found.setting(&format!("remote.{remote}.url")) else {
            return gap(format!("`{remote}` is no remote of the repository"));
        };
        let is_known = ["https://", "ssh://", "git@"].iter().any(|start| address.starts_with(start));
        let is_odd = |name: &str, value: &str| {
            let is_rewritten = name.starts_with("url.") || name == format!("remote.{remote}.vcs");
            let is_program = name == format!("remote.{remote}.uploadpack") || name.rsplit('.').next() == Some("proxy");
            let is_helper = name.starts_with("credential.") && name.ends_with("helper");
            is_rewritten || is_program || (is_helper && !CREDENTIAL_HELPERS.contains(&value))
        };
        if !is_known || found.settings.iter().any(|(name, value)| is_odd(name, value)) {
            return gap(format!("how git reaches `{remote}` is not known"));
        }
        site.arguments.operands.iter().skip(1).try_for_each(|it| plain_revision(&it.text))
    }

    /// Checks arguments of which only names are shown.
    pub(super) fn git_names(&self, site: &Site<'_>) -> Proved {
        let (_, paths) = split(site);
        site.arguments.operands.iter().try_for_each(|it| {
            if it.text.starts_with(':') { gap(format!("`{}` is no plain path", it.text)) } else { Ok(()) }
        })?;
        paths.iter().try_for_each(|path| self.inside(&self.resolve(path, site.directory)?))
    }

    /// Checks that nothing protected is in the content that a command of git shows.
    pub(super) fn git_content(&self, site: &Site<'_>) -> Proved {
        let (root, found) = self.checkout(site.directory)?;
        let shows_content = site.arguments.has(CONTENT);
        if shows_content && site.arguments.has(&["--follow"]) {
            return gap("the file may have had another name");
        }
        if site.arguments.has(NAMES_ONLY) && !shows_content {
            return self.git_names(site);
        }
        let is_history = matches!(site.name.as_str(), "git:log" | "git:whatchanged" | "git:reflog" | "git:stash:list");
        if is_history && !shows_content {
            return self.git_names(site);
        }
        let named = self.named(site, &root, &found)?;
        if named.has_blob && named.revisions.is_empty() && named.paths.is_empty() {
            return Ok(());
        }
        let mut places = Vec::new();
        // A pattern of git may choose any file.
        let is_pattern = |path: &String| path.contains(['*', '?', '[', '\\']) || path.starts_with(':');
        let has_pattern = named.paths.iter().any(is_pattern);
        for path in named.paths.iter().filter(|path| !is_pattern(path)) {
            let path = self.resolve(path, site.directory)?;
            self.inside(&path)?;
            self.unprotected(&path)?;
            places.push(path);
        }
        if !has_pattern && !places.is_empty() && places.iter().all(|path| self.is_file(path, &found)) {
            return Ok(());
        }
        if is_history {
            return gap("what the whole history shows is not known; name the files");
        }
        let mut shown = found.tracked;
        for revision in trees(&site.name, &named.revisions)? {
            match self.facts.file_system.revision_files(site.directory, &revision) {
                RevisionFiles::Paths(files) => shown.extend(files),
                RevisionFiles::Missing if is_simple(&revision) => {}
                RevisionFiles::Missing | RevisionFiles::Unknown => {
                    return gap(format!("the files of the revision `{revision}` are not known"));
                }
            }
        }
        let place = self.facts.path_context;
        let is_shown = |path: &&String| {
            has_pattern || places.is_empty() || places.iter().any(|it| place.relative_to(path, it).is_some())
        };
        shown.iter().filter(is_shown).try_for_each(|path| self.unprotected(path))
    }

    /// Returns what the arguments of a command name; what they name of single files must not be protected.
    fn named(&self, site: &Site<'_>, root: &str, found: &Checkout) -> Proved<Named> {
        let (words, paths) = split(site);
        let mut named = Named { paths, ..Named::default() };
        let skipped = usize::from(site.name == "git:grep" && !site.arguments.has(&["-e"]));
        let is_blob = matches!(site.name.as_str(), "git:show" | "git:cat-file");
        for word in words.into_iter().skip(skipped) {
            if word.starts_with(':') && !is_blob {
                named.paths.push(word);
                continue;
            }
            if let Some((revision, path)) = word.split_once(':') {
                named.has_blob = true;
                plain_revision(revision)?;
                let path = path.rsplit(':').next().unwrap_or_default();
                let from = if path.starts_with("./") || path.starts_with("../") { site.directory } else { root };
                let path = if path.is_empty() { root.to_owned() } else { self.resolve(path, from)? };
                self.inside(&path)?;
                self.unprotected(&path)?;
                continue;
            }
            let path = self.resolve(&word, site.directory);
            let is_there = path.as_ref().is_ok_and(|path| self.is_file(path, found) || self.is_directory(path, found));
            if is_there && !word.contains("..") {
                named.paths.push(word);
            } else {
                plain_revision(&word)?;
                // A file that is not there yet may be there when the command runs.
                if let Ok(path) = path {
                    self.unprotected(&path)?;
                }
                named.revisions.push(word);
            }
        }
        Ok(named)
    }

    fn is_file(&self, path: &str, found: &Checkout) -> bool {
        let on_disk = self.facts.file_system.read(path, 0);
        let is_there = matches!(on_disk, FileContent::Text(_) | FileContent::Binary | FileContent::TooLarge);
        is_there || found.tracked.iter().any(|tracked| tracked == path)
    }

    fn is_directory(&self, path: &str, found: &Checkout) -> bool {
        let start = format!("{}/", path.trim_end_matches('/'));
        found.tracked.iter().any(|tracked| tracked.starts_with(&start)) || self.facts.file_system.is_directory(path)
    }
}

/// What the arguments of a command of git name.
#[derive(Default)]
struct Named {
    revisions: Vec<String>,
    paths: Vec<String>,
    /// Whether a file of a revision is among them.
    has_blob: bool,
}

/// Returns the words before `--`, and those after it.
fn split(site: &Site<'_>) -> (Vec<String>, Vec<String>) {
    let words: Vec<String> = site.arguments.operands.iter().map(|it| it.text.clone()).collect();
    match site.arguments.separator {
        Some(at) => (words.get(..at).unwrap_or_default().to_vec(), words.get(at..).unwrap_or_default().to_vec()),
        None => (words, Vec::new()),
    }
}

/// Returns the revisions whose trees hold everything that a command may show, besides the index.
fn trees(name: &str, revisions: &[String]) -> Proved<Vec<String>> {
    let mut found = Vec::new();
    for revision in revisions {
        if revision.contains("...") {
            return gap(format!("where the branches of `{revision}` part is not known; name the files"));
        }
        let ends: Vec<&str> = revision.split("..").collect();
        found.extend(ends.into_iter().map(|end| if end.is_empty() { "HEAD".to_owned() } else { end.to_owned() }));
    }
    if found.is_empty() || name == "git:diff" {
        found.push("HEAD".to_owned());
    }
    if matches!(name, "git:show" | "git:diff-tree" | "git:stash:show") {
        let parents: Vec<String> = found.iter().map(|revision| format!("{revision}^")).collect();
        found.extend(parents);
    }
    Ok(found)
}

/// Returns whether a revision that is not found can mean nothing to git either.
fn is_simple(revision: &str) -> bool {
    let base = revision.trim_end_matches(|c: char| c == '^' || c == '~' || c.is_ascii_digit());
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    !base.contains("-g") && revision.trim_end_matches(['^', '~']).chars().all(|c| is_plain(c) || matches!(c, '^' | '~'))
}

/// Checks that a word is a revision, and no option or pattern.
fn plain_revision(text: &str) -> Proved {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/-@{}^~+*".contains(c);
    if text.starts_with('-') || !text.chars().all(is_plain) {
        return gap(format!("`{text}` is no plain revision"));
    }
    Ok(())
}
