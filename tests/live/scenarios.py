"""What the scripted model tries, and what must be true afterwards, whatever the host."""

from __future__ import annotations

from cookbook import COOKBOOK
from every_row import EVERY_ROW
from plugins import PLUGIN_SCENARIOS
from scenario import Left, Outcome, Read, Scenario, Shell, Step, Write

HOME_MARKER = "keep-me.txt"
NOTES = "The meeting is on Tuesday."
BROKEN = "rules: [\n"
SOURCE = "fn main() {}\n"
DOTENV = "COLOR=green\n"
DOTENVS = (".env", ".env.production")

# In pieces, so that no scanner of this repository takes them for a real key pair.
ACCESS_KEY = "".join(["AK", "IA", "Q3EG", "RYB7", "LNVK", "2TMZ"])
SECRET_KEY = "".join(["pW7v", "Kd2Y", "x9Lq", "ZtR4", "mUbN", "8sHj", "3cFg", "V6aE", "oT1i", "XnBy"])

# The deletion can only start in the throw-away home: a guard that lets it through must not cost anyone their files.
DELETE_HOME = f"test -f ~/{HOME_MARKER} && rm -rf ~/"

BUILT_IN = (
    Scenario(
        "dangerous",
        steps=(
            Step(
                "delete the home folder",
                Shell(DELETE_HOME),
                Outcome.REFUSED,
                files={f"~/{HOME_MARKER}": Left.SAME},
                shows=("tool.before deny",),
            ),
            Step(
                "write a cloud key into a source file",
                Write("src/keys.py", f'ACCESS_KEY_ID = "{ACCESS_KEY}"\nSECRET_ACCESS_KEY = "{SECRET_KEY}"\n'),
                Outcome.REFUSED,
                hidden=SECRET_KEY,
                files={"src/keys.py": Left.ABSENT},
            ),
        ),
    ),
    Scenario(
        "secrets in what comes back",
        steps=(
            Step(
                "print a cloud key",
                Shell(f"printf '%s%s, and no more' {ACCESS_KEY[:4]} {ACCESS_KEY[4:]}"),
                Outcome.CHANGED,
                told="], and no more",
                hidden=ACCESS_KEY,
            ),
        ),
        # What the host itself keeps of the conversation has the placeholder as well.
        reads={1: "[aws-access-key-id:"},
    ),
    Scenario(
        "protected files",
        steps=(
            Step("empty .env", Shell("echo X > .env"), Outcome.HELD, told=".env", files={".env": Left.SAME}),
            # Gemini CLI's own file tools turn `.env` away before any hook is asked, but not its variants.
            Step("write over .env", Write(".env", "X\n"), Outcome.BARRED, files={".env": Left.SAME}),
            Step(
                "write over .env.production",
                Write(".env.production", "X\n"),
                Outcome.HELD,
                told=".env.production",
                files={".env.production": Left.SAME},
            ),
        ),
    ),
    Scenario(
        "the guard itself",
        steps=(
            Step("read the settings", Read("@settings@"), told="hooks"),
            Step(
                "write over the settings",
                Write("@settings@", "{}\n"),
                Outcome.REFUSED,
                files={"@settings@": Left.SAME},
            ),
            Step(
                "redirect into the settings",
                Shell("echo '{}' > @settings@"),
                Outcome.REFUSED,
                files={"@settings@": Left.SAME},
            ),
        ),
    ),
    Scenario(
        "a deletion that is undone",
        there={"src/kept.rs": SOURCE, "src/deep/changed.rs": SOURCE},
        committed="Begin",
        steps=(
            Step("write an untracked file", Write("src/untracked.rs", SOURCE)),
            Step("change a file", Shell("echo '// changed' > src/deep/changed.rs")),
            Step(
                "delete the directory",
                Shell("rm -r src"),
                files={
                    "src/kept.rs": SOURCE,
                    "src/untracked.rs": SOURCE,
                    "src/deep/changed.rs": "// changed\n",
                },
            ),
        ),
        restored=("src/kept.rs", "src/untracked.rs", "src/deep/changed.rs"),
    ),
    Scenario(
        "ordinary work",
        steps=(
            Step("run a command", Shell("echo hi > ok.txt"), files={"ok.txt": "hi\n"}),
            Step("write a source file", Write("src/main.rs", SOURCE), files={"src/main.rs": SOURCE}),
            Step("read a file", Read("notes.txt"), told=NOTES),
        ),
    ),
)

