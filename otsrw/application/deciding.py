"""Decides an invariant with what the file offers, and demands nothing that is not used.

A specification that leaves nothing open is decided by searching all its states, if they are few. Otherwise entities are
chosen where none are given, and the search goes as deep as a budget of states allows. If there can be no search, there
is induction alone. What was left out is said.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

from otsrw.application.attempts import attempted
from otsrw.application.entities import with_enough
from otsrw.application.stages import Decided, Instantiated, Recognised
from otsrw.induction import IgfResult, IgfVerdict, Induction, Options, igf
from otsrw.induction.grounds import NO_GROUNDS, Grounds, grounds_of
from otsrw.induction.procedure import SecondLook
from otsrw.induction.results import NewsListener, Node, NodeKind, NodeStatus
from otsrw.induction.saved import ProofKeeper
from otsrw.ots import Instance, Invariant
from otsrw.ots.instance import MissingValues, enlarged
from otsrw.ots.interpretation import interpreted
from otsrw.ots.lawful import LawBroken
from otsrw.ots.population import is_closed, trial_values, usual_entities
from otsrw.records import NamedTuple, dataclass, replace
from otsrw.search import Limits, MaudeSpace
from otsrw.search.results import Activity, SearchResult
from otsrw.search.space import StateSpace
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind
from otsrw.theory.printing import show

USUAL_DEPTH = 3
MOST_STATES = 10_000
"""States that are searched and kept for falsification if no depth is given."""
MOST_DEEPER = 40_000
"""States that a plain search beyond the usual depth looks at."""
MORE_ENTITIES = 4
"""Entities of each loose sort in a second instance that is searched, too."""
QUICK_CASES = 200
"""Cases of a proof before plain searches beyond the usual depth and entities; a violation that they know ends it."""
MOST_EXHAUSTED = 200_000
"""States of a specification that leaves nothing open which are searched for a verdict."""
FEW_EXHAUSTED = 10_000
"""So many are searched first. If there are more, a property that is inductive by itself needs no search of them."""
INDUCTIVE_WORK = 10_000
"""Reductions after which a property is not taken for inductive by itself."""
_DEEPEST = 400
"""Steps that are searched for that; where every step makes values larger, there is no end."""
_LATE = 1.5
"""When an evaluation is stopped, in times of the time that was asked for."""

_STOPS_SEARCH = (
    ProblemKind.MISSING_ENTITIES,
    ProblemKind.SPECIFICATION,
    ProblemKind.EVALUATION,
    ProblemKind.NOT_TRANSLATED,
    ProblemKind.NOT_INSTALLED,
    ProblemKind.BUDGET,
)
"""Problems that keep states from being searched; induction does not meet them."""


@dataclass(frozen=True, slots=True)
class DecisionQuestion:
    """What is to be decided, and how. Without a depth the search goes as deep as is usual and affordable."""

    invariant: str | None
    options: Options
    entities: tuple[str, ...] = ()
    depth: int | None = None
    may_exhaust: bool = True
    """May it be decided by searching all states? Then there is no proof score."""
    count: int = 0
    """States in which it is counted what the transitions do."""
    keeper: ProofKeeper | None = None
    """Keeps the proof between runs; None: it is not kept."""
    may_enlarge: bool = True
    """May a violation be looked for with more entities? Not if entities are given."""


def decide(recognised: Recognised, question: DecisionQuestion, listener: NewsListener | None = None) -> Decided:
    """The verdict on an invariant; unknown if Ctrl-C comes."""
    started = time.monotonic()
    try:
        return _decided(recognised, question, listener)
    except KeyboardInterrupt:
        stated = recognised.invariant(question.invariant)
        return Decided(recognised, _interrupted(recognised, stated, time.monotonic() - started), None)


def _interrupted(recognised: Recognised, stated: Invariant, seconds: float) -> IgfResult:
    """The result of a run that was stopped before there was a proof to look at."""
    predicate = Induction(recognised.ots).predicate(stated.name, stated.parameters, stated.formula)
    return IgfResult(
        verdict=IgfVerdict.UNKNOWN,
        reason="interrupted",
        invariant=stated,
        ots=recognised.ots,
        instance=None,
        nodes={stated.name: Node(predicate, NodeKind.PROPERTY)},
        run=None,
        chain=(),
        states=0,
        depth=0,
        rounds=0,
        dropped=(),
        seconds=seconds,
        was_interrupted=True,
    )


def _decided(recognised: Recognised, question: DecisionQuestion, listener: NewsListener | None) -> Decided:
    name = recognised.invariant(question.invariant).name
    options = replace(question.options, lemmas=recognised.lemma_names(name, question.options.lemmas))
    if question.may_exhaust and question.depth is None and not question.entities and is_closed(recognised.ots):
        result = _by_exhaustion(recognised, name, options, FEW_EXHAUSTED)
        if result is None and not _is_inductive(recognised, name, options):
            result = _by_exhaustion(recognised, name, options, MOST_EXHAUSTED)
        if result is not None:
            return Decided(recognised, result, None, activity=_activity(recognised, result, question.count))
    depth = USUAL_DEPTH if question.depth is None else question.depth
    entities = tuple(with_enough(recognised, question.entities, depth, name))
    may_enlarge = question.may_enlarge and not question.entities
    asked = replace(question, entities=entities, options=options, may_enlarge=may_enlarge)

    def induced(words: Recognised, limited: DecisionQuestion, looks: Sequence[SecondLook]) -> Decided:
        return _induced(words, name, limited, listener, looks)

    return attempted(recognised, asked, induced)


def _induced(
    recognised: Recognised,
    name: str,
    question: DecisionQuestion,
    listener: NewsListener | None,
    looks: Sequence[SecondLook] = (),
) -> Decided:
    """Induction, with a search if there can be one."""
    options = question.options
    entities = usual_entities(recognised.ots, question.entities)
    while True:
        try:
            return _with_search(recognised, name, question, entities, listener, looks)
        except OtsrwError as error:
            if error.problem.kind not in _STOPS_SEARCH:
                raise
            fewer = _fewer(recognised, question, entities) if isinstance(error, LawBroken) else entities
            if fewer != entities:
                entities = fewer
                continue
            values = trial_values(recognised.ots, error.sort, entities) if isinstance(error, MissingValues) else ()
            if values and isinstance(error, MissingValues) and error.sort.name not in entities:
                entities[error.sort.name] = values
                continue
            result = igf(recognised.ots, None, recognised.invariant(name), options, listener, question.keeper, looks)
            return replace(recognised.scored(result), left_out=f"no search, induction alone: {error.problem.message}")


def _fewer(
    recognised: Recognised, question: DecisionQuestion, entities: dict[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """One entity less of each sort for which nobody named any, while there are two."""
    named = recognised.entities(question.entities)
    return {sort: words[:-1] if sort not in named and len(words) > 1 else words for sort, words in entities.items()}


def _activity(recognised: Recognised, result: IgfResult, count: int) -> Activity | None:
    """What the transitions do in the states that decided an invariant; None if it is not counted."""
    assert result.instance is not None
    with MaudeSpace(result.instance) as space:
        return Instantiated(recognised, result.instance).activity(space, result, count)


def _with_search(
    recognised: Recognised,
    name: str,
    question: DecisionQuestion,
    entities: dict[str, tuple[str, ...]],
    listener: NewsListener | None,
    looks: Sequence[SecondLook],
) -> Decided:
    options = question.options
    instance = _instance(recognised, entities, options.timeout)
    instantiated = Instantiated(recognised, instance)
    depth, notes = question.depth, _chosen(recognised, question.entities, instance.given)
    if instance.meanings:
        is_of_state = {each: any(arg.sort is instance.ots.sort for arg in each.lhs.args) for each in instance.meanings}
        fixed = [each for each in instance.meanings if not is_of_state[each]]
        turning = dict.fromkeys(each.lhs.op.name for each in instance.meanings if is_of_state[each])
        values = [f"{show(each.lhs)} = {show(each.rhs)}" for each in fixed]
        values += [f"{name} changes with every step" for name in turning]
        notes.append(f"searched with values for what nothing defines: {', '.join(values)}")
    arbitrary = instantiated.instance.arbitrary
    if arbitrary:
        which = "some initial values" if instance.starts_left_out else "every initial value"
        notes.append(f"searched from {which} of {', '.join(slot.name for slot in arbitrary)}")
    with MaudeSpace(instance) as space:
        found = None
        with _evaluating(instance):
            if depth is None:
                found = deepened(space, instantiated.invariant(name), USUAL_DEPTH, MOST_STATES, options.timeout)
                depth = found.depth
                if found.verdict == "holds" and not found.exhausted and depth < USUAL_DEPTH:
                    notes.append(f"searched to depth {depth} only: {found.states} states there, too many below")
            later = _LaterSearch(recognised, space, instantiated.invariant(name), found, question)
            look = SecondLook(QUICK_CASES, lambda: later.violation is not None)
            depths = replace(options, depth=depth)
            decided = instantiated.decided_in(space, name, depths, listener, question.keeper, (look, *looks))
        is_open = decided.result.verdict is IgfVerdict.UNKNOWN and not decided.result.was_interrupted
        if is_open and later.violation is not None:
            decided = replace(decided, result=_falsified(decided.result, later.violation))
        if decided.result.instance is instance:
            decided = replace(decided, activity=instantiated.activity(space, decided.result, question.count))
    if decided.result.instance is not instance:
        notes.append(f"found with more entities: {_listed(decided.result.entities)}")
        decided = replace(decided, activity=_activity(recognised, decided.result, question.count))
    return replace(decided, left_out="; ".join(notes))


@contextmanager
def _evaluating(instance: Instance) -> Iterator[None]:
    """What is decided may be shown and counted, however late it is."""
    try:
        yield
    finally:
        instance.deadline = None


class _FoundViolation(NamedTuple):
    """What a search found, and in which instance."""

    instance: Instance
    found: SearchResult


class _LaterSearch:
    """Plain searches beyond the usual depth, and with more entities, done when they are asked for.

    States may be large there, and many.
    """

    def __init__(
        self,
        recognised: Recognised,
        space: StateSpace,
        invariant: Invariant,
        found: SearchResult | None,
        question: DecisionQuestion,
    ) -> None:
        """`found` is what the search to the usual depth gave; None if a depth was asked for."""
        self._recognised = recognised
        self._space = space
        self._invariant = invariant
        self._found = found
        self._question = question
        self._started = time.monotonic()

    @cached_property
    def violation(self) -> _FoundViolation | None:
        """A violation, if not too many states lead there; None if there is none."""
        found = self._found
        if found is None or found.verdict != "holds":
            return None
        most = MOST_DEEPER // 2 if self._space.instance.incomplete else MOST_DEEPER  # rewriting may do it
        if not found.exhausted and found.depth >= USUAL_DEPTH:
            deeper = self._confirmed(self._space, self._invariant, most)
            if deeper is not None:
                return deeper
        return self._in_larger_instance() if self._question.may_enlarge else None

    def _in_larger_instance(self) -> _FoundViolation | None:
        """A violation that needs more entities than the file names, or than were chosen."""
        given = self._space.instance.given
        entities = enlarged(self._recognised.ots, given, MORE_ENTITIES)
        if entities == given:
            return None
        try:
            instance = _instance(self._recognised, entities, self._question.options.timeout)
            with _evaluating(instance), MaudeSpace(instance) as space:
                invariant = Instantiated(self._recognised, instance).invariant(self._invariant.name)
                return self._confirmed(space, invariant, MOST_STATES)
        except OtsrwError as error:
            if error.problem.kind not in _STOPS_SEARCH:
                raise
            return None

    def _confirmed(self, space: StateSpace, invariant: Invariant, most: int) -> _FoundViolation | None:
        timeout = self._question.options.timeout
        left = None if timeout is None else max(0.1, timeout - (time.monotonic() - self._started))
        found = deepened(space, invariant, _DEEPEST, most, left)
        is_violated = found.run is not None and space.confirm(found.run, invariant)
        return _FoundViolation(space.instance, found) if is_violated else None


def _falsified(result: IgfResult, violation: _FoundViolation) -> IgfResult:
    """A result that induction left open, falsified by a plain search."""
    name, found = result.invariant.name, violation.found
    root = replace(result.nodes[name], status=NodeStatus.VIOLATED)
    return replace(
        result,
        verdict=IgfVerdict.FALSIFIED,
        reason="a counterexample was found",
        nodes={**result.nodes, name: root},
        instance=violation.instance,
        run=found.run,
        chain=(name,),
        states=found.states,
        depth=found.depth,
    )


def _instance(recognised: Recognised, entities: dict[str, tuple[str, ...]], timeout: float | None) -> Instance:
    """An instance with these entities, and values for functions that nothing defines.

    It evaluates a little longer than is asked for: who looks at the clock before ends with an answer.
    """
    most = recognised.loaded.session.max_rewrites
    until = None if timeout is None else time.monotonic() + _LATE * timeout
    chosen = interpreted(recognised.ots, entities, 0, most, until)
    return chosen or Instance(recognised.ots, entities, most, may_choose_starts=True, deadline=until)


def _chosen(recognised: Recognised, given: tuple[str, ...], entities: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Which entities nobody named."""
    named = recognised.entities(given)
    chosen = {sort: words for sort, words in entities.items() if sort not in named}
    return [f"searched with {_listed(chosen)}"] if chosen else []


