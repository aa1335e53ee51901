"""What bench/reach.py asks: which tool, about which system, how deep. A part of a run is a list of questions."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from participants import two_phase_commit

ROOT = Path(__file__).parents[1]
MADE = ROOT / "build" / "reach"
SEARCH, SYMMETRY, COMPACT, JOBS = "search", "search --symmetry", "search --compact", "search --jobs 2"
IGF, MAUDE, TLC, TLC_SYMMETRY = "igf --no-strengthen", "maude", "tlc", "tlc --symmetry"
MEANS = (SEARCH, SYMMETRY, COMPACT, JOBS)
SIZES = (1, 2, 3)


class System(NamedTuple):
    """An invariant of a specification, with entities; `size` says in words how many."""

    name: str
    size: str
    file: str
    invariant: str
    given: tuple[str, ...] = ()


class Question(NamedTuple):
    """The tool is a command of otsrw with its options, or maude, or tlc. Without a depth, a command takes its own."""

    system: System
    tool: str
    depth: int | None = None


def ikp(invariant: str, honest: int) -> System:
    given = f"Buyer={_named('b', honest)},ib", f"Seller={_named('s', honest)},is"
    return System(f"iKP {invariant}", f"{honest}+{honest}", "specs/ikp.cafe", invariant, given)


def nspk(invariant: str, honest: int) -> System:
    given = (f"Prin={_named('p', honest)},intr",)
    return System(f"NSPK {invariant}", f"{honest} honest", "specs/nspk.cafe", invariant, given)


def processes(name: str, number: int) -> System:
    return System(name, f"{number} processes", f"specs/{name.lower()}.cafe", "mutex", (f"Pid={_named('p', number)}",))


def commit(count: int) -> System:
    """Two-phase commit; its file is made."""
    MADE.mkdir(parents=True, exist_ok=True)
    file = MADE / f"two-phase-commit-{count}.cafe"
    file.write_text(two_phase_commit(count), "utf-8")
    return System("two-phase commit", f"{count} participants", str(file.relative_to(ROOT)), "agreement")


def shared_key(count: int) -> System:
    """Needham-Schroeder with keys that a server hands out."""
    file = "specs/needham-schroeder-symmetric.cafe"
    return System("symmetric NS", f"{count} principals", file, "secrecy", (f"Prin={count}",))


def _named(letter: str, number: int) -> str:
    return ",".join(f"{letter}{each}" for each in range(1, number + 1))


def halves() -> list[Question]:
    """Search by depth and igf by depth, for more and more entities."""
    found = []
    for honest in SIZES:
        found += [Question(ikp("agreement", honest), SEARCH, depth) for depth in range(1, 6)]
        found += [Question(ikp("agreement", honest), IGF, depth) for depth in (1, 2, 3)]
        found += [Question(ikp("receipt", honest), IGF, depth) for depth in (2, 3)]
    found.append(Question(ikp("receipt", 1), SEARCH, 7))
    found += [Question(nspk("secrecy", 6), SEARCH, depth) for depth in (1, 2, 3, 4)]
    return found + [Question(nspk("secrecy", 6), IGF, depth) for depth in (1, 2, 3)]


def decided() -> list[Question]:
    """iKP and its repair with nothing given; long violations from a small depth."""
    found = []
    for invariant in ("agreement", "receipt"):
        repaired = System(f"iKP {invariant}, repaired", "any", "specs/ikp-repaired.cafe", invariant)
        found += [Question(ikp(invariant, 1), "igf"), Question(repaired, "igf")]
    for count in (6, 8):
        found += [Question(commit(count), SEARCH, 2 * count + 3), Question(commit(count), IGF, 3)]
    for count in (2, 3):
        found += [Question(shared_key(count), SEARCH, 9), Question(shared_key(count), IGF, 3)]
    return found


def tools() -> list[Question]:
    """The same states for otsrw, for Maude alone, and for TLC."""
    asked = [(ikp("agreement", honest), depth) for honest in SIZES for depth in (4, 5)]
    asked += [(ikp("receipt", 1), 5), (nspk("send2-lemma", 2), 5), (nspk("secrecy", 6), 4), (processes("Ticket", 4), 5)]
    return [Question(system, tool, depth) for system, depth in asked for tool in (SEARCH, MAUDE, TLC)]


def scale() -> list[Question]:
    """One state an orbit, sixteen bytes a state, several processes."""
    found = []
    for number in (5, 6):
        found += [Question(processes("Qlock", number), tool, 60) for tool in MEANS[:3]]
        found += [Question(processes("Ticket-atomic", number), tool, 15) for tool in MEANS[:3]]
    found += [Question(processes("MCS", 4), tool, 100) for tool in MEANS[:3]]
    found += [Question(processes("MCS", 4), f"{tool} --jobs 2", 100) for tool in (SYMMETRY, COMPACT)]
    found += [Question(processes("MCS", 4), f"{tool} --memory 300", 100) for tool in (SEARCH, COMPACT)]
    found.append(Question(processes("MCS", 5), SYMMETRY, 100))
    found += [Question(processes("MCS", 5), tool, 22) for tool in MEANS[:2]]
    found += [Question(processes("MCS", 6), tool, 16) for tool in MEANS[:2]]
    found += [Question(nspk("send2-lemma", 2), tool, 5) for tool in MEANS]
    for words in ("1", "4", "2 --uncounted", "4 --uncounted"):
        found.append(Question(nspk("send2-lemma", 2), f"search --jobs {words}", 5))
    found += [Question(nspk("send2-lemma", 4), tool, 4) for tool in (*MEANS, TLC, TLC_SYMMETRY)]
    found += [Question(nspk("secrecy", 4), tool, 4) for tool in MEANS]
    return found


def far() -> list[Question]:
    """The attacks of `halves` by every means."""
    asked = [(nspk("secrecy", 6), 4), *((ikp("agreement", honest), 5) for honest in SIZES)]
    ways = (JOBS, SYMMETRY, COMPACT, TLC_SYMMETRY)
    return [Question(system, tool, depth) for system, depth in asked for tool in ways]


PARTS = {"halves": halves, "decided": decided, "tools": tools, "scale": scale, "far": far}