REDACTION = """\
version: 1
rules:
  - id: day
    when: tool.after
    output: { contains: Tuesday }
    then: { redact: "[day]" }
  - id: withheld
    when: tool.after
    output: { contains: top secret }
    then: { replace: "This is withheld." }
  - id: crew
    when: tool.before
    shell: { regex: "team-[a-z]+" }
    then: { redact: "crew" }
"""

TEAM = (
    Scenario(
        "redaction",
        own_policy=REDACTION,
        steps=(
            Step(
                "redact a file that is read",
                Read("notes.txt"),
                Outcome.CHANGED,
                told="The meeting is on [day].",
                hidden="Tuesday",
                shows=("tool.after redact",),
            ),
            Step(
                "redact what a command prints",
                Shell("echo on Tuesday"),
                Outcome.CHANGED,
                told="on [day]",
                hidden="Tuesday",
            ),
            Step(
                "replace an output",
                Shell("echo this is top secret"),
                Outcome.CHANGED,
                told="This is withheld.",
                hidden="top secret",
                shows=("tool.after replace",),
            ),
            Step(
                "redact a call",
                Shell("notify team-blue"),
                files={"notify.args": "crew\n"},
                shows=("tool.before redact",),
            ),
        ),
    ),
    Scenario(
        "effects",
        team_policy=True,
        reads={0: "Project rule: be brief."},
        person_told="Somebody should look at this.",
        shows=("prompt.submit context", "tool.before warn"),
        steps=(
            Step(
                "rewrite",
                Shell("deploy production"),
                files={"deploy.args": "production --dry-run\n"},
                shows=("tool.before rewrite",),
            ),
            Step("warn", Shell("notify team"), files={"notify.args": "team\n"}),
            Step(
                "deny",
                Shell("forbid it"),
                Outcome.REFUSED,
                told="Not on this project.",
                files={"forbid.args": Left.ABSENT},
                shows=("tool.before deny",),
            ),
            Step(
                "ask, with nobody there",
                Shell("publish crate"),
                Outcome.HELD,
                told="Publishing needs a person.",
                files={"publish.args": Left.ABSENT},
                shows=("tool.before ask",),
            ),
        ),
    ),
    Scenario(
        "stop",
        needs=("ends_runs",),
        team_policy=True,
        shows=("tool.before stop",),
        steps=(Step("halt", Shell("halt-now please"), Outcome.LAST, files={"halt-now.args": Left.ABSENT}),),
        turns=(1, 1),
    ),
    Scenario(
        "retry",
        team_policy=True,
        closing="There is still a TODO here.",
        reads={1: "Finish the TODO first."},
        shows=("agent.after retry",),
        # The model never finishes, so the guard has to give in: one host would go on for ever, the other stops
        # listening and throws the answer away after nine requests.
        turns=(2, 8),
    ),
)

SMALL_MODEL = (
    "version: 1\n"
    "rules:\n"
    "  - id: small\n"
    "    when: model.before\n"
    "    match: { request.messages.last.length: { lt: 200 } }\n"
    "    then: { rewrite: { model: gemini-2.5-flash-lite, temperature: 0.25, prompt: 'Reworded.' } }\n"
)
ANSWER = (
    "version: 1\n"
    "rules:\n"
    "  - { id: answer, when: model.before, then: { respond: 'Nobody asked the model.' } }\n"
)
NO_TOOLS = (
    "version: 1\n"
    "rules:\n"
    "  - { id: none, when: model.tools, then: { tools: { mode: none, reason: 'Only talk.' } } }\n"
)
SOME_TOOLS = (
    "version: 1\n"
    "rules:\n"
    "  - { id: reading, when: model.tools, then: { tools: { mode: any, allow: [read_file, list_directory] } } }\n"
)

