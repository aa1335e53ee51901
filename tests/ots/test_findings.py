"""What is said about specifications that are no OTS, or a doubtful one."""

from __future__ import annotations

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of

from otsrw.ots import Ots, find_ots
from otsrw.ots.stepping import Stepper
from otsrw.proofs.session import Session
from otsrw.search import MaudeSpace, translate
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source

_OPS = "pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop t : Sys -> Sys var S : Sys"
_GOOD = f"{_OPS} eq n(init) = 0 . eq n(t(S)) = n(S) + 1 ."


def understood(text: str) -> Ots:
    session = Session()
    session.run_source(Source("<spec>", text, SPECS))
    assert [problem.render() for problem in session.outcome.errors] == []
    return find_ots(session.library)


_FINDINGS = {
    "a transition forgets an observer": (
        f"mod* M {{ {_GOOD} bop m : Sys -> Nat eq m(init) = 0 . }}",
        "E507 t does not define m",
    ),
    "two equations disagree": (
        f"mod* M {{ {_GOOD} eq n(t(S)) = 7 . }}",
        "E508 two equations disagree about n after t",
    ),
    "an equation with an unexpected left side": (
        f"mod* M {{ {_GOOD} eq n(t(t(S))) = 7 . }}",
        "E505 this equation for n after t is not understood",
    ),
    "no initial state": (
        "mod* M { pr(NAT) *[Sys]* op mk : Sys -> Sys bop n : Sys -> Nat bop t : Sys -> Sys var S : Sys\n"
        "-- @ state Sys\n eq n(t(S)) = n(S) + 1 . eq mk(S) = t(S) . }",
        "E506 there is no initial state: no constant of sort Sys",
    ),
    "an observer is not said initially": (
        f"mod* M {{ {_OPS} op start : -> Sys eq n(init) = 0 . eq n(t(S)) = n(S) + 1 . }}",
        "W502 n has no equation for the initial state start",
    ),
    "an operator of two states": (
        f"mod* M {{ {_GOOD} op join : Sys Sys -> Sys }}",
        "E522 join is no transition: it must take one Sys and give one",
    ),
    "an abbreviation": (
        f"mod* M {{ {_GOOD} op twice : Sys -> Sys eq twice(S) = t(t(S)) . }}",
        "W506 twice abbreviates transitions: it is no step of its own",
    ),
    "an effective condition nobody uses": (
        f"mod* M {{ {_GOOD} op c-t : Sys -> Bool eq c-t(S) = n(S) < 5 . }}",
        "W503 the effective condition c-t is never used",
    ),
    "an operator without an equation": (
        f"mod* M {{ {_GOOD} op q : Sys -> Bool }}",
        "W504 q has no equation at all",
    ),
    "an invariant that is none": (
        f"mod* M {{ {_GOOD} }}\n-- @ invariant safe\n",
        "E504 'safe' is no state predicate with one defining equation",
    ),
}


@pytest.mark.parametrize("case", _FINDINGS)
def test_findings(case: str) -> None:
    text, expected = _FINDINGS[case]
    assert expected in [f"{finding.code} {finding.message}" for finding in understood(text).findings]


_REFUSED = {
    "a hint that cannot be read": (
        f"mod* M {{ {_GOOD} }}\n-- @ withPid = a\n",
        "E501 this hint is not understood: 'withPid = a'",
    ),
    "no state sort": (
        "mod! M { [S] op a : -> S }",
        "E503 module M is not an observational transition system",
    ),
    "entities of an unknown sort": (
        f"mod* M {{ {_GOOD} }}\n-- @ with Pid = a\n",
        "E502 there is no sort 'Pid' in module M",
    ),
    "an index without entities": (
        "mod* M { [Pid] *[Sys]* op init : -> Sys bop n : Sys Pid -> Bool bop t : Sys -> Sys var S : Sys var I : Pid"
        " eq n(init, I) = true . eq n(t(S), I) = false . }",
        "E509 observer n has an index of sort Pid, which has no entities",
    ),
    "an entity twice": (
        "mod* M { [Pid] *[Sys]* op init : -> Sys bop n : Sys Pid -> Bool bop t : Sys -> Sys var S : Sys var I : Pid"
        " eq n(init, I) = true . eq n(t(S), I) = false . }\n-- @ with Pid = a a\n",
        "E511 an entity of sort Pid is given twice",
    ),
    "an initial value that is none": (
        f"mod* M {{ {_OPS} eq n(t(S)) = n(S) + 1 . op start : -> Sys eq n(start) = 0 . }}",
        "E512 n has no value in an initial state: no equation describes this case",
    ),
    "a parameter that nothing binds": (
        "mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop t : Sys Nat -> Sys var S : Sys var N : Nat"
        " eq n(init) = 0 . eq n(t(S, N)) = N . }",
        "E514 transition t: nothing says which values of N : Nat to try",
    ),
    "a variable of an invariant that nothing binds": (
        f"mod* M {{ {_GOOD} op i : Sys Nat -> Bool var N : Nat eq i(S, N) = n(S) < N . }}",
        "E515 invariant i: nothing says which values of N : Nat to try",
    ),
    "a sort that Maude has not": (
        "mod* M { pr(FLOAT) *[Sys]* op init : -> Sys bop x : Sys -> Float bop t : Sys -> Sys var S : Sys"
        " eq x(init) = 1.5 . eq x(t(S)) = x(S) . }",
        "E516 the built-in sort Float is not translated to Maude",
    ),
    "axioms of some ranks only": (
        "mod! D { [E < D] ops a b : -> E {constr} op _+_ : E E -> E {constr comm} op _+_ : D D -> D }"
        " mod* M { pr(D) *[Sys]* op init : -> Sys bop x : Sys -> D bop t : Sys -> Sys var S : Sys"
        " eq x(init) = a . eq x(t(S)) = x(S) + b . }",
        "E516 the operator _+_ is not translated to Maude: its axioms [ctor comm] hold for some of its ranks only",
    ),
}


