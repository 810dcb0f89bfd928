//! Files that commands bring from elsewhere, so that one which is run afterwards is known as such. This file has the
//! table of the programs.

use super::{Invocation, Walker};
use crate::domain::shell::arguments::{self, Arguments};
use crate::domain::shell::effects::is_remote;
use crate::domain::shell::script::{Dialect, Word};

/// A way to fetch files.
struct Fetcher {
    /// The programs, separated by blanks.
    programs: &'static str,
    /// The first operands, one of several where they are separated by `|`.
    verbs: &'static [&'static str],
    /// The options whose value is the file that is written.
    outputs: &'static [&'static str],
    /// The options whose value is the directory that files are put into.
    directories: &'static [&'static str],
    names: Names,
}

/// What the files are called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// As the output option says, otherwise as the last part of each address if one of these options is given; without
    /// any, always.
    OfAddresses(&'static [&'static str]),
    /// The last operand is the file or its directory, where an operand before it is on another machine.
    LastOperand,
    /// As the server names them.
    Unknown,
}

const fn fetcher(programs: &'static str, verbs: &'static [&'static str], names: Names) -> Fetcher {
    Fetcher { programs, verbs, outputs: &[], directories: &[], names }
}

impl Fetcher {
    const fn with_output(self, outputs: &'static [&'static str]) -> Self {
        Self { outputs, ..self }
    }

    const fn with_directory(self, directories: &'static [&'static str]) -> Self {
        Self { directories, ..self }
    }
}

const FETCHERS: &[Fetcher] = &[
    fetcher("curl", &[], Names::OfAddresses(&["-O", "--remote-name", "--remote-name-all", "-J"]))
        .with_output(&["-o", "--output"])
        .with_directory(&["--output-dir"]),
    fetcher("wget wget2", &[], Names::OfAddresses(&[]))
        .with_output(&["-O", "--output-document"])
        .with_directory(&["-P", "--directory-prefix"]),
    fetcher("aria2c", &[], Names::OfAddresses(&[])).with_output(&["-o", "--out"]).with_directory(&["-d", "--dir"]),
    fetcher("axel", &[], Names::OfAddresses(&[])).with_output(&["-o", "--output"]),
    fetcher("lwp-download lftp lftpget ncftpget fetch", &[], Names::OfAddresses(&[])).with_output(&["-o"]),
    fetcher("http https xh xhs", &[], Names::OfAddresses(&["-d", "--download"])).with_output(&["-o", "--output"]),
    fetcher("scp pscp rsync sftp", &[], Names::LastOperand),
    fetcher("tftp ftp", &[], Names::OfAddresses(&[])),
    fetcher("aws", &["s3", "cp|mv|sync"], Names::LastOperand),
    fetcher("gsutil", &["cp|mv|rsync"], Names::LastOperand),
    fetcher("gcloud", &["storage", "cp|mv|rsync"], Names::LastOperand),
    fetcher("gcloud", &["compute", "scp"], Names::LastOperand),
    fetcher("rclone", &["copy|copyto|sync|move|moveto"], Names::LastOperand),
    fetcher("mc mcli s5cmd s3cmd", &["cp|mv|mirror|get|sync"], Names::LastOperand),
    fetcher("azcopy", &["copy|cp|sync"], Names::LastOperand),
    fetcher("docker podman nerdctl", &["cp"], Names::LastOperand),
    fetcher("docker podman nerdctl", &["container", "cp"], Names::LastOperand),
    fetcher("kubectl oc", &["cp"], Names::LastOperand),
    fetcher("gh", &["release|run", "download"], Names::Unknown)
        .with_output(&["-O", "--output"])
        .with_directory(&["-D", "--dir"]),
    fetcher("gh", &["gist", "clone"], Names::Unknown),
    fetcher("glab", &["release", "download"], Names::Unknown).with_directory(&["-D", "--dir"]),
    fetcher("hf huggingface-cli", &["download"], Names::Unknown).with_directory(&["--local-dir"]),
];

