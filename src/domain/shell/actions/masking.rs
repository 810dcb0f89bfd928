//! Commands that let only names, counts and checks of settings through, of lines such as `NAME=value`.

use crate::domain::shell::script::{Command, RedirectKind, Script, Word};
use crate::domain::shell::variable_names::{is_safe_part, may_be_secret};

/// Programs that print lines of their input and neither keep nor send them.
const TEXT_FILTERS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "sed", "gsed", "awk", "gawk", "mawk", "sort", "uniq", "head", "tail", "cut", "tr",
    "cat", "tac", "nl", "column", "less", "more", "fold", "rev", "wc", "xargs",
];

/// Returns whether nothing of what a command prints is seen but names, counts and checks: it is discarded, or a later
/// stage of the pipeline takes the values away before anything shows, keeps or sends them.
pub(super) fn is_output_hidden(command: &Command, script: &Script) -> bool {
    if discards_output(command) {
        return true;
    }
    if writes_output(command) {
        return false;
    }
    let is_behind = |other: &&Command| other.pipeline == command.pipeline && other.stage > command.stage;
    for stage in script.commands.iter().filter(is_behind) {
        if hides_values(stage) {
            return true;
        }
        if !passes_text_on(stage) {
            return false;
        }
        if discards_output(stage) {
            return true;
        }
    }
    false
}

/// Returns whether a command only prints lines of its input.
pub(super) fn passes_text_on(command: &Command) -> bool {
    let program = command.program();
    let runs_code = match program {
        "xargs" => !command.args().iter().all(|word| word.text.starts_with('-') || word.text.contains("\\n")),
        "awk" | "gawk" | "mawk" | "sed" | "gsed" => {
            let code = command.text();
            ["system", "|", ">", "getline", " w ", "w/", "/w"].iter().any(|part| code.contains(part))
        }
        _ => false,
    };
    TEXT_FILTERS.contains(&program) && !runs_code && !writes_output(command)
}

/// Returns whether a command throws away what it prints.
fn discards_output(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write)
            && redirect.fd.is_none_or(|fd| fd == 1)
            && redirect.target.text == "/dev/null"
    })
}

/// Returns whether what a command prints goes into a file.
fn writes_output(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && redirect.fd.is_none_or(|fd| fd == 1)
            && redirect.target.text != "/dev/null"
    })
}

/// Returns whether a command shows nothing of the values in its input.
pub(super) fn hides_values(command: &Command) -> bool {
    let arguments = command.arguments();
    match command.program() {
        "wc" | "cksum" | "md5sum" | "md5" | "sha1sum" | "sha256sum" | "sha512sum" | "shasum" | "b2sum"
        | "Measure-Object" | "Out-Null" => true,
        "Select-Object" | "Format-Table" | "ForEach-Object" => {
            let operands = &arguments.operands;
            let is_name = |word: &&Word| matches!(word.text.to_ascii_lowercase().as_str(), "name" | "key");
            !operands.is_empty() && operands.iter().all(is_name)
        }
        "cut" => {
            let value = |names: &[&str]| arguments.values(names).first().map(|word| word.text.clone());
            let first = value(&["-f", "--fields"]).as_deref() == Some("1");
            first
                && !arguments.has(&["--complement", "--output-delimiter"])
                && (value(&["-d", "--delimiter"]).as_deref() == Some("=")
                    || has_argument(command, &["-d=", "--delimiter=="]))
        }
        "awk" | "gawk" | "mawk" => {
            let by_sign =
                arguments.values(&["-F"]).iter().any(|word| word.text == "=") || has_argument(command, &["-F="]);
            let code = arguments.operands.first().filter(|word| word.literal).map_or("", |word| word.text.as_str());
            selects_safe_lines(code) || (by_sign && prints_only_names(code))
        }
        "sed" | "gsed" => {
            let mut scripts = arguments.values(&["-e", "--expression"]);
            if scripts.is_empty() {
                scripts.extend(arguments.operands.first());
            }
            let quiet = arguments.has(&["-n", "--quiet", "--silent"]);
            let known =
                scripts.iter().all(|word| word.literal) && !arguments.has(&["-f", "--file", "-i", "--in-place"]);
            known && masks_values(&scripts.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join("\n"), quiet)
        }
        "jq" | "gojq" | "jaq" => {
            let filter = arguments.operands.first().filter(|word| word.literal);
            filter.is_some_and(|word| keeps_only_names(&word.text)) && !arguments.has(&["--arg", "--args", "-f"])
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" => is_safe_search(command),
        _ => false,
    }
}

/// Returns whether a filter of `jq` lets only names and numbers through: `keys`, `keys[]`, `to_entries[].key`.
fn keeps_only_names(filter: &str) -> bool {
    let mut stages = filter.split('|').map(|stage| stage.trim().trim_start_matches(". ").trim());
    let is_names = |stage: &str| {
        matches!(
            stage.trim_end_matches("[]"),
            "keys" | "keys_unsorted" | "length" | "to_entries[].key" | "map_values(length)" | "map_values(type)"
        )
    };
    let first = stages.find(|stage| *stage != ".");
    first.is_some_and(is_names)
        && stages.all(|stage| {
            matches!(stage, ".[]" | "length" | "sort" | "unique" | "@csv" | "@tsv" | "@json")
                || stage.starts_with("join(")
        })
}

/// Returns whether one of these words is among the arguments.
fn has_argument(command: &Command, words: &[&str]) -> bool {
    command.args().iter().any(|word| words.contains(&word.text.as_str()))
}

/// Returns whether code of awk is one block for the lines of variables that are no secrets: `/^PORT=/ { print $2 }`.
fn selects_safe_lines(code: &str) -> bool {
    let pattern = code.trim().strip_prefix('/').and_then(|rest| rest.split_once('/'));
    pattern.is_some_and(|(pattern, block)| {
        let block = block.trim();
        let mut depth = 0_usize;
        let is_one = block.strip_suffix('}').is_some_and(|open| {
            open.starts_with('{')
                && open.chars().all(|character| {
                    depth += usize::from(character == '{');
                    depth -= usize::from(character == '}' && depth > 0);
                    depth > 0
                })
        });
        let is_safe = is_safe_pattern(pattern, false);
        is_one && is_safe && !["getline", "system", "ENVIRON", "| \"", "|\""].iter().any(|word| block.contains(word))
    })
}

/// Returns whether code of awk with `=` as the separator prints nothing of a line but its first field.
fn prints_only_names(code: &str) -> bool {
    let fields_are_names = code.match_indices('$').all(|(at, _)| {
        let field = code.get(at + 1..).unwrap_or_default();
        field.starts_with('1') && !field.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let mut outside = String::new();
    let mut inside = String::new();
    let mut depth = 0_usize;
    for character in code.chars() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                inside.push(';');
            }
            _ if depth > 0 => inside.push(character),
            _ => outside.push(character),
        }
    }
    // A pattern without an action prints the whole line, and so does `print` without an argument.
    let bare = inside.split([';', '\n']).any(|statement| statement.trim_end().ends_with("print"));
    let unsafe_words = ["getline", "system", "ENVIRON", "|", "FS", "sub("];
    code.trim_end().ends_with('}')
        && !outside.contains([';', '\n'])
        && !bare
        && fields_are_names
        && !unsafe_words.iter().any(|word| code.contains(word))
}

