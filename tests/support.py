"""Running CafeOBJ texts in tests; a text carries its expected results as comments `--> (t):Sort` after its reds."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

from cafeobj_output import Agreement, Signature, compare, scan_signature, split_sort  # noqa: E402

from otsrw.proofs import CommandResult, Outcome, Session, Settings  # noqa: E402
from otsrw.proofs.events import ProblemFound, SessionEvent  # noqa: E402
from otsrw.report.events import lines_of  # noqa: E402
from otsrw.syntax.source import NOWHERE, Source  # noqa: E402
from otsrw.syntax.tree import Bubble  # noqa: E402
from otsrw.theory.modules import Module  # noqa: E402
from otsrw.theory.parsing import parse_term, scope_of  # noqa: E402
from otsrw.theory.terms import Term  # noqa: E402

_EXPECTED = re.compile(r"(?<=\s)--> (\S.*)$", re.MULTILINE)


def session_of(text: str, settings: Settings | None = None) -> Session:
    """A session that has run the text; its problems are in its outcome."""
    session = Session(settings)
    session.run_source(Source("<test>", text))
    return session


def run(text: str, settings: Settings | None = None) -> Outcome:
    return session_of(text, settings).outcome


def answers(text: str) -> list[CommandResult]:
    """The reductions of a text that must run without an error."""
    outcome = run(text)
    assert [problem.render() for problem in outcome.errors] == []
    return outcome.commands


def events_of(text: str) -> list[SessionEvent]:
    """What a session tells while it runs a text, in order."""
    heard: list[SessionEvent] = []
    Session(listener=heard.append).run_text(text)
    return heard


def told(text: str) -> list[str]:
    """The lines that a run of a text prints; it must run without an error."""
    events = events_of(text)
    assert [event for event in events if isinstance(event, ProblemFound) and event.problem.is_error] == []
    return [line for event in events for block in lines_of(event) for line in block.text.split("\n")]


def error_codes(text: str, settings: Settings | None = None) -> list[str]:
    return [problem.code for problem in run(text, settings).errors]


def module_of(text: str, name: str) -> Module:
    """The module of this name that a text without errors declares."""
    session = session_of(text)
    assert [problem.render() for problem in session.outcome.errors] == []
    return session.library.modules[name]


def term_of(text: str, module: Module) -> Term:
    """The term a text means in a module; every token stands between blanks or next to a bracket."""
    words = re.findall(r'"(?:[^"\\]|\\.)*"|[()\[\]{},;]|[^\s()\[\]{},;]+', text)
    places = [0] * len(words)
    return parse_term(Bubble(NOWHERE.source, words, places, places), scope_of(module))


def agree(left: str, right: str, signature: Signature) -> bool:
    """Do two printed results `(t):Sort` show the same term modulo AC, of the same sort?"""
    (one, one_sort), (other, other_sort) = split_sort(left), split_sort(right)
    return one_sort == other_sort and compare(one, other, signature) in (Agreement.EXACT, Agreement.MODULO_AC)


def signature_of(text: str) -> Signature:
    """What comparing results modulo AC needs to know of a text."""
    return scan_signature([text])


def expected_results(text: str) -> list[str]:
    return [found.strip() for found in _EXPECTED.findall(text)]


def check(text: str) -> None:
    """Every result of the text is the one its comments claim, modulo AC."""
    given = [answer.shown_result for answer in answers(text)]
    wanted = expected_results(text)
    assert len(given) == len(wanted), given
    signature = scan_signature([text])
    wrong = [f"{w} expected, {g} given" for g, w in zip(given, wanted, strict=True) if not agree(g, w, signature)]
    assert wrong == [], "\n".join(wrong)
