"""Conditionals that no passage evaluates are split on, in scores and by who checks them."""

from __future__ import annotations

from functools import cache

from support import ROOT, module_of

from otsrw import Specification
from otsrw.induction.covering import CaseCover
from otsrw.induction.results import IgfResult
from otsrw.induction.score import ProofScore, check_score
from otsrw.induction.stuck_passages import checked_score, with_splits
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.reasoning.workbench import Workbench
from otsrw.records import replace
from otsrw.theory.terms import Term

BAGS = """
mod* ELEMENT { [Element] op red : Element -> Bool }
mod! BAGS { pr(ELEMENT) [Element < Bag]
  op none : -> Bag {constr}
  op _|_ : Bag Bag -> Bag {constr assoc comm id: none}
  op _in_ : Element Bag -> Bool
  vars X Y : Element  var B : Bag
  eq X in none = false .
  eq X in (Y | B) = (if X = Y then true else X in B fi) . }
"""


def test_an_element_of_a_bag_is_one_that_it_is_made_of() -> None:
    """`e in c` becomes a conditional on `e = x` when c is known to be `x | b`; no case speaks of that equation."""
    module = module_of(BAGS, "BAGS")
    bench, sorts = Workbench(module), module.visible_sorts()
    e, x = (bench.constant(name, sorts["Element"][0]) for name in ("e", "x"))
    b, c = (bench.constant(name, sorts["Bag"][0]) for name in ("b", "c"))
    symbols = {symbol.name: symbol for symbol in module.signature.symbols()}
    negate = bench.connectives.negate

    def among(element: Term, bag: Term) -> Term:
        return symbols["_in_"].make((element, bag))

    shape = bench.connectives.equal(c, symbols["_|_"].make((x, b)))
    red = symbols["red"]
    cases = (
        (negate(among(e, c)),),
        (negate(shape),),
        (among(e, b),),
        (negate(red.make((e,))),),
        (red.make((x,)),),
    )
    assert CaseCover(bench).left_out(cases, 10_000) is None
    left = CaseCover(bench).left_out(cases[:-1], 10_000)
    assert left is not None and left.is_certain


@cache
def proved() -> tuple[Specification, IgfResult]:
    specification = Specification(ROOT / "specs" / "qlock.cafe")
    return specification, specification.igf("mutex")


def test_a_case_that_is_split_leaves_nothing_out() -> None:
    specification, result = proved()
    stuck = {
        closed: "(if (i = j1) then true else (if (j = i) then true else p fi) fi)"
        for node in result.nodes.values()
        for closed in node.cases
        if closed.case.transition is not None
    }
    wider = with_splits(result, stuck)
    assert wider is not None
    score = specification.proof(wider)
    assert score.passages > specification.proof(result).passages
    assert check_score(score) == []
    outcomes = {closed.leaf.outcome for node in wider.nodes.values() for closed in node.cases}
    assert LeafOutcome.CONTRADICTION in outcomes


def test_what_depends_on_nothing_is_not_split() -> None:
    _, result = proved()
    closed = result.nodes["mutex"].cases[-1]
    assert with_splits(result, {closed: "(if (k = k1) then true else p fi)"}) is None
    assert with_splits(result, {}) is None


def test_a_score_is_written_again_until_its_passages_are_true() -> None:
    """The first score has a passage that is stuck in the place of one; the second is what is written of the parts."""
    specification, result = proved()
    stuck = "  red (if (i = i) then true else (i = j) fi) and (if (i = j) then true else (i = j) fi) .\n"
    written: list[IgfResult] = []

    def write(each: IgfResult) -> ProofScore:
        written.append(each)
        score = specification.proof(each)
        return replace(score, text=_with(score, stuck)) if len(written) == 1 else score

    checked = checked_score(result, write)
    assert (checked.problems, checked.result) == ([], written[-1])
    assert len(written) == 2
    assert len(written[1].nodes["mutex"].cases) == len(result.nodes["mutex"].cases) + 1


def _with(score: ProofScore, line: str) -> str:
    """The score with another reduction in the passage of the first case of mutex that has two processes i and j."""
    lines = score.text.splitlines(keepends=True)
    for begin, closed in score.cases:
        place = next(n for n in range(begin, len(lines)) if lines[n].startswith("  red "))
        passage = "".join(lines[begin:place])
        if "ops i j" in passage and "i = j" not in passage and closed.leaf.assumptions.contradiction is None:
            lines[place] = line
            return "".join(lines)
    raise AssertionError("no passage has two processes")
