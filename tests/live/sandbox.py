"""One run of a host: a fresh home, a fresh project, an environment from scratch, and an end in any case."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Sequence

from host import HERE, Host
from model import Model, Result
from scenario import Call, Delegate, Own, Scenario, Served, Shell
from scenarios import COMMANDS, DOTENV, DOTENVS, HOME_MARKER, NOTES

RUN_SECONDS = 60


@dataclass(frozen=True)
class Run:
    """What a run left behind."""

    ended: str
    """How it ended if not by itself, else empty."""
    status: int
    output: str
    complaints: list[str]
    turns: list[Any]
    results: list[Result]
    before: dict[str, str | None]
    """The files that the steps speak of, by their path there, before the run."""
    after: dict[str, str | None]
    installation: dict[str, str]
    """What commands such as `ruleward install` should have done, each with what they did instead if not."""


def perform(host: Host, scenario: Scenario, program: Sequence[str], binary: Path, folder: Path) -> Run:
    """Runs the scenario in the folder, which must be new."""
    home, project = folder / "home", folder / "project"
    base = _environment(folder)
    _furnish(folder, scenario, base)
    policy = ["--policy", str(HERE / "policy.yaml")] if scenario.team_policy else []
    if scenario.own_policy:
        (folder / "policy.yaml").write_text(scenario.own_policy)
        policy += ["--policy", str(folder / "policy.yaml")]
    events = scenario.only_events or (host.tool_events if scenario.tool_hooks_only else host.events)
    host.prepare(home)
    own = Installation(host, scenario, binary, folder, base)
    if scenario.installed:
        own.begin()
    else:
        host.configure(project, [str(binary), "hook", host.name, *policy], events, scenario.other_hooks)
    files = {path: _place(path, host, home, project) for step in scenario.steps for path in step.files}
    before = {path: _content(file) for path, file in files.items()}

    calls = [(step.said, *host.tool(_spelled(step.call, host), project)) for step in scenario.steps]
    (folder / "stdin").write_text(host.typed(scenario.prompts))
    tasks = {step.call.prompt: step.call.answer for step in scenario.steps if isinstance(step.call, Delegate)}
    with Model(host.dialect, calls, scenario.closing, scenario.pieces, tasks) as model:
        command = [*program, *host.arguments(scenario, [sys.executable, str(HERE / "server.py")])]
        for _ in range(scenario.runs):
            ended, status = _bounded(command, {**base, **host.environment(model.url, home)}, folder, model)
        turns = list(model.turns)

    (folder / "requests.json").write_text(json.dumps(turns, indent=1))
    stdout, stderr = ((folder / name).read_text(errors="replace") for name in ("stdout", "stderr"))
    if scenario.restored:
        own.restore(scenario.restored)
    after = {path: _content(file) for path, file in files.items()}
    if scenario.installed:
        own.end()
    results = host.dialect.results(turns[-1]) if turns else []
    return Run(ended, status, stdout + stderr, host.complaints(stdout, stderr, turns), turns, results, before, after, own.found)


class Installation:
    """The hook as a person would register it, proven and taken out again."""

    def __init__(self, host: Host, scenario: Scenario, binary: Path, folder: Path, environment: dict[str, str]):
        self.found: dict[str, str] = {}
        self._host, self._scope, self._binary = host, scenario.installed, binary
        self._folder, self._environment = folder, environment
        self._settings = folder / "home" / (host.user_settings or host.settings)
        self._before = self._content()

    def begin(self) -> None:
        """Registers the hook and has it proven."""
        # What is shared in a project names the program as it is found on the path.
        (self._folder / "bin" / "ruleward").symlink_to(self._binary)
        self._ask("the hook is installed", "install", self._host.name, "--scope", self._scope)
        self._ask("doctor says that it is live", "doctor", self._host.name)

    def restore(self, gone: Sequence[str]) -> None:
        """Restores what the run has deleted."""
        for path in gone:
            left = _content(self._folder / "project" / path)
            self.found[f"{path} is gone when the host has ended"] = "" if left is None else f"it holds {left!r}"
        self._ask("`ruleward undo --last` restores it", "undo", "--last", "--yes")

    def end(self) -> None:
        """Takes the hook out."""
        self._remove("the hook is uninstalled", "uninstall", self._host.name, "--scope", self._scope)
        left = self._content()
        self.found["the settings are byte for byte what they were"] = "" if left == self._before else repr(left)

    def _content(self) -> bytes | None:
        return self._settings.read_bytes() if self._settings.is_file() else None

    def _remove(self, what: str, *arguments: str) -> None:
        """Runs a command that needs a person, at a terminal that the person's policy names."""
        policy = self._folder / "home" / ".config" / "ruleward" / "policy.yaml"
        before = policy.read_text() if policy.exists() else None
        policy.parent.mkdir(parents=True, exist_ok=True)
        version = "version: 1\n"
        policy.write_text((before or version).replace(version, version + "terminals: [script]\n", 1))
        line = shlex.join([str(self._binary), *arguments])
        self._run(what, ["script", "-q", "-E", "never", "-ec", line, "/dev/null"], "yes\n")
        if before is None:
            policy.unlink()
        else:
            policy.write_text(before)

    def _ask(self, what: str, *arguments: str) -> None:
        self._run(what, [str(self._binary), *arguments], "")

    def _run(self, what: str, command: list[str], typed: str) -> None:
        said = subprocess.run(
            command,
            cwd=self._folder / "project",
            env=self._environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )
        self.found[what] = "" if said.returncode == 0 else said.stdout + said.stderr


