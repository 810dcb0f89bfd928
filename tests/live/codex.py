"""Codex, and the Responses API it asks its model through."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from host import HOOK_SECONDS, Host
from install import Unavailable
from model import Reply, Result, Turn, event_stream, pieces
from every_row import TASK, deploy, policy, several, single, word
from scenario import Call, Delegate, Left, Outcome, Own, Read, Scenario, Served, Shell, Step
from server import NAME

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "PreCompact",
    "SessionEnd",
)
PATCH = "apply_patch"


def _patch(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("*** Begin Patch", *lines, "*** End Patch"))


FILES = (
    "version: 1\n"
    "rules:\n"
    "  - { id: kept, when: tool.before, files: { paths: ['kept/**'], access: [write, delete] }, then: { deny: 'kept stays.' } }\n"
    "  - { id: flaw, when: tool.before, content: FIXME, then: { deny: 'No FIXME.' } }\n"
    "  - { id: crew, when: tool.before, content: team-blue, then: { redact: crew } }\n"
)
KEPT = {"kept/a.txt": "a\n", "old.txt": "a FIXME\nb\n"}
# The sub-agent works beside the agent, which waits for it here.
SPAWNING = (Step("a sub-agent", TASK), Step("time for it", Shell("sleep 2")))
SCENARIOS = (
    Scenario(
        "patches",
        own_policy=FILES,
        there=KEPT,
        steps=(
            Step(
                "delete a file",
                Own(PATCH, _patch("*** Delete File: kept/a.txt")),
                Outcome.REFUSED,
                told="kept stays.",
                files={"kept/a.txt": Left.SAME},
            ),
            Step(
                "move a file away, in a patch of several",
                Own(PATCH, _patch("*** Add File: new.txt", "+x", "*** Update File: kept/a.txt", "*** Move to: b.txt", "@@", "-a", "+b")),
                Outcome.REFUSED,
                told="kept stays.",
                files={"new.txt": Left.ABSENT, "b.txt": Left.ABSENT},
            ),
            Step(
                "a patch in a shell command",
                Shell("cd kept && apply_patch <<'EOF'\n" + _patch("*** Add File: c.txt", "+c") + "EOF"),
                Outcome.REFUSED,
                told="kept stays.",
                files={"kept/c.txt": Left.ABSENT},
            ),
            Step(
                "new text",
                Own(PATCH, _patch("*** Add File: d.txt", "+a FIXME")),
                Outcome.REFUSED,
                told="No FIXME.",
                files={"d.txt": Left.ABSENT},
            ),
            Step(
                "text that is there already",
                Own(PATCH, _patch("*** Update File: old.txt", "@@", " a FIXME", "-b", "+c")),
                files={"old.txt": "a FIXME\nc\n"},
            ),
            Step(
                "a part of a patch is redacted",
                Own(PATCH, _patch("*** Add File: e.txt", "+for team-blue")),
                files={"e.txt": "for crew\n"},
                shows=("tool.before redact",),
            ),
        ),
    ),
    single("tool.before", "stop", steps=deploy(Outcome.REFUSED, told=word("tool.before", "stop"))),
    single("tool.before", "defer", steps=deploy(Outcome.REFUSED, told=word("tool.before", "defer"))),
    single("tool.after", "deny", steps=(Step("a command", Shell("deploy it"), told=word("tool.after", "deny")),)),
    single("tool.after", "stop", steps=(Step("a command", Shell("deploy it"), told=word("tool.after", "stop")),)),
    single("subagent.after", "retry", steps=SPAWNING, turns=(5, 5)),
    single(
        "subagent.after",
        "stop",
        own_policy=policy('when: subagent.after, then: { stop: enough }', 'when: subagent.after, then: { retry: again }'),
        steps=SPAWNING,
        turns=(4, 4),
    ),
    several(
        "context at all moments",
        "context",
        "model_told",
        ("session.start", "tool.before", "tool.after", "subagent.start"),
        steps=(*deploy(), *SPAWNING),
        turns=(5, 5),
    ),
    Scenario(
        "a tool server",
        own_policy=policy("when: tool.before, mcp: { server: desk, tool: say }, content: secretly, then: { deny: 'Not that.' }"),
        steps=(
            Step("say it", Served("say", "hello"), told="hello"),
            Step("say another thing", Served("say", "secretly"), Outcome.REFUSED, told="Not that."),
        ),
    ),
)


class Responses:
    """The protocol."""

    def is_turn(self, path: str, request: Any) -> bool:
        return path.split("?")[0].endswith("/responses") and bool(request.get("tools"))

    def results(self, request: Any) -> list[Result]:
        outputs = [item for item in request["input"] if str(item.get("type", "")).endswith("_call_output")]
        return [_result(item.get("output")) for item in outputs]

    def begins_with(self, request: Any, prompt: str) -> bool:
        said = [item for item in request["input"] if item.get("role") == "user"]
        return prompt in json.dumps(said) and not any(item.get("type") == "function_call" for item in request["input"])

    def speak(self, turn: Turn) -> Reply:
        items: list[dict[str, Any]] = []
        if turn.text or not turn.tool:
            content = [{"type": "output_text", "text": "".join(pieces(turn)), "annotations": []}]
            items.append({"type": "message", "role": "assistant", "id": f"msg_{turn.index}", "content": content})
        if turn.tool == PATCH:
            called = {"type": "custom_tool_call", "name": PATCH, "input": turn.arguments}
            items.append({**called, "id": f"ctc_{turn.index}", "call_id": f"call_{turn.index}"})
        elif turn.tool:
            namespace, _, name = turn.tool.rpartition(".")
            called = {"type": "function_call", "name": name, "arguments": json.dumps(turn.arguments)}
            named = {"namespace": namespace} if namespace else {}
            items.append({**called, **named, "id": f"fc_{turn.index}", "call_id": f"call_{turn.index}"})
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        done = [{"type": "response.output_item.done", "output_index": at, "item": it} for at, it in enumerate(items)]
        about = {"id": f"resp_{turn.index}", "object": "response"}
        events = [
            {"type": "response.created", "response": about},
            *done,
            {"type": "response.completed", "response": {**about, "usage": usage}},
        ]
        return event_stream(events, named=True)

    def aside(self, path: str, request: Any) -> Reply:
        if path.split("?")[0].endswith("/responses"):
            return self.speak(Turn(0, "An aside."))
        return Reply("{}", status=404)


class Codex(Host):
    """The host."""

    name = "codex"
    package = "@openai/codex"
    settings = ".codex/hooks.json"
    events = EVENTS
    tool_events = ("PreToolUse", "PostToolUse")
    dialect = Responses()
    own_scenarios = SCENARIOS
    ends_runs = False
    changes_answers = False
    has_file_tools = False
    unseen = ("warn",)

    def program(self, modules: Path) -> list[str]:
        machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
        found = sorted(modules.glob(f"{self.package}-{platform.system().lower()}-{machine}/vendor/*/bin/codex"))
        if not found:
            raise Unavailable("no native program for this platform")
        return [str(found[0])]

    def arguments(self, scenario: Scenario, server: Sequence[str]) -> list[str]:
        unasked = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
        more = []
        if any(isinstance(step.call, Served) for step in scenario.steps):
            more += ["-c", f"mcp_servers.{NAME}.command={json.dumps(server[0])}"]
            more += ["-c", f"mcp_servers.{NAME}.args={json.dumps(list(server[1:]))}"]
        return ["exec", "--json", *unasked, *more, scenario.prompts[0]]

    def environment(self, url: str, home: Path) -> dict[str, str]:
        # The address of the model stands in the settings, which are written before it is known.
        settings = home / ".codex" / "config.toml"
        settings.write_text(re.sub(r'base_url = ".*"', f'base_url = "{url}/v1"', settings.read_text()))
        return {"OPENAI_API_KEY": "dummy", "CODEX_HOME": str(home / ".codex")}

    def prepare(self, home: Path) -> None:
        folder = home / ".codex"
        folder.mkdir(parents=True)
        (home / self.settings).write_text('{\n  "description": "The person\'s own."\n}\n')
        (folder / "config.toml").write_text(
            'model = "gpt-5.5"\n'
            'model_provider = "scripted"\n'
            "[model_providers.scripted]\n"
            'name = "scripted"\n'
            'base_url = ""\n'
            'wire_api = "responses"\n'
            "request_max_retries = 0\n"
            "stream_max_retries = 0\n"
            "[analytics]\n"
            "enabled = false\n"
            f'[projects."{home.parent / "project"}"]\n'
            'trust_level = "trusted"\n'
        )
        # It runs commands in a login shell, which begins with the machine's own path.
        (home / ".bash_profile").write_text(f"PATH={home.parent / 'bin'}:$PATH\n")

    def configure(
        self, project: Path, hook: Sequence[str], events: Sequence[str], others: Mapping[str, str]
    ) -> None:
        command = " ".join(f"'{word}'" for word in hook)
        entry = {"type": "command", "command": command, "timeout": HOOK_SECONDS}
        file = project / self.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        hooks = {event: [{"hooks": [entry]}] for event in events}
        for event, line in others.items():
            hooks.setdefault(event, []).append({"hooks": [{"type": "command", "command": line}]})
        file.write_text(json.dumps({"hooks": hooks}, indent=2))

    def tool(self, call: Call, project: Path) -> tuple[str, Any]:
        if isinstance(call, Shell):
            return "exec_command", {"cmd": call.command}
        if isinstance(call, Delegate):
            return "multi_agent_v1.spawn_agent", {"message": call.prompt}
        if isinstance(call, Served):
            return f"mcp__{NAME}.{call.tool}", {"text": call.text}
        if isinstance(call, Own):
            return call.tool, call.arguments
        if isinstance(call, Read):
            return "exec_command", {"cmd": f"cat '{call.path}'"}
        body = "".join(f"+{line}\n" for line in call.content.splitlines())
        return PATCH, f"*** Begin Patch\n*** Add File: {call.path}\n{body}*** End Patch"

    def own_words(self, result: Result) -> str:
        return re.split(r"\. (?:Command|Tool): ", result.text)[0] if self.refusal(result) else result.text

    def refusal(self, result: Result) -> str | None:
        given = re.match(r"(?:Command|Tool call) blocked by PreToolUse hook: (.+)", result.text, re.DOTALL)
        return given[1] if given else None

    def complaints(self, stdout: str, stderr: str, turns: Sequence[Any]) -> list[str]:
        signs = ("hook returned", "hook exited", "invalid hook", "failed to parse hooks")
        return [line for line in (stdout + stderr).splitlines() if any(sign in line for sign in signs)]


def _result(output: Any) -> Result:
    if isinstance(output, list):
        output = "\n".join(part.get("text", "") for part in output)
    text = str(output)
    # The host wraps what a program prints; hooks are not told the exit code, and the model is.
    ended = re.search(r"(?:exited with code|Exit code:) (-?\d+)", text)
    failed = text.startswith(("Command blocked", "Tool call blocked", "exec_command failed", "apply_patch verification"))
    return Result(text, failed or ended is not None and ended[1] != "0")
