"""The recipes of the cookbook on the real hosts: what the host does, with the policy as people copy it."""

from __future__ import annotations

from pathlib import Path

from scenario import Left, Outcome, Read, Scenario, Shell, Step, Write

GEMINI = ("gemini",)
CLAUDE = ("claude",)
RECIPES = Path(__file__).resolve().parent.parent.parent / "policies" / "cookbook"
KEY = "".join(["AK", "IA", "Q3EG", "RYB7", "LNVK", "2TMZ"])


def _recipe(name: str, *changes: tuple[str, str]) -> str:
    text = (RECIPES / f"{name}.yaml").read_text()
    for old, new in changes:
        assert old in text, f"{name} has no {old}"
        text = text.replace(old, new)
    return text


def _cooked(recipe: str, *steps: Step, changes: tuple[tuple[str, str], ...] = (), **how: object) -> Scenario:
    """Returns the scenario of a recipe."""
    name = str(how.pop("name", f"recipe {recipe}"))
    return Scenario(name, own_policy=_recipe(recipe, *changes), steps=steps, **how)  # type: ignore[arg-type]


def _refused(name: str, call: Shell | Write, told: str, **files: Left) -> Step:
    return Step(name, call, Outcome.REFUSED, told=told, files=dict(files))


CALLS = (
    _cooked(
        "secret-scanning",
        _refused("a key in a file", Write("src/keys.py", f'KEY = "{KEY}"\n'), "AKIA"),
        Step("a key that is shown", Shell(f"printf '%s%s' {KEY[:4]} {KEY[4:]}"), Outcome.CHANGED, told="[aws-access-key-id:", hidden=KEY),
    ),
    _cooked(
        "dangerous-commands",
        _refused("a dropped table", Shell("sh -c \"psql -c 'drop table users'\""), "write a migration"),
        Step("a forced push", Shell("git push --force origin main"), Outcome.HELD, told="rewrites history"),
    ),
    _cooked(
        "file-protection",
        Step("a setting of production", Write("config/prod/db.yaml", "x\n"), Outcome.REFUSED, told="by review only", files={"config/prod/db.yaml": Left.ABSENT}),
        Step("the same by a shell", Shell("mkdir -p config/prod && echo x | tee config/prod/db.yaml"), Outcome.REFUSED, told="by review only", files={"config/prod/db.yaml": Left.ABSENT}),
        Step("another setting", Write("config/dev.yaml", "x\n"), files={"config/dev.yaml": "x\n"}),
    ),
    _cooked(
        "tests-first",
        Step("an implementation", Write("src/pay.py", "first\n"), Outcome.REFUSED, told="write tests/test_pay.py first"),
        Step("its test", Write("tests/test_pay.py", "x\n"), files={"tests/test_pay.py": "x\n"}),
        Step("the implementation again", Write("src/pay.py", "second\n"), files={"src/pay.py": "second\n"}),
    ),
    _cooked(
        "gates",
        Step("a commit without tests", Shell("git commit -q --allow-empty -m early"), Outcome.REFUSED, told="Tests have not passed"),
        Step("tests", Shell("pytest all")),
        Step("a commit after them", Shell("git -c user.name=a -c user.email=a@b.example commit -q --allow-empty -m tested && git log --format=%s > log.txt"), files={"log.txt": "tested\n"}),
        Step("a push", Shell("git push"), Outcome.REFUSED, told="approve push"),
    ),
    _cooked("dry-run", Step("a change of a cluster", Shell("kubectl apply -f site.yaml"), files={"kubectl.args": "apply -f site.yaml --dry-run=server\n"})),
    _cooked(
        "hidden-output",
        Step("a confidential text", Shell("echo Confidential: the plan"), Outcome.CHANGED, told="withheld", hidden="the plan"),
        Step("a name of a host", Shell("echo db1.internal.example.com is slow"), Outcome.CHANGED, told="[host] is slow", hidden="db1"),
    ),
    _cooked("stop-the-loop", Step("a breach", Shell("cat ~/.aws/credentials"), Outcome.LAST), turns=(1, 1), needs=("ends_runs",)),
    _cooked("org-rules", Step("a release by hand", Shell("npm publish"), Outcome.REFUSED, told="made by the pipeline")),
    _cooked(
        "token-budget",
        changes=(("2_000_000", "10"),),
        hosts=CLAUDE,
        prompts=("Follow the script.", "Go on."),
        person_told="The budget is spent",
        turns=(1, 1),
    ),
    _cooked(
        "token-budget",
        Step("a call beyond it", Read("notes.txt"), Outcome.LAST),
        changes=(("2_000_000", "10"),),
        hosts=GEMINI,
        person_told="The budget is spent",
        turns=(1, 1),
    ),
)

