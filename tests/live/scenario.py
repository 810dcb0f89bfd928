"""The words a scenario is written in; they name no host.

A scenario is one run of a host: the model makes the calls of its steps one after another, then closes with a text.
`@settings@` in a call or a path stands for the host's own settings file inside the project.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Mapping, Union


@dataclass(frozen=True)
class Shell:
    """A command line for the host's shell tool."""

    command: str


@dataclass(frozen=True)
class Write:
    """A whole file for the host's write tool; the path is relative to the project."""

    path: str
    content: str


@dataclass(frozen=True)
class Read:
    """A file for the host's read tool; the path is relative to the project."""

    path: str


@dataclass(frozen=True)
class Delegate:
    """A task for a sub-agent, which answers it in a text."""

    prompt: str
    answer: str


@dataclass(frozen=True)
class Served:
    """A tool of the tool server that `server.py` is: `say`, `fail` or `ask`."""

    tool: str
    text: str


@dataclass(frozen=True)
class Own:
    """A tool by the name that one host has for it, with its arguments."""

    tool: str
    arguments: Mapping[str, Any]


Call = Union[Shell, Write, Read, Delegate, Served, Own]


class Left(Enum):
    """What has become of a file when its whole content is not given."""

    SAME = "is what it was before the run"
    ABSENT = "does not exist"


class Outcome(Enum):
    """What becomes of a call."""

    DONE = "goes through"
    REFUSED = "is refused by the hook, and the model is told why"
    HELD = "is refused, or asked about with nobody to answer, and the model is told why"
    CHANGED = "goes through, and the model reads another result"
    LAST = "ends the run, so that the model hears nothing more"
    BARRED = "does not happen, whoever prevents it"
    FAILED = "fails"


@dataclass(frozen=True)
class Step:
    """One tool call of the model."""

    name: str
    call: Call
    outcome: Outcome = Outcome.DONE
    told: str = ""
    """Words that must stand in what the model reads as the call's result."""
    hidden: str = ""
    """Words that must not stand there."""
    files: Mapping[str, str | Left] = field(default_factory=dict)
    """Path (`~/` is the throw-away home) to what must be there after the run."""
    said: str = ""
    """A text that the model says in one piece with the call."""
    shows: tuple[str, ...] = ()
    """The rows of the hosts' tables that the step shows: `moment effect` each."""


@dataclass(frozen=True)
class Scenario:
    """One run of a host and what is asked of it as a whole."""

    name: str
    steps: tuple[Step, ...] = ()
    closing: str = "Done."
    """The model's last text; it is repeated as often as the host asks again."""
    pieces: int = 2
    """In how many pieces the model says a text, where the host is told pieces."""
    team_policy: bool = False
    """Whether `policy.yaml` of this folder is named on the hook's command line."""
    own_policy: str = ""
    """The text of a policy that is named on the hook's command line, if any."""
    project_policy: str = ""
    """The text of `.ruleward/policy.yaml` in the project, if any."""
    reads: Mapping[int, str | tuple[str, ...]] = field(default_factory=dict)
    """Number of a request, from 0, to words that the model must find in it, or in the address it is sent to."""
    unread: Mapping[int, str] = field(default_factory=dict)
    """Number of a request to words that must not stand in it."""
    there: Mapping[str, str] = field(default_factory=dict)
    """Files of the project, by path."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Scripts that can be run: by a bare name among the programs of the machine, or at a path (`~/` is the home)."""
    committed: str = ""
    """The subject of a commit of all that is in the project, if there is to be one."""
    only_events: tuple[str, ...] = ()
    """The host's events that the hook is registered for, where it is not all of them."""
    model_told: tuple[str, ...] = ()
    """Words that the model must find in some request."""
    person_told: str | tuple[str, ...] = ""
    """Words that must stand in what the host prints."""
    person_spared: str = ""
    """Words that must not stand there."""
    prompts: tuple[str, ...] = ("Follow the script.",)
    """What the person says, one after the other, where the host takes more than one prompt."""
    runs: int = 1
    """How often the host is run, one time after the other, in the same home and project."""
    status: int = 0
    """The exit status with which the host ends."""
    mode: str = ""
    """The host's own permission mode, if it is not one that asks nothing."""
    other_hooks: Mapping[str, str] = field(default_factory=dict)
    """Shell command lines of other hooks, by the host's event."""
    asks: bool = False
    """Whether the host is to ask before it runs a tool, with nobody there to answer."""
    tool_hooks_only: bool = False
    """Whether the hook is registered for tool calls alone, so that nothing can end a run before the first of them."""
    installed: str = ""
    """The scope in which `ruleward install` registers the hook, instead of the harness."""
    restored: tuple[str, ...] = ()
    """Files of the project that are gone when the host has ended, before `ruleward undo --last` is run."""
    hosts: tuple[str, ...] = ()
    """The hosts that it is for; all, if not given."""
    needs: tuple[str, ...] = ()
    """What a host must be able to do: names of `Host`'s attributes that are true for it."""
    shows: tuple[str, ...] = ()
    """The rows that the whole run shows: `moment effect` each."""
    turns: tuple[int, int] | None = None
    """Fewest and most requests the model may see; as many as there are steps, and one, if not given."""
