"""What the harness has to know of a host; everything that differs between two hosts stands in their own files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Mapping, Sequence

from model import Dialect, Result
from scenario import Call, Scenario

HERE = Path(__file__).resolve().parent
HOOK_SECONDS = 30
"""Long for a hook, as a hook that is too slow is ignored by both hosts and a busy machine is no finding."""


class Host(ABC):
    """A coding agent that can be run without a person."""

    name: str
    package: str
    settings: str
    """Path of its settings file inside a project."""
    user_settings: str = ""
    """Path of the person's inside the home, if it is another one."""
    scenarios: tuple[str, ...] = ()
    """The scenarios for every host that it is driven through, where it is too slow for all of them."""
    events: tuple[str, ...]
    """The events that the hook is registered for."""
    tool_events: tuple[str, ...]
    """Those of them that concern a single tool call."""
    dialect: Dialect
    own_scenarios: tuple[Scenario, ...] = ()
    """Scenarios that only this host plays."""
    ends_runs = True
    """Whether a hook of a tool call can end the run."""
    changes_answers = True
    """Whether a hook can change what the model answers before a person sees it."""
    has_file_tools = True
    """Whether files are read and written by tools of their own, each with the path as an argument."""
    unseen: tuple[str, ...] = ()
    """Effects that a run without a person does not show: what they say is not looked for."""

    def plays(self, scenario: Scenario) -> bool:
        """Returns whether the scenario is for this host."""
        if scenario in self.own_scenarios:
            return True
        named = self.name in scenario.hosts if scenario.hosts else not self.scenarios or scenario.name in self.scenarios
        return named and all(getattr(self, need) for need in scenario.needs)

    def own_words(self, result: Result) -> str:
        """Returns a result without what the host repeats of the call."""
        return result.text

    @abstractmethod
    def program(self, modules: Path) -> list[str]:
        """Returns the command that starts it, or raises `install.Unavailable`."""

    @abstractmethod
    def arguments(self, scenario: Scenario, server: Sequence[str]) -> list[str]:
        """Returns the arguments of one run that answers the prompts and ends; asked or not, nobody answers.

        `server` is the command line of the tool server.
        """

    def typed(self, prompts: Sequence[str]) -> str:
        """Returns what is typed to the host beside its arguments."""
        return ""

    @abstractmethod
    def environment(self, url: str, home: Path) -> dict[str, str]:
        """Returns its own variables: a made-up key, the model's address, nothing sent home."""

    @abstractmethod
    def prepare(self, home: Path) -> None:
        """Writes what the person's own settings need so that it works at all, and no hook."""

    @abstractmethod
    def configure(
        self, project: Path, hook: Sequence[str], events: Sequence[str], others: Mapping[str, str]
    ) -> None:
        """Registers the hook in the project's settings for the events, and other hooks behind it."""

    @abstractmethod
    def tool(self, call: Call, project: Path) -> tuple[str, Any]:
        """Returns the name and the arguments of its own tool for the call."""

    @abstractmethod
    def refusal(self, result: Result) -> str | None:
        """Returns the reason a hook gave for refusing the call.

        There is none if the call went through, failed for the host's own reasons, or was refused because the hook
        broke: a crash that stops the agent proves nothing about the policy.
        """

    @abstractmethod
    def complaints(self, stdout: str, stderr: str, turns: Sequence[Any]) -> list[str]:
        """Returns signs that a hook crashed, was not understood, or changed what it had no business changing."""
