//! Sources, and the project as a whole, in what a command sends.

use super::host::{host_in, is_local};
use super::owner_table::is_known_service;
use super::send::OutboundTransfer;
use super::upstream_commands;
use crate::domain::shell::effects::{Access, command_files};
use crate::domain::shell::script::{Command, Cwd, Script, Word};

/// Directories of sources, by the names that most projects give them.
const SOURCE_DIRECTORIES: &[&str] = &[
    "src",
    "lib",
    "app",
    "apps",
    "packages",
    "pkg",
    "internal",
    "cmd",
    "crates",
    "server",
    "backend",
    "frontend",
    "client",
    "source",
    "sources",
    "code",
    ".git",
    "migrations",
    "core",
    "services",
];

/// The endings of files of source code.
const SOURCE_ENDINGS: &[&str] = &[
    "py", "ts", "tsx", "jsx", "rs", "go", "java", "kt", "swift", "c", "cc", "cpp", "h", "hpp", "rb", "php", "cs",
    "scala", "ex", "exs", "clj", "dart", "vue", "svelte", "zig",
];

/// Names of archives of sources.
const SOURCE_ARCHIVES: &[&str] =
    &["src", "source", "sources", "project", "repo", "repository", "code", "codebase", "workspace"];

/// The endings of archives.
const ARCHIVE_ENDINGS: &[&str] = &["tar", "tgz", "zip", "gz", "xz", "bz2", "zst", "7z", "bundle"];

/// How much of a project a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// Something else: a build, a log, data.
    Nothing,
    /// Sources.
    Sources,
    /// The project, or its history.
    Whole,
}

/// What kind of place a program sends to.
fn threshold(command: &Command) -> Option<Extent> {
    let operands = command.operands();
    let verb = operands.first().map_or("", |word| word.text.as_str());
    Some(match command.program() {
        // A person's own servers and stores are given sources in the course of things, but not the whole project.
        "ssh" | "autossh" | "scp" | "pscp" | "rsync" | "sftp" | "lftp" | "aws" | "gsutil" | "gcloud" | "az"
        | "azcopy" | "s3cmd" | "s4cmd" | "s5cmd" | "mc" | "mcli" | "b2" | "rclone" | "hf" | "huggingface-cli" => {
            Extent::Whole
        }
        "gh" if verb == "gist" => Extent::Sources,
        "glab" if verb == "snippet" => Extent::Sources,
        "curl" | "curlie" | "wget" | "wget2" | "http" | "https" | "xh" | "xhs" | "nc" | "ncat" | "netcat"
        | "nc.openbsd" | "nc.traditional" | "socat" | "telnet" | "openssl" | "websocat" | "ftp" | "ncftpput"
        | "tftp" | "croc" | "wormhole" | "magic-wormhole" | "wormhole-william" | "ffsend" | "transfer"
        | "pastebinit" | "ipfs" | "mail" | "mutt" | "Invoke-WebRequest" | "Invoke-RestMethod" => Extent::Sources,
        _ => return None,
    })
}

/// Returns whether a command sends the project, its history, or its sources to where they are not kept.
pub(super) fn is_sent(index: usize, command: &Command, transfer: &OutboundTransfer, script: &Script) -> bool {
    let Some(threshold) = threshold(command) else { return false };
    let host = transfer.destination.as_deref().and_then(host_in);
    let is_service = threshold == Extent::Sources && command.program() != "gh" && command.program() != "glab";
    if host.is_some_and(|host| is_service && (is_local(&host) || is_known_service(&host))) {
        return false;
    }
    let named = transfer.files.iter().map(|path| extent(path, command));
    let piped = upstream_commands(command, script)
        .filter(|(_, source)| source.pipeline == command.pipeline)
        .map(|(_, source)| printed_extent(source));
    let packed = script.commands.iter().take(index).filter(|_| !transfer.files.is_empty()).filter_map(|source| {
        let is_sent = |word: &Word| transfer.files.iter().any(|path| is_same_file(path, &word.text));
        is_written(source, &is_sent).then(|| packed_extent(source))
    });
    named.chain(piped).chain(packed).any(|extent| extent >= threshold)
}

fn is_same_file(path: &str, other: &str) -> bool {
    path.trim_start_matches("./") == other.trim_start_matches("./")
}

/// Returns whether a command writes a file for which a test holds.
fn is_written(command: &Command, test: &dyn Fn(&Word) -> bool) -> bool {
    let written = command_files(command).into_iter().any(|(word, access)| access == Access::Write && test(&word));
    // The archive of `git bundle create f` and of `git archive -o f`.
    written
        || command.program() == "git"
            && command.args().iter().any(|word| {
                let path = word.text.trim_start_matches("--output=");
                test(&Word { text: path.to_owned(), ..word.clone() })
            })
}

