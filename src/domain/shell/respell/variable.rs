//! Words that the shell, or a program that runs others, puts together first.

use super::line::{Line, Piece, Site};
use super::quote;

/// Returns the commands whose program is a plain word that a variable can stand for.
fn programs<'l>(line: &'l Line<'_>) -> impl Iterator<Item = &'l Piece> {
    let sites = line.sites.iter().filter(|site| !site.is_builtin() && !line.has_names);
    sites.filter_map(|site| site.words.first()).filter(|word| word.is_plain())
}

/// Puts something in the place of each program, and something before the line.
fn for_program(line: &Line<'_>, before: fn(&str) -> String, instead: fn(&str) -> String) -> Vec<String> {
    let text = |word: &Piece| {
        let spelled = line.with(vec![(word.span.clone(), instead(&word.raw))]);
        format!("{}{spelled}", before(&word.raw))
    };
    programs(line).map(text).collect()
}

fn nothing(_: &str) -> String {
    String::new()
}

/// `x=rm; $x …`
pub(super) fn program(line: &Line<'_>) -> Vec<String> {
    for_program(line, |program| format!("x={program}; "), |_| "$x".into())
}

/// `x=rm; "${x}" …`
pub(super) fn program_in_quotes(line: &Line<'_>) -> Vec<String> {
    for_program(line, |program| format!("x={program}\n"), |_| "\"${x}\"".into())
}

/// `export x=rm && $x …`
pub(super) fn exported_program(line: &Line<'_>) -> Vec<String> {
    for_program(line, |program| format!("export x={program} && "), |_| "$x".into())
}

/// `a=r b=m; $a$b …`
pub(super) fn parted_program(line: &Line<'_>) -> Vec<String> {
    let parted = |program: &str| {
        let (head, tail) = program.split_at_checked(1).unwrap_or((program, ""));
        format!("a={head} b={tail}; ")
    };
    for_program(line, parted, |_| "$a${b}".into())
}

/// `${unset:-rm} …`
pub(super) fn default_program(line: &Line<'_>) -> Vec<String> {
    for_program(line, nothing, |program| format!("${{unset_here:-{program}}}"))
}

/// `$(echo rm) …`
pub(super) fn printed_program(line: &Line<'_>) -> Vec<String> {
    for_program(line, nothing, |program| format!("$(echo {program})"))
}

/// `` `printf %s rm` … ``
pub(super) fn backquoted_program(line: &Line<'_>) -> Vec<String> {
    for_program(line, nothing, |program| format!("`printf %s {program}`"))
}

/// `$(which rm) …`
pub(super) fn found_program(line: &Line<'_>) -> Vec<String> {
    for_program(line, nothing, |program| format!("$(which {program})"))
}

/// Puts a variable in the place of each plain argument.
fn for_argument(line: &Line<'_>, instead: &str, wanted: fn(&Piece) -> bool) -> Vec<String> {
    let arguments = line.sites.iter().flat_map(Site::arguments).filter(|word| word.is_plain() && wanted(word));
    arguments
        .map(|word| format!("x={}; {}", word.raw, line.with(vec![(word.span.clone(), instead.to_owned())])))
        .collect()
}

/// `x=-rf; rm $x …`
pub(super) fn option(line: &Line<'_>) -> Vec<String> {
    for_argument(line, "$x", Piece::is_option)
}

/// `x=/etc; rm -rf $x`
pub(super) fn operand(line: &Line<'_>) -> Vec<String> {
    for_argument(line, "$x", |word| !word.is_option())
}

/// `x=/etc; rm -rf "${x}"`
pub(super) fn operand_in_quotes(line: &Line<'_>) -> Vec<String> {
    for_argument(line, "\"${x}\"", |word| !word.is_option())
}

/// Returns the words of a line that is one command of plain words.
fn plain_words(line: &Line<'_>) -> Option<Vec<String>> {
    let [site] = line.sites.as_slice() else { return None };
    let plain = line.is_single && site.words.iter().all(Piece::is_plain) && !site.is_builtin();
    // Redirections and assignments stay where they are.
    let whole = line.text.trim().len() == site.end() - site.start();
    (plain && whole).then(|| site.words.iter().map(|word| word.raw.clone()).collect())
}

fn together(line: &Line<'_>, spell: fn(&[String]) -> String) -> Vec<String> {
    plain_words(line).map(|words| spell(&words)).into_iter().collect()
}

/// `x="rm -rf y"; $x`
pub(super) fn all_in_one(line: &Line<'_>) -> Vec<String> {
    together(line, |words| format!("x={}; $x", quote::double(&words.join(" "))))
}

/// `set -- rm -rf y; "$@"`
pub(super) fn positional(line: &Line<'_>) -> Vec<String> {
    together(line, |words| format!("set -- {}; \"$@\"", words.join(" ")))
}

/// `x=(rm -rf y); "${x[@]}"`
pub(super) fn array(line: &Line<'_>) -> Vec<String> {
    together(line, |words| format!("x=({}); \"${{x[@]}}\"", words.join(" ")))
}

/// `{rm,-rf,y}`
pub(super) fn braces(line: &Line<'_>) -> Vec<String> {
    let words =
        plain_words(line).filter(|words| words.len() > 1 && words.iter().all(|word| !word.contains([',', '='])));
    words.map(|words| format!("{{{}}}", words.join(","))).into_iter().collect()
}

/// `f() { "$@"; }; f rm -rf y`
pub(super) fn function_of_words(line: &Line<'_>) -> Vec<String> {
    together(line, |words| format!("f() {{ \"$@\"; }}; f {}", words.join(" ")))
}

/// `alias x='rm -rf'` on a line of its own, then `x y`
pub(super) fn alias(line: &Line<'_>) -> Vec<String> {
    together(line, |words| format!("shopt -s expand_aliases\nalias x={}\nx", quote::single(&words.join(" "))))
}

/// `xargs rm -rf y </dev/null`
pub(super) fn nothing_piped(line: &Line<'_>) -> Vec<String> {
    around_single(line, "xargs ", " </dev/null")
}

/// `find . -maxdepth 0 -exec rm -rf y \;`
pub(super) fn found(line: &Line<'_>) -> Vec<String> {
    around_single(line, "find . -maxdepth 0 -exec ", " \\;")
}

/// Puts something around the words of a line that is one command.
fn around_single(line: &Line<'_>, head: &str, tail: &str) -> Vec<String> {
    let sites = line.sites.iter().filter(|site| line.is_single && !site.is_builtin() && !line.text.contains('<'));
    let edits =
        |site: &Site| vec![(site.start()..site.start(), head.to_owned()), (site.end()..site.end(), tail.to_owned())];
    sites.map(|site| line.with(edits(site))).collect()
}

/// `echo y | xargs rm -rf`
pub(super) fn last_piped(line: &Line<'_>) -> Vec<String> {
    let words = plain_words(line);
    let parts = words
        .as_ref()
        .and_then(|words| words.split_last())
        .filter(|(last, rest)| !rest.is_empty() && !last.starts_with('-'));
    let Some((last, rest)) = parts else { return Vec::new() };
    let rest = rest.join(" ");
    vec![
        format!("echo {last} | xargs {rest}"),
        format!("printf '%s\\n' {last} | xargs -I{{}} {rest} {{}}"),
        format!("xargs {rest} <<< {last}"),
    ]
}
