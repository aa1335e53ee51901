"""What igf, prove and lemmas say is true: of guesses that are given up, of what is closed, of limits, of `==`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from commands import document, run
from specifications import SPECS, instance_of, ots_of

from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, NodeStatus, Options
from otsrw.report.igf import igf_document, lemma_trees, status_text
from otsrw.report.igf_page import igf_page
from otsrw.search import RewritingSpace

CASES = 60


@cache
def stopped() -> IgfResult:
    """A proof that ends before all its lemmas were looked at."""
    ots = ots_of((SPECS / "peterson.cafe").read_text(encoding="utf-8"))
    invariant = next(each for each in ots.invariants if each.name == "mutex")
    return igf(ots, RewritingSpace(instance_of(ots, {})), invariant, Options(depth=1, max_cases=CASES))


def test_a_budget_that_is_spent_is_named() -> None:
    assert stopped().reason == f"the budget of {CASES} cases is spent"
    assert "lemma" not in stopped().reason


def test_nothing_is_called_proved_before_all_it_needs_is() -> None:
    statuses = {node.status for node in stopped().nodes.values()}
    assert statuses == {NodeStatus.CLOSED, NodeStatus.OPEN}
    mutex = stopped().nodes["mutex"]
    assert (
        status_text(mutex) == f"closed if {', '.join(mutex.pending)} {'holds' if len(mutex.pending) == 1 else 'hold'}"
    )
    assert any(stopped().nodes[name].status is NodeStatus.OPEN for name in _needed("mutex"))


def _needed(name: str) -> set[str]:
    found: set[str] = set()
    todo = [name]
    while todo:
        for other in stopped().nodes[todo.pop()].pending:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def test_tree_page_and_document_say_the_same_of_a_lemma() -> None:
    result = stopped()
    page = igf_page(result, None, "peterson.cafe")
    told = {each["name"]: each for each in igf_document(result, None, None)["lemmas"]}
    shown = str(lemma_trees(result)[0].label)
    assert status_text(result.nodes["mutex"]) in shown
    for name, node in result.nodes.items():
        state = f"{status_text(node)}, {len(node.cases)} case{'s' * (len(node.cases) != 1)} closed"
        assert page.count(f'">{status_text(node)}</td>') >= 1, name
        assert state in page, name
        if name in told:
            assert (told[name]["status"], told[name]["pending"]) == (node.status, list(node.pending))


def test_the_page_calls_no_predicate_closed_that_nobody_looked_at() -> None:
    page = igf_page(stopped(), None, "peterson.cafe")
    for name, node in stopped().nodes.items():
        after = page[page.index(f"<summary><code>{name}</code>") :]
        state = after[: after.index("</summary>")]
        if node.status is NodeStatus.OPEN:
            assert "closed if" not in state and ">open, " in state
            assert 'class="proved"' not in state


# --- guesses

_PEOPLE = """mod* PID { [Pid] ops p0 boss : -> Pid }
mod! MARK { [Mark] ops ok late bad : -> Mark {constr} }
mod* M { pr(PID + MARK) *[Sys]* op init : -> Sys bop who : Sys -> Pid bop mark : Sys -> Mark bop go : Sys -> Sys
  ops safe lucky early : Sys -> Bool var S : Sys
  eq who(init) = p0 . eq mark(init) = ok .
  eq who(go(S)) = who(S) . eq mark(go(S)) = (if mark(S) = bad then bad else late fi) .
  eq safe(S) = not (mark(S) = bad) .
  eq lucky(S) = (who(S) = boss) .
  eq early(S) = (mark(S) = ok) . }
