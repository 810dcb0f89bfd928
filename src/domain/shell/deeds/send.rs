//! Commands that send data over the network: what, and where to as far as the line says.

use super::send_table::{CARRIERS, CODE, Data, Row, Target, Value, rows_of};
use super::{is_fed, sources};
use crate::domain::shell::effects::{Access, files_of, is_remote, urls_of};
use crate::domain::shell::option::Arguments;
use crate::domain::shell::script::{Command, RedirectKind, Script, Word};
use crate::domain::shell::walk::code_of;

/// What is sent, and where to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sending {
    /// The address or host, when the line says it.
    pub to: Option<String>,
    /// The files that are named as what is sent, as written.
    pub files: Vec<String>,
}

/// Returns what a command sends, if it sends anything. `told` says of each command of the script whether
/// what it prints tells of files or of the environment.
pub(super) fn of(command: &Command, script: &Script, told: &dyn Fn(usize) -> bool) -> Option<Sending> {
    let mut sending = named(command).or_else(|| carried(command, script, told))?;
    sending.to = sending.to.or_else(|| urls_of(command).into_iter().next());
    Some(sending)
}

/// Returns what a command names as sent; not what is put into its words.
pub(super) fn named(command: &Command) -> Option<Sending> {
    let arguments = command.arguments();
    let program = command.program();
    let rows = rows_of(program).filter(|row| follows(row.verbs, &arguments));
    let mut sending: Option<Sending> = None;
    for row in rows {
        if let Some(found) = sent(row, command, &arguments) {
            let all = sending.get_or_insert_default();
            all.to = all.to.take().or(found.to);
            all.files.extend(found.files);
        }
    }
    let mut sending = sending
        .or_else(|| items(program, command, &arguments))
        .or_else(|| by_connection(command))
        .or_else(|| by_code(program, command))?;
    if is_idle(program, &arguments) {
        return None;
    }
    let redirected = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
    sending.files.extend(redirected.map(|redirect| redirect.target.text.clone()));
    Some(sending)
}

/// Tells whether the operands begin with these words.
fn follows(verbs: &[&str], arguments: &Arguments<'_>) -> bool {
    verbs.iter().enumerate().all(|(at, verb)| {
        arguments.operands.get(at).is_some_and(|word| verb.split('|').any(|choice| choice == word.text))
    })
}

fn sent(row: &Row, command: &Command, arguments: &Arguments<'_>) -> Option<Sending> {
    let operands = arguments.operands.get(row.verbs.len()..).unwrap_or_default();
    let mut sending = Sending { to: Some(row.host.to_owned()).filter(|host| !host.is_empty()), ..Sending::default() };
    match row.data {
        Data::Options(known) => {
            let mut any = false;
            for (name, value) in known {
                for word in given(arguments, name) {
                    any |= take(*value, word, &mut sending.files);
                }
            }
            any.then_some(sending)
        }
        Data::Operands => {
            sending.files = operands.iter().filter(|word| word.text != "-").map(|word| word.text.clone()).collect();
            Some(sending)
        }
        Data::To(target) => {
            let (last, files) = operands.split_last()?;
            let is_there = match target {
                Target::Host => is_remote(&last.text),
                Target::Scheme(schemes) => {
                    last.text.split_once("://").is_some_and(|(scheme, _)| schemes.contains(&scheme))
                }
                Target::Remote => last.text.contains(':'),
            };
            sending.files = files.iter().map(|word| word.text.clone()).collect();
            sending.to = Some(last.text.clone());
            (is_there && !files.is_empty()).then_some(sending)
        }
        Data::Input => is_fed(command).then_some(sending),
        Data::Own => Some(sending),
    }
}

/// Returns the values of an option, also of one that the table of options does not know.
fn given<'a>(arguments: &'a Arguments<'_>, name: &str) -> Vec<&'a Word> {
    let options = arguments
        .options
        .iter()
        .filter(|given| given.name.eq_ignore_ascii_case(name) && (name.len() > 2 || given.name == name));
    options.filter_map(|given| given.value.as_ref().or(given.next.as_ref())).collect()
}

