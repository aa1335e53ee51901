"""What one pass over the declarations and equations shows.

Sorts of right sides, equations that are not rewritten with, rewritten truth values and numerals, operators that look
at the form of a term, values that a module adds to a sort of another one, and states that nothing generates.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.laws import laws_of, refuting_instance
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import Coverage
from otsrw.soundness.equality import EqualityCheck
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Term, subterms, symbols_of, variable, variables_of

MAX_SPECIALISED = 300
"""Choices of smaller sorts for the variables of one equation."""
MAX_INSTANCES = 40

_BY_FORM = {
    Builtin.SAME: "==",
    Builtin.DIFFERENT: "=/=",
    Builtin.IS: ":is",
    Builtin.BEHAVES: "=*=",
    Builtin.SEARCH: "a search",
}


def signature_obligations(cone: Cone, coverage: Coverage) -> list[Obligation]:
    """All obligations of this pass but those about protected sorts."""
    return [
        *_or_proved(cone, ObligationKind.SORTS, list(_sorts(cone, coverage))),
        *_or_proved(cone, ObligationKind.IGNORED, list(_ignored(cone, coverage))),
        *_or_proved(cone, ObligationKind.CONSTANTS, list(_constants(cone))),
        *_or_proved(cone, ObligationKind.SPELLING, list(_by_form(cone))),
        *_generated(cone),
    ]


def _or_proved(cone: Cone, kind: ObligationKind, found: list[Obligation]) -> list[Obligation]:
    """The problems, or one proved obligation for the whole module if none is in the cone."""
    if any(each.decisive for each in found):
        return found
    evidence = f"{len(cone.equations)} equation{'s' * (len(cone.equations) != 1)}"
    return [Obligation(kind, cone.module.name, Status.PROVED, cone.module.span, evidence=evidence), *found]


# --- sort decrease


def _sorts(cone: Cone, coverage: Coverage) -> Iterator[Obligation]:
    for axiom in cone.equations:
        found = None if isinstance(axiom.lhs, LiteralTerm) else _grown(axiom, cone)
        if found is None:
            continue
        left, right = found
        promised, given = left.sort.name, right.sort.name
        witness = _escaping_value(axiom, cone, coverage)
        yield Obligation(
            ObligationKind.SORTS,
            show_plainly(axiom.lhs),
            Status.OPEN if witness is None else Status.REFUTED,
            axiom.span,
            witness=witness or "",
            missing="" if witness else f"that {show_plainly(right)}, of sort {given}, is always of sort {promised}",
            hint=f"declare the operator with {given} as its sort, or give a right side of sort {promised}",
        )


def _grown(axiom: Axiom, cone: Cone) -> tuple[Term, Term] | None:
    """Both sides with smaller sorts for variables such that the right one has no smaller sort; None if there is none.

    A right side that is outside of its operators' domains is no matter of sorts: see `totality`.
    """
    order = cone.module.signature.order
    places = variables_of(axiom.lhs)
    choices = [sorted(order.below.get(place.sort, ()), key=lambda s: s.number) or [place.sort] for place in places]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MAX_SPECIALISED:
        choices = [[place.sort] for place in places]
    for sorts in product(*choices):
        smaller = {v: variable(v.op.name, s) for v, s in zip(places, sorts, strict=True) if s is not v.sort}
        left, right = (substitute(side, smaller) for side in (axiom.lhs, axiom.rhs))
        if left.sort.is_error or right.sort.is_error or order.leq(right.sort, left.sort):
            continue
        return left, right
    # The left side keeps one of the sorts of its operator, whatever the sorts of the variables are.
    promised = [decl.coarity for decl in axiom.lhs.op.decls]
    if count > MAX_SPECIALISED and len(promised) > 1 and not all(order.leq(axiom.rhs.sort, sort) for sort in promised):
        return axiom.lhs, axiom.rhs
    return None


def _escaping_value(axiom: Axiom, cone: Cone, coverage: Coverage) -> str | None:
    """A ground instance whose value is not of the sort that the left side promises."""
    order = cone.module.signature.order
    places = variables_of(axiom.lhs)
    choices = [coverage.examples(place.sort) for place in places]
    bench = coverage.bench
    rewriter = bench.rewriter(())
    builders = coverage.values.builders
    for count, values in enumerate(product(*choices)):
        if count >= MAX_INSTANCES:
            return None
        bindings = dict(zip(places, values, strict=True))
        left = substitute(axiom.lhs, bindings)
        try:
            if axiom.condition is not None:
                if bench.reduce(rewriter, substitute(axiom.condition, bindings)) is not cone.connectives.true:
                    continue
            value = bench.reduce(rewriter, substitute(axiom.rhs, bindings))
        except OtsrwError:
            return None
        is_value = all(part.op in builders or not part.op.decls for part in subterms(value))
        if is_value and not value.sort.is_error and not order.leq(value.sort, left.sort):
            return f"{show_plainly(left)} is {show_plainly(value)}, which is no {left.sort.name}"
    return None


# --- equations that are not rewritten with


def _ignored(cone: Cone, coverage: Coverage) -> Iterator[Obligation]:
    kinds = {cone.module.signature.order.kind.get(sort) for sort in cone.sorts}
    check = EqualityCheck(cone, coverage) if cone.ignored else None
    states = None if cone.ots is None else cone.ots.sort
    laws = {law.span: law for law in laws_of(cone.module, states)} if cone.ignored else {}
    for axiom in cone.ignored:
        if axiom.span in laws:
            yield _law(laws[axiom.span], coverage)
            continue
        assert check is not None
        kind = cone.module.signature.order.kind.get(axiom.lhs.sort)
        decisive = axiom.lhs.op in cone.functions or (axiom.lhs.op.variable and kind in kinds)
        status, text = _as_equality(axiom, check)
        yield Obligation(
            ObligationKind.IGNORED,
            f"{show_plainly(axiom.lhs)} = {show_plainly(axiom.rhs)}",
            status,
            axiom.span,
            witness=text if status is Status.REFUTED else "",
            missing=text if status is Status.OPEN else "",
            evidence=text if status is Status.PROVED else "",
            hint="leave it out, or write it so that its left side is no variable and has all variables of the rest",
            decisive=decisive,
        )


def _law(law: DataLemma, coverage: Coverage) -> Obligation:
    """An axiom of a loose module restricts its models, and proofs use it as it is stated; unless no model has it."""
    instance = refuting_instance(law, coverage.bench)
    return Obligation(
        ObligationKind.IGNORED,
        show_plainly(law.formula),
        Status.PROVED if instance is None else Status.REFUTED,
        law.span,
        witness="" if instance is None else f"{show_plainly(instance)} is false by the other equations",
        evidence=f"an axiom of the loose module {law.module}" if instance is None else "",
        hint="leave it out, or say for which values it holds",
    )


def _as_equality(axiom: Axiom, check: EqualityCheck) -> tuple[Status, str]:
    """Does the equation say only what is true anyway? A question about `=`."""
    left, right = axiom.lhs, axiom.rhs
    missing = "that this equation, which is not rewritten with, changes no value"
    if left is right or axiom.condition is check.connectives.equal(left, right):
        return Status.PROVED, "it says nothing new"
    if check.is_about_loose_elements(left) and check.is_about_loose_elements(right):
        return Status.PROVED, "it is about a loose sort, of which nothing is taken for granted"
    if not check.is_about_values(left) or not check.is_about_values(right):
        return Status.OPEN, missing
    claim = Axiom(check.connectives.equal(left, right), check.connectives.true, axiom.condition)
    try:
        status, text = check.judged(claim)
    except OtsrwError:
        return Status.OPEN, missing
    return status, missing if status is Status.OPEN else text


# --- truth values and numerals


def _constants(cone: Cone) -> Iterator[Obligation]:
    truths = (cone.connectives.true, cone.connectives.false)
    for axioms in (*cone.functions.values(), *cone.outside.values()):
        for axiom in axioms:
            left, right = axiom.lhs, axiom.rhs
            if not (left in truths or isinstance(left, LiteralTerm)) or left is right:
                continue
            certain = axiom.condition is None and (right in truths or isinstance(right, LiteralTerm))
            shown = f"{show_plainly(left)} = {show_plainly(right)}"
            yield Obligation(
                ObligationKind.CONSTANTS,
                show_plainly(left),
                Status.REFUTED if certain else Status.OPEN,
                axiom.span,
                witness=shown if certain else "",
                missing="" if certain else f"that {shown} is never used",
                hint="truth values and numerals are values: an equation cannot make them other ones",
            )


# --- operators that look at the form of a term


def _by_form(cone: Cone) -> Iterator[Obligation]:
    for axiom in cone.equations:
        if axiom.lhs.op.native is Builtin.BEHAVES:
            continue
        sides = [side for side in (axiom.rhs, axiom.condition) if side is not None]
        used = {_BY_FORM[op.native] for side in sides for op in symbols_of(side) if op.native in _BY_FORM}
        if axiom.otherwise:
            used.add("owise")
        if used:
            names = ", ".join(sorted(used))
            yield Obligation(
                ObligationKind.SPELLING,
                show_plainly(axiom.lhs),
                Status.OPEN,
                axiom.span,
                missing=f"{names} looks at how far a term is evaluated, not at its value",
                hint="compare values by '=', and say by a condition when the equation applies",
            )


# --- states


def _generated(cone: Cone) -> Iterator[Obligation]:
    """Every state that an equation makes is built from initial states, transitions and the state before."""
    ots = cone.ots
    if ots is None:
        return
    steps = {transition.operator.symbol for transition in ots.transitions}
    known = steps | set(ots.initials)
    known |= {s for s in cone.rules if s.decls and s.decls[0].coarity is ots.sort and ots.sort in s.decls[0].arity}
    wrong: list[Obligation] = []
    for axioms in (*cone.functions.values(), *cone.outside.values()):
        for axiom in axioms if axioms[:1] and axioms[0].lhs.sort is ots.sort else ():
            parts = [part for part in subterms(axiom.rhs) if part.sort is ots.sort]
            strange = [p for p in parts if not p.op.variable and p.op.native is None and p.op not in known]
            if not strange:
                continue
            wrong.append(_strange_state(cone, ots.sort, axiom, strange))
    evidence = f"{len(ots.initials)} initial, {len(steps)} transition{'s' * (len(steps) != 1)}"
    yield from wrong or [
        Obligation(ObligationKind.GENERATED, ots.sort.name, Status.PROVED, ots.module.span, evidence=evidence)
    ]


def _strange_state(cone: Cone, sort: Sort, axiom: Axiom, strange: list[Term]) -> Obligation:
    """A state that no transition makes; one that equations define may still be equal to a state that some do."""
    undefined = [part for part in strange if part.op not in cone.rules]
    what = show_plainly((undefined or strange)[0])
    witness = f"{show_plainly(axiom.lhs)} is {what}, which is no initial state and no step from one"
    return Obligation(
        ObligationKind.GENERATED,
        sort.name,
        Status.REFUTED if undefined else Status.OPEN,
        axiom.span,
        witness=witness if undefined else "",
        missing="" if undefined else f"that {what} is always an initial state or a step from one",
        hint=f"say what the observers are in {what}: then it is an initial state",
    )
