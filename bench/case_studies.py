"""igf on every specification of specs/: the table of docs/case-studies.md, and the policies compared.

    python bench/case_studies.py [--timeout 20] [--only tas qlock]   writes docs/case-studies.md
    python bench/case_studies.py --compare                           prints the comparisons of bench/RESULTS.md

Nothing but the file is given: the invariant is the one the file names, the entities those it names. One at a time.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sections import table, write_section
from tools import OTSRW, execute

ROOT = Path(__file__).parents[1]
SPECS = ROOT / "specs"
PAGE = ROOT / "docs" / "case-studies.md"

COLUMNS = (
    "specification",
    "invariant",
    "true?",
    "verdict",
    "lemmas",
    "cases",
    "passages",
    "states",
    "seconds",
    "given",
)
_POLICIES = ("conditions-first", "goal-first")
_POLICY_SPECS = (
    "tas",
    "qlock",
    "ticket",
    "peterson",
    "flag-turn",
    "two-phase-commit",
    "nspk",
    "nslpk",
    "bakery",
    "mcs",
)


@dataclass(frozen=True, slots=True)
class Study:
    """One run of igf; the document is None if there was none."""

    spec: str
    document: dict[str, Any] | None
    passages: int
    seconds: float
    complaint: str = ""


def run(command: Sequence[str], limit: float) -> tuple[dict[str, Any] | None, float, str]:
    output = execute([*OTSRW, *command, "--json"], ROOT, limit)
    try:
        return json.loads(output.stdout), output.seconds, ""
    except ValueError:
        lines = output.stderr.strip().splitlines()
        return None, output.seconds, lines[-1] if lines else f"stopped after {limit:g} s"


def study(spec: str, timeout: float) -> Study:
    with tempfile.TemporaryDirectory() as folder:
        proof = Path(folder) / "proof.cafe"
        words = ["igf", f"specs/{spec}.cafe", "--timeout", f"{timeout:g}", "--proof", str(proof)]
        document, seconds, complaint = run(words, 3 * timeout + 60)
        passages = proof.read_text(encoding="utf-8").count("\n  red ") if proof.is_file() else 0
    return Study(spec, document, passages, seconds, complaint)


def expected(spec: str) -> dict[str, str]:
    """Invariant to what independent models say of it (specs/otsrw.toml)."""
    table = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for row in table["test"]:
        if row["file"] == f"{spec}.cafe":
            found |= dict.fromkeys(row.get("holds", ()), "yes")
    for row in table["test"]:
        if row["file"] == f"{spec}.cafe":
            found |= {name: f"no, {depth}" for name, depth in row.get("falsified", {}).items()}
    return found


def row(found: Study) -> list[str]:
    document = found.document
    if document is None or "verdict" not in document:
        reason = found.complaint or document["errors"][0]["message"] if document else found.complaint
        return [found.spec, "", "", f"none: {reason}", "", "", "", "", f"{found.seconds:.1f}", ""]
    verdict = document["verdict"]
    if verdict == "falsified":
        steps = len(document["trace"]["states"]) - 1
        verdict = f"falsified, {steps} step{'s' * (steps != 1)}"
    if verdict == "unknown":
        verdict = f"unknown: {document['reason']}"
    given = [lemma["name"] for lemma in document["lemmas"] if lemma["kind"] == "given"]
    return [
        found.spec,
        document["invariant"],
        expected(found.spec).get(document["invariant"], ""),
        verdict,
        str(len(document["lemmas"])),
        str(document["cases"]),
        str(found.passages) if found.passages else "",
        str(document["states"]),
        f"{found.seconds:.1f}",
        ", ".join(given) or "nothing",
    ]


def write_page(studies: Sequence[Study], timeout: float) -> None:
    today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    verdicts = [s.document["verdict"] for s in studies if s.document and "verdict" in s.document]
    counted = ", ".join(f"{verdicts.count(v)} {v}" for v in ("verified", "falsified", "unknown"))
    note = f"{today}, `python bench/case_studies.py --timeout {timeout:g}`: {counted} of {len(studies)}."
    write_section("igf", [note, "", *table(COLUMNS, [row(study) for study in studies])], PAGE)


# --- comparisons


def search_row(title: str, words: list[str], limit: float) -> list[str]:
    document, seconds, complaint = run(words, limit)
    if document is None:
        return [title, complaint, "", "", f"{seconds:.2f}"]
    steps = "" if document["trace"] is None else str(len(document["trace"]["states"]) - 1)
    return [title, document["verdict"], steps, str(document["states"]), f"{seconds:.2f}"]


def compared(limit: float) -> list[str]:
    nspk, ticket = "specs/nspk.cafe", "specs/ticket.cafe"
    lemma = [nspk, "--inv", "send2-lemma", "--depth"]
    runs = {
        "NSPK, igf --depth 2, necessary lemmas only": ["igf", nspk, "--depth", "2", "--no-strengthen"],
        "NSPK, igf --depth 3, necessary lemmas only": ["igf", nspk, "--depth", "3", "--no-strengthen"],
        "NSPK, igf --depth 3": ["igf", nspk, "--depth", "3"],
        "NSPK, search --depth 3": ["search", nspk, "--depth", "3"],
        "NSPK, search --depth 4": ["search", nspk, "--depth", "4"],
        "NSPK, search --depth 5": ["search", nspk, "--depth", "5"],
        "NSPK send2-lemma (true), search --depth 4": ["search", *lemma, "4"],
        "NSPK send2-lemma (true), search --depth 5": ["search", *lemma, "5"],
        "NSPK send2-lemma (true), igf --depth 2": ["igf", *lemma, "2"],
        "Ticket, igf --depth 2, necessary lemmas only": ["igf", ticket, "--depth", "2", "--no-strengthen"],
        "Ticket, igf --depth 4, necessary lemmas only": ["igf", ticket, "--depth", "4", "--no-strengthen"],
        "Ticket, igf --depth 4": ["igf", ticket, "--depth", "4"],
        "Ticket, search --depth 6": ["search", ticket, "--depth", "6"],
    }
    rows = [search_row(title, words, limit) for title, words in runs.items()]
    return table(("run", "verdict", "steps", "states", "seconds"), rows)


def policies(specs: Sequence[str], limit: float) -> list[str]:
    """Cases of the induction cases of the invariant itself, and what igf needs, with each policy."""
    rows = []
    for spec in specs:
        cells = [spec]
        for policy in _POLICIES:
            document, _, complaint = run(["lemmas", f"specs/{spec}.cafe", "--policy", policy], limit)
            if document is None or "cases" not in document:
                cells += [complaint or "refused", ""]
            else:
                undecided = len(document["undecided"])
                cases = f"{sum(document['cases'].values())}{f', {undecided} undecided' if undecided else ''}"
                cells += [cases, str(len(document["lemmas"]))]
        for policy in _POLICIES:
            words = ["igf", f"specs/{spec}.cafe", "--policy", policy, "--timeout", "10"]
            document, seconds, complaint = run(words, limit)
            verdict = complaint if document is None else document["verdict"]
            cells.append(f"{verdict}, {document['cases'] if document else '-'} cases, {seconds:.1f} s")
        rows.append(cells)
    names = [f"{what}, {policy}" for policy in _POLICIES for what in ("cases", "lemmas")]
    return table(("specification", *names, *(f"igf, {policy}" for policy in _POLICIES)), rows)


def studied(specs: Sequence[str], timeout: float) -> list[Study]:
    """Run igf on specifications, telling each row when it is known."""
    studies = []
    for spec in specs:
        studies.append(study(spec, timeout))
        print(" | ".join(row(studies[-1])), file=sys.stderr, flush=True)
    return studies


def all_specs() -> list[str]:
    return sorted(path.stem for path in SPECS.glob("*.cafe"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for each igf (20)")
    parser.add_argument("--only", nargs="*", help="specifications, without .cafe")
    parser.add_argument("--compare", action="store_true", help="print the comparisons, write nothing")
    options = parser.parse_args()
    if options.compare:
        print("\n".join([*compared(3 * options.timeout), "", *policies(_POLICY_SPECS, 3 * options.timeout)]))
        return
    write_page(studied(options.only or all_specs(), options.timeout), options.timeout)


if __name__ == "__main__":
    main()
