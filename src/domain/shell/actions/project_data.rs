//! Sources, and the project as a whole, in what a command sends.

use super::host::{host_in, is_local};
use super::owner_table::is_known_service;
use super::send::{OutboundTransfer, command_code};
use super::upstream_commands;
use crate::domain::shell::effects::{Access, command_files};
use crate::domain::shell::script::{Command, Cwd, Script, Word};
use crate::domain::shell::walk::inline_code;

/// Whether what is sent is the project, its history or its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectShare {
    /// It is something else, or goes to where it is kept.
    #[default]
    None,
    /// It is sources, which a person's own machines are given in the course of things.
    ToStranger,
    /// It is, whatever the host.
    Any,
}

/// Directories of sources, by the names that most projects give them.
const SOURCE_DIRECTORIES: &[&str] = &[
    "src",
    "lib",
    "pkg",
    "internal",
    "cmd",
    "crates",
    "server",
    "backend",
    "source",
    "sources",
    "code",
    ".git",
    "migrations",
    "core",
];

/// Directories of sources that may also be published as they are.
const SITE_DIRECTORIES: &[&str] = &["app", "apps", "packages", "frontend", "client", "services"];

/// The endings of files among the sources that are no code.
const DATA_ENDINGS: &[&str] = &[
    "json", "csv", "tsv", "xml", "txt", "md", "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "pdf", "mp3", "mp4",
    "woff", "woff2", "ttf", "parquet", "log",
];

/// What in code reads the files of a directory that is named behind it.
const DIRECTORY_READERS: &[&str] = &[
    "walk(",
    "glob(",
    "iglob(",
    "rglob(",
    "Path(",
    "listdir(",
    "scandir(",
    "readdirSync(",
    "readdir(",
    "globSync(",
    "opendir(",
    "Dir[",
    "children(",
    "entries(",
    "find(",
    "RecursiveDirectoryIterator(",
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
    /// A file of sources, or a change of it.
    File,
    /// A part of the sources, an archive of them, or a directory that may be published as it is.
    Part,
    /// A directory of sources as a whole.
    Directory,
    /// The project, or its history.
    Whole,
}

/// What a kind of place may be given.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// From where on it is too much.
    most: Extent,
    /// From where on it is too much for a machine that is none of the person's.
    most_for_stranger: Extent,
    /// Whether a service that is known by its name may be given sources.
    has_services: bool,
}

/// Returns what the place that a program sends to may be given.
fn limits(command: &Command) -> Option<Limits> {
    let operands = command.operands();
    let verb = operands.first().map_or("", |word| word.text.as_str());
    let all = |most| Limits { most, most_for_stranger: most, has_services: false };
    Some(match command.program() {
        // A person's own servers are given sources in the course of things, but not the whole project.
        "ssh" | "autossh" | "scp" | "pscp" | "rsync" | "sftp" | "psftp" | "lftp" => {
            Limits { most_for_stranger: Extent::Part, ..all(Extent::Whole) }
        }
        // A function or a site is deployed by such a store, from an archive or a part of the sources.
        "aws" | "gsutil" | "gcloud" | "az" | "azcopy" | "s3cmd" | "s4cmd" | "s5cmd" | "mc" | "mcli" | "b2"
        | "rclone" => all(Extent::Directory),
        "hf" | "huggingface-cli" => all(Extent::Whole),
        "gh" if verb == "gist" => all(Extent::File),
        "glab" if verb == "snippet" => all(Extent::File),
        "svn" => Limits { has_services: true, ..all(Extent::Part) },
        "curl" | "curlie" | "wget" | "wget2" | "http" | "https" | "xh" | "xhs" | "nc" | "ncat" | "netcat"
        | "nc.openbsd" | "nc.traditional" | "socat" | "telnet" | "openssl" | "websocat" | "ftp" | "ncftp"
        | "ncftpput" | "tftp" | "croc" | "wormhole" | "magic-wormhole" | "wormhole-william" | "ffsend" | "transfer"
        | "pastebinit" | "ipfs" | "mail" | "mutt" | "Invoke-WebRequest" | "Invoke-RestMethod" => {
            Limits { has_services: true, ..all(Extent::File) }
        }
        program if inline_code(program, &command.words, None).is_some() => {
            Limits { has_services: true, ..all(Extent::File) }
        }
        _ => return None,
    })
}

