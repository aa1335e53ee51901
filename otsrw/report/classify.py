"""Classes of counterexamples: a JSON document, text with one table a class, and a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.application.systems import System
from otsrw.records import dataclass, field
from otsrw.report.class_lasting import ClassLasting, class_lasting_document, class_lasting_lines
from otsrw.report.console import Console
from otsrw.report.decisions import run_text
from otsrw.report.documents import header, problems_document
from otsrw.report.simplify import claim_document
from otsrw.report.traces import trace_table
from otsrw.report.words import counted, grouped
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.traces.claims import Claim
from otsrw.traces.classification import Classification, CounterexampleClass
from otsrw.traces.constraints import Before, Contains, Equals, Fact, Placed, Satisfies, fact_text
from otsrw.traces.lts import Lts, Path
from otsrw.traces.renaming import renaming_text

if TYPE_CHECKING:
    from otsrw.report.pictures import StatePicture

MAX_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: the property, the bound, what facts are made of."""

    claim: Claim = field(default_factory=Claim)
    bound: int | None = None
    hidden: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    engine: str = "explicit"
    expanded: bool = True
    """Whether all states within the bound were seen."""


def classify_document(
    question: Question,
    lts: Lts | None,
    found: Classification | None,
    problems: list[Diagnostic],
    seconds: float,
    lasts: ClassLasting | None = None,
) -> dict[str, Any]:
    document = header("classify") | {
        "invariant": question.claim.invariant,
        "property": claim_document(question.claim) if question.claim else None,
        "bound": question.bound,
        "engine": question.engine,
        "hidden": list(question.hidden),
        "predicates": list(question.predicates),
    }
    if lts is not None and found is not None:
        document |= {
            "states": lts.states,
            "expanded": question.expanded,
            "counterexamples": found.counterexamples,
            "classes": [_class_document(lts, c) for c in found.classes],
            "unexplained": None if found.unexplained is None else _unexplained_document(lts, found),
        }
    if lasts is not None:
        document["lasts"] = class_lasting_document(lasts)
    return document | problems_document(problems) | {"seconds": round(seconds, 6)}


def _class_document(lts: Lts, found: CounterexampleClass) -> dict[str, Any]:
    names = found.constraint.names
    return {
        "constraint": str(found.constraint),
        "facts": [_fact_document(fact, names) for fact in found.constraint.facts],
        "representative": found.representative.trace(lts).to_document(),
        "canonical": found.canonical,
        "covers": found.covers,
        "covered_by": list(found.covered_by),
        "image_of": found.image_of,
        "renamings": [dict(renaming) for renaming in ([found.renaming] if found.renaming else found.renamings)],
    }


def _fact_document(fact: Fact, names: dict[int, str]) -> dict[str, Any]:
    document: dict[str, Any] = {"text": fact_text(fact, names), "positions": [names[p] for p in fact.positions]}
    match fact:
        case Before():
            return {"kind": "before", **document}
        case Equals(_, variable, value):
            return {"kind": "equals", **document, "variable": variable, "value": value}
        case Contains(_, variable, element):
            return {"kind": "contains", **document, "variable": variable, "element": element}
        case Placed(_, index):
            return {"kind": "placed", **document, "index": index}
        case Satisfies(predicate, _):
            return {"kind": "predicate", **document, "predicate": predicate.name}


def _unexplained_document(lts: Lts, found: Classification) -> dict[str, Any]:
    assert found.unexplained is not None
    satisfying = found.unexplained.satisfying
    return {
        "counterexample": found.unexplained.counterexample.trace(lts).to_document(),
        "satisfying": None if satisfying is None else satisfying.trace(lts).to_document(),
    }