/// The most operands of one command that are looked at.
const MAX_OPERANDS: usize = 16;

impl Walker {
    /// Remembers the files that a command fetches.
    pub(super) fn record_fetched_files(&mut self, program: &str, call: &Invocation) {
        let mut rows = FETCHERS.iter().filter(|row| row.programs.split(' ').any(|name| name == program)).peekable();
        if rows.peek().is_none() {
            return;
        }
        let mut words = call.words.clone();
        if self.dialect != Dialect::Posix {
            for word in &mut words {
                word.text = word.text.replace('\\', "/");
            }
        }
        let arguments = arguments::parse(&words, Dialect::Posix, &[]);
        if let Some(row) = rows.find(|row| has_verbs(row.verbs, &arguments)) {
            self.record_by_row(row, &arguments);
        }
    }

    fn record_by_row(&mut self, row: &Fetcher, arguments: &Arguments<'_>) {
        let outputs = values(arguments, row.outputs);
        let directory = values(arguments, row.directories).first().map(|word| word.text.clone());
        let inside = |name: &str| directory.as_ref().map_or_else(|| name.to_owned(), |dir| format!("{dir}/{name}"));
        for word in &outputs {
            self.scope.record_download(&inside(&word.text));
        }
        let operands = arguments.operands.get(row.verbs.len()..).unwrap_or_default();
        match row.names {
            Names::OfAddresses(options) if outputs.is_empty() && (options.is_empty() || arguments.has(options)) => {
                let listed = arguments.values(&["-i", "--input-file"]);
                if !listed.is_empty() {
                    self.scope.record_download_directory(directory.as_deref().unwrap_or("."));
                }
                let scripted = arguments.options.iter().filter_map(|option| option.value.as_ref());
                let words = operands.iter().copied().chain(scripted).take(MAX_OPERANDS);
                for part in words.flat_map(|word| word.text.split_whitespace()) {
                    let path = part.split(['?', '#']).next().unwrap_or_default().trim_end_matches(['"', '\'', ';']);
                    self.scope.record_download(&inside(path.rsplit('/').next().unwrap_or_default()));
                }
            }
            Names::LastOperand => {
                let Some((target, sources)) = operands.split_last().filter(|(_, sources)| !sources.is_empty()) else {
                    return;
                };
                let is_elsewhere = |word: &&&Word| is_remote(&word.text) || is_container_path(&word.text);
                for source in sources.iter().filter(is_elsewhere).take(MAX_OPERANDS) {
                    let name = source.text.rsplit(['/', ':']).next().unwrap_or_default();
                    if name.is_empty() || name.contains('*') {
                        self.scope.record_download_directory(&target.text);
                    } else {
                        self.scope.record_download(&format!("{}/{name}", target.text.trim_end_matches('/')));
                        self.scope.record_download(&target.text);
                    }
                }
            }
            Names::Unknown if outputs.is_empty() => {
                self.scope.record_download_directory(directory.as_deref().unwrap_or("."));
            }
            Names::OfAddresses(_) | Names::Unknown => {}
        }
    }
}

fn has_verbs(verbs: &[&str], arguments: &Arguments<'_>) -> bool {
    verbs.iter().enumerate().all(|(at, verb)| {
        arguments.operands.get(at).is_some_and(|word| verb.split('|').any(|choice| choice == word.text))
    })
}

/// Returns the values of options, also of those that the table of options does not know.
fn values<'a>(arguments: &'a Arguments<'_>, names: &[&str]) -> Vec<&'a Word> {
    let given = arguments.options.iter().filter(|given| names.contains(&given.name.as_str()));
    given.filter_map(|given| given.value.as_ref().or(given.next_word.as_ref())).collect()
}

/// Returns whether a path is in a container or behind the name of a remote: `web:/x`, `remote:x`, `s3://b/x`.
fn is_container_path(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(name, _)| name.len() > 1 && !name.contains('/') && !name.starts_with(['.', '~', '$']))
}