/// Returns whether a script of sed takes the value out of every line that it prints.
fn masks_values(script: &str, quiet: bool) -> bool {
    let mut masked = false;
    for command in script.split(['\n', ';']).map(str::trim).filter(|command| !command.is_empty()) {
        // Lines that are deleted show nothing.
        if command.starts_with('/') && command.ends_with("/d") && command.matches('/').count() == 2 {
            continue;
        }
        let (address, substitution) = match command.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((address, rest)) => (address, rest.trim_start()),
            None => ("", command),
        };
        let Some(rest) = substitution.strip_prefix('s') else { return false };
        let Some(delimiter) = rest.chars().next().filter(char::is_ascii_punctuation) else { return false };
        let parts: Vec<&str> = rest.get(1..).unwrap_or_default().split(delimiter).collect();
        let [pattern, replacement, flags] = parts.as_slice() else { return false };
        if !flags.chars().all(|flag| "gp".contains(flag)) {
            return false;
        }
        masked |= (address.is_empty() || quiet) && removes_value(pattern, replacement);
    }
    masked
}

/// Returns whether a substitution replaces all behind the first `=`.
fn removes_value(pattern: &str, replacement: &str) -> bool {
    let pattern = pattern.strip_suffix('$').unwrap_or(pattern);
    let Some(name) = ["=.*", "=.+", "=.\\+", "=\\(.*\\)", "=(.*)"].iter().find_map(|end| pattern.strip_suffix(end))
    else {
        return false;
    };
    let kept = replacement.replace("\\1", "");
    let is_group = name.trim_start_matches('^').starts_with(['(', '\\']);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || "^()[]\\_=*+-".contains(c)) && !name.contains('.');
    !kept.contains(['&', '\\']) && is_name && (kept == replacement || is_group)
}

/// Returns whether a search counts, finds names alone, or finds nothing but variables that are no secrets.
fn is_safe_search(command: &Command) -> bool {
    let arguments = command.arguments();
    if arguments.has(&["-c", "--count", "-q", "--quiet", "--silent", "-l", "--files-with-matches", "-L"]) {
        return true;
    }
    if arguments.has(&["-v", "--invert-match", "-f", "--file", "-A", "-B", "-C", "--passthru", "-r"]) {
        return false;
    }
    let mut patterns = arguments.values(&["-e", "--regexp"]);
    if patterns.is_empty() {
        patterns.extend(arguments.operands.first());
    }
    let only = arguments.has(&["-o", "--only-matching"]);
    !patterns.is_empty() && patterns.iter().all(|word| word.literal && is_safe_pattern(&word.text, only))
}

