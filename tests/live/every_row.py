"""Scenarios that show the rows of the hosts' tables which no other scenario shows, one word per row."""

from __future__ import annotations

from typing import Any

from scenario import Delegate, Left, Outcome, Scenario, Shell, Step

GEMINI, CLAUDE = ("gemini",), ("claude",)
CLOSING = "Done."
UNASKED = "nobody can be asked here"
COMMAND_FILE = {".claude/commands/hello.md": "Say hello to everybody.\n"}
TASK = Delegate("Look at the notes.", "Nothing there.")
SWITCH = ("Follow the script.", "/model sonnet", "Go on.")


def _policy(*rules: str) -> str:
    lines = [f"  - {{ id: r{number}, {rule} }}\n" for number, rule in enumerate(rules)]
    return "version: 1\nrules:\n" + "".join(lines)


def _word(moment: str, effect: str) -> str:
    return f"The word is {effect} at {moment}."


def _says(moment: str, effect: str) -> str:
    return f'when: {moment}, then: {{ {effect}: "{_word(moment, effect)}" }}'


def _one(moment: str, effect: str, **how: Any) -> Scenario:
    """Returns the scenario of one row: a policy of one rule that says one word."""
    how.setdefault("own_policy", _policy(_says(moment, effect)))
    how.setdefault("shows", (f"{moment} {effect}",))
    return Scenario(f"{effect} at {moment}", **how)


def _several(name: str, effect: str, told: str, moments: tuple[str, ...], **how: Any) -> Scenario:
    """Returns the scenario of one effect at several moments; `told` is where each word has to arrive."""
    how[told] = tuple(how.pop("words", None) or (_word(moment, effect) for moment in moments))
    rules = (_says(moment, effect) for moment in moments)
    return Scenario(name, own_policy=_policy(*rules), shows=tuple(f"{moment} {effect}" for moment in moments), **how)


def _deploy(outcome: Outcome = Outcome.DONE, **how: Any) -> tuple[Step, ...]:
    done = outcome in (Outcome.DONE, Outcome.LAST, Outcome.FAILED)
    how.setdefault("files", {"deploy.args": "it\n" if done else Left.ABSENT})
    return (Step("deploy", Shell("deploy it"), outcome, **how),)


FAILING = (Step("a failing command", Shell("exit 3"), Outcome.FAILED),)
NOT_RUN = {"deploy.args": Left.ABSENT}

PROMPTS = (
    _one("prompt.submit", "deny", turns=(0, 0), person_told=_word("prompt.submit", "deny")),
    _one("prompt.submit", "stop", turns=(0, 0), person_told=_word("prompt.submit", "stop")),
    _one("prompt.submit", "ask", turns=(0, 0), person_told=(UNASKED, _word("prompt.submit", "ask"))),
    # A stop beats what would send the agent back to work.
    _one(
        "agent.after",
        "stop",
        own_policy=_policy(_says("agent.after", "stop"), _says("agent.after", "retry")),
        turns=(1, 1),
    ),
)

RETRIES = (
    # The model never finishes: it is sent back as often as the rule says, and then may end.
    Scenario(
        "as many retries as the rule says",
        own_policy=_policy('when: agent.after, response: TODO, then: { retry: { reason: "Finish it.", max_retries: 3 } }'),
        closing="There is still a TODO here.",
        reads={1: "Finish it.", 2: "Finish it.", 3: "Finish it."},
        shows=("agent.after retry",),
        turns=(4, 4),
    ),
    Scenario(
        "as many retries of a sub-agent as the rule says",
        own_policy=_policy(
            'when: subagent.after, response: "Nothing there", then: { retry: { reason: "Look again.", max_retries: 2 } }'
        ),
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        shows=("subagent.after retry",),
        turns=(5, 5),
    ),
)

RESULTS = (
    _one("tool.after", "stop", steps=_deploy(Outcome.LAST), turns=(1, 1)),
    _one("tool.after", "deny", hosts=GEMINI, steps=_deploy(Outcome.FAILED, told=_word("tool.after", "deny"))),
    _one("tool.after", "deny", hosts=CLAUDE, steps=_deploy(), model_told=(_word("tool.after", "deny"),)),
    _one("tool.failed", "deny", hosts=CLAUDE, steps=FAILING, model_told=(_word("tool.failed", "deny"),)),
    _one("tool.failed", "stop", hosts=CLAUDE, steps=FAILING, model_told=(_word("tool.failed", "stop"),)),
    _one("tool.batch", "deny", hosts=CLAUDE, steps=_deploy(Outcome.LAST), turns=(1, 1)),
    _one("tool.batch", "stop", hosts=CLAUDE, steps=_deploy(Outcome.LAST), turns=(1, 1)),
)

MODEL = (
    *(
        _one("model.before", effect, hosts=GEMINI, turns=(0, 0), person_told=_word("model.before", effect))
        for effect in ("deny", "stop", "ask")
    ),
    *(
        _one("model.after", effect, hosts=GEMINI, person_told=_word("model.after", effect), person_spared=CLOSING)
        for effect in ("deny", "stop")
    ),
)