/// Returns how much of the project a command prints.
fn printed_extent(command: &Command) -> Extent {
    let operands = command.operands();
    let verb = operands.first().map_or("", |word| word.text.as_str());
    match command.program() {
        "git" => match verb {
            "archive" | "bundle" | "fast-export" => history_extent(command),
            "log" | "show" | "stash" | "diff" | "format-patch" if prints_changes(verb, command) => Extent::Sources,
            _ => Extent::Nothing,
        },
        "tar" | "bsdtar" | "gtar" | "zip" | "7z" | "cpio" => packed_extent(command),
        "cat" | "head" | "tail" | "base64" | "gzip" | "xz" | "zstd" | "bzip2" => {
            operands.iter().map(|word| extent(&word.text, command)).max().unwrap_or(Extent::Nothing)
        }
        _ => Extent::Nothing,
    }
}

fn prints_changes(verb: &str, command: &Command) -> bool {
    match verb {
        "diff" | "show" => {
            !command.args().iter().any(|word| word.text.starts_with("--stat") || word.text.starts_with("--name"))
        }
        "format-patch" => command.args().iter().any(|word| word.text == "--stdout"),
        _ => command.args().iter().any(|word| matches!(word.text.as_str(), "-p" | "--patch" | "-u")),
    }
}

/// Returns how much an archive of git holds. A tree without its history is what a server is given to run.
fn history_extent(command: &Command) -> Extent {
    let operands = command.operands();
    if operands.first().is_some_and(|word| word.text == "archive") { Extent::Sources } else { Extent::Whole }
}

/// Returns how much of the project an archiver packs.
fn packed_extent(command: &Command) -> Extent {
    if command.program() == "git" {
        return history_extent(command);
    }
    if !matches!(command.program(), "tar" | "bsdtar" | "gtar" | "zip" | "7z" | "7za" | "cpio" | "rar") {
        return Extent::Nothing;
    }
    let mut directory = String::new();
    let mut extents = Vec::new();
    let mut words = command.args().iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-C" | "--directory" => directory = words.next().map(|next| format!("{next}/")).unwrap_or_default(),
            option if option.starts_with('-') => {}
            operand => {
                // An archive of its own name is no source.
                let is_archive = ARCHIVE_ENDINGS.iter().any(|ending| operand.ends_with(ending));
                extents.extend((!is_archive).then(|| extent(&format!("{directory}{operand}"), command)));
            }
        }
    }
    extents.into_iter().max().unwrap_or(Extent::Nothing)
}

/// Returns how much of the project a path names for a command.
fn extent(path: &str, command: &Command) -> Extent {
    let below = path.strip_prefix("$PWD").or_else(|| path.strip_prefix("${PWD}"));
    let below = below.filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let path = below.map_or(path, |rest| rest.trim_start_matches('/'));
    if below.is_none() && path.starts_with(['/', '~', '$']) && path != "/" {
        return archive_extent(path);
    }
    let directory = match &command.cwd {
        Cwd::Start => "",
        Cwd::Known(directory) => directory.as_str(),
        Cwd::OneOf(all) => all.iter().map(String::as_str).max_by_key(|directory| directory.len()).unwrap_or_default(),
        Cwd::Unknown => return Extent::Nothing,
    };
    if directory.starts_with(['/', '~', '$']) {
        return archive_extent(path);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split('/')).filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    match parts.as_slice() {
        [] | ["*" | "**" | ".git"] => Extent::Whole,
        [first, ..] if SOURCE_DIRECTORIES.contains(first) => Extent::Sources,
        [.., last] => {
            let ending = last.rsplit_once('.').map_or("", |(_, ending)| ending);
            if SOURCE_ENDINGS.contains(&ending) { Extent::Sources } else { archive_extent(path) }
        }
    }
}

/// Returns how much an archive holds, by its name.
fn archive_extent(path: &str) -> Extent {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, rest)) = name.split_once('.') else { return Extent::Nothing };
    let is_archive = rest.split('.').any(|ending| ARCHIVE_ENDINGS.contains(&ending));
    let is_source = SOURCE_ARCHIVES.contains(&stem.split(['-', '_']).next().unwrap_or_default());
    if is_archive && (is_source || rest.ends_with("bundle")) { Extent::Sources } else { Extent::Nothing }
}