MODEL = (
    Scenario(
        "another model",
        shows=("model.before rewrite",),
        own_policy=SMALL_MODEL,
        hosts=("gemini",),
        steps=(Step("a step between two requests", Read("notes.txt"), told=NOTES),),
        # The parameters that no rule names stay, and so does what the host puts before the prompt.
        reads={
            0: ("gemini-2.5-flash-lite:", '"temperature": 0.25', '"topP": 0.95', "</session_context>Reworded."),
            1: ("gemini-2.5-flash-lite:", '"temperature": 0.25', '"functionResponse"', "</session_context>Reworded."),
        },
    ),
    Scenario(
        "an answer in the model's place",
        shows=("model.before respond",),
        own_policy=ANSWER,
        hosts=("gemini",),
        person_told="Nobody asked the model.",
        turns=(0, 0),
    ),
    Scenario(
        "no tools",
        shows=("tool.before tools",),
        own_policy=NO_TOOLS,
        steps=(
            Step("a call all the same", Shell("deploy it"), Outcome.REFUSED, "Only talk.", files={"deploy.args": Left.ABSENT}),
        ),
    ),
    Scenario(
        "the model is told that there are no tools",
        shows=("model.tools tools",),
        own_policy=NO_TOOLS,
        hosts=("gemini",),
        reads={0: '"mode": "NONE"'},
    ),
    Scenario(
        "some tools",
        shows=("tool.before tools", "model.tools tools"),
        own_policy=SOME_TOOLS,
        hosts=("gemini",),
        reads={0: ('"mode": "ANY"', '"allowedFunctionNames": ["list_directory", "read_file"]')},
        steps=(
            Step("a tool among them", Read("notes.txt"), told=NOTES),
            Step("another tool", Shell("deploy it"), Outcome.REFUSED, "list_directory", files={"deploy.args": Left.ABSENT}),
        ),
    ),
)

ANEW = """version: 1
rules:
  - id: anew
    when: agent.after
    response: { contains: "TODO" }
    then: { retry: "Finish the TODO first.", clear_context: true }
"""
PUT_OFF = """version: 1
rules:
  - id: later
    when: tool.before
    command: publish
    then: { defer: "Publishing waits for a person." }
"""
# A secret that no scanner of this repository takes for one.
NO_SECRETS = """version: 1
detectors:
  - { id: word, name: Pass word, token: 'opensesame[0-9]{4}', tier: strong, severity: high, advice: variable }
rules:
  - id: prompts
    when: [prompt.submit, prompt.expand]
    secrets: { in: [prompt], detectors: [word] }
    then: { deny: "The prompt holds {{ secret.masked }}." }
"""
NO_COMMANDS = """version: 1
rules:
  - id: expansions
    when: prompt.expand
    match: { native.command_name: greet }
    then: { deny: "Not that command." }
"""
AFTER_EACH = """version: 1
rules:
  - id: batch
    when: tool.batch
    tool: read
    then: { context: "The calls of this turn are done." }
"""
GUARDED = """version: 1
tamper: off
defaults: none
rules:
  - { id: kept, when: config.change, if: guard.broken, then: { deny: "{{ guard.faults | join('; ') }}" } }
  - { id: forbidden, when: tool.before, command: forbid, then: { deny: "Not on this project." } }
"""

# Nothing in it forbids a change of the settings.
UNRULED = """version: 1
defaults: none
rules:
  - { id: forbidden, when: tool.before, command: forbid, then: { deny: "Not on this project." } }
"""