TOLD = (
    _several("context at all moments", "context", "model_told", ("session.start", "tool.after"), hosts=GEMINI, steps=_deploy()),
    _several(
        "context at all moments",
        "context",
        "model_told",
        (
            "session.start",
            "tool.before",
            "tool.after",
            "tool.failed",
            "tool.batch",
            "subagent.start",
            "subagent.after",
            "agent.after",
        ),
        hosts=CLAUDE,
        steps=(*_deploy(), *FAILING, Step("a sub-agent", TASK, told=TASK.answer)),
        # Context at the end of an answer keeps the agent, and the sub-agent, going once.
        turns=(7, 7),
    ),
    _several(
        "warnings at all moments",
        "warn",
        "person_told",
        (
            "session.start",
            "prompt.submit",
            "model.before",
            "model.after",
            "tool.before",
            "tool.after",
            "context.compact",
            "agent.after",
            "session.end",
        ),
        hosts=GEMINI,
        steps=_deploy(),
    ),
    _several(
        "warnings at all moments",
        "warn",
        "person_told",
        ("prompt.submit", "tool.before", "tool.after", "tool.failed", "tool.batch", "agent.after"),
        # The host also prints what a hook wrote; only what it says in its own words is what a person reads.
        words=(
            f"{event} says: {_word(moment, 'warn')}"
            for event, moment in (
                ("UserPromptSubmit", "prompt.submit"),
                ("PreToolUse:Bash", "tool.before"),
                ("PostToolUse:Bash", "tool.after"),
                ("PostToolUseFailure:Bash", "tool.failed"),
                ("PostToolBatch", "tool.batch"),
                ("Stop", "agent.after"),
            )
        ),
        hosts=CLAUDE,
        steps=(*_deploy(), *FAILING),
    ),
)

PERMISSIONS = (
    Scenario(
        "the host refuses what nobody allows",
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(Outcome.FAILED, told="requires approval", files=NOT_RUN),
    ),
    _one(
        "tool.before",
        "allow",
        own_policy=_policy("when: tool.before, tool: shell, then: { allow: all }"),
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(),
    ),
    _one(
        "permission.request",
        "deny",
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(Outcome.HELD, told=_word("permission.request", "deny")),
    ),
    _one(
        "permission.request",
        "stop",
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(Outcome.LAST, files=NOT_RUN),
        turns=(1, 1),
        status=1,
    ),
    _one(
        "permission.request",
        "ask",
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(Outcome.FAILED, told="requires approval", files=NOT_RUN),
    ),
    _one(
        "permission.request",
        "allow",
        own_policy=_policy("when: permission.request, tool: shell, then: { allow: all }"),
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(),
    ),
    _one(
        "permission.request",
        "rewrite",
        own_policy=_policy("when: permission.request, tool: shell, then: { allow: all, rewrite: { command: deploy --dry-run } }"),
        hosts=CLAUDE,
        asks=True,
        steps=_deploy(files={"deploy.args": "--dry-run\n"}),
    ),
)

SUBAGENTS = (
    _one(
        "subagent.after",
        "retry",
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        model_told=(_word("subagent.after", "retry"),),
        turns=(4, 4),
    ),
    _one(
        "subagent.after",
        "stop",
        own_policy=_policy(_says("subagent.after", "stop"), _says("subagent.after", "retry")),
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        turns=(3, 3),
    ),
)

COMMANDS = (
    *(
        _one(
            "prompt.expand",
            effect,
            hosts=CLAUDE,
            prompts=("/hello",),
            there=COMMAND_FILE,
            turns=(0, 0),
            person_told=_word("prompt.expand", effect),
        )
        for effect in ("deny", "stop", "ask")
    ),
    _one(
        "prompt.expand",
        "context",
        hosts=CLAUDE,
        prompts=("/hello",),
        there=COMMAND_FILE,
        model_told=(_word("prompt.expand", "context"),),
    ),
    _one(
        "prompt.expand",
        "warn",
        hosts=CLAUDE,
        prompts=("/hello",),
        there=COMMAND_FILE,
        person_told=f"UserPromptExpansion says: {_word('prompt.expand', 'warn')}",
    ),
    *(
        _one(
            "context.compact",
            effect,
            hosts=CLAUDE,
            prompts=("Follow the script.", "/compact"),
            turns=(1, 1),
            person_told=_word("context.compact", effect),
        )
        for effect in ("deny", "ask")
    ),
)

SWITCHES = (
    *(
        _one("model.switch", effect, hosts=CLAUDE, prompts=SWITCH, turns=(2, 2), person_told=_word("model.switch", effect))
        for effect in ("deny", "ask")
    ),
    _one(
        "model.switched",
        "context",
        hosts=CLAUDE,
        prompts=SWITCH,
        turns=(2, 2),
        model_told=(_word("model.switched", "context"), "sonnet"),
    ),
)

EVERY_ROW = PROMPTS + RETRIES + RESULTS + MODEL + TOLD + PERMISSIONS + SUBAGENTS + COMMANDS + SWITCHES
