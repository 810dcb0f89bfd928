//! Words that the shell, or a program that runs others, computes first.

use super::line::{CommandSite, ParsedLine, SourceWord};
use super::quote;

/// Returns the commands whose program is a plain word that a variable can represent.
fn plain_programs<'l>(line: &'l ParsedLine<'_>) -> impl Iterator<Item = &'l SourceWord> {
    let sites = line.sites.iter().filter(|site| !site.is_builtin() && !line.has_definitions);
    sites.filter_map(|site| site.words.first()).filter(|word| word.is_plain())
}

/// Puts something in the place of each program, and something before the line.
fn replace_program(line: &ParsedLine<'_>, before: fn(&str) -> String, instead: fn(&str) -> String) -> Vec<String> {
    let text = |word: &SourceWord| {
        let spelled = line.apply_edits(vec![(word.span.clone(), instead(&word.raw))]);
        format!("{}{spelled}", before(&word.raw))
    };
    plain_programs(line).map(text).collect()
}

fn no_prefix(_: &str) -> String {
    String::new()
}

/// `x=rm; $x …`
pub(super) fn program_variable(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, |program| format!("x={program}; "), |_| "$x".into())
}

/// `x=rm; "${x}" …`
pub(super) fn program_variable_quoted(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, |program| format!("x={program}\n"), |_| "\"${x}\"".into())
}

/// `export x=rm && $x …`
pub(super) fn program_variable_exported(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, |program| format!("export x={program} && "), |_| "$x".into())
}

/// `a=r b=m; $a$b …`
pub(super) fn program_variables_joined(line: &ParsedLine<'_>) -> Vec<String> {
    let parted = |program: &str| {
        let (head, tail) = program.split_at_checked(1).unwrap_or((program, ""));
        format!("a={head} b={tail}; ")
    };
    replace_program(line, parted, |_| "$a${b}".into())
}

/// `${unset:-rm} …`
pub(super) fn program_default_value(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, no_prefix, |program| format!("${{unset_here:-{program}}}"))
}

/// `$(echo rm) …`
pub(super) fn program_echo_substitution(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, no_prefix, |program| format!("$(echo {program})"))
}

/// `` `printf %s rm` … ``
pub(super) fn program_backquoted(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, no_prefix, |program| format!("`printf %s {program}`"))
}

/// `$(which rm) …`
pub(super) fn program_which_substitution(line: &ParsedLine<'_>) -> Vec<String> {
    replace_program(line, no_prefix, |program| format!("$(which {program})"))
}

/// Puts a variable in the place of each plain argument.
fn replace_argument(line: &ParsedLine<'_>, instead: &str, wanted: fn(&SourceWord) -> bool) -> Vec<String> {
    let arguments = line.sites.iter().flat_map(CommandSite::arguments).filter(|word| word.is_plain() && wanted(word));
    arguments
        .map(|word| format!("x={}; {}", word.raw, line.apply_edits(vec![(word.span.clone(), instead.to_owned())])))
        .collect()
}

/// `x=-rf; rm $x …`
pub(super) fn option_variable(line: &ParsedLine<'_>) -> Vec<String> {
    replace_argument(line, "$x", SourceWord::is_option)
}

/// `x=/etc; rm -rf $x`
pub(super) fn operand_variable(line: &ParsedLine<'_>) -> Vec<String> {
    replace_argument(line, "$x", |word| !word.is_option())
}

/// `x=/etc; rm -rf "${x}"`
pub(super) fn operand_variable_quoted(line: &ParsedLine<'_>) -> Vec<String> {
    replace_argument(line, "\"${x}\"", |word| !word.is_option())
}

/// Returns the words of a line that is one command of plain words.
fn plain_words(line: &ParsedLine<'_>) -> Option<Vec<String>> {
    let [site] = line.sites.as_slice() else { return None };
    let plain = line.is_single && site.words.iter().all(SourceWord::is_plain) && !site.is_builtin();
    // Redirections and assignments stay where they are.
    let whole = line.text.trim().len() == site.end() - site.start();
    (plain && whole).then(|| site.words.iter().map(|word| word.raw.clone()).collect())
}

fn replace_command(line: &ParsedLine<'_>, spell: fn(&[String]) -> String) -> Vec<String> {
    plain_words(line).map(|words| spell(&words)).into_iter().collect()
}

/// `x="rm -rf y"; $x`
pub(super) fn command_variable(line: &ParsedLine<'_>) -> Vec<String> {
    replace_command(line, |words| format!("x={}; $x", quote::double_quote(&words.join(" "))))
}

/// `set -- rm -rf y; "$@"`
pub(super) fn positional_parameters(line: &ParsedLine<'_>) -> Vec<String> {
    replace_command(line, |words| format!("set -- {}; \"$@\"", words.join(" ")))
}

/// `x=(rm -rf y); "${x[@]}"`
pub(super) fn array_expansion(line: &ParsedLine<'_>) -> Vec<String> {
    replace_command(line, |words| format!("x=({}); \"${{x[@]}}\"", words.join(" ")))
}

/// `{rm,-rf,y}`
pub(super) fn brace_expansion(line: &ParsedLine<'_>) -> Vec<String> {
    let words =
        plain_words(line).filter(|words| words.len() > 1 && words.iter().all(|word| !word.contains([',', '='])));
    words.map(|words| format!("{{{}}}", words.join(","))).into_iter().collect()
}

/// `f() { "$@"; }; f rm -rf y`
pub(super) fn function_wrapper(line: &ParsedLine<'_>) -> Vec<String> {
    replace_command(line, |words| format!("f() {{ \"$@\"; }}; f {}", words.join(" ")))
}

/// `alias x='rm -rf'` on a line of its own, then `x y`
pub(super) fn alias_definition(line: &ParsedLine<'_>) -> Vec<String> {
    replace_command(line, |words| {
        format!("shopt -s expand_aliases\nalias x={}\nx", quote::single_quote(&words.join(" ")))
    })
}

/// `xargs rm -rf y </dev/null`
pub(super) fn xargs_without_input(line: &ParsedLine<'_>) -> Vec<String> {
    wrap_single_command(line, "xargs ", " </dev/null")
}

/// `find . -maxdepth 0 -exec rm -rf y \;`
pub(super) fn find_exec(line: &ParsedLine<'_>) -> Vec<String> {
    wrap_single_command(line, "find . -maxdepth 0 -exec ", " \\;")
}

/// Puts something around the words of a line that is one command.
fn wrap_single_command(line: &ParsedLine<'_>, head: &str, tail: &str) -> Vec<String> {
    let sites = line.sites.iter().filter(|site| line.is_single && !site.is_builtin() && !line.text.contains('<'));
    let edits = |site: &CommandSite| {
        vec![(site.start()..site.start(), head.to_owned()), (site.end()..site.end(), tail.to_owned())]
    };
    sites.map(|site| line.apply_edits(edits(site))).collect()
}

/// `echo y | xargs rm -rf`
pub(super) fn xargs_last_argument(line: &ParsedLine<'_>) -> Vec<String> {
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
