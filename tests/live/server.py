"""A tool server for the hosts: tools that answer, fail, and ask the person for something. It speaks over its pipes."""

from __future__ import annotations

import json
import sys
from typing import Any, Iterator

NAME = "desk"
FORM = {"type": "object", "properties": {"project": {"type": "string"}}, "required": ["project"]}
TOOLS = ("say", "fail", "ask")


def main() -> None:
    """Answers until the pipe ends."""
    lines = _lines()
    for request in lines:
        if "id" in request and "method" in request:
            _send({"jsonrpc": "2.0", "id": request["id"], "result": _result(request, lines)})


def _lines() -> Iterator[Any]:
    for line in sys.stdin:
        if line.strip():
            yield json.loads(line)


def _result(request: Any, lines: Iterator[Any]) -> Any:
    asked = request.get("params") or {}
    if request["method"] == "initialize":
        offered = {"name": NAME, "version": "1.0.0"}
        return {"protocolVersion": asked["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": offered}
    if request["method"] == "tools/list":
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        return {"tools": [{"name": name, "description": f"A tool: {name}", "inputSchema": schema} for name in TOOLS]}
    if request["method"] == "tools/call":
        return _called(asked["name"], (asked.get("arguments") or {}).get("text", ""), lines)
    return {}


def _called(name: str, text: str, lines: Iterator[Any]) -> Any:
    if name == "ask":
        _send({"jsonrpc": "2.0", "id": "form", "method": "elicitation/create", "params": {"message": text, "requestedSchema": FORM}})
        answer = next((line for line in lines if line.get("id") == "form"), {})
        text = json.dumps(answer.get("result") or answer.get("error"))
    return {"content": [{"type": "text", "text": text}], "isError": name == "fail"}


def _send(message: Any) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