/// Returns whether a command sends the project, its history, or its sources to where they are not kept.
pub(super) fn share_sent(
    index: usize,
    command: &Command,
    transfer: &OutboundTransfer,
    script: &Script,
) -> ProjectShare {
    let Some(limits) = limits(command) else { return ProjectShare::None };
    let host = transfer.destination.as_deref().and_then(host_in);
    if host.is_some_and(|host| limits.has_services && (is_local(&host) || is_known_service(&host))) {
        return ProjectShare::None;
    }
    let named = transfer.files.iter().map(|path| extent(path, command));
    let takes_list = transfer.files.iter().any(|path| path.contains("$("));
    let printed = upstream_commands(command, script).map(|(_, source)| match source.pipeline == command.pipeline {
        true => printed_extent(source),
        false if takes_list => listed_extent(source),
        false => Extent::Nothing,
    });
    let packed = script.commands.iter().take(index).filter(|_| !transfer.files.is_empty()).filter_map(|source| {
        let is_sent = |word: &Word| transfer.files.iter().any(|path| is_same_file(path, &word.text));
        is_written(source, &is_sent).then(|| packed_extent(source))
    });
    let in_code = code_extents(command);
    let most = named.chain(printed).chain(packed).chain(in_code).max().unwrap_or(Extent::Nothing);
    if most >= limits.most {
        ProjectShare::Any
    } else if most >= limits.most_for_stranger {
        ProjectShare::ToStranger
    } else {
        ProjectShare::None
    }
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
            "log" | "show" | "stash" | "diff" | "format-patch" if prints_changes(verb, command) => Extent::File,
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
    if operands.first().is_some_and(|word| word.text == "archive") { Extent::Part } else { Extent::Whole }
}

/// Returns how much of the project the files are whose names a command lists.
fn listed_extent(command: &Command) -> Extent {
    let operands = command.operands();
    let lists = match command.program() {
        "git" => operands.first().is_some_and(|word| word.text == "ls-files"),
        "find" | "fd" | "fdfind" | "ls" => true,
        _ => false,
    };
    let skipped = usize::from(command.program() == "git");
    let named = operands.iter().skip(skipped).map(|word| extent(&word.text, command)).max();
    if lists { named.unwrap_or(Extent::Whole) } else { Extent::Nothing }
}

/// Returns how much of the project the code of an interpreter reads: directories that it goes through, and archives.
fn code_extents(command: &Command) -> Vec<Extent> {
    let mut found = Vec::new();
    for code in command_code(command) {
        let mut parts = code.text.split(['"', '\'', '`']);
        let Some(mut before) = parts.next() else { continue };
        let mut is_packed = false;
        for part in parts {
            let start = before.trim_end();
            // The directory that is packed is the last of several arguments: `make_archive('a', 'zip', '.')`.
            is_packed = start.ends_with("make_archive(") || is_packed && !start.contains(')');
            if is_packed || DIRECTORY_READERS.iter().any(|reader| start.ends_with(reader)) {
                found.push(extent(part, command));
            }
            before = part;
        }
    }
    found
}

/// Returns how much of the project an archiver packs. An archive of a part of the sources is how a function or a
/// server is deployed.
fn packed_extent(command: &Command) -> Extent {
    if command.program() == "git" {
        return history_extent(command);
    }
    let extent = archived_extent(command);
    if extent == Extent::Directory { Extent::Part } else { extent }
}

fn archived_extent(command: &Command) -> Extent {
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
    let Some(last) = parts.last() else { return Extent::Whole };
    let ending = last.rsplit_once('.').map_or("", |(_, ending)| ending);
    match parts.as_slice() {
        ["*" | "**" | ".git", ..] => Extent::Whole,
        _ if DATA_ENDINGS.contains(&ending) => Extent::Nothing,
        _ if SOURCE_ENDINGS.contains(&ending) => Extent::File,
        [first] | [first, "*" | "**" | "[!.]*"] if SOURCE_DIRECTORIES.contains(first) => Extent::Directory,
        [first, "**", ..] if SOURCE_DIRECTORIES.contains(first) => Extent::Directory,
        [first, ..] if SOURCE_DIRECTORIES.contains(first) || SITE_DIRECTORIES.contains(first) => {
            if ending.is_empty() {
                Extent::Part
            } else {
                Extent::File
            }
        }
        _ => archive_extent(path),
    }
}

/// Returns how much an archive holds, by its name.
fn archive_extent(path: &str) -> Extent {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, rest)) = name.split_once('.') else { return Extent::Nothing };
    let is_archive = rest.split('.').any(|ending| ARCHIVE_ENDINGS.contains(&ending));
    let is_source = SOURCE_ARCHIVES.contains(&stem.split(['-', '_']).next().unwrap_or_default());
    if is_archive && (is_source || rest.ends_with("bundle")) { Extent::Part } else { Extent::Nothing }
}
