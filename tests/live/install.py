"""Puts the hosts into the cache folder: those that are pinned, or the newest that the registry gives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

HERE = Path(__file__).resolve().parent
PINS = ("package.json", "package-lock.json")
SECONDS = 600


class Unavailable(Exception):
    """Why a host cannot be driven on this machine."""


def cache_folder() -> Path:
    """Returns the folder that keeps the hosts between runs."""
    named = os.environ.get("RULEWARD_LIVE_CACHE")
    return Path(named).resolve() if named else HERE.parent.parent / "target" / "live"


@dataclass(frozen=True)
class Installed:
    """The hosts that are there."""

    modules: Path
    versions: Mapping[str, str]
    """By package."""


def pinned() -> Installed:
    """Returns the hosts that the live run is written for, after installing them if the cache is not up to date."""
    versions = _wanted()
    files = {name: (HERE / name).read_text() for name in PINS}
    return _installed(cache_folder(), files, files["package-lock.json"], "ci", versions)


def newest() -> Installed:
    """Returns the newest hosts that the registry gives, in a cache of their own."""
    packages = _wanted()
    folder = cache_folder() / "newest"
    folder.mkdir(parents=True, exist_ok=True)
    versions = {package: _npm(folder, "view", package, "version").strip() for package in packages}
    wanted = json.dumps({"private": True, "optionalDependencies": versions}, indent=2)
    return _installed(folder, {"package.json": wanted}, wanted, "install", versions)


def _wanted() -> dict[str, str]:
    """Returns the versions that are pinned; what is optional is for one platform alone."""
    pins = json.loads((HERE / "package.json").read_text())
    return {**pins["dependencies"], **pins["optionalDependencies"]}


def _installed(cache: Path, files: Mapping[str, str], wanted: str, how: str, versions: Mapping[str, str]) -> Installed:
    modules, stamp = cache / "node_modules", cache / "installed.json"
    if not (modules.is_dir() and stamp.is_file() and stamp.read_text() == wanted):
        cache.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        for name, text in files.items():
            (cache / name).write_text(text)
        # The packages' own install scripts only copy or build what the run does not use.
        _npm(cache, how, "--ignore-scripts", "--no-audit", "--no-fund")
        # Last, so that an interrupted installation is not taken for a finished one.
        stamp.write_text(wanted)
    return Installed(modules, versions)


def _npm(folder: Path, *arguments: str) -> str:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Unavailable("node and npm are not on the path")
    command = [npm, *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm did not finish within {SECONDS} seconds") from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        raise Unavailable(f"npm {arguments[0]} failed: " + " ".join(said[:3] or ["without a message"]))
    return done.stdout
