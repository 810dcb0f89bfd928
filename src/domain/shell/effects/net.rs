//! Files that transfer programs read and write.
//!
//! Uploaded files count as read, downloaded ones as written; the addresses are in [`super::url`].

use super::{Access, FileCollector};
use crate::domain::shell::arguments::Arguments;
use crate::domain::shell::script::Word;

/// The options of `curl` whose value is a file when it begins with `@`.
const CURL_DATA_OPTIONS: &[&str] =
    &["-d", "--data", "--data-ascii", "--data-binary", "--json", "-H", "--header", "-w", "--write-out"];

impl FileCollector {
    pub(super) fn add_curl(&mut self, arguments: &Arguments<'_>) {
        let reads = ["-T", "--upload-file", "-K", "--config", "--netrc-file", "-E", "--cert", "--key", "--cacert"];
        self.add_all(arguments.values(&reads), Access::Read);
        let writes = [
            "-o",
            "--output",
            "-D",
            "--dump-header",
            "-c",
            "--cookie-jar",
            "--trace",
            "--trace-ascii",
            "--output-dir",
            "--stderr",
        ];
        self.add_all(arguments.values(&writes), Access::Write);
        for word in arguments.values(CURL_DATA_OPTIONS) {
            if let Some(path) = word.text.strip_prefix('@') {
                self.add_path(path, word, Access::Read);
            }
        }
        for word in arguments.values(&["--data-urlencode", "--url-query"]) {
            if let Some((_, path)) = word.text.split_once('@').filter(|(name, _)| !name.contains('=')) {
                self.add_path(path, word, Access::Read);
            }
        }
        for word in arguments.values(&["-F", "--form"]) {
            let value = word.text.split_once('=').map_or("", |(_, value)| value);
            if let Some(path) = value.strip_prefix(['@', '<']) {
                self.add_path(path.split(';').next().unwrap_or(path), word, Access::Read);
            }
        }
        for word in arguments.values(&["-b", "--cookie"]).into_iter().filter(|word| !word.text.contains('=')) {
            self.add(word, Access::Read);
        }
        if arguments.has(&["-O", "--remote-name", "--remote-name-all"]) {
            self.add_remote_names(arguments);
        }
        self.add_file_urls(arguments);
    }

    pub(super) fn add_wget(&mut self, arguments: &Arguments<'_>) {
        let outputs = arguments.values(&["-O", "--output-document"]);
        if outputs.is_empty() && !arguments.has(&["--spider"]) {
            let dirs = arguments.values(&["-P", "--directory-prefix"]);
            if dirs.is_empty() {
                self.add_remote_names(arguments);
            }
            self.add_all(dirs, Access::Write);
        }
        self.add_all(outputs, Access::Write);
        self.add_all(arguments.values(&["-o", "-a", "--output-file", "--append-output"]), Access::Write);
        self.add_all(arguments.values(&["-i", "--input-file", "--post-file", "--body-file"]), Access::Read);
    }

    /// Records the files that addresses are saved under.
    fn add_remote_names(&mut self, arguments: &Arguments<'_>) {
        for word in &arguments.operands {
            let address = word.text.split(['?', '#']).next().unwrap_or_default();
            let path = address.split_once("://").map_or(address, |(_, path)| path);
            if let Some(name) = path.split_once('/').and_then(|(_, path)| path.rsplit('/').next()) {
                self.add_path(name, word, Access::Write);
            }
        }
    }

    fn add_file_urls(&mut self, arguments: &Arguments<'_>) {
        let urls = arguments.operands.iter().copied().chain(arguments.values(&["--url"]));
        let local =
            |word: &Word| word.text.strip_prefix("file://").map(|path| path.trim_start_matches("localhost").to_owned());
        for word in urls {
            if let Some(path) = local(word) {
                self.add_path(&path, word, Access::Read);
            }
        }
    }
}