@pytest.mark.parametrize("case", _REFUSED)
def test_refusals(case: str) -> None:
    text, expected = _REFUSED[case]
    with pytest.raises(OtsrwError) as caught:
        instance = instance_of(understood(text))
        Stepper(instance).initial_states()
        translate(instance, instance.ots.invariants)
    assert f"{caught.value.problem.code} {caught.value.problem.message}" == expected


def test_a_formula_with_too_many_cases_is_refused() -> None:
    either = " and ".join(f"(n(S) = {k} or n(S) = {k + 100})" for k in range(12))
    instance = instance_of(understood(f"mod* M {{ {_GOOD} op i : Sys -> Bool eq i(S) = not ({either}) . }}"))
    with pytest.raises(OtsrwError, match="E510"):
        MaudeSpace(instance).search(invariant_named(instance, "i"), 1)


def test_both_styles_are_understood() -> None:
    hidden = understood(f"mod* M {{ {_GOOD} }}")
    visible = understood(
        "mod* M { pr(NAT) [Sys] op init : -> Sys {constr} op t : Sys -> Sys {constr} op n : Sys -> Nat var S : Sys"
        " eq n(init) = 0 . eq n(t(S)) = n(S) + 1 . op i : Sys -> Bool eq i(S) = n(S) < 9 . op c-x : Sys -> Bool }"
    )
    for ots in (hidden, visible):
        assert [o.name for o in ots.observers] == ["n"]
        assert [t.name for t in ots.transitions] == ["t"]
        assert [symbol.name for symbol in ots.initials] == ["init"]
    assert [i.name for i in visible.invariants] == ["i"]


@pytest.mark.parametrize(
    ("kind", "marks", "fine"), [("mod!", "{constr}", False), ("mod*", "{constr}", True), ("mod!", "", True)]
)
def test_a_closed_sort_has_no_other_entities(kind: str, marks: str, fine: bool) -> None:
    text = f"{kind} PID {{ [Pid] ops p q : -> Pid {marks} }} mod* M {{ pr(PID) *[Sys]* op init : -> Sys"
    text += " bop on : Sys Pid -> Bool bop go : Sys Pid -> Sys var S : Sys vars I J : Pid"
    ots = ots_of(text + " eq on(init, I) = false . eq on(go(S, J), I) = (I = J) or on(S, I) . }")
    assert len(instance_of(ots, {"Pid": ["p", "q"]}).slots) == 2
    if fine:
        assert len(instance_of(ots, {"Pid": ["p", "q", "r"]}).slots) == 3
    else:
        with pytest.raises(OtsrwError, match="r is no element of Pid"):
            instance_of(ots, {"Pid": ["p", "q", "r"]})


def test_an_ots_may_have_a_parameter() -> None:
    text = (
        "mod* PID { [Pid] } mod* M (P :: PID) { *[Sys]* op init : -> Sys bop on : Sys Pid -> Bool"
        " bop go : Sys Pid -> Sys var S : Sys vars I J : Pid"
        " eq on(init, I) = false . eq on(go(S, J), I) = (I = J) or on(S, I) . }"
    )
    assert understood(text).name == "M"
    assert understood(f"mod* N {{ {_GOOD} }} {text}").name == "N"


def test_a_predicate_with_a_variable_of_its_own_is_no_invariant() -> None:
    ots = understood(
        f"mod* M {{ {_GOOD} var N : Nat ops open closed : Sys -> Bool"
        " eq open(S) = (n(S) = N) . eq closed(S) = (n(S) = 7) . }"
    )
    assert [invariant.name for invariant in ots.invariants] == ["closed"]
