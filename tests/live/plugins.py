"""Scenarios for hosts whose hook is a plugin: one long run, as each start of such a host takes seconds."""

from __future__ import annotations

from scenario import Delegate, Left, Outcome, Read, Scenario, Served, Shell, Step

PLUGINS = ("opencode",)

POLICY = """\
version: 1
rules:
  - { id: b-deny, when: tool.before, command: forbid, then: { deny: "Not on this project." } }
  - { id: b-ask, when: tool.before, command: publish, then: { ask: "Publishing needs a person." } }
  - { id: b-stop, when: tool.before, command: halt-now, then: { stop: "Stop here." } }
  - { id: b-defer, when: tool.before, command: kubectl, then: { defer: "This waits for a person." } }
  - { id: b-rewrite, when: tool.before, command: deploy, then: { rewrite: { command: "{{ tool.input.command }} --dry-run" } } }
  - { id: b-redact, when: tool.before, shell: { regex: "team-[a-z]+" }, then: { redact: "crew" } }
  - { id: b-context, when: tool.before, command: "echo one", then: { context: "Context of the call." } }
  - { id: b-warn, when: tool.before, command: "echo two", then: { warn: "A person should look at this." } }
  - { id: b-server, when: tool.before, mcp: { server: desk, tool: fail }, then: { deny: "Not this tool of the desk." } }
  - { id: a-deny, when: tool.after, output: { contains: rejected }, then: { deny: "That output is of no use." } }
  - { id: a-stop, when: tool.after, output: { contains: over and out }, then: { stop: "That is the end." } }
  - { id: a-replace, when: tool.after, output: { contains: top secret }, then: { replace: "This is withheld." } }
  - { id: a-redact, when: tool.after, output: { contains: Tuesday }, then: { redact: "[day]" } }
  - { id: a-context, when: tool.after, output: { contains: three }, then: { context: "Context of the result." } }
  - { id: a-warn, when: tool.after, output: { contains: four }, then: { warn: "Warning about the result." } }
  - { id: f-deny, when: tool.failed, output: { contains: failed badly }, then: { deny: "Look at that again." } }
  - { id: f-replace, when: tool.failed, output: { contains: failed secretly }, then: { replace: "This failed." } }
  - { id: f-redact, when: tool.failed, output: { contains: on Monday }, then: { redact: "[day]" } }
  - { id: f-context, when: tool.failed, output: { contains: failed once }, then: { context: "Context of the failure." } }
  - { id: f-warn, when: tool.failed, output: { contains: failed twice }, then: { warn: "Warning about the failure." } }
  - { id: f-stop, when: tool.failed, output: { contains: failed thrice }, then: { stop: "That is enough." } }
  - { id: p-context, when: prompt.submit, then: { context: "Project rule: be brief." } }
"""


def _refused(command: str, told: str, effect: str) -> Step:
    name = command.split()[0]
    return Step(command, Shell(command), Outcome.REFUSED, told, files={f"{name}.args": Left.ABSENT}, shows=(f"tool.before {effect}",))


def _answer(effect: str, words: tuple[str, str]) -> Scenario:
    policy = f'version: 1\nrules: [{{ id: p, when: prompt.submit, then: {{ {effect}: "{words[1]}" }} }}]\n'
    return Scenario(
        f"{effect} at the prompt of a plugin's host",
        own_policy=policy,
        hosts=PLUGINS,
        person_told=words,
        turns=(0, 0),
        status=1,
        shows=(f"prompt.submit {effect}",),
    )