WORDS = (
    _cooked("context-of-a-prompt", prompts=("Add a column for the address.",), reads={0: "Migrations are in db/migrations"}),
    _cooked("session-context", model_told=("Tests run with `make test`",)),
    _cooked("answer-check", closing="There is still a TODO here.", reads={1: "Finish what you left open"}, turns=(4, 4)),
    _cooked(
        "until-done",
        Step("an edit", Write("src/a.rs", "x\n")),
        reads={2: "the tests have not passed since"},
        turns=(7, 7),
    ),
    _cooked("personal-data", closing="Her number is 536-90-4399, I think.", hosts=GEMINI, person_told="[US social security number]", person_spared="536-90-4399"),
    _cooked("model-routing", hosts=GEMINI, reads={0: ("gemini-2.5-flash-lite:", '"maxOutputTokens": 2000')}),
    _cooked("tool-filter", hosts=GEMINI, prompts=("Explain this module.",), reads={0: '"mode": "NONE"'}),
    # Two sessions, one after the other: the second hears what the first was told, and no model is asked.
    _cooked("cached-answers", hosts=GEMINI, prompts=("What is two and two?",), closing="Four, as ever.", runs=2, turns=(1, 1), person_told="Four, as ever."),
)

# Written for Claude Code: reads its events, and answers by exit code and its own JSON.
AUDIT = """#!/usr/bin/env python3
import json, os, sys
event = json.load(sys.stdin)
assert os.environ["CLAUDE_PROJECT_DIR"]
with open(os.path.join(os.environ["CLAUDE_PROJECT_DIR"], "audit.txt"), "a") as log:
    print(event["hook_event_name"], event["tool_name"], file=log)
if event["tool_input"].get("command", "").startswith("make release"):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event["hook_event_name"],
        "permissionDecision": "deny", "permissionDecisionReason": "Releases are made on Fridays."}}))
"""

# Written for Gemini CLI.
REVIEW = """#!/usr/bin/env python3
import json, sys
event = json.load(sys.stdin)
if event["tool_name"] in ("write_file", "replace") and "FIXME" in json.dumps(event["tool_input"]):
    print(json.dumps({"decision": "deny", "reason": "The review does not take a FIXME."}))
"""

PROGRAMS = (
    _cooked(
        "router",
        Step("a release", Shell("make release"), Outcome.REFUSED, told="made on Fridays"),
        Step("a text with a flaw", Write("src/a.txt", "FIXME\n"), Outcome.REFUSED, told="does not take a FIXME", files={"src/a.txt": Left.ABSENT}),
        Step("a text without one", Write("src/b.txt", "fine\n"), files={"src/b.txt": "fine\n"}),
        Step("a package", Shell("npm install leftpad"), Outcome.REFUSED, told="leftpad has no licence"),
        Step("what was seen", Shell("sort -u audit.txt"), told="PreToolUse Write"),
        programs={
            "~/.config/team/audit.py": AUDIT,
            "~/.config/team/review.sh": REVIEW,
            "~/.config/team/licences": '#!/bin/sh\ncase "$1" in *leftpad*) echo "leftpad has no licence" >&2; exit 1;; esac\n',
        },
        needs=("has_file_tools",),
    ),
    _cooked(
        "format-after-write",
        Step("a file", Write("src/a.rs", "fn main(){}\n"), files={"src/a.rs": "fn main(){}\n// formatted\n"}),
        model_told=("went through the formatter",),
        programs={"rustfmt": '#!/bin/sh\nfor file; do :; done\necho "// formatted" >> "$file"\n'},
    ),
    _cooked(
        "test-after-write",
        Step("a change", Write("src/pay.py", "x\n")),
        model_told=("1 failed: test_pay",),
        programs={"pytest": "#!/bin/sh\necho '1 failed: test_pay'\nexit 1\n"},
    ),
    _cooked(
        "checkpoint",
        Step("a change", Shell("echo more >> notes.txt")),
        Step("a loss", Shell("rm notes.txt"), files={"notes.txt": "The meeting is on Tuesday.\nmore\n"}),
        committed="All of it",
        restored=("notes.txt",),
    ),
    _cooked("dynamic-context", prompts=("What was the last change?",), model_told=("Mend the parser",), committed="Mend the parser"),
)

COOKBOOK = CALLS + WORDS + PROGRAMS
