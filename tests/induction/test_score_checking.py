"""The checker of proof scores: accepts what proves, refuses what leaves a case out, and says which."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, session_of

from induction.score_mutations import PREDICATES, left_out, mutated, passages_of
from otsrw import Specification
from otsrw.induction import score_checking
from otsrw.induction.covering import CaseCover
from otsrw.induction.score_checking import ScoreReport, score_report
from otsrw.reasoning.workbench import Workbench
from otsrw.soundness import Status
from otsrw.syntax.source import Source
from otsrw.theory.terms import Term

_PASSAGE = re.compile(r"^open .*?^close\n", re.MULTILINE | re.DOTALL)


@cache
def qlock_score() -> str:
    specification = Specification(ROOT / "specs" / "qlock.cafe")
    return specification.proof(specification.igf("mutex")).text


def report(text: str, *claims: str) -> ScoreReport:
    return score_report(Source("<score>", text), claims)


def complaints(text: str, *claims: str) -> list[str]:
    found = report(text, *claims)
    assert found.errors == ()
    return [f"{each.subject}: {each.witness or each.missing}" for each in found.obligations if each.status != "proved"]


def uncounted(text: str) -> str:
    """A score without the line that counts its reductions."""
    return re.sub(r"^-- reductions: .*\n", "", text, flags=re.MULTILINE)


# --- a score that otsrw wrote


def test_what_otsrw_writes_is_accepted() -> None:
    found = report(qlock_score(), "mutex")
    assert found.is_accepted
    assert found.predicates[0] == "mutex"
    assert {each.status for each in found.obligations} == {Status.PROVED}


def test_every_passage_about_a_step_is_needed() -> None:
    text = uncounted(qlock_score())
    steps = [m for m in _PASSAGE.finditer(text) if re.search(r"red .*\w\((init|want\(|try\(|exit\()", m[0])]
    assert len(steps) > 40
    for passage in steps[::7]:
        found = complaints(text.replace(passage[0], "", 1))
        assert found != [], passage[0]


MUTATIONS = {
    "a passage is deleted": (
        r"-- mutex, try\(s,j\), case 3\n.*?close\n",
        "",
        "mutex, try(s,j): no passage covers the case pc(s,j) = wt and top(queue(s)) = j and i = j and not (j = j1) and "
        "not (cs = pc(s,j1))",
    ),
    "a base case is deleted": (
        r"-- lemma2, in init, case 1\n.*?close\n",
        "",
        "lemma2, init: no passage is about the initial state init",
    ),
    "a transition is dropped": (
        r"-- mutex, exit\(s,j\), case \d+\n.*?close\n",
        "",
        "mutex, exit: no passage is about the transition exit",
    ),
    "a premise is weakened to something that is not proved": (
        r"\(lemma1\(s,j1,j\)\) implies \(mutex",
        "(pc(s,i) = rm) implies (mutex",
        "mutex, try(s,j): no passage covers the case pc(s,j) = wt and top(queue(s)) = j and i = j and not (j = j1) and "
        "pc(s,j1) = cs",
    ),
    "an assumption is added": (
        r"(eq c-want\(s,j\) = false \.\n)(  red mutex)",
        r"\1  eq (i = j1) = false .\n\2",
        "mutex, want(s,j): no passage covers the case not (rm = pc(s,j)) and j1 = i",
    ),
    "a lemma is used and not proved": (
        r"-- lemma2, .*?close\n",
        "",
        "lemma2: it is used as a lemma, and has no passages",
    ),
    "the invariant itself is left out": (
        r"-- mutex, .*?close\n",
        "",
        "mutex: the score is to prove it, and has no passage for it",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_a_score_with_a_gap_is_refused(mutation: tuple[str, str, str]) -> None:
    pattern, replacement, complaint = mutation
    changed = re.sub(pattern, replacement, qlock_score(), flags=re.DOTALL)
    assert changed != qlock_score()
    assert complaint in complaints(uncounted(changed))


def test_a_premise_that_is_left_out_makes_its_reduction_fail() -> None:
    changed = qlock_score().replace("(lemma1(s,j1,j)) implies ", "", 1)
    assert any("not true" in each for each in complaints(changed))


def test_the_number_of_reductions_in_the_header_counts() -> None:
    evidence = re.search(r"-- want\(s,j\) is not effective.*?close\n", qlock_score(), re.DOTALL)
    assert evidence is not None
    assert any("the header says" in each for each in complaints(qlock_score().replace(evidence[0], "")))


def test_splits_over_constructors_and_effective_conditions_have_passages() -> None:
    text = qlock_score()
    assert "-- every value of Label is one of rm, wt, cs: a passage for each" in text
    assert "  red (rm = rm) or (rm = wt) or (rm = cs) ." in text
    assert "  red (not c-try(s,j)) or ((pc(s,j) = wt) and (top(queue(s)) = j)) ." in text


# --- scores written by hand

STACK = """
mod* ELT { [ Elt ] }
mod! STACK {
  pr(ELT)
  [ Stack ]
  op nil : -> Stack {constr}
  op _|_ : Elt Stack -> Stack {constr}
  op pop : Stack -> Stack
  op has : Elt Stack -> Bool
  vars X Y : Elt . var K : Stack
  eq pop(nil) = nil .
  eq pop(X | K) = K .
  eq has(X, nil) = false .
  eq has(X, Y | K) = (X = Y) or has(X, K) .
}
mod* SYSTEM {
  pr(STACK)
  *[ Sys ]*
  op init : -> Sys
  bop stack : Sys -> Stack
  bop bad : Sys -> Elt
  bop drop : Sys -> Sys
  op inv : Sys -> Bool
  var S : Sys
  eq stack(init) = nil .
  eq stack(drop(S)) = pop(stack(S)) .
  eq bad(drop(S)) = bad(S) .
  eq inv(S) = not has(bad(S), stack(S)) .
}
open SYSTEM . red inv(init) . close
"""
EMPTY = "open SYSTEM . op s : -> Sys . eq stack(s) = nil . red inv(s) implies inv(drop(s)) . close\n"
FULL = """open SYSTEM .
  op s : -> Sys . op e : -> Elt . op k : -> Stack .
  eq stack(s) = e | k .
  red inv(s) implies inv(drop(s)) .
