//! Expressions of pipelines: `${{ secrets.TOKEN }}`, which is put in before a shell reads the line.
//!
//! A secret becomes a variable whose name begins with `secrets_`, so that a rule can tell it from others.

/// The prefix of the variables that stand for secrets.
const PREFIX: &str = "secrets_";

/// Returns the variables of a pipeline that are set to a secret.
pub(super) fn secret_variables(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains("secrets."));
    let named = lines.filter_map(|line| {
        let (name, value) = line.trim_start().trim_start_matches("- ").split_once(':')?;
        let is_value = value.trim_start().trim_start_matches(['"', '\'']).starts_with("${{");
        (is_value && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
            .then(|| name.to_owned())
    });
    named.collect()
}

/// Returns a line with its expressions, and the variables that are set to a secret, as shell variables.
pub(super) fn substitute(line: &str, secret_variables: &[String]) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("${{") {
        out.push_str(before);
        let (inner, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        out.push_str(&variable(inner.trim()));
        rest = behind;
    }
    out.push_str(rest);
    for name in secret_variables {
        out = out.replace(&format!("${{{name}}}"), &format!("${{{PREFIX}{name}}}"));
        out = with_variable(&out, name);
    }
    out
}

/// Returns the shell variable that stands for an expression.
fn variable(expression: &str) -> String {
    let name: String = expression.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(60).collect();
    match expression.find("secrets.").and_then(|at| expression.get(at + "secrets.".len()..)) {
        Some(secret) => {
            let name: String = secret.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            format!("${{{PREFIX}{name}}}")
        }
        None => format!("${{{name}}}"),
    }
}

/// Returns a text with `$NAME` as the variable of a secret.
fn with_variable(text: &str, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let written = format!("${name}");
    while let Some((before, behind)) = rest.split_once(&written) {
        out.push_str(before);
        let is_longer = behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if is_longer {
            out.push_str(&written);
        } else {
            out.push_str("${");
            out.push_str(PREFIX);
            out.push_str(name);
            out.push('}');
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}