"""


@pytest.fixture
def people(tmp_path: Path) -> str:
    file = tmp_path / "people.cafe"
    file.write_text(_PEOPLE, encoding="utf-8")
    return str(file)


def test_a_guess_is_called_false_if_a_state_shows_it(people: str) -> None:
    code, out, _ = run("igf", people, "--inv", "safe", "--lemma", "early")
    assert (code, "dropped, because it is false in a reachable state: (mark(S) = ok)" in out) == (0, True)
    found = document("igf", people, "--inv", "safe", "--lemma", "early")
    assert (found["dropped"], found["refuted"]) == (["(mark(S) = ok)"], ["(mark(S) = ok)"])


def test_a_guess_that_may_be_true_is_not_called_false(people: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, out, _ = run("igf", people, "--inv", "safe", "--lemma", "lucky", "--depth", "0", "--html", str(page))
    dropped = [line for line in out.splitlines() if line.startswith("dropped")]
    assert code == 0
    assert dropped == ["dropped, because its base case is not closed: (who(S) = boss)"]
    assert "turned out to be false" not in page.read_text(encoding="utf-8")
    found = document("igf", people, "--inv", "safe", "--lemma", "lucky", "--depth", "0")
    assert (len(found["dropped"]), found["refuted"]) == (1, [])


# --- spelling


@pytest.mark.parametrize("command", ["igf", "lemmas", "prove"])
def test_a_claim_that_looks_at_spelling_is_named_by_all(command: str, tmp_path: Path) -> None:
    text = _PEOPLE.replace("eq lucky(S) = (who(S) = boss) .", "eq lucky(S) = not (go(S) == S) .")
    file = tmp_path / "spelling.cafe"
    file.write_text(text, encoding="utf-8")
    extra = ("--depth", "0") if command == "igf" else ()
    code, out, _ = run(command, str(file), "--inv", "lucky", *extra)
    assert code == 3
    said = "lucky: closed" if command == "prove" else "lucky is closed"
    rests = "but rests on: lucky(S) does not look at how terms are written (W610"
    assert f"{said}, {rests}" in out.splitlines()[-1]


_TWO_VALUES = """mod! MARK { [Mark]
  ops red blue : -> Mark {constr}
  op turned : Mark -> Mark
  eq (red = blue) = false .
  eq turned(red) = red .
  eq turned(red) = blue .
  eq turned(blue) = blue .
}
mod* PAINT { pr(MARK)
  *[Sys]*
  op init : -> Sys
  bop mark : Sys -> Mark
  bop turn : Sys -> Sys
  op known : Sys -> Bool
  var S : Sys
  eq mark(init) = red .
  eq mark(turn(S)) = turned(mark(S)) .
  eq known(S) = (mark(S) = red) or (mark(S) = blue) .
}
"""


@pytest.mark.parametrize("command", ["igf", "prove"])
def test_where_equations_disagree_is_said_before_what_is_open(command: str, tmp_path: Path) -> None:
    file = tmp_path / "paint.cafe"
    file.write_text(_TWO_VALUES, encoding="utf-8")
    extra = ("--depth", "0") if command == "igf" else ()
    code, out, _ = run(command, str(file), "--inv", "known", *extra)
    assert code == 3
    said = "known is closed" if command == "igf" else "known: closed"
    assert f"{said}, but equations disagree: turned(red) is " in out.splitlines()[-1]
    assert any(line.startswith("equations disagree: turned(red) is ") for line in out.splitlines())
    assert "next: mend the specification where equations disagree; no option takes that on trust" in out.splitlines()


@pytest.mark.parametrize("command", ["igf", "prove"])
def test_a_score_that_rests_on_a_contradiction_says_so_in_its_head(command: str, tmp_path: Path) -> None:
    file, score = tmp_path / "paint.cafe", tmp_path / "score.cafe"
    file.write_text(_TWO_VALUES, encoding="utf-8")
    extra = ("--depth", "0") if command == "igf" else ()
    code, out, _ = run(command, str(file), "--inv", "known", "--proof", str(score), *extra)
    assert code == 3
    assert f"all reduced to true, written to {score}, whose head says what is missing" in out
    _, first, second, *_ = score.read_text(encoding="utf-8").splitlines()
    assert first.startswith("-- NOT PROVED: known of ") and first.endswith("but rests on:")
    assert second.startswith("--   equations disagree: turned(red) is ")
    assert "is an invariant" not in score.read_text(encoding="utf-8")
    assert run("check", "--score", str(score))[0] == 12


# --- lemmas


def test_false_initially_is_said_of_initial_states_only(tmp_path: Path) -> None:
    text = _PEOPLE.replace("eq early(S) = (mark(S) = ok) .", "eq early(S) = (mark(S) = bad) .")
    file = tmp_path / "initially.cafe"
    file.write_text(text, encoding="utf-8")
    code, out, _ = run("lemmas", str(file), "--inv", "early")
    assert (code, out.splitlines()[-1].startswith("violated: early is false in an initial state")) == (12, True)
    file.write_text(_PEOPLE, encoding="utf-8")
    code, out, _ = run("lemmas", str(file), "--inv", "early")
    assert "initial state" not in out, "it is false after a step only"
    assert code == 0


def test_anderson_is_not_called_true() -> None:
    page = (SPECS.parent / "docs" / "case-studies.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| anderson |"))
    assert "| no, 6 |" in row and "verified" not in row