def _listed(entities: Mapping[str, tuple[str, ...]]) -> str:
    return ", ".join(f"{sort} = {' '.join(words)}" for sort, words in entities.items())


def deepened(
    space: StateSpace, invariant: Invariant, wanted: int, most: int, timeout: float | None = None
) -> SearchResult:
    """A search as deep as wanted, or less deep if the next level is likely to have more than `most` states."""
    limits = Limits(timeout)
    found = space.search(invariant, min(wanted, 1), limits)
    while found.verdict == "holds" and not found.exhausted and found.depth < wanted:
        steps = _affordable_steps(found.levels, most - found.states)
        deeper = space.search(invariant, min(wanted, found.depth + steps), limits) if steps else found
        if deeper is found or deeper.verdict == "unknown":
            break
        found = deeper
    return found


def _affordable_steps(levels: tuple[int, ...], most: int) -> int:
    """How many levels more have at most so many states, if they go on to grow as they did; at most twice as many."""
    growth = levels[-1] / levels[-2] if len(levels) > 1 else 1.0
    steps, states = 0, levels[-1] * growth
    while states <= most and steps < len(levels):
        steps, states = steps + 1, states * growth
    return steps


def _grounds_of_states(grounds: Grounds) -> Grounds:
    """What all states of a specification rest on: a proof's grounds, but for terms that may lie outside of all sorts.

    A search stops where an answer depends on such a term. One that came to its end has met none.
    """
    return replace(grounds, obligations=tuple(each for each in grounds.obligations if not each.is_about_domain))


