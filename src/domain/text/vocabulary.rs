//! The variables that `match`, `if` and messages may use.
//!
//! [`crate::domain::condition::variable`] computes their values; the parser of policies only needs their names.

/// Every variable, with its description.
pub const VOCABULARY: &[(&str, &str)] = &[
    ("event", "the event: its moment `event.kind`, and the host's name for it, `event.name`"),
    ("host", "the host's name"),
    (
        "session",
        "the conversation: `id`, `cwd`, `transcript`, `permission_mode`, and counters: `turns`, `calls`, `commands`, `denials`, `seconds`, `tokens` with `input`, `output`, `cached`, `total`",
    ),
    ("project", "the project: `root`, and counters as under `session`"),
    ("day", "the current day in UTC: counters as under `session`"),
    ("subagent", "the active subagent, if any: `id`, `name`"),
    ("tool", "the tool call: `kind`, `name`, `input`, `id`; after the call `ok` and `output`"),
    (
        "command",
        "the matched command: `text`, `program`, `args`, `received` (its words and known input, each terminated by NUL), `via`, `where` (`here` or `elsewhere`); in a script that the call runs, `script` and `line`",
    ),
    ("file", "the matched file: `path`, `dir`, `name`, `stem` (the name without extension), `absolute`, `access`"),
    ("url", "the matched URL: `text`, `host`"),
    ("does", "the matched action of `does`: `what`, `name`, `value`, `to`, `host`, `files` (the files that are sent)"),
    ("push", "where a command pushes: `summary` in words, `branches`, `remote`, `urls`, `unknown`"),
    ("git", "the repository where a command runs: `branch`, `detached`, `remotes`"),
    ("opaque", "the match of `opaque`: `reason`, `why` (a description), `text`"),
    ("shell", "the whole shell command: `text`, `length`"),
    ("mcp", "the MCP tool: `server`, `tool`"),
    ("agent", "the subagent that a call starts: `name`, `prompt`"),
    ("prompt", "the prompt: `text`, `length`"),
    ("output", "the tool's result: `text`"),
    ("response", "the answer: `text`"),
    ("model", "the model: `name`"),
    (
        "request",
        "the request to the model: `model`, `temperature`, `top_p`, `top_k`, `max_tokens`, and `messages` with `role`, `text` and `length` (`request.messages.last.text`)",
    ),
    (
        "usage",
        "the tokens of a request to the model, if the host reports them: `prompt`, `output`, `total`, `cached`; for an answer in chunks, in the last chunk",
    ),
    ("subject", "the value that the host's matchers test at this moment: a source, a reason, a trigger"),
    ("message", "the text of the event"),
    ("path", "the file or directory of the event"),
    ("secret", "the matched secret: `id`, `name`, `tier`, `line`, `masked`, `advice`, `origin`"),
    ("pii", "the matched personal data: `id`, `name`, `line`, `masked`, `origin`"),
    ("finding", "the redacted finding: `id`, `name`, `tag` (the same for equal values in a session)"),
    (
        "gate",
        "the gate of the rule: `id`, `stands` (`open` or `closed`), `turns`, `calls` and `seconds` since the last change, `opened` (how often), and `file`",
    ),
    ("loss", "what would be lost permanently: `summary`, `count`, `bytes`, `seconds`, `names`, `kinds`, `unknown`"),
    ("passage", "the matched place in a text: `line`, `origin`"),
    (
        "guard",
        "the hook's registration in the host's settings: `broken` if calls are no longer evaluated, `faults` as text; intended for `config.change` and `session.start`, because it reads files",
    ),
    ("native", "the host's payload"),
];
