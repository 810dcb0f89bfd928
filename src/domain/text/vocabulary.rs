//! The variables that `match`, `if` and messages may use.
//!
//! [`crate::domain::condition::variable`] computes their values; the parser of policies only needs their names.

/// Every variable, with its description.
pub const VOCABULARY: &[(&str, &str)] = &[
    ("event", "the moment: `event.kind`, and the host's own name of it, `event.name`"),
    ("host", "the host's name"),
    (
        "session",
        "the conversation: `id`, `cwd`, `transcript`, `permission_mode`, and what was counted in it: `turns`, `calls`, `commands`, `denials`, `seconds`, `tokens` with `input`, `output`, `cached`, `total`",
    ),
    ("project", "the project: `root`, and what was counted in it, as under `session`"),
    ("day", "the present day in UTC: what was counted on it, as under `session`"),
    ("subagent", "the sub-agent that acts, if one does: `id`, `name`"),
    ("tool", "the tool call: `kind`, `name`, `input`, `id`; after the call `ok` and `output`"),
    (
        "command",
        "the command that the rule picked out: `text`, `program`, `args`, `received` (its words and what is known of its input, each ended by a NUL), `via`, `where` (`here` or `elsewhere`); in a script that the call runs, `script` and `line`",
    ),
    (
        "file",
        "the file that the rule picked out: `path`, `dir`, `name`, `stem` (the name without its ending), `absolute`, `access`",
    ),
    ("url", "the address that the rule picked out: `text`, `host`"),
    (
        "does",
        "what the rule picked out under `does`: `what`, `name`, `value`, `to`, `host`, `files` (those that are sent)",
    ),
    ("push", "where a command pushes: `summary` in words, `branches`, `remote`, `urls`, `unknown`"),
    ("git", "the repository where a command runs: `branch`, `detached`, `remotes`"),
    ("opaque", "the place that is not known: `reason`, `why` in words, `text`"),
    ("shell", "the shell text as a whole: `text`, `length`"),
    ("mcp", "the tool server: `server`, `tool`"),
    ("agent", "the sub-agent that a call asks for: `name`, `prompt`"),
    ("prompt", "the prompt: `text`, `length`"),
    ("output", "what the tool returned: `text`"),
    ("response", "the answer: `text`"),
    ("model", "the model call: `name`"),
    (
        "request",
        "the request to the model: `model`, `temperature`, `top_p`, `top_k`, `max_tokens`, and `messages` with `role`, `text` and `length` (`request.messages.last.text`)",
    ),
    (
        "usage",
        "the tokens that a call of the model used, where the host says so: `prompt`, `output`, `total`, `cached`; of an answer in chunks, the last chunk tells",
    ),
    ("subject", "what the host's matchers test at this moment: a source, a reason, a trigger"),
    ("message", "the text that goes with the moment"),
    ("path", "the file or directory that the moment names"),
    ("secret", "the secret that was found: `id`, `name`, `tier`, `line`, `masked`, `advice`, `origin`"),
    ("pii", "the personal data that was found: `id`, `name`, `line`, `masked`, `origin`"),
    ("finding", "what a redaction takes out: `id`, `name`, `tag` (the same for the same value in a session)"),
    (
        "gate",
        "the gate that the rule asked about: `id`, `stands` (`open` or `closed`), since then `turns`, `calls` and `seconds`, how often it was `opened`, and its `file`",
    ),
    ("loss", "what would be lost for good: `summary`, `count`, `bytes`, `seconds`, `names`, `kinds`, `unknown`"),
    ("passage", "the place in a text that a rule picked out: `line`, `origin`"),
    (
        "guard",
        "the hook's own registration in the host's settings: `broken` when calls are not judged any more, `faults` in words; meant for `config.change` and `session.start`, since files are read for it",
    ),
    ("native", "the host's payload as it came"),
];