close
"""
HEAD_IS_BAD = FULL.replace("  red", "  eq bad(s) = e .\n  red")
HEAD_IS_NOT_BAD = FULL.replace("  red", "  eq (bad(s) = e) = false .\n  red")

HAND = {
    "one passage for each constructor": (EMPTY + FULL, None),
    "a constructor split further": (EMPTY + HEAD_IS_BAD + HEAD_IS_NOT_BAD, None),
    "the parts are named by other values": (
        EMPTY + HEAD_IS_NOT_BAD + FULL.replace("  red", "  eq e = bad(s) .\n  red"),
        None,
    ),
    "a constructor is missing": (FULL, "no passage covers the case stack(s) = nil"),
    "a part of a constructor's case is missing": (EMPTY + HEAD_IS_NOT_BAD, "no passage covers the case stack(s) = "),
    "one particular element": (EMPTY + FULL.replace("e | k", "bad(s) | k"), "no passage covers the case stack(s) = "),
    "an equation about all states": (
        EMPTY.replace("op s : -> Sys .", "op s : -> Sys . eq stack(S:Sys) = nil ."),
        "no passage is about the transition drop",
    ),
    "a sort and an operator of its own": (
        EMPTY.replace("op s : -> Sys .", "op s : -> Sys . op f : Sys -> Bool ."),
        "no passage is about the transition drop",
    ),
}


@pytest.mark.parametrize(("passages", "complaint"), HAND.values(), ids=HAND.keys())
def test_scores_written_by_hand(passages: str, complaint: str | None) -> None:
    found = complaints(STACK + passages)
    if complaint is None:
        assert found == []
    else:
        assert any(complaint in each for each in found), found


def test_a_passage_that_shows_nothing_general_is_named() -> None:
    text = STACK + EMPTY + FULL + EMPTY.replace("op s : -> Sys .", "op s : -> Sys . eq stack(S:Sys) = nil .")
    found = report(text)
    assert found.is_accepted
    assert [warning.code for warning in found.warnings] == ["W612"]


def test_a_text_without_passages_about_steps_proves_nothing() -> None:
    assert not report("mod! M { [ S ] op a : -> S {constr} } open M . red a = a . close").is_accepted


LEMMA = """
mod! MORE {
  pr(STACK)
  op app : Stack Stack -> Stack
  ops lm wrong : Elt Stack Stack -> Bool
  vars X Y : Elt . vars K L : Stack
  eq app(nil, L) = L .
  eq app(X | K, L) = X | app(K, L) .
  eq lm(X, K, L) = (has(X, app(K, L)) iff (has(X, K) or has(X, L))) .
  eq wrong(X, K, L) = (has(X, app(K, L)) iff has(X, K)) .
}
mod* MOVING {
  pr(MORE)
  *[ Sys ]*
  op init : -> Sys
  bops stack other : Sys -> Stack
  bop bad : Sys -> Elt
  bop move : Sys -> Sys
  op inv : Sys -> Bool
  var S : Sys
  eq stack(init) = nil . eq other(init) = nil .
  eq stack(move(S)) = app(stack(S), other(S)) . eq other(move(S)) = other(S) . eq bad(move(S)) = bad(S) .
  eq inv(S) = (not has(bad(S), stack(S))) and (not has(bad(S), other(S))) .
}
open MOVING . red inv(init) . close
open MOVING . op s : -> Sys . red %s(bad(s), stack(s), other(s)) implies (inv(s) implies inv(move(s))) . close
"""


@pytest.mark.parametrize(("lemma", "complaint"), [("lm", None), ("wrong", "no passage covers the case")])
def test_a_lemma_about_data_may_be_a_premise_if_it_holds(lemma: str, complaint: str | None) -> None:
    found = complaints(STACK[: STACK.index("mod* SYSTEM")] + LEMMA % lemma)
    if complaint is None:
        assert found == []
    else:
        assert any(complaint in each for each in found), found


# --- passages that try to prove more than they show

WORKER = """
mod! LAB { [ Lab ] ops a b : -> Lab {constr} eq (a = b) = false . }
mod* PID { [ Boss Pid < All ] }
mod* SYSTEM {
  pr(LAB + PID)
  *[ Sys ]*
  op init : -> Sys
  bop lab : Sys -> Lab
  bop go : Sys All -> Sys
  op sel : All -> Lab
  op inv : Sys -> Bool
  var S : Sys var X : All var B : Boss
  eq sel(B) = a .
  eq lab(init) = a .
  eq lab(go(S, X)) = sel(X) .
  eq inv(S) = (lab(S) = a) .
}
open SYSTEM . red inv(init) . close
"""
TRICKS = {
    "a constant that has two sorts": "op x : -> Boss . op x : -> All .",
    "the same in the other order": "op x : -> All . op x : -> Boss .",
    "a smaller sort": "op x : -> Boss .",
    "a constant that is equal to a special one": "op x : -> All . op y : -> Boss . eq x = y .",
    "an equation about the function": "op x : -> All . eq sel(x) = a .",
    "an equation about all values": "op x : -> All . eq sel(Y:All) = a .",
    "an equation about the state after the step": "op x : -> All . eq lab(go(s,x)) = a .",
    "the claim itself": "op x : -> All . eq inv(go(s,x)) = true .",
    "values that are made equal": "op x : -> All . eq b = a . eq sel(x) = b .",
    "a state that is the initial one": "op x : -> All . eq go(s,x) = init .",
}


@pytest.mark.parametrize("declarations", TRICKS.values(), ids=TRICKS.keys())
def test_a_passage_about_special_values_covers_no_others(declarations: str) -> None:
    found = report(f"{WORKER} open SYSTEM . op s : -> Sys . {declarations} red inv(s) implies inv(go(s,x)) . close")
    assert not found.is_accepted


def test_a_passage_may_not_change_the_order_of_sorts() -> None:
    modules = WORKER.replace("Sys All -> Sys", "Sys Pid -> Sys").replace("var X : All", "var X : Pid")
    start = f"{modules} open SYSTEM . op s : -> Sys . op x : -> Pid ."
    assert not report(f"{start} [ Pid < Boss ] red inv(s) implies inv(go(s,x)) . close").is_accepted


def test_a_lemma_about_data_is_worth_no_more_than_its_equations(tmp_path: Path) -> None:
    # liar is right by the order of its equations: so a lemma about it says that no stack is empty
    lying = """
      op liar : Stack -> Bool
      op lm : Stack -> Bool
      eq liar(nil) = true .
      eq liar(K) = false .
      eq lm(K) = (liar(K) iff (K = nil)) .
    }"""
    data = STACK[: STACK.index("}\nmod* SYSTEM")]
    file = tmp_path / "score.cafe"
    file.write_text(
        f"{data}{lying} mod* SYSTEM {{ pr(STACK) *[ Sys ]* op init : -> Sys bop stack : Sys -> Stack "
        "bop ok : Sys -> Bool bop add : Sys Elt -> Sys op inv : Sys -> Bool var S : Sys var X : Elt "
        "eq stack(init) = nil . eq ok(init) = true . eq stack(add(S, X)) = (X | stack(S)) . "
        "eq ok(add(S, X)) = not (stack(S) = nil) . eq inv(S) = ok(S) . }"
        "open SYSTEM . red inv(init) . close open SYSTEM . op s : -> Sys . op x : -> Elt . "
        "red lm(stack(s)) implies (inv(s) implies inv(add(s,x))) . close",
        encoding="utf-8",
    )
    code, out, _ = run("check", "--score", str(file))
    assert (code, "error E601: the value of liar" in out) == (12, True)


def test_a_lemma_that_is_stated_for_some_arguments_only_is_no_lemma() -> None:
    text = """
    mod* WHO { [ Boss < Who ] op fine : Who -> Bool eq fine(B:Boss) = (B = B) . }
    mod* SYSTEM { pr(WHO) *[ Sys ]* op init : -> Sys bop who : Sys -> Who bop set : Sys Who -> Sys op inv : Sys -> Bool
      op b0 : -> Boss var S : Sys var X : Who
      eq who(init) = b0 . eq who(set(S, X)) = X . eq inv(S) = fine(who(S)) . }
    open SYSTEM . red inv(init) . close
    open SYSTEM . op s : -> Sys . op x : -> Who . red fine(x) implies (inv(s) implies inv(set(s,x))) . close
    """
    assert not report(text).is_accepted


def test_a_claim_is_about_the_invariant_and_not_about_another_operator_of_its_name() -> None:
    more = "op inv : Sys Elt -> Bool eq inv(S, X:Elt) = true ."
    text = STACK.replace("eq inv(S) =", f"{more} eq inv(S) =").replace(" red inv(init) .", "")
    text += "open SYSTEM . op e : -> Elt . red inv(init, e) . close\n"
    text += "open SYSTEM . op s : -> Sys . op e : -> Elt . red inv(s,e) implies inv(drop(s),e) . close\n"
    assert complaints(text) == []
    assert complaints(text, "inv") == ["inv: the score is to prove it, and has no passage for it"]


# --- random changes, against an oracle


@cache
def tas_score() -> str:
    specification = Specification(ROOT / "specs" / "tas.cafe")
    return specification.proof(specification.igf("mutex")).text


def accepted_changes(seeds: range) -> int:
    """How many changed scores of TAS are accepted; each of them must cover all cases."""
    modules, passages = passages_of(tas_score())
    assert left_out(passages, PREDICATES) is None
    count = 0
    for seed in seeds:
        changed = mutated(passages, Random(seed))
        found = report(modules + "\n".join(map(str, changed)))
        if found.is_accepted:
            count += changed != passages
            assert left_out(changed, [name for name in found.predicates if name in PREDICATES]) is None, seed
    return count


def test_a_changed_score_is_refused_or_covers_all_cases() -> None:
    assert accepted_changes(range(80)) > 2


def test_a_state_may_have_the_name_of_a_process() -> None:
    assert accepted_changes(range(1966, 1967)) == 1


@pytest.mark.slow
def test_many_changed_scores_are_refused_or_cover_all_cases() -> None:
    assert accepted_changes(range(1000, 3000)) > 100


def test_the_oracle_misses_every_passage_that_is_needed() -> None:
    _, passages = passages_of(tas_score())
    missed = [left_out([p for p in passages if p is not gone], PREDICATES) is not None for gone in passages]
    assert sum(missed) > 10


# --- a limit to the work


def test_a_check_that_is_ended_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_checking, "REDUCTIONS", 40)
    monkeypatch.setattr(score_checking, "REDUCTIONS_OF_A_PASSAGE", 0)
    found = report(qlock_score(), "mutex")
    assert not found.is_accepted
    first = next(each for each in found.obligations if each.status != "proved")
    assert first.status is Status.OPEN
    assert first.missing.endswith(
        "passages leave a case out was not checked to the end: the score takes more than 40 reductions"
    )
    again = next(each for each in report(qlock_score(), "mutex").obligations if each.status != "proved")
    assert (again.subject, again.missing) == (first.subject, first.missing)
    code, out, _ = run("igf", str(ROOT / "specs" / "qlock.cafe"))
    last = out.splitlines()[-1]
    assert (code, last.startswith("unknown: the proof score does not check: ")) == (3, True), last
    assert "was not checked to the end" in last


@pytest.mark.parametrize("limit", [0, 1, 7, 20, 50])
def test_a_situation_that_nobody_looked_at_is_not_said_to_be_missing(limit: int) -> None:
    module = session_of(FINITE).library.modules["SOME"]
    bench = Workbench(module)
    predicate = module.signature.named(("p",), 1) or module.signature.named(("p", "_"), 1)
    colour = next(sort for sort in module.signature.order.sorts if sort.name == "Colour")
    atoms = [predicate[0].make((bench.constant(f"x{number}", colour),)) for number in range(6)]
    rest = tuple(map(bench.connectives.negate, atoms))
    cases = (*((*rest[:number], atom) for number, atom in enumerate(atoms)), rest)
    found = CaseCover(bench).left_out(cases, limit)
    assert found is not None
    assert (found.is_unseen, found.is_certain) == (True, False)
    assert CaseCover(bench).left_out(cases, 10_000) is None


# --- against an oracle of splits

FINITE = """
mod! COLOUR { [ Colour ] ops r g b : -> Colour {constr} }
mod* SOME { pr(COLOUR) op p : Colour -> Bool }
"""
VALUES = ("r", "g", "b")
ATOMS = ("x=r", "x=g", "x=b", "y=r", "y=g", "x=y", "p(x)", "p(y)", "p(r)")


def holds(atom: str, x: str, y: str, p: frozenset[str]) -> bool:
    known = {"x": x, "y": y} | {value: value for value in VALUES}
    if atom.startswith("p"):
        return known[atom[2]] in p
    left, right = atom.split("=")
    return known[left] == known[right]


@given(st.lists(st.dictionaries(st.sampled_from(ATOMS), st.booleans(), max_size=3), min_size=1, max_size=7))
def test_covering_agrees_with_trying_all_values(cases: list[dict[str, bool]]) -> None:
    module = session_of(FINITE).library.modules["SOME"]
    bench = Workbench(module)
    colour = next(sort for sort in module.signature.order.sorts if sort.name == "Colour")
    terms = {name: bench.constant(name, colour) for name in ("x", "y")}
    terms |= {name: module.signature.constants_named(name)[0].make(()) for name in VALUES}
    predicate = module.signature.named(("p", "_"), 1) or module.signature.named(("p",), 1)

    def formula(atom: str, positive: bool) -> Term:
        if atom.startswith("p"):
            term = predicate[0].make((terms[atom[2]],))
        else:
            left, right = atom.split("=")
            term = bench.connectives.equal(terms[left], terms[right])
        return term if positive else bench.connectives.negate(term)

    stated = tuple(tuple(formula(*item) for item in case.items()) for case in cases)
    found = CaseCover(bench).left_out(stated, 100_000)
    subsets = [frozenset(s) for n in range(4) for s in itertools.combinations(VALUES, n)]
    worlds = itertools.product(VALUES, VALUES, subsets)
    missing = [
        world for world in worlds if not any(all(holds(a, *world) is v for a, v in case.items()) for case in cases)
    ]
    assert (found is None) == (not missing)
    assert found is None or found.is_certain


# --- bags that are split twice

BAG = """
mod* ELT { [ Elt ] }
mod! BAG {
  pr(ELT)
  [ Elt < Bag ]
  op none : -> Bag {constr}
  op _&_ : Bag Bag -> Bag {constr assoc comm id: none}
}
mod* SYSTEM {
  pr(BAG)
  *[ Sys ]*
  op init : -> Sys
  bop bag : Sys -> Bag
  bop keep : Sys -> Sys
  op inv : Sys -> Bool
  var S : Sys
  eq bag(init) = none .
  eq bag(keep(S)) = bag(S) .
  eq inv(S) = true .
}
open SYSTEM . red inv(init) . close
"""


def bag_passage(shape: str, *more: str) -> str:
    given = " ".join(f"eq {each} ." for each in (f"bag(s) = {shape}", *more))
    constants = "op s : -> Sys . ops e f : -> Elt . ops b c : -> Bag ."
    return f"open SYSTEM . {constants} {given} red inv(s) implies inv(keep(s)) . close\n"


@pytest.mark.parametrize(
    ("shapes", "is_complete"),
    [
        (("none", "e", "e & f & c"), True),
        (("none", "e & b"), True),
        (("none", "e & f & c"), False),
        (("e", "e & f & c"), False),
    ],
)
def test_the_rest_of_a_bag_may_be_split_in_one_equation(shapes: tuple[str, ...], is_complete: bool) -> None:
    passages = "".join(map(bag_passage, shapes))
    assert (complaints(BAG + passages) == []) == is_complete


def test_a_condition_on_the_rest_of_a_bag_leaves_cases_out() -> None:
    first = bag_passage("none") + bag_passage("e")
    told = bag_passage("e & f & c", "(e = f) = false")
    assert complaints(BAG + first + told) != []
    assert complaints(BAG + first + told + bag_passage("e & f & c", "e = f")) == []


# --- the command


def test_the_command_names_the_missing_case(tmp_path: Path) -> None:
    file = tmp_path / "score.cafe"

    def check(text: str) -> tuple[int, str, str]:
        file.write_text(text, encoding="utf-8")
        return run("check", "--score", str(file))

    code, out, _ = check(STACK + EMPTY + FULL)
    assert (code, "cases 2 of 2" in out) == (0, True)
    code, out, _ = check(STACK + FULL)
    assert code == 12
    assert "error E611: the score does not prove inv, drop(s): no passage covers the case stack(s) = nil" in out
    code, _, err = check("mod! M { [ S ] }")
    assert (code, "E612" in err) == (12, True)
    code, _, err = check(STACK + EMPTY.replace("stack(s)", "stock(s)"))
    assert code == 150