EVENTS = (
    Scenario(
        "a call changes the settings, and no rule forbids it",
        own_policy=UNRULED,
        hosts=("gemini",),
        steps=(
            Step("an ordinary command", Shell("echo one > one.txt"), files={"one.txt": "one\n"}),
            Step("empty the settings", Shell("echo '{}' > @settings@"), Outcome.CHANGED, "ruleward accept", files={"@settings@": Left.SAME}),
            Step("the next command", Shell("echo two > two.txt"), Outcome.REFUSED, "ruleward accept", files={"two.txt": Left.ABSENT}),
        ),
    ),
    Scenario(
        "a call changes the settings, and the run ends",
        own_policy=UNRULED,
        hosts=("claude",),
        steps=(
            Step("an ordinary command", Shell("echo one > one.txt"), files={"one.txt": "one\n"}),
            Step("empty the settings", Shell("echo '{}' > @settings@"), Outcome.LAST, files={"@settings@": Left.SAME}),
        ),
        turns=(2, 2),
    ),
    Scenario(
        "begun anew",
        shows=("agent.after clear_context",),
        own_policy=ANEW,
        hosts=("gemini",),
        closing="There is still a TODO here.",
        reads={0: "Follow the script.", 1: "Finish the TODO first."},
        unread={1: "Follow the script."},
        turns=(2, 2),
    ),
    Scenario(
        "put off",
        shows=("tool.before defer",),
        own_policy=PUT_OFF,
        hosts=("claude",),
        steps=(Step("a call that waits", Shell("publish crate"), Outcome.LAST, files={"publish.args": Left.ABSENT}),),
        person_told="tool_deferred",
        turns=(1, 1),
    ),
    Scenario(
        "put off where that cannot be",
        shows=("tool.before defer",),
        own_policy=PUT_OFF,
        hosts=("gemini",),
        steps=(
            Step("a call that waits", Shell("publish crate"), Outcome.REFUSED, "Publishing waits", files={"publish.args": Left.ABSENT}),
        ),
    ),
    Scenario(
        "a prompt with a secret",
        shows=("prompt.submit deny",),
        own_policy=NO_SECRETS,
        hosts=("claude",),
        prompts=("Log in with opensesame1234 please.",),
        person_told="The prompt holds",
        person_spared="opensesame1234",
        turns=(0, 0),
    ),
    Scenario(
        "a command of the project",
        shows=("prompt.expand deny",),
        own_policy=NO_COMMANDS,
        hosts=("claude",),
        prompts=("/greet the world",),
        there={".claude/commands/greet.md": "Say hello to $ARGUMENTS.\n"},
        person_told="Not that command.",
        turns=(0, 0),
    ),
    Scenario(
        "the calls of a turn",
        shows=("tool.batch context",),
        own_policy=AFTER_EACH,
        hosts=("claude",),
        steps=(Step("read a file", Read("notes.txt"), told=NOTES),),
        reads={1: "The calls of this turn are done."},
    ),
    Scenario(
        "the guard is taken out of the settings",
        shows=("config.change deny",),
        own_policy=GUARDED,
        hosts=("claude",),
        steps=(
            Step("empty the settings", Shell("echo '{}' > @settings@"), files={"@settings@": "{}\n"}),
            Step("let the host read them", Shell("sleep 4")),
            Step("a forbidden command", Shell("forbid it"), Outcome.REFUSED, "Not on", files={"forbid.args": Left.ABSENT}),
        ),
    ),
    Scenario(
        "all hooks are switched off",
        shows=("config.change deny",),
        own_policy=GUARDED,
        hosts=("claude",),
        steps=(
            Step("switch them off", Shell("echo '{\"disableAllHooks\": true}' > .claude/settings.local.json")),
            Step("let the host read them", Shell("sleep 4")),
            Step("a forbidden command", Shell("forbid it"), Outcome.REFUSED, "Not on", files={"forbid.args": Left.ABSENT}),
        ),
    ),
    Scenario(
        "a session without the guard of its calls",
        hosts=("gemini",),
        only_events=("SessionStart",),
        person_told="BeforeTool",
    ),
)

PROJECT = (
    Scenario(
        "project policy",
        project_policy=(
            "version: 1\n"
            "rules:\n"
            "  - id: no-push\n"
            "    when: tool.before\n"
            "    command: git push\n"
            '    then: { deny: "Pushing is for people." }\n'
        ),
        steps=(
            Step(
                "a rule of the project",
                Shell("git push origin main"),
                Outcome.REFUSED,
                told="Pushing is for people.",
            ),
        ),
    ),
    Scenario(
        "broken project policy",
        project_policy=BROKEN,
        steps=(Step("any call", Shell("echo hi > ok.txt"), Outcome.BARRED, files={"ok.txt": Left.ABSENT}),),
        person_told=".ruleward/policy.yaml",
        # The prompt itself may be refused already.
        turns=(0, 2),
    ),
    Scenario(
        "broken project policy, at a tool call",
        project_policy=BROKEN,
        tool_hooks_only=True,
        steps=(
            Step(
                "any call",
                Shell("echo hi > ok.txt"),
                Outcome.REFUSED,
                told=".ruleward/policy.yaml",
                files={"ok.txt": Left.ABSENT},
            ),
        ),
    ),
)

INSTALLED_STEPS = (
    Step("delete the home folder", Shell(DELETE_HOME), Outcome.REFUSED, files={f"~/{HOME_MARKER}": Left.SAME}),
    Step("run a command", Shell("echo hi > ok.txt"), files={"ok.txt": "hi\n"}),
)

INSTALLED = (
    Scenario("installed for the person", installed="user", steps=INSTALLED_STEPS),
    Scenario("installed for the project", installed="project", steps=INSTALLED_STEPS),
    Scenario("installed as an extension", installed="extension", hosts=("gemini",), steps=INSTALLED_STEPS),
)

SCENARIOS = BUILT_IN + TEAM + MODEL + EVENTS + PROJECT + INSTALLED + COOKBOOK + EVERY_ROW + PLUGIN_SCENARIOS

COMMANDS = ("deploy", "notify", "forbid", "publish", "halt-now", "kubectl", "pytest")
"""Harmless programs on the path of the run: each leaves its arguments in `<name>.args`."""
