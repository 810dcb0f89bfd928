"""Compares what a run left behind with what its scenario asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Iterator, Sequence

from host import Host
from model import Result
from rows import Rows
from sandbox import Run
from scenario import Left, Outcome, Scenario, Step


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    name: str
    passed: bool
    found: str = ""
    """What there was instead, for a check that did not pass."""
    step: int | None = None
    """The step that it is about, if it is about one."""


def checks(host: Host, scenario: Scenario, run: Run) -> Iterator[Check]:
    """Returns every check of the scenario, passed or not."""
    ending = run.ended or f"exit status {run.status}: {run.output[-400:]}"
    yield Check("the run ends by itself", not run.ended and run.status == scenario.status, ending)
    yield Check("no hook fails or meddles", not run.complaints, "\n".join(run.complaints[:3]))
    for what, instead in run.installation.items():
        yield Check(what, not instead, instead)
    fewest, most = scenario.turns or (len(scenario.steps) + 1,) * 2
    asked = "once" if most == 1 else f"{most} times" if fewest == most else f"{fewest} to {most} times"
    yield Check(f"the model is asked {asked}", fewest <= len(run.turns) <= most, f"asked {len(run.turns)} times")
    for number, wanted in scenario.reads.items():
        request = json.dumps(run.turns[number : number + 1])
        for words in _all(wanted):
            yield Check(f"the model finds `{words}` in request {number}", words in request, "it doesn't exist")
    for number, words in scenario.unread.items():
        request = json.dumps(run.turns[number])
        yield Check(f"the model does not find `{words}` in request {number}", words not in request, "it is there")
    for words in scenario.model_told:
        yield Check(f"the model finds `{words}`", words in json.dumps(run.turns), "it is in no request")
    for words in () if "warn" in host.unseen else _all(scenario.person_told):
        yield Check(f"the person is told `{words}`", words in run.output, run.output[-400:])
    if scenario.person_spared:
        spared = scenario.person_spared not in run.output
        yield Check(f"the person is not shown `{scenario.person_spared}`", spared, run.output[-400:])
    for index, step in enumerate(scenario.steps):
        for check in _of_step(host, step, run, run.results[index] if index < len(run.results) else None):
            yield replace(check, step=index)


def note(host: Host, rows: Rows, scenario: Scenario, found: Sequence[Check]) -> None:
    """Notes which rows the scenario has shown; what fails for the run as a whole fails for every step."""

    def seen(shows: Sequence[str]) -> list[str]:
        return [row for row in shows if row.split()[1] not in host.unseen]

    whole = all(check.passed for check in found if check.step is None)
    rows.note(seen(scenario.shows), whole and all(check.passed for check in found))
    for index, step in enumerate(scenario.steps):
        rows.note(seen(step.shows), whole and all(check.passed for check in found if check.step == index))


def _all(words: str | tuple[str, ...]) -> tuple[str, ...]:
    return words if isinstance(words, tuple) else (words,) if words else ()


def _of_step(host: Host, step: Step, run: Run, result: Result | None) -> Iterator[Check]:
    heard = "the model never got a result" if result is None else f"the model read: {result.text}"
    yield Check(f"{step.name}: {step.outcome.value}", _came_out(host, step, result), heard)
    if step.told:
        told = result is not None and step.told in result.text
        yield Check(f"{step.name}: the model reads `{step.told}`", told, heard)
    if step.hidden:
        spared = result is not None and step.hidden not in host.own_words(result)
        yield Check(f"{step.name}: the model is not sent the secret again", spared, heard)
    for path, wanted in step.files.items():
        expected = {Left.SAME: run.before[path], Left.ABSENT: None}.get(wanted, wanted)
        state = wanted.value if isinstance(wanted, Left) else f"holds {wanted!r}"
        found = run.after[path]
        seen = "there is none" if found is None else f"it holds {found!r}"
        yield Check(f"{step.name}: {path} {state}", found == expected, seen)


def _came_out(host: Host, step: Step, result: Result | None) -> bool:
    if result is None:
        return step.outcome in (Outcome.LAST, Outcome.BARRED)
    if step.outcome is Outcome.CHANGED:
        return True
    if step.outcome is Outcome.REFUSED:
        return host.refusal(result) is not None
    if step.outcome is Outcome.HELD:
        return result.failed and step.told in result.text
    return result.failed is (step.outcome in (Outcome.BARRED, Outcome.FAILED)) and step.outcome is not Outcome.LAST
