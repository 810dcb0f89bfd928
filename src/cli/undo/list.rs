//! The list of backups.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use annotate_snippets::normalize_untrusted_str;
use serde_json::{Value, json};

use crate::cli::output::palette::Palette;
use crate::domain::verdict::backup::amount;
use crate::io::backup::Header;

/// Returns whether a backup is of a session, which is named by its id or the beginning of it.
pub(super) fn is_of_session(header: &Header, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| header.session.as_deref().is_some_and(|session| session.starts_with(wanted)))
}

/// Returns the list, by session, the latest last.
pub(super) fn as_text(headers: &[&Header]) -> String {
    if headers.is_empty() {
        return "there are no backups\n".to_owned();
    }
    let palette = Palette::for_stdout();
    let mut text = String::new();
    let mut session: Option<(&str, Option<&str>, &str)> = None;
    for header in headers {
        let own = (header.host.as_str(), header.session.as_deref(), header.project.as_str());
        if session != Some(own) {
            let (host, name, project) = own;
            let name = name.map(|name| format!(", session {name}")).unwrap_or_default();
            let place = palette.dim(format!("{host}{name}, in {project}"));
            let _written = writeln!(text, "{}", normalize_untrusted_str(&place));
            session = Some(own);
        }
        let about = normalize_untrusted_str(&header.about);
        let amount = amount(header.files, header.bytes);
        let _written = writeln!(text, "  {}  {}  {amount}: {about}", palette.bold(&header.id), time(header));
    }
    text.push_str("`ruleward undo ID` restores one; `--dry-run` shows what it would do.\n");
    text
}

/// Returns when a backup was taken, to the second.
pub(super) fn time(header: &Header) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(header.time);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Returns the list as JSON.
pub(super) fn as_json(headers: &[&Header]) -> String {
    let all: Vec<Value> = headers.iter().map(|header| header_as_json(header)).collect();
    format!("{:#}\n", json!({ "backups": all }))
}

/// Returns what a backup is about, as JSON.
pub(super) fn header_as_json(header: &Header) -> Value {
    json!({
        "id": header.id,
        "time": time(header),
        "keep_seconds": header.keep,
        "host": header.host,
        "session": header.session,
        "call": header.call,
        "about": header.about,
        "project": header.project,
        "files": header.files,
        "bytes": header.bytes,
        "restored": header.restored,
    })
}