def classify_page(
    question: Question,
    system: System,
    found: Classification,
    lasts: ClassLasting | None,
    file: str,
    seconds: float,
    picture: StatePicture | None = None,
) -> str:
    """The classes as one page, each with its trace as a sequence chart if there are principals."""
    from otsrw.report.chart_drawing import drawn_chart
    from otsrw.report.html import render_page, run_rows, trace_rows
    from otsrw.report.pictures import played_run

    lts, unexplained = system.lts, found.unexplained

    def shown_run(path: Path) -> dict[str, Any]:
        if system.graph is None:
            return {"chart": None, "picture": None, "steps": trace_rows(path.trace(lts))}
        run = system.graph.run(path)
        return {"chart": drawn_chart(run), "picture": played_run(picture, run), "steps": run_rows(run)}

    return render_page(
        "classify.html",
        invariant=str(question.claim),
        file=file,
        has_pictures=picture is not None,
        sentence=classify_verdict(question, lts, found, seconds),
        lasts=[] if lasts is None else class_lasting_lines(lasts),
        classes=[
            {
                "constraint": str(c.constraint),
                "covers": None if c.covers is None else f"{_number(c.covers)} of {_number(found.counterexamples or 0)}",
                "covered_by": [other + 1 for other in c.covered_by],
                "image_of": None if c.image_of is None else c.image_of + 1,
                "renaming": renaming_text(dict(c.renaming)),
                "renamings": [renaming_text(dict(renaming)) for renaming in c.renamings],
                "canonical": c.canonical,
                "run": shown_run(c.representative),
            }
            for c in found.classes
        ],
        unexplained=None if unexplained is None else shown_run(unexplained.counterexample),
        satisfying=None if unexplained is None or unexplained.satisfying is None else shown_run(unexplained.satisfying),
    )


def print_classification(console: Console, lts: Lts, found: Classification, verbose: bool) -> None:
    """Every class with its constraint and a trace, everything but the verdict."""
    for number, c in enumerate(found.classes, 1):
        console.line(f"class {number}: {c.constraint}")
        if c.image_of is not None and not verbose:
            console.line(f"  it is class {c.image_of + 1} with {renaming_text(dict(c.renaming))}")
            continue
        trace = "a canonical trace:" if c.canonical else "a trace, which other classes have, too:"
        console.line("  " + "; ".join([*class_notes(found, c), trace]))
        if verbose:
            console.show(trace_table(c.representative.trace(lts)))
        else:
            console.line("  " + run_text(lts, c.representative))
    if found.unexplained is not None:
        console.line("these predicates cannot characterise the trace")
        console.line("  " + run_text(lts, found.unexplained.counterexample))
        if found.unexplained.satisfying is not None:
            console.line("all that can be said of it is also true of a trace that satisfies the property:")
            console.line("  " + run_text(lts, found.unexplained.satisfying))


def class_notes(found: Classification, c: CounterexampleClass) -> list[str]:
    """How many counterexamples a class has, and which other classes share some of them."""
    notes = []
    if c.covers is not None:
        notes.append(f"covers {_number(c.covers)} of {_number(found.counterexamples or 0)} counterexamples")
    if c.image_of is not None:
        notes.append(f"is class {c.image_of + 1} with {renaming_text(dict(c.renaming))}")
    if c.renamings:
        notes.append("also with " + "; with ".join(renaming_text(dict(renaming)) for renaming in c.renamings))
    if c.covered_by:
        notes.append(f"covered by class {', '.join(str(other + 1) for other in c.covered_by)}")
    return notes


def classify_verdict(question: Question, lts: Lts, found: Classification, seconds: float) -> str:
    """The line with the verdict."""
    size = f"bound {question.bound}, {counted(lts.states, 'state')}, {seconds:.2f} s"
    if not found.classes and found.unexplained is None and not question.expanded:
        return f"unknown: {question.claim}, no counterexample among the states that were seen; {size}"
    if not found.classes and found.unexplained is None:
        return f"holds: {question.claim}, no counterexample within the bound; {size}"
    count = "" if found.counterexamples is None else f" of {_number(found.counterexamples)} counterexamples"
    classes = f"{len(found.classes)} class{'' if len(found.classes) == 1 else 'es'}"
    if found.ideas < len(found.classes):
        classes += f" ({found.ideas} up to renaming)"
    elif any(c.renamings for c in found.classes):
        classes += " up to renaming"
    classes += count
    rest = "; some cannot be characterised" if found.unexplained is not None else ""
    rest += "" if question.expanded else "; states were left out, there may be more counterexamples"
    return f"violated: {question.claim}; {classes}{rest}; {size}"


def _number(count: int) -> str:
    text = str(count)
    return grouped(count) if len(text) <= MAX_DIGITS else f"{text[0]}.{text[1]}e{len(text) - 1}"