LONG = Scenario(
    "all that a plugin carries out",
    hosts=PLUGINS,
    own_policy=POLICY,
    shows=("prompt.submit context",),
    reads={0: "Project rule: be brief."},
    turns=(2, 40),
    steps=(
        _refused("forbid it", "Not on this project.", "deny"),
        _refused("publish crate", "Publishing needs a person.", "ask"),
        _refused("halt-now please", "Stop here.", "stop"),
        # What is deferred has no record that the reason could name.
        Step("defer", Shell("kubectl apply"), Outcome.CHANGED, "This waits for a person.", files={"kubectl.args": Left.ABSENT}, shows=("tool.before defer",)),
        Step("rewrite", Shell("deploy production"), files={"deploy.args": "production --dry-run\n"}, shows=("tool.before rewrite",)),
        Step("redact a call", Shell("notify team-blue"), files={"notify.args": "crew\n"}, shows=("tool.before redact",)),
        Step("context", Shell("echo one"), told="Context of the call.", shows=("tool.before context",)),
        Step("warn", Shell("echo two"), told="A person should look at this.", shows=("tool.before warn",)),
        Step("refuse a result", Shell("echo rejected"), Outcome.CHANGED, "That output is of no use.", shows=("tool.after deny",)),
        Step("stop after a result", Shell("echo over and out"), Outcome.CHANGED, "That is the end.", shows=("tool.after stop",)),
        Step("replace", Shell("echo this is top secret"), told="This is withheld.", hidden="top secret", shows=("tool.after replace",)),
        Step("redact", Read("notes.txt"), told="The meeting is on [day].", hidden="Tuesday", shows=("tool.after redact",)),
        Step("context of a result", Shell("echo three"), told="Context of the result.", shows=("tool.after context",)),
        Step("warn of a result", Shell("echo four"), told="Warning about the result.", shows=("tool.after warn",)),
        Step("refuse a failure", Shell("echo failed badly; exit 3"), Outcome.CHANGED, "Look at that again.", shows=("tool.failed deny",)),
        Step("stop at a failure", Shell("echo failed thrice; exit 3"), Outcome.CHANGED, "That is enough.", shows=("tool.failed stop",)),
        Step("replace a failure", Shell("echo failed secretly; exit 3"), Outcome.CHANGED, "This failed.", hidden="secretly", shows=("tool.failed replace",)),
        Step("redact a failure", Shell("echo on Monday; exit 3"), Outcome.CHANGED, "[day]", hidden="Monday", shows=("tool.failed redact",)),
        Step("context of a failure", Shell("echo failed once; exit 3"), Outcome.CHANGED, "Context of the failure.", shows=("tool.failed context",)),
        Step("warn of a failure", Shell("echo failed twice; exit 3"), Outcome.CHANGED, "Warning about the failure.", shows=("tool.failed warn",)),
        Step("a secret in what comes back", Shell("printf '%s%s, and no more' AKIA Q3EGRYB7LNVK2TMZ"), told="], and no more", hidden="Q3EGRYB7LNVK2TMZ"),
        Step("a protected file", Shell("echo X > .env"), Outcome.REFUSED, told=".env", files={".env": Left.SAME}),
    ),
)

SERVED = Scenario(
    "tools of a server and a sub-agent, under a plugin",
    hosts=("opencode",),
    own_policy=POLICY,
    turns=(3, 8),
    steps=(
        Step("a tool of the server", Served("say", "hello"), told="hello"),
        Step("a tool that is refused", Served("fail", "hello"), Outcome.REFUSED, told="Not this tool of the desk."),
        Step("a sub-agent", Delegate("Look at the notes.", "Nothing there."), told="Nothing there."),
    ),
)

NO_TOOLS = Scenario(
    "no tools, under a plugin",
    hosts=PLUGINS,
    own_policy=(
        "version: 1\n"
        "rules: [{ id: none, when: model.tools, then: { tools: { mode: none, reason: 'Only talk.' } } },"
        " { id: early, when: tool.before, then: { tools: { mode: none, reason: 'Only talk.' } } }]\n"
    ),
    steps=(Step("a call all the same", Shell("deploy it"), Outcome.REFUSED, "Only talk.", files={"deploy.args": Left.ABSENT}, shows=("tool.before tools",)),),
)

BROKEN = Scenario(
    "a broken policy under a plugin",
    hosts=PLUGINS,
    project_policy="rules: [\n",
    only_events=("tool.execute.before",),
    steps=(Step("any call", Shell("echo hi > ok.txt"), Outcome.BARRED, files={"ok.txt": Left.ABSENT}),),
)

PLUGIN_SCENARIOS = (
    LONG,
    SERVED,
    NO_TOOLS,
    BROKEN,
    _answer("deny", ("Not that prompt.", "Not that prompt.")),
    _answer("stop", ("No more.", "No more.")),
    _answer("ask", ("can't be asked here", "May this be asked?")),
)
