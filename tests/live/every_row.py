"""Scenarios that show the rows of the hosts' tables which no other scenario shows, one word per row."""

from __future__ import annotations

from typing import Any

from scenario import Delegate, Left, Outcome, Own, Scenario, Served, Shell, Step

GEMINI, CLAUDE = ("gemini",), ("claude",)
CLOSING = "Done."
UNASKED = "can't be asked here"
COMMAND_FILE = {".claude/commands/hello.md": "Say hello to everybody.\n"}
TASK = Delegate("Look at the notes.", "Nothing there.")
SWITCH = ("Follow the script.", "/model sonnet", "Go on.")


def policy(*rules: str) -> str:
    lines = [f"  - {{ id: r{number}, {rule} }}\n" for number, rule in enumerate(rules)]
    return "version: 1\nrules:\n" + "".join(lines)


def word(moment: str, effect: str) -> str:
    return f"The word is {effect} at {moment}."


def _says(moment: str, effect: str) -> str:
    return f'when: {moment}, then: {{ {effect}: "{word(moment, effect)}" }}'


def single(moment: str, effect: str, **how: Any) -> Scenario:
    """Returns the scenario of one row: a policy of one rule that says one word."""
    how.setdefault("own_policy", policy(_says(moment, effect)))
    how.setdefault("shows", (f"{moment} {effect}",))
    return Scenario(f"{effect} at {moment}", **how)


def several(name: str, effect: str, told: str, moments: tuple[str, ...], **how: Any) -> Scenario:
    """Returns the scenario of one effect at several moments; `told` is where each word has to arrive."""
    how[told] = tuple(how.pop("words", None) or (word(moment, effect) for moment in moments))
    rules = (_says(moment, effect) for moment in moments)
    return Scenario(name, own_policy=policy(*rules), shows=tuple(f"{moment} {effect}" for moment in moments), **how)


def deploy(outcome: Outcome = Outcome.DONE, **how: Any) -> tuple[Step, ...]:
    done = outcome in (Outcome.DONE, Outcome.LAST, Outcome.FAILED)
    how.setdefault("files", {"deploy.args": "it\n" if done else Left.ABSENT})
    return (Step("deploy", Shell("deploy it"), outcome, **how),)


FAILING = (Step("a failing command", Shell("exit 3"), Outcome.FAILED),)
NOT_RUN = {"deploy.args": Left.ABSENT}

PROMPTS = (
    single("prompt.submit", "deny", turns=(0, 0), person_told=word("prompt.submit", "deny")),
    single("prompt.submit", "stop", turns=(0, 0), person_told=word("prompt.submit", "stop")),
    single("prompt.submit", "ask", turns=(0, 0), person_told=(UNASKED, word("prompt.submit", "ask"))),
    # A stop beats what would send the agent back to work.
    single(
        "agent.after",
        "stop",
        own_policy=policy(_says("agent.after", "stop"), _says("agent.after", "retry")),
        turns=(1, 1),
    ),
)

# In pieces, so that no scanner of this repository takes it for a real token.
TOKEN = "".join(["gl", "pat-", "9xNaGNkFTN", "OBb16yFPDC"])
KEEPS_SECRETS = policy(
    'when: [model.after, message.display], secrets: response, then: { redact: "[taken]" }',
)
WITHHOLDS = policy('when: [model.after, message.display], response: Tuesday, then: { replace: "This is withheld." }')

