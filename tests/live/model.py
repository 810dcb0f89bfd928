"""The scripted model: an HTTP server on loopback that speaks the host's model protocol.

It keeps no position of its own. How many results of tool calls a request carries says which call comes next, so a host
that repeats a request gets the same answer again.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Mapping, Protocol, Sequence

# More than any scenario needs; a host that goes on is in an endless loop.
TURN_LIMIT = 40


@dataclass(frozen=True)
class Turn:
    """What the model says next: a tool call, with a text before it if there is one, or a text alone."""

    index: int
    text: str
    pieces: int = 2
    tool: str = ""
    arguments: Any = None


@dataclass(frozen=True)
class Result:
    """What the model reads as the result of a call."""

    text: str
    failed: bool


@dataclass(frozen=True)
class Reply:
    """One HTTP answer."""

    body: str
    content_type: str = "application/json"
    status: int = 200


def pieces(turn: Turn) -> list[str]:
    """Returns the text of a turn in its pieces, which are about as long as one another."""
    ends = [number * len(turn.text) // turn.pieces for number in range(turn.pieces + 1)]
    return [turn.text[begin:end] for begin, end in zip(ends, ends[1:])]


class Dialect(Protocol):
    """A model protocol, seen from the server."""

    def is_turn(self, path: str, request: Any) -> bool:
        """Returns whether the request is one of the conversation, not of a title or a token count."""

    def results(self, request: Any) -> list[Result]:
        """Returns the results of the tool calls so far, in order."""

    def begins_with(self, request: Any, prompt: str) -> bool:
        """Returns whether the conversation begins with the prompt, as a sub-agent's does with its task."""

    def speak(self, turn: Turn) -> Reply:
        """Returns the streamed answer."""

    def aside(self, path: str, request: Any) -> Reply:
        """Returns an answer to any request that is not a turn."""


class Model:
    """The server of one run; a context manager."""

    def __init__(
        self,
        dialect: Dialect,
        calls: Sequence[tuple[str, str, Any]],
        closing: str,
        pieces: int,
        delegated: Mapping[str, str],
    ) -> None:
        self.turns: list[Any] = []
        self.runaway = threading.Event()
        self._dialect, self._calls, self._delegated = dialect, calls, delegated
        self._closing, self._pieces = closing, pieces
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Returns the address that the host takes for its model's."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, request: Any) -> Reply:
        """Returns the reply to one request, and remembers it if it is a turn."""
        if not self._dialect.is_turn(path, request):
            return self._dialect.aside(path, request)
        with self._lock:
            self.turns.append({"path": path, **request})
            if len(self.turns) > TURN_LIMIT:
                self.runaway.set()
        for prompt, answer in self._delegated.items():
            if self._dialect.begins_with(request, prompt):
                return self._dialect.speak(Turn(0, answer))
        index = len(self._dialect.results(request))
        if index < len(self._calls):
            said, tool, arguments = self._calls[index]
            return self._dialect.speak(Turn(index, said, tool=tool, arguments=arguments))
        return self._dialect.speak(Turn(index, self._closing, self._pieces))

    def _handler(model) -> type[BaseHTTPRequestHandler]:  # noqa: N805  (`self` is the inner class's)
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    request = json.loads(body or b"{}")
                except ValueError:
                    request = {}
                self._send(model.answer(self.path, request))

            def do_GET(self) -> None:
                self._send(Reply("{}", status=404))

            def do_HEAD(self) -> None:
                self._send(Reply(""))

            def _send(self, reply: Reply) -> None:
                body = reply.body.encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass  # The host has gone away; that shows in the run's own checks.

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def event_stream(events: Sequence[Any], named: bool = False) -> Reply:
    """Returns the events as server-sent events, under their `type` if the protocol names them."""
    lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return Reply("".join(lines), "text/event-stream")
