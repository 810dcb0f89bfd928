//! The variables that `match`, `if` and messages may use.
//!
//! [`crate::domain::condition::variable`] computes their values; the parser of policies only needs their names.

use super::suggest::UnknownWord;

/// One variable.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// The name.
    pub name: &'static str,
    /// The description, as Markdown.
    pub about: &'static str,
    /// The dotted names below it. `.*` at the end: the name itself, and any name below it. A variable without fields
    /// is a text.
    pub fields: &'static [&'static str],
}

const fn variable(name: &'static str, about: &'static str, fields: &'static [&'static str]) -> Variable {
    Variable { name, about, fields }
}

impl Variable {
    /// Returns whether a dotted name below the variable is known, or begins one that is.
    fn has_field(&self, field: &str) -> bool {
        let is_below = |name: &str, parent: &str| name.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'));
        self.fields.iter().any(|known| match known.strip_suffix('*') {
            Some("") => true,
            Some(open) => {
                let open = open.trim_end_matches('.');
                field == open || is_below(field, open)
            }
            None => *known == field,
        })
    }

    /// Returns the names of the fields as they are written.
    fn field_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.fields.iter().map(|field| field.trim_end_matches(".*"))
    }
}

/// Checks a dotted name, such as `file.path`.
///
/// # Errors
/// Returns the variable or the field that does not exist. `what` is what the error calls a variable.
pub fn check_name(what: &str, name: &str) -> Result<(), UnknownWord> {
    let (root, field) = name.split_once('.').unwrap_or((name, ""));
    let Some(variable) = VOCABULARY.iter().find(|variable| variable.name == root) else {
        return Err(UnknownWord::among(what, root, VOCABULARY.iter().map(|variable| variable.name)));
    };
    if field.is_empty() || variable.has_field(field) {
        return Ok(());
    }
    if variable.fields.is_empty() {
        let help = Some(format!("`{root}` is a text: write it without `.{field}`"));
        return Err(UnknownWord { what: "field".to_owned(), word: name.to_owned(), nearest: None, help });
    }
    let unknown = UnknownWord::among("field", field, variable.field_names());
    Err(UnknownWord {
        word: name.to_owned(),
        nearest: unknown.nearest.map(|near| format!("{root}.{near}")),
        help: unknown.help.map(|help| format!("{help} after `{root}.`")),
        ..unknown
    })
}