ANSWERS = (
    *(
        Scenario(
            f"a secret in {pieces} pieces of an answer",
            needs=("changes_answers",),
            own_policy=KEEPS_SECRETS,
            closing=f"The team uses {TOKEN} for this, and it works well.",
            pieces=pieces,
            # Up to five letters of what begins like a word are shown before it is known for what it is.
            person_told="[taken] for this, and it works well.",
            person_spared=TOKEN,
            shows=("model.after redact", "message.display redact"),
        )
        for pieces in (1, 2, 3, 50)
    ),
    # One host shows a piece of an answer without its calls: where the text changes, the calls are lost, never the secret.
    Scenario(
        "a secret beside a call",
        own_policy=KEEPS_SECRETS,
        hosts=GEMINI,
        steps=(Step("deploy", Shell("deploy it"), Outcome.LAST, said=f"With {TOKEN} now.", files={"deploy.args": Left.ABSENT}),),
        person_told="With [taken] now.",
        person_spared=TOKEN,
        turns=(1, 1),
    ),
    Scenario(
        "a secret beside a call",
        own_policy=KEEPS_SECRETS,
        hosts=CLAUDE,
        steps=(Step("deploy", Shell("deploy it"), said=f"With {TOKEN} now.", files={"deploy.args": "it\n"}),),
        person_told="With [taken] now.",
        person_spared=TOKEN,
    ),
    Scenario(
        "a text beside a call",
        own_policy=KEEPS_SECRETS,
        steps=(Step("deploy", Shell("deploy it"), said="I deploy it now.", files={"deploy.args": "it\n"}),),
    ),
    Scenario(
        "an answer that gives way",
        needs=("changes_answers",),
        own_policy=WITHHOLDS,
        closing="The meeting is on Tuesday, in the big room.",
        pieces=1,
        person_told="This is withheld.",
        person_spared="the big room",
        shows=("model.after replace", "message.display replace"),
    ),
)

RETRIES = (
    # The model never finishes: it is sent back as often as the rule says, and then may end.
    Scenario(
        "as many retries as the rule says",
        own_policy=policy('when: agent.after, response: TODO, then: { retry: { reason: "Finish it.", max_retries: 3 } }'),
        closing="There is still a TODO here.",
        reads={1: "Finish it.", 2: "Finish it.", 3: "Finish it."},
        shows=("agent.after retry",),
        turns=(4, 4),
    ),
    Scenario(
        "as many retries of a sub-agent as the rule says",
        own_policy=policy(
            'when: subagent.after, response: "Nothing there", then: { retry: { reason: "Look again.", max_retries: 2 } }'
        ),
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        shows=("subagent.after retry",),
        turns=(5, 5),
    ),
)

RESULTS = (
    single("tool.after", "stop", needs=("ends_runs",), steps=deploy(Outcome.LAST), turns=(1, 1)),
    single("tool.after", "deny", hosts=GEMINI, steps=deploy(Outcome.FAILED, told=word("tool.after", "deny"))),
    single("tool.after", "deny", hosts=CLAUDE, steps=deploy(), model_told=(word("tool.after", "deny"),)),
    single("tool.failed", "deny", hosts=CLAUDE, steps=FAILING, model_told=(word("tool.failed", "deny"),)),
    single("tool.failed", "stop", hosts=CLAUDE, steps=FAILING, model_told=(word("tool.failed", "stop"),)),
    single("tool.batch", "deny", hosts=CLAUDE, steps=deploy(Outcome.LAST), turns=(1, 1)),
    single("tool.batch", "stop", hosts=CLAUDE, steps=deploy(Outcome.LAST), turns=(1, 1)),
)

OF_RESULTS = (
    *(
        single(
            "tool.failed",
            effect,
            own_policy=policy(f"when: tool.failed, output: secretly, then: {{ {effect}: '[taken]' }}"),
            hosts=CLAUDE,
            steps=(Step("a failing command", Shell("echo secretly; exit 3"), Outcome.FAILED),),
            model_told=(told,),
        )
        for effect, told in (
            ("redact", "the host doesn't allow changes to the result of a failed call"),
            ("replace", "hook blocking error from command"),
        )
    ),
    *(
        single(
            "tool.batch",
            effect,
            own_policy=policy(f"when: tool.batch, output: secretly, then: {{ {effect}: '[taken]' }}"),
            hosts=CLAUDE,
            steps=(Step("a command", Shell("echo secretly"), Outcome.LAST),),
            turns=(1, 1),
        )
        for effect in ("redact", "replace")
    ),
)

TASKS = (
    *(
        single(
            "task.created",
            effect,
            hosts=CLAUDE,
            steps=(Step("a task", Own("TaskCreate", {"subject": "x", "description": "do x"}), Outcome.FAILED, told=word("task.created", effect)),),
        )
        for effect in ("deny", "ask")
    ),
    *(
        single(
            "task.completed",
            effect,
            hosts=CLAUDE,
            steps=(
                Step("a task", Own("TaskCreate", {"subject": "x", "description": "do x"})),
                Step("done", Own("TaskUpdate", {"taskId": "1", "status": "completed"}), told=word("task.completed", effect)),
                Step("what is left", Own("TaskList", {}), told="pending"),
            ),
        )
        for effect in ("deny", "ask")
    ),
)

