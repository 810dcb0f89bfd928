"""Gemini CLI, and the generateContent API it asks its model through."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any, Mapping, Sequence

from host import HOOK_SECONDS, Host
from install import Unavailable
from model import Reply, Result, Turn, event_stream, pieces
from scenario import Call, Delegate, Own, Read, Scenario, Shell

EVENTS = (
    "SessionStart",
    "BeforeAgent",
    "BeforeModel",
    "BeforeToolSelection",
    "AfterModel",
    "BeforeTool",
    "AfterTool",
    "AfterAgent",
    "PreCompress",
    "Notification",
    "SessionEnd",
)

USER_SETTINGS = {
    # The address of the model alone would choose another kind of login.
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
}


class GenerateContent:
    """The protocol."""

    def is_turn(self, path: str, request: Any) -> bool:
        return ":streamGenerateContent" in path and bool(request.get("tools"))

    def results(self, request: Any) -> list[Result]:
        parts = [part for content in request["contents"] for part in content.get("parts", [])]
        responses = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        return [
            Result(response["error"], True) if "error" in response else Result(_text(response), False)
            for response in responses
        ]

    def begins_with(self, request: Any, prompt: str) -> bool:
        return prompt in json.dumps(request["contents"][:1])

    def speak(self, turn: Turn) -> Reply:
        if turn.tool:
            said = [{"text": turn.text}] if turn.text else []
            return event_stream([_chunk(*said, {"functionCall": {"name": turn.tool, "args": turn.arguments}}, last=True)])
        *first, last = pieces(turn)
        return event_stream([*(_chunk({"text": piece}) for piece in first), _chunk({"text": last}, last=True)])

    def aside(self, path: str, request: Any) -> Reply:
        if ":countTokens" in path:
            return Reply('{"totalTokens": 10}')
        if ":streamGenerateContent" in path:
            return self.speak(Turn(0, "An aside."))
        return Reply(json.dumps(_chunk({"text": "{}"}, last=True)))


class Gemini(Host):
    """The host."""

    name = "gemini"
    package = "@google/gemini-cli"
    settings = ".gemini/settings.json"
    events = EVENTS
    tool_events = ("BeforeTool", "AfterTool")
    dialect = GenerateContent()

    def program(self, modules: Path) -> list[str]:
        node = shutil.which("node")
        if node is None:
            raise Unavailable("node is not on the path")
        return [node, str(modules / self.package / "bundle" / "gemini.js")]

    def arguments(self, scenario: Scenario, server: Sequence[str]) -> list[str]:
        # In its default mode without a person it does not even offer the shell and write tools; without a named model
        # it first asks another one which to take.
        mode = ["--approval-mode", "yolo", "--output-format", "json"]
        return ["-p", scenario.prompts[0], "--model", "gemini-2.5-flash", *mode]

    def environment(self, url: str, home: Path) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    def prepare(self, home: Path) -> None:
        file = home / self.settings
        file.parent.mkdir(parents=True)
        file.write_text(f"// The person's own.\n{json.dumps(USER_SETTINGS, indent=2)}\n")

    def configure(
        self, project: Path, hook: Sequence[str], events: Sequence[str], others: Mapping[str, str]
    ) -> None:
        entry = {"name": "ruleward", "type": "command", "command": shlex.join(hook), "timeout": HOOK_SECONDS * 1000}
        file = project / self.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        hooks = {event: [{"hooks": [entry]}] for event in events}
        for event, command in others.items():
            hooks.setdefault(event, []).append({"hooks": [{"type": "command", "command": command}]})
        file.write_text(json.dumps({"hooks": hooks}, indent=2))

    def tool(self, call: Call, project: Path) -> tuple[str, Any]:
        if isinstance(call, Shell):
            return "run_shell_command", {"command": call.command, "description": "A step of the script"}
        if isinstance(call, Delegate):
            return "invoke_agent", {"agent_name": "generalist", "prompt": call.prompt}
        if isinstance(call, Own):
            return call.tool, call.arguments
        if isinstance(call, Read):
            return "read_file", {"file_path": call.path}
        return "write_file", {"file_path": call.path, "content": call.content}

    def refusal(self, result: Result) -> str | None:
        # Without a reason of its own the host quotes the shell's complaint about a hook that did not start or crashed.
        given = re.match(r"Tool execution blocked: (?!bash: |No reason provided)(.+)", result.text, re.DOTALL)
        return given[1] if result.failed and given else None

    def complaints(self, stdout: str, stderr: str, turns: Sequence[Any]) -> list[str]:
        lines = [line for line in stderr.splitlines() if re.search(r"Hook\(s\) .* failed|Hook execution failed", line)]
        # Any output of a tool-selection hook, even an empty object, changes the request to this mode; others are meant.
        configs = [turn["toolConfig"] for turn in turns if "toolConfig" in turn]
        changed = [config for config in configs if config.get("functionCallingConfig", {}).get("mode") in (None, "AUTO")]
        return lines + [f"the tool selection was changed to {json.dumps(config)}" for config in changed[:1]]


def _chunk(*parts: dict[str, Any], last: bool = False) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if last:
        candidate["finishReason"] = "STOP"
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [candidate], "usageMetadata": usage}


def _text(response: Any) -> str:
    output = response.get("output")
    return output if isinstance(output, str) else json.dumps(response)
