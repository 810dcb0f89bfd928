"""Claude Code, and the streaming Messages API it asks its model through."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from host import HOOK_SECONDS, Host
from install import Unavailable
from model import Reply, Result, Turn, event_stream, pieces
from scenario import Call, Delegate, Own, Read, Scenario, Served, Shell
from server import NAME

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PreModelSwitch",
    "PostModelSwitch",
    "Notification",
    "MessageDisplay",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "Elicitation",
    "ElicitationResult",
    "WorktreeRemove",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "PreCompact",
    "ConfigChange",
    "SessionEnd",
)


class Messages:
    """The protocol."""

    def is_turn(self, path: str, request: Any) -> bool:
        # Titles and summaries are asked for without tools.
        return path.split("?")[0] == "/v1/messages" and bool(request.get("tools"))

    def results(self, request: Any) -> list[Result]:
        blocks = [b for m in request["messages"] if isinstance(m["content"], list) for b in m["content"]]
        return [
            Result(_text(block.get("content")), bool(block.get("is_error")))
            for block in blocks
            if block.get("type") == "tool_result"
        ]

    def begins_with(self, request: Any, prompt: str) -> bool:
        return prompt in json.dumps(request["messages"][:1])

    def speak(self, turn: Turn) -> Reply:
        blocks = []
        if turn.text or not turn.tool:
            said = [{"type": "text_delta", "text": piece} for piece in pieces(turn)]
            blocks.append(({"type": "text", "text": ""}, said))
        if turn.tool:
            called = {"type": "tool_use", "id": f"toolu_{turn.index:024d}", "name": turn.tool, "input": {}}
            blocks.append((called, [{"type": "input_json_delta", "partial_json": json.dumps(turn.arguments)}]))
        events: list[Any] = [{"type": "message_start", "message": _message([], None, f"msg_{turn.index}")}]
        for index, (block, deltas) in enumerate(blocks):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            events += ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
            events.append({"type": "content_block_stop", "index": index})
        end = {"stop_reason": "tool_use" if turn.tool else "end_turn", "stop_sequence": None}
        events.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": 5}})
        events.append({"type": "message_stop"})
        return event_stream(events, named=True)

    def aside(self, path: str, request: Any) -> Reply:
        if "count_tokens" in path:
            return Reply('{"input_tokens": 10}')
        if path.split("?")[0] != "/v1/messages":
            return Reply("{}", status=404)
        if not request.get("stream"):
            return Reply(json.dumps(_message([{"type": "text", "text": "Yes"}], "end_turn")))
        return self.speak(Turn(0, "A title"))


class Claude(Host):
    """The host."""

    name = "claude"
    package = "@anthropic-ai/claude-code"
    settings = ".claude/settings.json"
    events = EVENTS
    tool_events = ("PreToolUse", "PostToolUse")
    dialect = Messages()

    def program(self, modules: Path) -> list[str]:
        # The wrapper script asks for a newer node than the native program needs, which is none at all.
        machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
        found = sorted(modules.glob(f"{self.package}-{platform.system().lower()}-{machine}*/claude"))
        if not found:
            raise Unavailable("no native program for this platform")
        return [str(found[0])]

    def arguments(self, scenario: Scenario, server: Sequence[str]) -> list[str]:
        mode = scenario.mode or ("default" if scenario.asks else "bypassPermissions")
        prompts = scenario.prompts
        said = ["-p", prompts[0]] if len(prompts) == 1 else ["-p", "--input-format", "stream-json"]
        more = []
        if any(isinstance(step.call, Served) for step in scenario.steps):
            served = {NAME: {"command": server[0], "args": list(server[1:])}}
            more += ["--mcp-config", json.dumps({"mcpServers": served})]
        # Some tools are there only when they are named.
        named = sorted({step.call.tool for step in scenario.steps if isinstance(step.call, Own)})
        if named:
            more += ["--tools", ",".join(["default", *named])]
        return [*said, "--output-format", "stream-json", "--verbose", "--permission-mode", mode, *more]

    def typed(self, prompts: Sequence[str]) -> str:
        if len(prompts) == 1:
            return ""
        said = [{"type": "user", "message": {"role": "user", "content": prompt}} for prompt in prompts]
        return "".join(json.dumps(line) + "\n" for line in said)

    def environment(self, url: str, home: Path) -> dict[str, str]:
        return {
            "ANTHROPIC_API_KEY": "dummy",
            "ANTHROPIC_BASE_URL": url,
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            # Without it the program refuses to work as root with permissions bypassed.
            "IS_SANDBOX": "1",
        }

    def prepare(self, home: Path) -> None:
        file = home / self.settings
        file.parent.mkdir(parents=True)
        file.write_text('{\n  "cleanupPeriodDays": 30\n}\n')

    def configure(
        self, project: Path, hook: Sequence[str], events: Sequence[str], others: Mapping[str, str]
    ) -> None:
        entry = {
            "type": "command",
            "command": hook[0],
            "args": list(hook[1:]),
            "timeout": HOOK_SECONDS,
            "onFailure": "block",
        }
        file = project / self.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        hooks = {event: [{"hooks": [entry]}] for event in events}
        for event, command in others.items():
            hooks.setdefault(event, []).append({"hooks": [{"type": "command", "command": command}]})
        file.write_text(json.dumps({"hooks": hooks}, indent=2))

    def tool(self, call: Call, project: Path) -> tuple[str, Any]:
        if isinstance(call, Shell):
            return "Bash", {"command": call.command, "description": "A step of the script"}
        if isinstance(call, Delegate):
            named = {"description": "A part of the script", "subagent_type": "general-purpose"}
            return "Agent", {**named, "prompt": call.prompt, "run_in_background": False}
        if isinstance(call, Served):
            return f"mcp__{NAME}__{call.tool}", {"text": call.text}
        if isinstance(call, Own):
            return call.tool, call.arguments
        if isinstance(call, Read):
            return "Read", {"file_path": str(project / call.path)}
        return "Write", {"file_path": str(project / call.path), "content": call.content}

    def refusal(self, result: Result) -> str | None:
        # A bracketed command line where the reason should be is the host's account of a hook that failed.
        given = re.match(r"PreToolUse:\w+ hook error: (?!\[)(.+)", result.text, re.DOTALL)
        return given[1] if result.failed and given else None

    def complaints(self, stdout: str, stderr: str, turns: Sequence[Any]) -> list[str]:
        signs = ("hook_no_verdict", "onFailure is", "hook error: [", "Hook JSON output validation", "Hook cancelled")
        return [line for line in (stdout + stderr).splitlines() if any(sign in line for sign in signs)]


def _message(content: list[Any], stop: str | None, id: str = "msg_aside") -> dict[str, Any]:
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(block.get("text", "") for block in content)
    return content or ""
