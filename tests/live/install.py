"""Puts the pinned hosts into the cache folder, once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINS = ("package.json", "package-lock.json")
SECONDS = 600


class Unavailable(Exception):
    """Why a host cannot be driven on this machine."""


def cache_folder() -> Path:
    """Returns the folder that keeps the hosts between runs."""
    named = os.environ.get("RULEWARD_LIVE_CACHE")
    return Path(named).resolve() if named else HERE.parent.parent / "target" / "live"


def pinned(package: str) -> str:
    """Returns the version of the package that the live run is written for."""
    return json.loads((HERE / "package.json").read_text())["dependencies"][package]


def modules() -> Path:
    """Returns the folder with the installed hosts, after installing them if the cache is not up to date."""
    cache = cache_folder()
    installed, stamp = cache / "node_modules", cache / "installed.json"
    wanted = (HERE / "package-lock.json").read_text()
    if installed.is_dir() and stamp.is_file() and stamp.read_text() == wanted:
        return installed
    cache.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    for name in PINS:
        shutil.copyfile(HERE / name, cache / name)
    _npm_ci(cache)
    # Last, so that an interrupted installation is not taken for a finished one.
    stamp.write_text(wanted)
    return installed


def _npm_ci(cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Unavailable("node and npm are not on the path")
    # The packages' own install scripts only copy or build what the run does not use.
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run(
            command, cwd=cache, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm did not finish within {SECONDS} seconds") from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        raise Unavailable("npm ci failed: " + " ".join(said[:3] or ["without a message"]))