FORM = Served("ask", "Which project?")
FORMS = (
    *(
        single("elicitation.request", effect, hosts=CLAUDE, steps=(Step("a form", FORM, told='"decline"'),))
        for effect in ("deny", "ask")
    ),
    single(
        "elicitation.request",
        "allow",
        own_policy=policy('when: elicitation.request, then: { allow: known }'),
        hosts=CLAUDE,
        steps=(Step("a form", FORM, told='"accept"'),),
    ),
    single(
        "elicitation.request",
        "rewrite",
        own_policy=policy('when: elicitation.request, then: { allow: known, rewrite: { project: RW } }'),
        hosts=CLAUDE,
        steps=(Step("a form", FORM, told='"project": "RW"'),),
    ),
    *(
        single(
            "elicitation.result",
            effect,
            hosts=CLAUDE,
            steps=(Step("a form", FORM, told='"decline"'),),
        )
        for effect in ("deny", "ask")
    ),
)

TREE = {"WorktreeCreate": 'mkdir -p ../tree && cd ../tree && pwd'}
TREES = (
    *(
        single(
            "worktree.remove",
            effect,
            hosts=CLAUDE,
            other_hooks=TREE,
            steps=(
                Step("a tree", Own("EnterWorktree", {"name": "tree"})),
                Step("no tree", Own("ExitWorktree", {"action": "remove", "discard_changes": True}), told="could not remove it"),
            ),
        )
        for effect in ("deny", "ask")
    ),
)

DENIED = (
    single(
        "permission.denied",
        "retry",
        hosts=CLAUDE,
        mode="auto",
        steps=deploy(Outcome.FAILED, files=NOT_RUN),
        model_told=("PermissionDenied hook indicated you may retry",),
    ),
)

ASKED = (
    Scenario(
        "the guard is taken out of the settings, with a question",
        shows=("config.change ask",),
        own_policy="tamper: off\ndefaults: none\n"
        + policy(
            'when: config.change, then: { ask: "Really?" }',
            'when: tool.before, command: forbid, then: { deny: "Not on this project." }',
        ),
        hosts=CLAUDE,
        steps=(
            Step("empty the settings", Shell("echo '{}' > @settings@"), files={"@settings@": "{}\n"}),
            Step("let the host read them", Shell("sleep 4")),
            Step("a forbidden command", Shell("forbid it"), Outcome.REFUSED, "Not on", files={"forbid.args": Left.ABSENT}),
        ),
    ),
    single("model.switch", "warn", hosts=CLAUDE, prompts=SWITCH, turns=(2, 2), person_told=word("model.switch", "warn")),
)

MODEL = (
    *(
        single("model.before", effect, hosts=GEMINI, turns=(0, 0), person_told=word("model.before", effect))
        for effect in ("deny", "stop", "ask")
    ),
    *(
        single("model.after", effect, hosts=GEMINI, person_told=word("model.after", effect), person_spared=CLOSING)
        for effect in ("deny", "stop")
    ),
)

