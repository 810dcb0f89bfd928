//! What commands print, where their arguments tell.

use super::cmdlet::{Call, operands, parameter};
use super::value::Value;
use crate::domain::shell::script::{OpaqueReason, Word};

/// The commands that pass on what they are given.
const PASSING: &[&str] = &[
    "Select-Object",
    "Sort-Object",
    "Out-String",
    "Tee-Object",
    "Write-Output",
    "Get-Unique",
    "Group-Object",
    "ConvertTo-Json",
    "Out-Host",
];

/// Returns what a command prints.
pub(super) fn output_of(name: &str, call: &Call, input: &Value) -> Value {
    let words = call.words.as_slice();
    match name {
        "Write-Output" if words.len() > 1 => {
            Value::list(operands(words).into_iter().cloned().collect()).with_origin(call.origin)
        }
        _ if PASSING.contains(&name) => input.clone(),
        "Get-ChildItem" => listed_files(words, input),
        "Get-Item" | "Resolve-Path" | "Convert-Path" => Value::list(operands(words).into_iter().cloned().collect()),
        "Join-Path" => joined_path(words),
        "Split-Path" => operands(words).first().map_or_else(Value::output, |path| {
            Value::of((*path).clone())
                .map(|path| Some(path.rsplit_once(['/', '\\']).map_or("", |(parent, _)| parent).to_owned()))
        }),
        "Get-Location" => Value::known("$PWD"),
        "Get-Command" => operands(words).first().map_or_else(Value::output, |name| Value::of((*name).clone())),
        "Get-PSReadLineOption" => {
            Value::known("~/AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine/ConsoleHost_history.txt")
        }
        "cygpath" | "wslpath" => operands(words).last().map_or_else(Value::output, |path| Value::of((*path).clone())),
        "Invoke-WebRequest" | "Invoke-RestMethod" | "curl" | "wget" | "Start-BitsTransfer" => {
            Value::output().with_origin(Some(OpaqueReason::DownloadedCode))
        }
        // A text of one of these is of what it was made of.
        "New-Object" => {
            Value::unknown(format!("$(New-Object {})", operands(words).first().map_or("", |name| &name.text)))
        }
        "Get-WmiObject" | "Get-CimInstance" => {
            let class = parameter(words, "-classname").or_else(|| operands(words).first().copied());
            class.map_or_else(Value::output, |class| Value::unknown(format!("$({})", class.text)))
        }
        "Out-Null" | "Write-Host" | "Write-Error" | "Write-Warning" | "Write-Verbose" | "Set-Content" | "Out-File"
        | "Remove-Item" | "Set-Location" | "Push-Location" | "Pop-Location" => Value::default(),
        _ => Value::output().with_origin(call.origin),
    }
}

/// Returns the files that a listing shows, as patterns.
fn listed_files(words: &[Word], input: &Value) -> Value {
    let given = operands(words);
    let has = |name: &str| parameter(words, name).is_some() || words.iter().any(|word| is_switch(word, name));
    let mut filters: Vec<&Word> = ["-filter", "-include"].iter().filter_map(|name| parameter(words, name)).collect();
    let mut directories: Vec<&Word> = given;
    // `Get-ChildItem dir *.log`: the second operand is a filter, unless it is one of a list.
    if let [directory, filter] = directories.as_slice()
        && filter.glob
        && !directory.glob
        && filters.is_empty()
    {
        filters.push(filter);
        directories.pop();
    }
    let here = Word::known(".");
    let piped: Vec<&Word> = input.words.iter().collect();
    if directories.is_empty() {
        directories = if piped.is_empty() { vec![&here] } else { piped };
    }
    let depth = if has("-recurse") { "**/" } else { "" };
    let mut found = Value::default();
    for directory in directories {
        if directory.text.to_ascii_lowercase().starts_with("env:") {
            found.extend(Value::of(directory.clone()));
            continue;
        }
        let start = directory.text.trim_end_matches(['/', '\\']);
        let path = |rest: &str| Word { text: format!("{start}/{rest}"), glob: true, quoted: true, ..directory.clone() };
        if !filters.is_empty() {
            found.extend(Value::list(filters.iter().map(|filter| path(&format!("{depth}{}", filter.text))).collect()));
        } else if directory.glob {
            // Below a directory a pattern is looked for at any depth.
            let (parent, name) = start.rsplit_once(['/', '\\']).unwrap_or((".", start));
            let text = if depth.is_empty() { start.to_owned() } else { format!("{parent}/{depth}{name}") };
            found.extend(Value::of(Word { text, quoted: true, ..directory.clone() }));
        } else {
            found.extend(Value::of(path("*")));
        }
    }
    found
}

fn is_switch(word: &Word, name: &str) -> bool {
    let given = word.text.to_ascii_lowercase();
    !word.quoted && given.len() > 1 && name.starts_with(given.split(':').next().unwrap_or_default())
}

fn joined_path(words: &[Word]) -> Value {
    let mut path = Value::default();
    for word in operands(words) {
        if !path.words.is_empty() {
            path.append(&Value::known("/"));
        }
        let text = if path.words.is_empty() {
            word.text.trim_end_matches(['/', '\\'])
        } else {
            word.text.trim_start_matches(['/', '\\'])
        };
        path.append(&Value::of(Word { text: text.to_owned(), quoted: true, ..word.clone() }));
    }
    path
}
