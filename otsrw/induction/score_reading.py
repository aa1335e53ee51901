"""Reads the text of a proof score as data: what each passage assumes, and what it shows of which step.

Nothing here knows how a score was found: a score that somebody wrote or changed by hand is read the same way. A passage
of a proof by induction on the reachable states reduces

    (premises) implies (P(s,x) implies P(t(s,y),x))    or, in a base case,    P(init,x)

for constants s, x, y that nothing is known of but the equations of the passage. Equations and premises are what the
passage assumes; instances of proved predicates at the state s are induction hypotheses, which every passage may use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from otsrw.induction.effective import conjuncts_of
from otsrw.ots.model import Ots
from otsrw.ots.recognise import recognise
from otsrw.proofs.answers import CommandResult, TermCommandKind
from otsrw.proofs.citp.sentences import NONEXEC
from otsrw.proofs.declared import Declared
from otsrw.proofs.events import Answered, PassageMarked, Reducing, SessionEvent
from otsrw.proofs.session import Session
from otsrw.proofs.workspace import Settings
from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple, dataclass
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Source, Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.opened import OpenModule
from otsrw.theory.printing import show
from otsrw.theory.terms import PLAIN, Symbol, Term, variable


@dataclass(frozen=True, eq=False, slots=True)
class ScorePassage:
    """What a passage shows: the predicate after one step, or initially, in the case that its formulas describe.

    Terms are those of the opened module, with variables: `general` for the constants that stand for anything, other
    ones for values that need only exist, such as the parts of a constructor term.
    """

    predicate: Symbol
    generator: Symbol
    """The transition or the initial state."""
    after: Term
    """The state after the step, or the initial state."""
    general: tuple[Term, ...]
    """State, arguments of the generator, parameters of the predicate: the same variables in all passages."""
    names: tuple[str, ...]
    """How the passage names them."""
    formulas: tuple[Term, ...]
    """What is assumed: equations, and premises of the reduction that are no instances of predicates."""
    instances: tuple[Term, ...]
    """Premises that are predicates at the state before the step."""
    equations: tuple[Axiom, ...]
    """The equations as they are written."""
    mark: str
    """The name of the proof that the passage is marked with, as in `:id(name)`; empty if it has no mark."""
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class ScoreContents:
    """The passages of a score about the steps of one OTS, and what is wrong with the text."""

    ots: Ots | None
    """None if no passage is about steps of an OTS."""
    passages: tuple[ScorePassage, ...]
    answers: tuple[CommandResult, ...]
    """All reductions, also those that are about something else."""
    errors: tuple[Diagnostic, ...]
    """What is wrong with the text."""
    warnings: tuple[Diagnostic, ...]
    """Passages about a step that show nothing general."""
    session: Session
    """The session that ran the text."""


def read_score(source: Source, settings: Settings | None = None, known: Iterable[Declared] = ()) -> ScoreContents:
    """Run the text of a score in a session of its own, and read its passages."""
    return read_passages(lambda session: session.run_source(source), settings, known)


def read_passages(
    run: Callable[[Session], None], settings: Settings | None = None, known: Iterable[Declared] = ()
) -> ScoreContents:
    """Let `run` run what it wants in a new session, and read the passages that it ran.

    The session takes declarations over that are known.
    """
    listener = _Listener()
    session = Session(settings, listener, known=known)
    run(session)
    answers, errors = tuple(session.outcome.reductions()), tuple(session.outcome.errors)
    for module in reversed({shown.opened.base: None for shown in listener.found}):
        try:
            reader = _PassageReader(recognise(module))
        except OtsrwError:
            continue
        passages = tuple(p for shown in listener.found if (p := reader.read(shown)) is not None)
        if passages:
            return ScoreContents(reader.ots, passages, answers, errors, tuple(reader.warnings), session)
    return ScoreContents(None, (), answers, errors, (), session)


class _Shown(NamedTuple):
    """A reduction between `open` and `close` that gave true, with what was assumed before it."""

    opened: OpenModule
    equations: tuple[Axiom, ...]
    goal: Term
    mark: str
    span: Span


class _Listener:
    """Keeps the reductions of a session that gave true, with the passages they stand in."""

    def __init__(self) -> None:
        self.found: list[_Shown] = []
        self._opened: OpenModule | None = None
        self._equations: tuple[Axiom, ...] = ()
        self._mark = ""
        self._marked: Module | None = None
        """The passage that has the mark; None if nothing was reduced since the mark was read."""

    def __call__(self, event: SessionEvent) -> None:
        if isinstance(event, PassageMarked):
            self._mark, self._marked = event.name, None
        elif isinstance(event, Reducing):
            self._marked = self._marked or event.module
            self._opened = event.module if isinstance(event.module, OpenModule) else None
            self._equations = () if self._opened is None else tuple(self._opened.axioms)
        elif isinstance(event, Answered) and self._opened is not None:
            answer = event.answer
            if answer.command is TermCommandKind.REDUCE and answer.result == "true":
                mark = self._mark if self._opened is self._marked else ""
                self.found.append(_Shown(self._opened, self._equations, answer.asked, mark, answer.span))
            self._opened = None


class _NotGeneral(Exception):
    """Why a passage about a step shows nothing general."""


class _PassageReader:
    """Reads the reductions that are about steps of an OTS."""

    def __init__(self, ots: Ots) -> None:
        self.ots = ots
        self.warnings: list[Diagnostic] = []
        self._signature = ots.module.signature
        self._connectives = Connectives(self._signature)
        self._places = {t.operator.symbol: t.operator.place for t in ots.transitions}
        self._memo: dict[Term, Term] = {}

    def read(self, shown: _Shown) -> ScorePassage | None:
        """The passage; None if the reduction shows nothing general about a step."""
        if shown.opened.base is not self.ots.module:
            return None
        goal = self._moved(shown.goal, _variables(shown.opened))
        *premises, conclusion = _premises_and_conclusion(goal)
        try:
            return self._passage(shown, premises, conclusion)
        except _NotGeneral as reason:
            message = f"this passage counts for no case: {reason}"
            self.warnings.append(Diagnostic("W612", message, shown.span))
            return None

    def _passage(self, shown: _Shown, premises: list[Term], conclusion: Term) -> ScorePassage | None:
        place = self._state_place(conclusion)
        if place is None:
            return None
        after = conclusion.args[place]
        if after.op not in self._places and after.op not in self.ots.initials:
            return None
        images = _variables(shown.opened)
        _ask_for_constants(shown.opened)
        values = (*conclusion.args[:place], *conclusion.args[place + 1 :])
        state = after.args[self._places[after.op]] if after.op in self._places else None
        constants = dict.fromkeys((state, *after.args, *values) if state is not None else (*after.args, *values))
        self._ask_for_generality(conclusion, place, list(constants))
        general = {c: variable(f"general {number}", c.sort) for number, c in enumerate(constants)}
        used = [axiom for axiom in shown.equations if NONEXEC not in axiom.labels]
        equations = [self._formula(axiom, images) for axiom in used]
        instances = [p for p in premises if state is not None and self._is_predicate_at(p, state)]
        others = [p for p in premises if p not in instances]
        return ScorePassage(
            conclusion.op,
            after.op,
            substitute(after, general),
            tuple(general.values()),
            tuple(c.op.name for c in constants),
            tuple(substitute(formula, general) for formula in (*equations, *others)),
            tuple(substitute(instance, general) for instance in instances),
            tuple(self._written(axiom, images, general) for axiom in used),
            shown.mark,
            shown.span,
        )

    def _state_place(self, term: Term) -> int | None:
        """Where a predicate has its state; None if the term is no predicate of one state."""
        if term.op.native is not None or term.sort is not self._connectives.true.sort:
            return None
        places = [place for place, arg in enumerate(term.args) if arg.sort is self.ots.sort]
        return places[0] if len(places) == 1 else None

    def _is_predicate_at(self, term: Term, state: Term) -> bool:
        place = self._state_place(term)
        return place is not None and term.args[place] is state and self.ots.observer(term.op) is None

    def _ask_for_generality(self, conclusion: Term, place: int, constants: list[Term]) -> None:
        """Each argument is a constant of its own, of the sort that the operator is declared for."""
        order = self._signature.order
        after = conclusion.args[place]
        for term in (conclusion, after):
            for position, arg in enumerate(term.args):
                if arg is after:
                    continue
                if not arg.op.variable:
                    raise _NotGeneral(f"{show(arg)} is no constant of the passage")
                if not all(order.leq(decl.arity[position], arg.sort) for decl in term.op.decls):
                    raise _NotGeneral(f"{arg.op.name} stands only for values of sort {arg.sort.name}")
        if len(constants) < len(conclusion.args) - 1 + len(after.args):
            raise _NotGeneral("a constant stands for two arguments")

    def _formula(self, axiom: Axiom, images: dict[Symbol, Term]) -> Term:
        """What an equation of the passage assumes."""
        if axiom.condition is not None or axiom.is_transition or not (axiom.lhs.ground and axiom.rhs.ground):
            raise _NotGeneral("it assumes an equation with variables or with a condition")
        left, right = self._moved(axiom.lhs, images), self._moved(axiom.rhs, images)
        connectives = self._connectives
        if right is connectives.true:
            return left
        return connectives.negate(left) if right is connectives.false else connectives.equal(left, right)

    def _written(self, axiom: Axiom, images: dict[Symbol, Term], general: dict[Term, Term]) -> Axiom:
        left, right = (substitute(self._moved(side, images), general) for side in (axiom.lhs, axiom.rhs))
        return Axiom(left, right, None)

    def _moved(self, term: Term, images: dict[Symbol, Term]) -> Term:
        """A term of a passage as a term of the module that was opened, with variables for the passage's constants."""
        return self._signature.translate(_replaced(term, images), self._memo)