/// Every variable.
pub const VOCABULARY: &[Variable] = &[
    variable(
        "event",
        "the event: its moment `event.kind`, and the host's name for it, `event.name`",
        &["kind", "name"],
    ),
    variable("host", "the host's name", &[]),
    variable(
        "session",
        "the conversation: `id`, `cwd`, `transcript`, `permission_mode`, and counters: `turns`, `calls`, `commands`, `denials`, `seconds`, `tokens` with `input`, `output`, `cached`, `total`",
        &[
            "id",
            "cwd",
            "transcript",
            "permission_mode",
            "turns",
            "calls",
            "commands",
            "denials",
            "seconds",
            "tokens",
            "tokens.input",
            "tokens.output",
            "tokens.cached",
            "tokens.total",
        ],
    ),
    variable(
        "project",
        "the project: `root`, and counters as under `session`",
        &[
            "root",
            "turns",
            "calls",
            "commands",
            "denials",
            "seconds",
            "tokens",
            "tokens.input",
            "tokens.output",
            "tokens.cached",
            "tokens.total",
        ],
    ),
    variable(
        "day",
        "the current day in UTC: counters as under `session`",
        &[
            "turns",
            "calls",
            "commands",
            "denials",
            "seconds",
            "tokens",
            "tokens.input",
            "tokens.output",
            "tokens.cached",
            "tokens.total",
        ],
    ),
    variable("subagent", "the active subagent, if any: `id`, `name`", &["id", "name"]),
    variable(
        "tool",
        "the tool call: `kind`, `name`, `input`, `id`; after the call `ok` and `output`",
        &["kind", "name", "id", "input.*", "ok", "output"],
    ),
    variable(
        "command",
        "the matched command: `text`, `program`, `args`, `received` (its words and known input, each terminated by NUL), `via`, `where` (`here` or `elsewhere`); in a script that the call runs, `script` and `line`",
        &["text", "program", "args.*", "received", "via.*", "where", "output", "script", "line"],
    ),
    variable(
        "file",
        "the matched file: `path`, `dir`, `name`, `stem` (the name without extension), `absolute`, `access`",
        &["path", "dir", "name", "stem", "absolute", "written", "target", "access.*"],
    ),
    variable("url", "the matched URL: `text`, `host`", &["text", "host"]),
    variable(
        "does",
        "the matched action of `does`: `what`, `name`, `value`, `to`, `host`, `files` (the files that are sent)",
        &["what", "name", "value", "to", "host", "files.*"],
    ),
    variable(
        "push",
        "where a command pushes: `summary` in words, `branches`, `remote`, `urls`, `unknown`",
        &["summary", "branches.*", "remote", "urls.*", "unknown"],
    ),
    variable(
        "git",
        "the repository where a command runs: `branch`, `detached`, `remotes`",
        &["branch", "detached", "remotes.*", "ahead", "behind", "unknown"],
    ),
    variable("opaque", "the match of `opaque`: `reason`, `why` (a description), `text`", &["reason", "why", "text"]),
    variable("shell", "the whole shell command: `text`, `length`", &["text", "length"]),
    variable("mcp", "the MCP tool: `server`, `tool`", &["server", "tool"]),
    variable("agent", "the subagent that a call starts: `name`, `prompt`", &["name", "prompt"]),
    variable("prompt", "the prompt: `text`, `length`", &["text", "length"]),
    variable("output", "the tool's result: `text`", &["text", "length"]),
    variable("response", "the answer: `text`", &["text", "length"]),
    variable("model", "the model: `name`", &["name"]),
    variable(
        "request",
        "the request to the model: `model`, `temperature`, `top_p`, `top_k`, `max_tokens`, and `messages` with `role`, `text` and `length` (`request.messages.last.text`)",
        &["model", "messages.*", "temperature", "top_p", "top_k", "max_tokens"],
    ),
    variable(
        "usage",
        "the tokens of a request to the model, if the host reports them: `prompt`, `output`, `total`, `cached`; for an answer in chunks, in the last chunk",
        &["prompt", "output", "total", "cached"],
    ),
    variable("subject", "the value that the host's matchers test at this moment: a source, a reason, a trigger", &[]),
    variable("message", "the text of the event", &[]),
    variable("path", "the file or directory of the event", &[]),
    variable(
        "secret",
        "the matched secret: `id`, `name`, `tier`, `line`, `masked`, `advice`, `origin`",
        &["id", "name", "tier", "line", "masked", "advice", "origin"],
    ),
    variable(
        "pii",
        "the matched personal data: `id`, `name`, `line`, `masked`, `origin`",
        &["id", "name", "line", "masked", "origin"],
    ),
    variable(
        "finding",
        "the redacted finding: `id`, `name`, `tag` (the same for equal values in a session)",
        &["id", "name", "tag"],
    ),
    variable(
        "gate",
        "the gate of the rule: `id`, `stands` (`open` or `closed`), `turns`, `calls` and `seconds` since the last change, `opened` (how often), and `file`",
        &["id", "stands", "turns", "calls", "seconds", "opened", "file"],
    ),
    variable(
        "loss",
        "what would be lost permanently: `summary`, `count`, `bytes`, `seconds`, `names`, `kinds`, `unknown`",
        &["summary", "count", "bytes", "seconds", "names.*", "kinds.*", "unknown"],
    ),
    variable("passage", "the matched place in a text: `line`, `origin`", &["line", "origin"]),
    variable(
        "guard",
        "the hook's registration in the host's settings: `broken` if calls are no longer evaluated, `faults` as text; intended for `config.change` and `session.start`, because it reads files",
        &["broken", "faults"],
    ),
    variable("native", "the host's payload", &["*"]),
];

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn fields_are_checked() {
        for known in [
            "session",
            "session.calls",
            "session.tokens.total",
            "tool.input.path.to.it",
            "request.messages.last.text",
            "command.args.0",
            "native.anything.at.all",
            "host",
            "file.access",
        ] {
            assert_eq!(check_name("name", known), Ok(()), "{known}");
        }
        for (unknown, message) in [
            ("session.cals", "unknown field `session.cals`, did you mean `session.calls`?"),
            ("session.tokens.totl", "unknown field `session.tokens.totl`, did you mean `session.tokens.total`?"),
            ("command.txt", "unknown field `command.txt`, did you mean `command.text`?"),
            ("host.name", "unknown field `host.name`\n`host` is a text: write it without `.name`"),
            ("mcp.arguments", "unknown field `mcp.arguments`\nuse one of `server`, `tool` after `mcp.`"),
            ("fiel.path", "unknown name `fiel`, did you mean `file`?"),
            ("file.path.x", "unknown field `file.path.x`, did you mean `file.path`?"),
        ] {
            assert_eq!(check_name("name", unknown).unwrap_err().to_string(), message);
        }
    }
}
