"""Mutants of specifications that igf verifies: none that a deep search falsifies may be verified.

    python bench/mutants.py [--folder bench/everyday] [--only atm] [--most 200] [--depth 8] [--write]
    python bench/mutants.py --claim specs/mcs.cafe mutex --timeout 60 --max-cases 8000 --depth 30

A mutant lacks an equation, or a conjunct of a condition, or the branches of a conditional are exchanged, or it has
another constant in the place of one. igf gets it with nothing else given and a small budget; what it verifies is
searched, up to `--depth` steps with the usual entities. Mutants whose equations have gaps or contradict each other are
among them, too. The exit code is 12 if a verified mutant has a violation.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tools import OTSRW, execute
from verdicts import ROOT, Claim, claims_in, write_results

from otsrw.application.loading import load_specification
from otsrw.ots.population import usual_entities

GRACE = 40.0
"""Seconds after which a run that does not keep to its time is ended."""
_CONSTANTS = re.compile(r"^ +ops ([^:]+) : -> \w+", re.MULTILINE)
_BRANCHES = re.compile(r" then ((?:(?!then|else).)+) else ((?:(?!then|else).)+) fi", re.DOTALL)
_STATEMENT = re.compile(r"^ +(?:c?eq|b?ceq|beq) .*? \.$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SpecificationMutant:
    """A changed text, and what was changed."""

    claim: Claim
    change: str
    text: str


def mutants_of(claim: Claim) -> Iterator[SpecificationMutant]:
    """The text without each of its equations about states, and without each conjunct of their conditions."""
    text = claim.file.read_text("utf-8")
    for found in _STATEMENT.finditer(text):
        statement = found.group()
        if "S" not in re.findall(r"\w+", statement) and "init" not in statement:
            continue
        yield SpecificationMutant(claim, f"without {statement.strip()}", text.replace(statement, "", 1))
        for other in (*_weakened(statement), *_exchanged(statement), *_replaced(statement, text)):
            yield SpecificationMutant(claim, f"{other.strip()}", text.replace(statement, other, 1))


def _weakened(statement: str) -> Iterator[str]:
    """The statement without a conjunct of what a condition `c-t` is, or of its own condition."""
    head, middle, condition = statement.rpartition(" if ")
    if not middle and re.match(r" +eq c-", statement):
        head, middle, condition = statement.partition(" = ")
    if not middle or " then " in condition:
        return
    parts = _conjuncts(condition.removesuffix(" ."))
    for skipped in range(len(parts)):
        kept = parts[:skipped] + parts[skipped + 1 :]
        yield f"{head}{middle}{' and '.join(kept) or 'true'} ."


def _exchanged(statement: str) -> Iterator[str]:
    """The statement with the branches of a conditional in the other order."""
    for found in _BRANCHES.finditer(statement):
        yield f"{statement[: found.start()]} then {found[2]} else {found[1]} fi{statement[found.end() :]}"


def _replaced(statement: str, text: str) -> Iterator[str]:
    """The statement with another constant of the same declaration in the place of one behind the first `=`."""
    names = [found[1].split() for found in _CONSTANTS.finditer(text)]
    following = {each: group[(place + 1) % len(group)] for group in names for place, each in enumerate(group)}
    begin = statement.find(" = ")
    for found in re.finditer(r"[^\s(),]+", statement):
        other = following.get(found.group())
        if found.start() > begin and other is not None and other != found.group():
            yield f"{statement[: found.start()]}{other}{statement[found.end() :]}"


def _conjuncts(formula: str) -> list[str]:
    parts, depth, last = [], 0, 0
    for place, letter in enumerate(formula):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and formula.startswith(" and ", place):
            parts.append(formula[last:place])
            last = place + len(" and ")
    return [*parts, formula[last:]]


class MutantBudget(NamedTuple):
    """What igf may spend on a mutant, and how deep a verified one is searched."""

    seconds: float
    cases: int
    depth: int


def fate(mutant: SpecificationMutant, budget: MutantBudget) -> str:
    """What igf says; `WRONG` if it verifies what a search falsifies."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / mutant.claim.file.name
        file.write_text(mutant.text, "utf-8")
        words = [str(file), "--inv", mutant.claim.invariant, "--json", "--timeout", f"{budget.seconds:g}"]
        verdict = _verdict(["igf", *words, "--max-cases", str(budget.cases)], budget.seconds)
        if verdict != "verified":
            return verdict
        entities = usual_entities(load_specification(str(file)).recognised(invariant=mutant.claim.invariant).ots)
        given = [word for sort, names in entities.items() for word in ("--with", f"{sort}={','.join(names)}")]
        search = ["search", *words, "--depth", str(budget.depth), *given]
        searched = _verdict(search, budget.seconds)
        if searched == "refused":
            searched = _verdict([*search, "--with", "Nat=0,1,2,3"], budget.seconds)
        return "WRONG" if searched == "violated" else f"verified, search: {searched}"


def _verdict(words: list[str], seconds: float) -> str:
    output = execute([*OTSRW, *words], ROOT, seconds + GRACE)
    try:
        document = json.loads(output.stdout)
        return str(document.get("verdict") or "refused")
    except ValueError:
        return "refused"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "bench" / "everyday", help="systems with truth.toml")
    parser.add_argument("--only", nargs="*", help="systems, without .cafe")
    parser.add_argument("--claim", nargs=2, action="append", metavar=("FILE", "INV"), help="instead of a folder")
    parser.add_argument("--most", type=int, default=200, help="mutants, chosen by chance, the same every time (200)")
    parser.add_argument("--depth", type=int, default=8, help="steps of the search (8)")
    parser.add_argument("--timeout", type=float, default=20, help="seconds of igf, and of a search (20)")
    parser.add_argument("--max-cases", type=int, default=600, help="cases that igf may look at (600)")
    parser.add_argument("--seed", type=int, default=0, help="of the choice (0)")
    parser.add_argument("--write", action="store_true", help="write the result into bench/RESULTS.md")
    options = parser.parse_args()
    claims = [claim for claim in claims_in(options.folder) if claim.is_true]
    if options.claim:
        claims = [Claim(Path(file), invariant, True) for file, invariant in options.claim]
    chosen = [claim for claim in claims if not options.only or claim.file.stem in options.only]
    mutants = [mutant for claim in chosen for mutant in mutants_of(claim)]
    if len(mutants) > options.most:
        mutants = random.Random(options.seed).sample(mutants, options.most)
    fates: Counter[str] = Counter()
    budget = MutantBudget(options.timeout, options.max_cases, options.depth)
    for mutant in mutants:
        found = fate(mutant, budget)
        fates[found] += 1
        if found == "WRONG":
            print(f"WRONG: {mutant.claim.file.name} {mutant.claim.invariant}: {mutant.change}", flush=True)
    line = ", ".join(f"{count} {name}" for name, count in sorted(fates.items()))
    print(f"{len(mutants)} mutants: {line}")
    if options.write:
        title = f"## Mutants of true specifications, {options.folder.name}"
        command = f"`python bench/mutants.py --most {options.most} --depth {options.depth} --write`."
        kinds = "an equation or a conjunct of a condition dropped, branches exchanged, or a constant replaced"
        note = f"{len(mutants)} mutants ({kinds}), chosen by chance: {line}."
        write_results(f"mutants-{options.folder.name}", [title, "", command], [note])
    return 12 if fates["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
