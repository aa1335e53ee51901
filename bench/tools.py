"""Running CafeOBJ and otsrw on a file, with a time limit, or taking CafeOBJ's answer from a saved tree."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cafeobj_output import Reduction, read_error, read_output

OTSRW = (sys.executable, "-m", "otsrw")
CAFEOBJ = ("cafeobj", "-q", "-batch")
KINDS = frozenset({"red", "exec", "bred"})
_TIMEOUT_CODE = 124


@dataclass(frozen=True, slots=True)
class Output:
    """What a process left behind; `code` is None if it was stopped at the time limit."""

    stdout: str
    stderr: str
    code: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """One tool's reductions of one file; `error` is the first thing that went wrong, if any."""

    reductions: tuple[Reduction, ...]
    error: str | None
    timed_out: bool
    seconds: float
    crashed: bool = False
    """otsrw gave no readable JSON, so nothing is known of what it would answer."""

    @property
    def finished(self) -> bool:
        return not self.timed_out and self.error is None


def execute(command: Sequence[str], folder: Path, limit: float) -> Output:
    """Runs a command in a folder with empty input; at the limit its whole process group is ended."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        code: int | None
        try:
            stdout, stderr = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            code = None
    seconds = time.perf_counter() - started
    return Output(stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"), code, seconds)


def run_cafeobj(file: Path, limit: float) -> Output:
    return execute([*CAFEOBJ, file.name], file.parent, limit)


def run_otsrw(file: Path, limit: float, command: Sequence[str] = OTSRW) -> Output:
    return execute([*command, "run", "--json", file.name], file.parent, limit)


def read_cafeobj(output: Output) -> Run:
    """CafeOBJ's reductions; any exit code but 0 is an error even if its text says nothing."""
    error = read_error(output.stdout, output.stderr)
    if error is None and output.code:
        error = f"exit code {output.code}"
    return Run(read_output(output.stdout), error, output.code is None, output.seconds)


def read_otsrw(output: Output) -> Run:
    """otsrw's reductions from its JSON; unreadable JSON is an error."""
    if output.code is None:
        return Run((), None, True, output.seconds)
    try:
        document = json.loads(output.stdout)
        reductions = tuple(_reduction(command) for command in document["commands"] if _is_reduction(command))
        errors = [_error(error) for error in document["errors"]]
    except (ValueError, KeyError, TypeError) as problem:
        last = (output.stderr.strip().splitlines() or [""])[-1]
        return Run((), f"no JSON (exit code {output.code}): {last or problem}", False, output.seconds, crashed=True)
    return Run(reductions, errors[0] if errors else None, False, output.seconds)


def _is_reduction(command: dict[str, Any]) -> bool:
    return command["kind"] in KINDS and command.get("result") is not None


def _reduction(command: dict[str, Any]) -> Reduction:
    return Reduction(
        kind=command["kind"],
        module=str(command.get("module") or "").removeprefix("%"),
        target=str(command.get("term") or ""),
        result=str(command["result"]),
        sort=str(command.get("sort") or ""),
        rewrites=command.get("rewrites"),
        seconds=command.get("seconds"),
    )


def _error(error: dict[str, Any]) -> str:
    return f"{error.get('file')}:{error.get('line')}:{error.get('column')}: {error.get('code')}: {error.get('message')}"


def save(output: Output, base: Path) -> None:
    """Writes base.out, .err, .rc and .sec."""
    base.parent.mkdir(parents=True, exist_ok=True)
    code = _TIMEOUT_CODE if output.code is None else output.code
    parts = {"out": output.stdout, "err": output.stderr, "rc": f"{code}\n", "sec": f"{output.seconds:.3f}\n"}
    for suffix, text in parts.items():
        base.with_name(f"{base.name}.{suffix}").write_text(text, encoding="utf-8")


def saved(file: Path, tree: Path) -> Output | None:
    """The saved output of a file: the longest tail of its path for which the tree has an answer."""
    for parent in reversed(file.resolve().parents):
        base = tree / file.resolve().relative_to(parent)
        if _part(base, "out").is_file() and _part(base, "rc").is_file():
            return _load(base)
    return None


def _load(base: Path) -> Output:
    code = int(_part(base, "rc").read_text().strip() or "0")
    seconds = _part(base, "sec").read_text().strip() if _part(base, "sec").is_file() else ""
    stdout, stderr = (_text(_part(base, suffix)) for suffix in ("out", "err"))
    return Output(stdout, stderr, None if code == _TIMEOUT_CODE else code, float(seconds or 0))


def _part(base: Path, suffix: str) -> Path:
    return base.with_name(f"{base.name}.{suffix}")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