def _furnish(folder: Path, scenario: Scenario, environment: dict[str, str]) -> None:
    home, project, tools = folder / "home", folder / "project", folder / "bin"
    for made in (home, project, tools, folder / "tmp"):
        made.mkdir(parents=True)
    (home / HOME_MARKER).write_text("Still here.\n")
    (project / "notes.txt").write_text(NOTES + "\n")
    for name in DOTENVS:
        (project / name).write_text(DOTENV)
    for path, text in scenario.there.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    if scenario.project_policy:
        file = project / ".ruleward" / "policy.yaml"
        file.parent.mkdir()
        file.write_text(scenario.project_policy)
    for name in COMMANDS:
        (tools / name).write_text(f'#!/bin/sh\necho "$*" > {name}.args\n')
        (tools / name).chmod(0o755)
    for name, text in scenario.programs.items():
        program = home / name[2:] if name.startswith("~/") else tools / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], check=True, timeout=20, env=environment, cwd=project)

    git("init", "--quiet")
    if scenario.committed:
        git("add", "--all")
        git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "--message", scenario.committed)


def _environment(folder: Path) -> dict[str, str]:
    places = [str(folder / "bin"), "/usr/local/bin", "/usr/bin", "/bin"]
    node = shutil.which("node")
    if node is not None:
        places.append(str(Path(node).parent))
    return {
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "PATH": ":".join(places),
        "SHELL": "/bin/bash",
        "TMPDIR": str(folder / "tmp"),
        # A dead proxy: where the network cannot be cut off, nothing but loopback is reached all the same.
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
    }


def _bounded(command: list[str], environment: dict[str, str], folder: Path, model: Model) -> tuple[str, int]:
    # Files, not pipes: a child that outlives the host would keep a pipe open.
    with (
        open(folder / "stdin", "rb") as typed,
        open(folder / "stdout", "wb") as out,
        open(folder / "stderr", "wb") as err,
    ):
        host = subprocess.Popen(
            command,
            cwd=folder / "project",
            env=environment,
            stdin=typed,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        ended, deadline = "", time.monotonic() + RUN_SECONDS
        try:
            while host.poll() is None and not ended:
                if time.monotonic() > deadline:
                    ended = f"killed after {RUN_SECONDS} seconds"
                elif model.runaway.is_set():
                    ended = f"killed after {len(model.turns)} requests to the model"
                else:
                    time.sleep(0.05)
        finally:
            # Whatever the host left running goes with it.
            try:
                os.killpg(host.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            host.wait(timeout=10)
    return ended, host.returncode


def _spelled(call: Call, host: Host) -> Call:
    if isinstance(call, (Delegate, Served, Own)):
        return call
    if isinstance(call, Shell):
        return replace(call, command=call.command.replace("@settings@", host.settings))
    return replace(call, path=call.path.replace("@settings@", host.settings))


def _place(path: str, host: Host, home: Path, project: Path) -> Path:
    return home / path[2:] if path.startswith("~/") else project / path.replace("@settings@", host.settings)


def _content(file: Path) -> str | None:
    return file.read_text(errors="replace") if file.is_file() else None

