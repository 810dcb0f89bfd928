"""The table of events and effects: what a run has shown of it, and what `rows.json` says.

`rows.json` holds, by host, event and effect, `true` for what a run has shown, or why none can; the documents are made
from it, and a run of all scenarios holds it to what it saw.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator

FILE = Path(__file__).resolve().parent / "rows.json"


@dataclass
class Rows:
    """One host's table, and what became of the rows that scenarios show."""

    host: str
    events: list[dict[str, Any]]
    """As `ruleward hosts --json` lists them."""
    found: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Event and effect, to whether every scenario that shows it has passed."""

    def note(self, shows: Iterable[str], passed: bool) -> None:
        """Notes what a scenario or a step of it shows: `moment effect` each; what the host has not is passed over."""
        for row in shows:
            moment, effect = row.split()
            for event in self.events:
                if event["moment"] == moment and effect in event["effects"]:
                    key = (event["event"], effect)
                    self.found[key] = self.found.get(key, True) and passed

    def printed(self) -> str:
        """Returns the table: a tick, a cross, a dash for what cannot be reached, a dot for what no scenario shows."""
        effects = [effect for effect in _names(self.events) if any(effect in event["effects"] for event in self.events)]
        wide = max(len(event["event"]) for event in self.events) + 2
        lines = [f"{self.host:{wide}}" + "  ".join(effects)]
        said = self._said()
        for event in self.events:
            marks = [self._mark(said, event, effect) for effect in effects]
            under = (f"{mark:{len(effect)}}" for mark, effect in zip(marks, effects))
            lines.append((f"{event['event']:{wide}}" + "  ".join(under)).rstrip())
        reasons = {key: why for key, why in said.items() if isinstance(why, str) and key not in self.found}
        lines += [f"- {event} {effect}: {why}" for (event, effect), why in sorted(reasons.items())]
        return "\n".join(lines)

    def faults(self) -> Iterator[str]:
        """Returns where `rows.json` does not say what the run has shown."""
        said = self._said()
        for event, effect in sorted(key for key, value in said.items() if value is True and key not in self.found):
            yield f"rows.json claims {event} {effect}, and no scenario shows it"
        for event, effect in sorted(key for key, passed in self.found.items() if passed and said.get(key) is not True):
            yield f"{event} {effect} is shown and rows.json does not say so: run with --bless"

    def bless(self) -> None:
        """Writes into `rows.json` what the run has shown, and takes out what it claims and no scenario shows."""
        whole = json.loads(FILE.read_text())
        mine = whole.get(self.host)
        kept = {key: value for key, value in self._said().items() if isinstance(value, str)}
        kept.update({key: True for key, passed in self.found.items() if passed})
        whole[self.host] = {
            event["event"]: {
                effect: kept[event["event"], effect] for effect in event["effects"] if (event["event"], effect) in kept
            }
            for event in self.events
        }
        whole[self.host] = {event: effects for event, effects in whole[self.host].items() if effects}
        if not isinstance(mine, str) or self.found:
            FILE.write_text(json.dumps(whole, indent=2) + "\n")

    def _mark(self, said: dict[tuple[str, str], Any], event: dict[str, Any], effect: str) -> str:
        key = (event["event"], effect)
        if effect not in event["effects"]:
            return ""
        if key in self.found:
            return "✓" if self.found[key] else "✗"
        return "–" if isinstance(said.get(key), str) else "·"

    def _said(self) -> dict[tuple[str, str], Any]:
        mine = json.loads(FILE.read_text()).get(self.host, {})
        if isinstance(mine, str):
            return {(event["event"], effect): mine for event in self.events for effect in event["effects"]}
        return {(event, effect): value for event, effects in mine.items() for effect, value in effects.items()}


def tables(binary: Path) -> dict[str, Rows]:
    """Returns the table of each host that the program knows."""
    asked = [str(binary), "hosts", "--json"]
    said = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
    return {host["host"]: Rows(host["host"], host["events"]) for host in json.loads(said.stdout)}


def _names(events: list[dict[str, Any]]) -> list[str]:
    names: list[str] = []
    for event in events:
        names += [effect for effect in event["effects"] if effect not in names]
    return names
