"""Mutants of specifications that igf verifies: none that a deep search falsifies may be verified.

    python bench/mutants.py [--folder bench/everyday] [--only atm] [--most 200] [--depth 8] [--write]

A mutant lacks an equation, or a conjunct of a condition. igf gets it with nothing else given and a small budget; what
it verifies is searched, up to `--depth` steps with the usual entities. Mutants whose equations have gaps or contradict
each other are among them, too. The exit code is 12 if a verified mutant has a violation.
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

from tools import OTSRW, execute
from verdicts import ROOT, Claim, claims_in, write_results

from otsrw.application.loading import load_specification
from otsrw.ots.population import usual_entities

LIMIT = 60.0
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
        for weaker in _weakened(statement):
            yield SpecificationMutant(claim, f"{weaker.strip()}", text.replace(statement, weaker, 1))


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


def _conjuncts(formula: str) -> list[str]:
    parts, depth, last = [], 0, 0
    for place, letter in enumerate(formula):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and formula.startswith(" and ", place):
            parts.append(formula[last:place])
            last = place + len(" and ")
    return [*parts, formula[last:]]


def fate(mutant: SpecificationMutant, depth: int) -> str:
    """What igf says; `WRONG` if it verifies what a search falsifies."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / mutant.claim.file.name
        file.write_text(mutant.text, "utf-8")
        words = [str(file), "--inv", mutant.claim.invariant, "--json", "--timeout", "20"]
        verdict = _verdict(["igf", *words, "--max-cases", "600"])
        if verdict != "verified":
            return verdict
        entities = usual_entities(load_specification(str(file)).recognised(invariant=mutant.claim.invariant).ots)
        given = [word for sort, names in entities.items() for word in ("--with", f"{sort}={','.join(names)}")]
        searched = _verdict(["search", *words, "--depth", str(depth), *given])
        if searched == "refused":
            searched = _verdict(["search", *words, "--depth", str(depth), *given, "--with", "Nat=0,1,2,3"])
        return "WRONG" if searched == "violated" else f"verified, search: {searched}"


def _verdict(words: list[str]) -> str:
    output = execute([*OTSRW, *words], ROOT, LIMIT)
    try:
        document = json.loads(output.stdout)
        return str(document.get("verdict") or "refused")
    except ValueError:
        return "refused"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "bench" / "everyday", help="systems with truth.toml")
    parser.add_argument("--only", nargs="*", help="systems, without .cafe")
    parser.add_argument("--most", type=int, default=200, help="mutants, chosen by chance, the same every time (200)")
    parser.add_argument("--depth", type=int, default=8, help="steps of the search (8)")
    parser.add_argument("--write", action="store_true", help="write the result into bench/RESULTS.md")
    options = parser.parse_args()
    claims = [claim for claim in claims_in(options.folder) if claim.is_true]
    chosen = [claim for claim in claims if not options.only or claim.file.stem in options.only]
    mutants = [mutant for claim in chosen for mutant in mutants_of(claim)]
    if len(mutants) > options.most:
        mutants = random.Random(0).sample(mutants, options.most)
    fates: Counter[str] = Counter()
    for mutant in mutants:
        found = fate(mutant, options.depth)
        fates[found] += 1
        if found == "WRONG":
            print(f"WRONG: {mutant.claim.file.name} {mutant.claim.invariant}: {mutant.change}", flush=True)
    line = ", ".join(f"{count} {name}" for name, count in sorted(fates.items()))
    print(f"{len(mutants)} mutants: {line}")
    if options.write:
        title = f"## Mutants of true specifications, {options.folder.name}"
        command = f"`python bench/mutants.py --most {options.most} --depth {options.depth} --write`."
        note = f"{len(mutants)} mutants (an equation or a conjunct of a condition dropped), chosen by chance: {line}."
        write_results(f"mutants-{options.folder.name}", [title, "", command], [note])
    return 12 if fates["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
