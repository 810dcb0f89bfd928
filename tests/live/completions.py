"""The Chat Completions API, which several hosts ask their models through."""

from __future__ import annotations

import json
import re
from typing import Any

from model import Reply, Result, Turn, event_stream, pieces

REFUSAL = re.compile(r"(.+)\n\(details: ruleward explain \w+", re.DOTALL)
"""A reason that the hook gave: the API marks no result as an error, and a crash of a hook has no record."""


class ChatCompletions:
    """The protocol."""

    def is_turn(self, path: str, request: Any) -> bool:
        # Titles are asked for without tools.
        return path.endswith("/chat/completions") and bool(request.get("tools"))

    def results(self, request: Any) -> list[Result]:
        texts = [_text(message.get("content")) for message in request["messages"] if message.get("role") == "tool"]
        return [Result(text, REFUSAL.search(text) is not None) for text in texts]

    def begins_with(self, request: Any, prompt: str) -> bool:
        said = [message for message in request["messages"] if message.get("role") == "user"]
        return prompt in json.dumps(said[:1])

    def speak(self, turn: Turn) -> Reply:
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        if turn.text or not turn.tool:
            deltas += ({"content": piece} for piece in pieces(turn))
        if turn.tool:
            function = {"name": turn.tool, "arguments": json.dumps(turn.arguments)}
            deltas.append({"tool_calls": [{"index": 0, "id": f"call_{turn.index}", "type": "function", "function": function}]})
        chunks = [_chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
        chunks.append(_chunk([{"index": 0, "delta": {}, "finish_reason": "tool_calls" if turn.tool else "stop"}]))
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        reply = event_stream([*chunks, {**_chunk([]), "usage": usage}])
        return Reply(reply.body + "data: [DONE]\n\n", reply.content_type)

    def aside(self, path: str, request: Any) -> Reply:
        if not path.endswith("/chat/completions"):
            return Reply("{}", status=404)
        if request.get("stream"):
            return self.speak(Turn(0, "A title"))
        choice = {"index": 0, "message": {"role": "assistant", "content": "A title"}, "finish_reason": "stop"}
        return Reply(json.dumps({"id": "aside", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}))


def refusal(result: Result) -> str | None:
    """Returns the reason of a refusal by the hook."""
    given = REFUSAL.search(result.text)
    return given[1] if given else None


def _chunk(choices: list[Any]) -> dict[str, Any]:
    return {"id": "turn", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": choices}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""