fn is_safe_pattern(pattern: &str, only: bool) -> bool {
    if only && finds_names_alone(pattern) {
        return true;
    }
    let plain = pattern.replace("\\|", "|").replace(['(', ')', '\\'], "");
    // In `^(A|B)=`, what is around the group holds for each choice.
    let is_group = ["^(", "^\\("].iter().any(|start| pattern.starts_with(start));
    let closed = is_group && [")=", ")=.*", "\\)="].iter().any(|end| pattern.ends_with(end));
    plain.split('|').all(|choice| {
        let name = choice.trim_start_matches("^declare -x ").trim_start_matches('^');
        let whole = (choice.starts_with('^') || is_group) && (choice.contains('=') || closed);
        let name = name.trim_end_matches(".*").trim_end_matches(['=', '$']);
        let is_name =
            !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        is_name && (is_safe_part(name) || (whole && !may_be_secret(name)))
    })
}

/// Returns whether a pattern, of which only the match is printed, ends before the value: `^[A-Z_]*`, `[A-Z]+=`.
fn finds_names_alone(pattern: &str) -> bool {
    let anchored = pattern.starts_with('^');
    let pattern = pattern.trim_start_matches('^');
    let (pattern, closed) = pattern.strip_suffix('=').map_or((pattern, false), |rest| (rest, true));
    let mut in_class = false;
    let mut class = String::new();
    for character in pattern.chars() {
        match character {
            '[' if !in_class => {
                in_class = true;
                class.clear();
            }
            ']' if in_class => {
                in_class = false;
                let is_negated = class.starts_with('^');
                if is_negated != class.contains('=') || (!is_negated && class.contains(['.', ':'])) {
                    return false;
                }
            }
            _ if in_class => class.push(character),
            '*' | '+' | '\\' | '_' => {}
            _ if character.is_ascii_alphanumeric() => {}
            _ => return false,
        }
    }
    !in_class && (anchored || closed) && !pattern.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{finds_names_alone, masks_values, prints_only_names, removes_value, selects_safe_lines};

    #[test]
    fn code_of_awk_prints_names_or_more() {
        for (code, expected) in [
            ("{print $1}", true),
            ("/^[A-Z]/ { print $1 \"=<set>\" }", true),
            ("NF{print $1}", true),
            ("{print $2}", false),
            ("{print $1, $2}", false),
            ("{print}", false),
            ("/KEY/; {print $1}", false),
            ("{print $1}; /KEY/", false),
            ("{print $NF}", false),
            ("{print $10}", false),
            ("1", false),
        ] {
            assert_eq!(prints_only_names(code), expected, "{code}");
        }
        for (code, expected) in [
            ("/^(PORT|API_ENDPOINT)=/ { v=$2; print v }", true),
            ("/^(API_ENDPOINT|API_KEY)=/ { print $2 }", false),
            ("/^PORT=|X=/ { print $2 }", false),
            ("/^PORT=/ { gsub(/^a|b$/, \"\", $2); print $2 }", true),
            ("/^PORT=/ { print | \"sh\" }", false),
            ("/^PORT=/ { print } /KEY/ { print }", false),
            ("/^PORT=/", false),
        ] {
            assert_eq!(selects_safe_lines(code), expected, "{code}");
        }
    }

    #[test]
    fn a_script_of_sed_masks_every_line_or_not() {
        for (script, quiet, expected) in [
            ("s/=.*/=<set>/", false, true),
            ("s|=.*|=***|g", false, true),
            ("/^#/d;s/=.*//", false, true),
            ("s/^\\([^=]*\\)=.*/\\1=***/", false, true),
            ("/KEY/s/=.*/=x/", false, false),
            ("/KEY/s/=.*/=x/p", true, true),
            ("s/=.*/&/", false, false),
            ("s/=/: /", false, false),
            ("s/a/b/", false, false),
            ("s/=.*//;w x", false, false),
            ("s/=.*//w x", false, false),
            ("p;s/=.*//", false, false),
        ] {
            assert_eq!(masks_values(script, quiet), expected, "{script}");
        }
        assert!(!removes_value("(.*)=.*", "\\1"));
    }

    #[test]
    fn patterns_end_before_the_value_or_not() {
        for (pattern, expected) in [
            ("^[A-Z_]*=", true),
            ("^[A-Za-z_][A-Za-z0-9_]*", true),
            ("^[^=]+", true),
            ("[A-Z_]+=", true),
            ("[A-Z_]+", false),
            ("^.*", false),
            ("^[A-Z=]*", false),
            ("^[^#]*", false),
        ] {
            assert_eq!(finds_names_alone(pattern), expected, "{pattern}");
        }
    }
}