def _is_inductive(recognised: Recognised, name: str, options: Options) -> bool:
    """Do all induction cases of the property close at once, without a lemma?"""
    alone = replace(options, discover=False, jobs=1, crew=None, max_work=INDUCTIVE_WORK)
    found = igf(recognised.ots, None, recognised.invariant(name), alone)
    if found.was_interrupted:
        raise KeyboardInterrupt
    return found.is_proved


def _by_exhaustion(recognised: Recognised, name: str, options: Options, most: int) -> IgfResult | None:
    """The verdict if all states can be searched; None if they cannot, or if there are likely to be more than `most`."""
    started = time.monotonic()
    ots = recognised.ots
    try:
        instance = Instance(ots, {})
        invariant = next(each for each in instance.ots.invariants if each.name == name)
        with MaudeSpace(instance) as space:
            found = deepened(space, invariant, _DEEPEST, most, options.timeout)
            if found.run is not None and not space.confirm(found.run, invariant):
                return None
    except OtsrwError as error:
        if error.problem.kind not in _STOPS_SEARCH:
            raise
        return None
    if found.run is None and not found.exhausted:
        return None
    stated = recognised.invariant(name)
    predicate = Induction(ots).predicate(name, stated.parameters, stated.formula)
    grounds = NO_GROUNDS if found.run is not None else _grounds_of_states(grounds_of(ots, [predicate], options.assume))
    status = NodeStatus.PROVED if not grounds.missing else NodeStatus.UNDECIDED
    if found.run is not None:
        status, verdict, reason = NodeStatus.VIOLATED, IgfVerdict.FALSIFIED, "a counterexample was found"
    elif grounds.missing:
        verdict, reason = IgfVerdict.UNKNOWN, f"all {found.states} states were searched, but {grounds.doubt(name)}"
    else:
        verdict = IgfVerdict.VERIFIED_ASSUMING if grounds.assumed else IgfVerdict.VERIFIED
        reason = f"all {found.states} states were searched"
    return IgfResult(
        verdict=verdict,
        reason=reason,
        invariant=stated,
        ots=ots,
        instance=instance,
        nodes={name: Node(predicate, NodeKind.PROPERTY, status=status)},
        run=found.run,
        chain=(name,) if found.run is not None else (),
        states=found.states,
        depth=found.depth if found.run is not None else len(found.levels) - 1,
        rounds=0,
        dropped=(),
        seconds=time.monotonic() - started,
        grounds=grounds,
        is_exhausted=found.run is None,
    )
