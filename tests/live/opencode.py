"""OpenCode, whose hook is a plugin."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from completions import ChatCompletions, refusal
from host import HERE, Host
from install import Unavailable
from model import Result
from scenario import Call, Delegate, Own, Read, Scenario, Served, Shell
from server import NAME

EVENTS = (
    "tool.execute.before",
    "tool.execute.after",
    "tool.execute.failed",
    "chat.message",
    "session.created",
    "session.idle",
)


class OpenCode(Host):
    """The host."""

    name = "opencode"
    # `opencode-ai` itself holds no program, only the choice among those of each platform.
    package = "opencode-linux-x64"
    settings = ".opencode/plugins/ruleward.js"
    user_settings = ".config/opencode/plugins/ruleward.js"
    events = EVENTS
    tool_events = ("tool.execute.before", "tool.execute.after", "tool.execute.failed")
    dialect = ChatCompletions()
    scenarios = ("dangerous", "the guard itself", "installed for the person", "installed for the project")

    def program(self, modules: Path) -> list[str]:
        program = modules / self.package / "bin" / "opencode"
        if not program.is_file():
            raise Unavailable("no native program for this platform")
        return [str(program)]

    def arguments(self, scenario: Scenario, server: Sequence[str]) -> list[str]:
        return ["run", "--format", "json", "--print-logs", *(["--pure"] if scenario.mode == "pure" else []), scenario.prompts[0]]

    def environment(self, url: str, home: Path) -> dict[str, str]:
        model = {"name": "Scripted", "tool_call": True, "limit": {"context": 200000, "output": 8000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
            "models": {"scripted": model},
        }
        config = {
            "model": "loopback/scripted",
            "small_model": "loopback/scripted",
            "autoupdate": False,
            "share": "disabled",
            "provider": {"loopback": provider},
            "mcp": {NAME: {"type": "local", "command": ["python3", str(HERE / "server.py")]}},
        }
        return {
            "OPENCODE_CONFIG_CONTENT": json.dumps(config),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_SHARE": "1",
        }

    def prepare(self, home: Path) -> None:
        # At its start it would install the types of its plugins, and try that for more than a minute.
        (home / ".npmrc").write_text("offline=true\nfetch-retries=0\n")

    def configure(
        self, project: Path, hook: Sequence[str], events: Sequence[str], others: Mapping[str, str]
    ) -> None:
        source = HERE.parent.parent / "src" / "adapters" / self.name / "plugin.js"
        text = source.read_text().replace("const COMMAND = []", f"const COMMAND = {json.dumps(list(hook))}")
        file = project / self.settings
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("const EVENTS = []", f"const EVENTS = {json.dumps(list(events))}"))

    def tool(self, call: Call, project: Path) -> tuple[str, Any]:
        if isinstance(call, Shell):
            return "bash", {"command": call.command, "description": "A step of the script"}
        if isinstance(call, Delegate):
            return "task", {"description": "A part of the script", "prompt": call.prompt, "subagent_type": "general"}
        if isinstance(call, Served):
            return f"{NAME}_{call.tool}", {"text": call.text}
        if isinstance(call, Own):
            return call.tool, call.arguments
        if isinstance(call, Read):
            return "read", {"filePath": str(project / call.path)}
        return "write", {"filePath": str(project / call.path), "content": call.content}

    def refusal(self, result: Result) -> str | None:
        return refusal(result)

    def complaints(self, stdout: str, stderr: str, turns: Sequence[Any]) -> list[str]:
        # Not where the plugin itself is read.
        sign = re.compile(r"ruleward gave no answer, so this is denied: (?!\$)|failed to load plugin")
        return [line for line in (stdout + stderr).splitlines() if sign.search(line)]