TOLD = (
    several("context at all moments", "context", "model_told", ("session.start", "tool.after"), hosts=GEMINI, steps=deploy()),
    several(
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
        steps=(*deploy(), *FAILING, Step("a sub-agent", TASK, told=TASK.answer)),
        # Context at the end of an answer keeps the agent, and the sub-agent, going once.
        turns=(7, 7),
    ),
    several(
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
        steps=deploy(),
    ),
    several(
        "warnings at all moments",
        "warn",
        "person_told",
        ("prompt.submit", "tool.before", "tool.after", "tool.failed", "tool.batch", "agent.after"),
        # The host also prints what a hook wrote; only what it says in its own words is what a person reads.
        words=(
            f"{event} says: {word(moment, 'warn')}"
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
        steps=(*deploy(), *FAILING),
    ),
)

PERMISSIONS = (
    Scenario(
        "the host refuses what nobody allows",
        hosts=CLAUDE,
        asks=True,
        steps=deploy(Outcome.FAILED, told="requires approval", files=NOT_RUN),
    ),
    single(
        "tool.before",
        "allow",
        own_policy=policy("when: tool.before, tool: shell, then: { allow: all }"),
        hosts=CLAUDE,
        asks=True,
        steps=deploy(),
    ),
    single(
        "permission.request",
        "deny",
        hosts=CLAUDE,
        asks=True,
        steps=deploy(Outcome.HELD, told=word("permission.request", "deny")),
    ),
    single(
        "permission.request",
        "stop",
        hosts=CLAUDE,
        asks=True,
        steps=deploy(Outcome.LAST, files=NOT_RUN),
        turns=(1, 1),
        status=1,
    ),
    single(
        "permission.request",
        "ask",
        hosts=CLAUDE,
        asks=True,
        steps=deploy(Outcome.FAILED, told="requires approval", files=NOT_RUN),
    ),
    single(
        "permission.request",
        "allow",
        own_policy=policy("when: permission.request, tool: shell, then: { allow: all }"),
        hosts=CLAUDE,
        asks=True,
        steps=deploy(),
    ),
    single(
        "permission.request",
        "rewrite",
        own_policy=policy("when: permission.request, tool: shell, then: { allow: all, rewrite: { command: deploy --dry-run } }"),
        hosts=CLAUDE,
        asks=True,
        steps=deploy(files={"deploy.args": "--dry-run\n"}),
    ),
)

_DEPLOYS = "when: permission.request, tool: shell, if: session.calls < 2, then: { allow: { reason: Once., remember: session } }"
_ONCE = "when: permission.request, tool: shell, if: session.calls < 2, then: { allow: Once. }"

REMEMBERED = (
    Scenario(
        "an approval that the host remembers",
        own_policy=policy(_DEPLOYS),
        hosts=CLAUDE,
        asks=True,
        steps=(
            *deploy(),
            Step("the same again", Shell("deploy it")),
            Step("another one", Shell("deploy that"), Outcome.FAILED, told="requires approval"),
        ),
        shows=("permission.request allow",),
    ),
    Scenario(
        "an approval that the host does not remember",
        own_policy=policy(_ONCE),
        hosts=CLAUDE,
        asks=True,
        steps=(*deploy(), Step("the same again", Shell("deploy it"), Outcome.FAILED, told="requires approval")),
    ),
)

SUBAGENTS = (
    single(
        "subagent.after",
        "retry",
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        model_told=(word("subagent.after", "retry"),),
        turns=(4, 4),
    ),
    single(
        "subagent.after",
        "stop",
        own_policy=policy(_says("subagent.after", "stop"), _says("subagent.after", "retry")),
        hosts=CLAUDE,
        steps=(Step("a sub-agent", TASK, told=TASK.answer),),
        turns=(3, 3),
    ),
)

COMMANDS = (
    *(
        single(
            "prompt.expand",
            effect,
            hosts=CLAUDE,
            prompts=("/hello",),
            there=COMMAND_FILE,
            turns=(0, 0),
            person_told=word("prompt.expand", effect),
        )
        for effect in ("deny", "stop", "ask")
    ),
    single(
        "prompt.expand",
        "context",
        hosts=CLAUDE,
        prompts=("/hello",),
        there=COMMAND_FILE,
        model_told=(word("prompt.expand", "context"),),
    ),
    single(
        "prompt.expand",
        "warn",
        hosts=CLAUDE,
        prompts=("/hello",),
        there=COMMAND_FILE,
        person_told=f"UserPromptExpansion says: {word('prompt.expand', 'warn')}",
    ),
    *(
        single(
            "context.compact",
            effect,
            hosts=CLAUDE,
            prompts=("Follow the script.", "/compact"),
            turns=(1, 1),
            person_told=word("context.compact", effect),
        )
        for effect in ("deny", "ask")
    ),
)

SWITCHES = (
    *(
        single("model.switch", effect, hosts=CLAUDE, prompts=SWITCH, turns=(2, 2), person_told=word("model.switch", effect))
        for effect in ("deny", "ask")
    ),
    single(
        "model.switched",
        "context",
        hosts=CLAUDE,
        prompts=SWITCH,
        turns=(2, 2),
        model_told=(word("model.switched", "context"), "sonnet"),
    ),
)

EVERY_ROW = ANSWERS + OF_RESULTS + TASKS + FORMS + TREES + DENIED + ASKED + PROMPTS + RETRIES + RESULTS + MODEL + TOLD + PERMISSIONS + REMEMBERED + SUBAGENTS + COMMANDS + SWITCHES
