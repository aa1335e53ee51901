"""Colours and neighbourhoods of `simplify --ltl` beside those of CLEAR: `python bench/versus_clear.py FOLDER`.

FOLDER is a checkout of github.com/gbarbon/clear. Its seven examples for the visualiser come with CLEAR's own results
(`.autx`, with the states behind its numbers in `.prd`); every neighbourhood is compared by state and type, and every
incorrect and neutral transition is counted. CLEAR keeps no result for its three case studies, so these are compared
with a product that is computed here, in plain Python, from automata written by hand for the properties of CLEAR.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sections import table
from tools import OTSRW, execute

COLUMNS = ("example", "property", "neighbourhoods", "incorrect", "neutral", "counterexample", "agrees with")

EXAMPLES = {
    "allbad_bug/ALLBAD": "[] (EXEC1 -> X [] not EXEC2)",
    "causality_bug/COMMPROC": "(not CONSUME) W PRODUCE",
    "interleaving_bug/INTERLEAVING": "[] not LOSS",
    "interleaving_bug_v2/INTERLEAVINGV2": "[] (SEND2 -> X [] not SEND1)",
    "isolated_bug/ISOLATED": "[] (SEND -> X [] not EXEC)",
    "iteration_bug/ITERATION": "[] (LOSS -> X not REC)",
    "uniquechoice_bug/UNIQUECHOICE": "[] (RECV -> X [] not SEND)",
}

_EDGE = re.compile(r'\((\d+)(?::N:(\w+))?,\s*"?(.*?)"?(?::(GREEN|RED|BLACK))?,\s*(-?\d+)\)')
BROKEN = "broken"
LIMIT = 120.0


@dataclass(frozen=True)
class CaseStudy:
    """A property as a formula, and as an automaton that reads labels and comes to `BROKEN`."""

    file: str
    formula: str
    step: Callable[[object, str], object]
    start: object


def _after(first: str, then: str) -> Callable[[object, str], object]:
    def step(mode: object, label: str) -> object:
        if mode == BROKEN or (mode == 1 and re.fullmatch(then, label)):
            return BROKEN
        return 1 if mode == 1 or re.fullmatch(first, label) else 0

    return step


def _third(wanted: str) -> Callable[[object, str], object]:
    def step(mode: object, label: str) -> object:
        if mode == BROKEN or not re.fullmatch(wanted, label):
            return mode
        return BROKEN if mode == 2 else int(str(mode)) + 1

    return step


def _players(mode: object, label: str) -> object:
    """Who has lost; nobody of them may play again."""
    lost = mode if isinstance(mode, frozenset) else frozenset()
    if mode == BROKEN or any(re.fullmatch(f"GAME .*. !{player} .*", label) for player in lost):
        return BROKEN
    return lost | {player for player in "123" if label == f"LOOSER !{player}"}


_GATE = '"ACTION !DLC_GATE_A .*"'
CASES = (
    CaseStudy(
        "sanitary_agency/EX153.aut",
        "[] (REQUEST_EM -> X [] not PAYMENTT_EM)",
        _after("REQUEST_EM", "PAYMENTT_EM"),
        0,
    ),
    CaseStudy(
        "shifumi_3/game_3.aut",
        " and ".join(f'[] ("LOOSER !{p}" -> X [] not "GAME .*. !{p} .*")' for p in "123"),
        _players,
        frozenset(),
    ),
    CaseStudy(
        "multiway_rendezvous_protocol/implem.aut",
        f"[] ({_GATE} -> X [] ({_GATE} -> X [] not {_GATE}))",
        _third("ACTION !DLC_GATE_A .*"),
        0,
    ),
)


def simplified(file: Path, formula: str) -> dict[str, Any]:
    command = [*OTSRW, "simplify", str(file), "--match", "regex", "--ltl", formula, "--json"]
    found: dict[str, Any] = json.loads(execute(command, Path.cwd(), LIMIT).stdout)
    return found


def edges_of(file: Path) -> Iterator[tuple[int, str, int, str, str]]:
    """Source, label, target, type of the source, colour."""
    for line in file.read_text("latin-1").splitlines()[1:]:
        found = _EDGE.fullmatch(line.strip())
        assert found is not None, f"{file}: {line}"
        source, kind, label, colour, target = found.groups()
        yield int(source), label, int(target), kind or "", colour or ""


def recorded(folder: Path, name: str) -> tuple[Counter[tuple[int, str]], int, int]:
    """Neighbourhoods by state of the system and type, incorrect and neutral transitions, as CLEAR wrote them."""
    example = folder / "examples" / "visualization" / name
    stem = example.parent / f"bad_prop_{example.name}"
    pairs = re.findall(r"(\d+) = \{(\d+), (\d+)\}", Path(f"{stem}_unclean.prd").read_text("latin-1"))
    state_of = {int(number): int(state) for number, state, _ in pairs}
    edges = list(edges_of(Path(f"{stem}_res-dump.autx")))
    kinds = {(source, kind) for source, _, _, kind, _ in edges if kind}
    colours = Counter(colour for *_, colour in edges)
    return Counter((state_of[source], kind) for source, kind in kinds), colours["RED"], colours["BLACK"]


def computed(folder: Path, case: CaseStudy) -> tuple[Counter[tuple[int, str]], int, int]:
    """The same for a case study, by fixpoints over its product with an automaton."""
    leaving: dict[int, list[tuple[str, int]]] = {}
    for source, label, target, _, _ in edges_of(folder / "examples" / "safety" / case.file):
        leaving.setdefault(source, []).append((label, target))
    start = (0, case.start)
    following: dict[tuple[int, object], list[tuple[int, object]]] = {}
    todo = [start]
    while todo:
        node = todo.pop()
        if node not in following:
            following[node] = [(to, case.step(node[1], label)) for label, to in leaving.get(node[0], [])]
            todo += following[node]
    bad = {node for node in following if node[1] == BROKEN}
    while more := {n for n, after in following.items() if n not in bad and any(a in bad for a in after)}:
        bad |= more
    doomed = {node for node in following if node[1] == BROKEN}
    while more := {
        n for n, after in following.items() if n not in doomed and after and all(a in doomed for a in after)
    }:
        doomed |= more
    entered = {after for afters in following.values() for after in afters}
    found: Counter[tuple[int, str]] = Counter()
    for node, after in following.items():
        open_node = (node in bad and node not in doomed) or (node == start and node not in entered)
        kinds = {"R" if a in doomed else "B" if a in bad else "G" for a in after}
        if open_node and kinds & {"G", "R"}:
            kind = "".join(letter for letter in "GR" if letter in kinds)
            found[node[0], f"{kind}B" if kind == "GR" and "B" in kinds else kind] += 1
    heads = [after for afters in following.values() for after in afters]
    return found, sum(h in doomed for h in heads), sum(h in bad and h not in doomed for h in heads)


def row(name: str, formula: str, file: Path, known: tuple[Counter[tuple[int, str]], int, int], whose: str) -> list[str]:
    found = simplified(file, formula)
    hoods = Counter((int(hood["state"]), str(hood["type"])) for hood in found["neighbourhoods"])
    colours: dict[str, int] = found["colours"]
    same = (hoods, colours["incorrect"], colours["neutral"]) == known
    kinds = Counter(kind for _, kind in hoods.elements())
    kept = [label for label in found["abstracted"] if label != "[...]"]
    length = len(found["counterexample"]["states"]) - 1
    return [
        name,
        f"`{formula}`",
        ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
        str(colours["incorrect"]),
        str(colours["neutral"]),
        f"{length} cut to {len(kept)}",
        whose if same else f"NOT {whose}",
    ]


def rows(folder: Path) -> Iterator[list[str]]:
    for name, formula in EXAMPLES.items():
        file = folder / "examples" / "visualization" / f"{name}.aut"
        yield row(name, formula, file, recorded(folder, name), "CLEAR's `.autx`")
    for case in CASES:
        file = folder / "examples" / "safety" / case.file
        yield row(case.file, case.formula, file, computed(folder, case), "the product computed here")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(rows(Path(sys.argv[1])))
    print("\n".join(table(COLUMNS, found)))
    return int(any(cells[-1].startswith("NOT") for cells in found))


if __name__ == "__main__":
    sys.exit(main())