def _variables(opened: OpenModule) -> dict[Symbol, Term]:
    """A variable for each constant that the passage declares."""
    found = {}
    for decl in opened.decls:
        symbol = opened.signature.symbol_of(decl)
        if symbol is not None and not decl.arity:
            found[symbol] = variable(decl.text, decl.coarity)
    return found


def _ask_for_constants(opened: OpenModule) -> None:
    """A passage declares constants of known sorts, and nothing else."""
    known = opened.base.signature.order.kind
    odd = [decl for decl in opened.decls if decl.arity or decl.attributes is not PLAIN or decl.coarity not in known]
    if odd:
        raise _NotGeneral(f"it declares {odd[0].text}, which is no plain constant")
    twice = [decl for decl in opened.decls if (symbol := opened.signature.symbol_of(decl)) and len(symbol.decls) > 1]
    if twice:
        raise _NotGeneral(f"it declares {twice[0].text} more than once")
    if len(opened.imports) > 1 or opened.sorts or opened.subsorts:
        raise _NotGeneral("it declares a sort or a subsort, or imports a module")


def _premises_and_conclusion(goal: Term) -> Iterator[Term]:
    while goal.op.native is Builtin.IMPLIES:
        yield from conjuncts_of(goal.args[0])
        goal = goal.args[1]
    yield goal


def _replaced(term: Term, images: dict[Symbol, Term]) -> Term:
    """The term with variables for constants."""
    found = images.get(term.op)
    if found is not None:
        return found
    return term.op.make(tuple([_replaced(arg, images) for arg in term.args])) if term.args else term