/// Notes the files in the value of an option; tells whether it sends anything.
fn take(value: Value, word: &Word, files: &mut Vec<String>) -> bool {
    let text = word.text.as_str();
    match value {
        Value::Text => true,
        Value::TextOrFile => {
            let path = text.strip_prefix('@').or_else(|| {
                text.split_once('@').filter(|(name, _)| !name.contains(['=', '{', ' '])).map(|(_, path)| path)
            });
            files.extend(path.filter(|path| *path != "-").map(str::to_owned));
            true
        }
        Value::Form => {
            let value = text.split_once('=').map_or("", |(_, value)| value);
            let path = value.strip_prefix(['@', '<']).and_then(|path| path.split(';').next());
            files.extend(path.filter(|path| *path != "-").map(str::to_owned));
            true
        }
        Value::File => {
            files.extend(Some(text).filter(|text| *text != "-").map(str::to_owned));
            true
        }
        Value::Method => !matches!(text.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS" | "DOWNLOAD"),
    }
}

/// Returns what the programs send whose operands are the fields of a request: `http POST host a=b c@file`.
fn items(program: &str, command: &Command, arguments: &Arguments<'_>) -> Option<Sending> {
    if !matches!(program, "http" | "https" | "xh" | "xhs") {
        return None;
    }
    let posts = arguments.operands.first().is_some_and(|word| matches!(word.text.as_str(), "POST" | "PUT" | "PATCH"));
    let mut sending = Sending::default();
    let mut fields = false;
    for word in arguments.operands.iter().skip(1) {
        let text = word.text.as_str();
        let address = text.contains("://") || text.starts_with(':');
        let field = !address && (text.contains('=') && !text.contains("=="));
        fields |= field;
        if let Some((name, path)) = text.split_once('@').filter(|(name, _)| !address && !name.contains(['=', '/', ':']))
        {
            fields |= !name.is_empty() || !path.is_empty();
            sending.files.push(path.to_owned());
        }
    }
    (posts || fields || is_fed(command)).then_some(sending)
}

/// Returns what goes into the shell's own connections: `> /dev/tcp/host/port`.
fn by_connection(command: &Command) -> Option<Sending> {
    let writes = |kind| matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite);
    let connection = |text: &str| text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
    let redirect =
        command.redirects.iter().find(|redirect| writes(redirect.kind) && connection(&redirect.target.text))?;
    let read = files_of(command).into_iter().filter(|(_, access)| *access == Access::Read);
    let to =
        redirect.target.text.splitn(4, '/').nth(3).map(|address| format!("tcp://{}", address.replacen('/', ":", 1)));
    Some(Sending { to, files: read.map(|(word, _)| word.text).collect() })
}

/// Returns what the code of an interpreter sends.
fn by_code(program: &str, command: &Command) -> Option<Sending> {
    let (_, codes) = code_of(program, &command.words, None)?;
    let sends = codes.iter().any(|code| CODE.iter().any(|part| code.text.contains(part)));
    let addressed = codes.iter().any(|code| code.text.contains("://") || code.text.contains("connect"));
    if !sends || !addressed {
        return None;
    }
    let read = files_of(command).into_iter().filter(|(_, access)| *access == Access::Read);
    Some(Sending { to: None, files: read.map(|(word, _)| word.text).collect() })
}

/// Returns what is made part of an address: the content of files, or the environment.
fn carried(command: &Command, script: &Script, told: &dyn Fn(usize) -> bool) -> Option<Sending> {
    if !CARRIERS.contains(&command.program()) || command.args().iter().all(|word| word.literal) {
        return None;
    }
    let inside = |(index, source): (usize, &Command)| source.pipeline != command.pipeline && told(index);
    sources(command, script).any(inside).then(Sending::default)
}

/// Tells whether a program is only asked for help, would only try, or only waits for others.
fn is_idle(program: &str, arguments: &Arguments<'_>) -> bool {
    let named = |names: &[&str]| arguments.has(names);
    match program {
        "nc" | "ncat" | "netcat" | "nc.openbsd" | "nc.traditional" => named(&["-z", "-l", "--listen", "-h", "--help"]),
        "git" | "rsync" | "aws" | "rclone" | "cargo" | "npm" | "pnpm" | "gcloud" | "s3cmd" => {
            named(&["-n", "--dry-run", "--dryrun", "--help"])
        }
        _ => named(&["--help", "--version"]),
    }
}
