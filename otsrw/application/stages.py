"""The stages of a specification on its way to an answer, each a type.

A file is `Loaded`; the OTS in it is `Recognised`; with entities it is `Instantiated`; with the graph of its states it
is `Explored`; with a verdict on an invariant it is `Decided`. A stage is made by the one before it and keeps it.

The rooms that a question needs are imported when it is asked: `otsrw ots` loads neither induction nor traces.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from otsrw.ots import Invariant, Ots, find_ots
from otsrw.ots.naming import invariant_name, is_data_lemma
from otsrw.proofs import Session
from otsrw.records import dataclass, replace
from otsrw.syntax.diagnostics import BudgetExceeded, Diagnostic, OtsrwError, did_you_mean

if TYPE_CHECKING:
    from otsrw.induction import IgfResult, LemmaReport, Options, ProofScore
    from otsrw.induction.grounds import Grounds
    from otsrw.induction.procedure import SecondLook
    from otsrw.induction.results import NewsListener
    from otsrw.induction.saved import ProofKeeper
    from otsrw.induction.script_module import ProofScript
    from otsrw.ots.instance import Instance
    from otsrw.reasoning.splitting import Policy
    from otsrw.search import Limits, MaudeModule, SearchListener, SearchResult
    from otsrw.search.results import Activity
    from otsrw.search.simulation import RandomRuns, RunListener, Simulation
    from otsrw.search.space import StateSpace
    from otsrw.search.wide import Means
    from otsrw.theory.modules import Module
    from otsrw.traces.observed import ObservedGraph

MAX_STATES = 50_000
"""States of a graph that are expanded unless somebody asks for more."""

ALL_INVARIANTS = "all"
"""Names every invariant candidate of an OTS, unless one is called so."""

MOST_COUNTING = 20.0
"""Seconds after which the activity of transitions is not counted to its end."""
MOST_STEPS = 6
"""Steps within which it is counted if there are too many states."""


@dataclass(frozen=True, eq=False, slots=True)
class Loaded:
    """A file whose statements were run without an error."""

    path: str
    session: Session

    @property
    def declarations(self) -> tuple[str, ...]:
        """The text of the modules and views that were loaded, in order."""
        return tuple(span.text for span in self.session.declarations)

    def data_module(self, module: str | None = None) -> Module:
        """The module named, else the last one of the file: for questions about data that need no OTS."""
        library = self.session.library
        own = [found for found in library.modules.values() if not found.is_system]
        chosen = library.find(module) if module is not None else own[-1] if own else None
        if chosen is None:
            hint = None if module is None else did_you_mean(module, library.modules)
            raise OtsrwError(
                "E502", f"there is no module {module!r}" if module else "there is no module here", hint=hint
            )
        return chosen

    def recognised(self, module: str | None = None, invariant: str | None = None) -> Recognised:
        """The OTS of the module named, else of the last module that has one and sees the invariant named.

        What was understood may still have errors: see `Recognised.problems`.
        """
        wanted = () if invariant is None else (invariant,)
        return Recognised(self, find_ots(self.session.library, module, wanted))


@dataclass(frozen=True, eq=False, slots=True)
class Recognised:
    """The OTS of a file."""

    loaded: Loaded
    ots: Ots

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """Errors in what was understood of the OTS: nothing can be decided with them."""
        return tuple(finding for finding in self.ots.findings if finding.is_error)

    def invariant(self, name: str | None = None) -> Invariant:
        """The invariant asked for, the one the file names, or the only one there is."""
        return _named(self.ots, invariant_name(self.ots, name))

    def invariants(self, name: str | None = None) -> tuple[str, ...]:
        """The names of the invariant asked for, of all candidates for `all`, or of those that the file names."""
        if name == ALL_INVARIANTS and not any(each.name == name for each in self.ots.invariants):
            return tuple(each.name for each in self.ots.invariants)
        if name is None and self.ots.suggested:
            return tuple(self.invariant(each).name for each in self.ots.suggested)
        return (self.invariant(name).name,)

    def entities(self, given: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
        """The entities the file names, overridden by those given as `Sort=a,b` or `Sort=3`."""
        from otsrw.ots.instance import entities_of

        return entities_of(self.ots, given)

    def instantiated(self, given: Sequence[str] = ()) -> Instantiated:
        from otsrw.ots.instance import Instance

        return Instantiated(self, Instance(self.ots, self.entities(given), self.loaded.session.max_rewrites))

    def growing(self, given: Sequence[str] = ()) -> Iterator[Instantiated]:
        """One instance after the other where a number of entities is a range, smaller ones first."""
        from otsrw.ots.instance import Instance, growing_entities

        for entities in growing_entities(self.ots, given):
            yield Instantiated(self, Instance(self.ots, entities, self.loaded.session.max_rewrites))

    def lemmas(
        self,
        invariant: str | None = None,
        policy: Policy | None = None,
        timeout: float | None = None,
    ) -> LemmaReport:
        """The necessary lemmas of every induction case of an invariant."""
        from otsrw.induction import Induction, necessary_lemmas
        from otsrw.reasoning.splitting import conditions_first

        deadline = None if timeout is None else time.monotonic() + timeout
        proved = self.invariant(invariant)
        induction = Induction(self.ots, policy or conditions_first, deadline)
        predicate = induction.predicate(proved.name, proved.parameters, proved.formula)
        return necessary_lemmas(induction, predicate)

    def proof(self, result: IgfResult, proves: tuple[str, ...] = ()) -> ProofScore:
        """The proof score of a verified invariant, in CafeOBJ; or of several, if they are named."""
        from otsrw.induction import ScoreWriter

        return ScoreWriter(self.ots, result, self.loaded.declarations, proves).write()

    def script(self, result: IgfResult, form: str) -> ProofScript:
        """The proof of a verified invariant as a script for `citp` or `cimpa`; all its goals are closed."""
        from otsrw.induction.cimpa_script import CimpaWriter
        from otsrw.induction.citp_script import CitpWriter
        from otsrw.induction.scripts import check_script

        writer = CimpaWriter if form == "cimpa" else CitpWriter
        script = writer(self.ots, result, self.loaded.session.declarations).write()
        problems = check_script(script)
        if problems:
            raise OtsrwError("E524", f"the script does not check: {problems[0]}")
        return script

    def scored(self, result: IgfResult) -> Decided:
        """A result with its proof score if it is proved by induction; a score that does not check proves nothing.

        If Ctrl-C comes while it is checked, the lemmas are still known.
        """
        from otsrw.induction import checked_score

        if not result.is_proved or result.is_exhausted:
            return Decided(self, result, None)
        try:
            score, result, problems = checked_score(result, self.proof, self.loaded.session.declared)
        except KeyboardInterrupt:
            cut = replace(result.unproved("interrupted while the proof score was checked"), was_interrupted=True)
            return Decided(self, cut, None)
        if problems:
            return Decided(self, result.unproved(f"the proof score does not check: {problems[0]}"), None)
        return Decided(self, result, score)

    def closed_score(self, result: IgfResult, claims: Iterable[str], grounds: Grounds) -> ProofScore | None:
        """The score of claims whose cases are closed, and that rest on something that is not shown.

        Its head says so. None if nothing is closed, if nothing is missing, or if a passage does not reduce to true.
        """
        from otsrw.induction import check_score
        from otsrw.induction.results import IgfVerdict, supported

        closed = supported(result.nodes)
        claimed = tuple(name for name in claims if name in closed)
        if not claimed or not grounds.missing:
            return None
        nodes = {name: node for name, node in result.nodes.items() if name in closed}
        invariant = self.invariant(claimed[0])
        part = replace(result, verdict=IgfVerdict.VERIFIED, invariant=invariant, nodes=nodes, grounds=grounds)
        score = self.proof(part, claimed)
        return None if check_score(score, self.loaded.session.declared) else score

    def lemma_names(self, invariant: str, given: Sequence[str]) -> tuple[str, ...]:
        """The lemmas that are given, about states or data, `*` for all invariants, and those that the file names."""
        known = [each.name for each in self.ots.invariants]
        named = (name for word in (*given, *self.ots.lemmas) for name in (known if word == "*" else [word]))
        others = [name for name in dict.fromkeys(named) if name != invariant]
        return tuple(name if is_data_lemma(self.ots, name) else self.invariant(name).name for name in others)


@dataclass(frozen=True, eq=False, slots=True)
class Instantiated:
    """An OTS with its entities."""

    recognised: Recognised
    instance: Instance

    def invariant(self, name: str | None = None) -> Invariant:
        """The invariant in the terms of the instance, which is a module of its own."""
        return _named(self.instance.ots, invariant_name(self.recognised.ots, name))

    def translated(self, invariants: Sequence[Invariant] | None = None) -> MaudeModule:
        """The Maude module with the violations of these invariants, or of all."""
        from otsrw.search import translate

        return translate(self.instance, None if invariants is None else list(invariants))

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits | None = None,
        listener: SearchListener | None = None,
        count: int = 0,
        means: Means | None = None,
    ) -> SearchResult:
        """Bounded search for a violation; without an invariant the states are counted.

        How often transitions are enabled and taken is counted in as many states as `count` says. The search is that of
        one Maude process if no means are given.
        """
        from otsrw.search import Limits, MaudeSpace

        limits = limits or Limits()
        with MaudeSpace(self.instance) as space:
            if means is not None:
                from otsrw.search.wide import wide_search

                found = wide_search(self.instance, invariant, depth, means, limits, listener)
            else:
                found = space.search(invariant, depth, limits, listener)
            return _counted(space, _without_doubt(self.instance, found), count, limits)

    def simulated(self, names: Sequence[str], asked: RandomRuns, listener: RunListener | None = None) -> Simulation:
        """Random runs; the invariants named are checked in every state."""
        from otsrw.search.simulation import simulate

        return simulate(self.instance, [self.invariant(name) for name in names], asked, listener)

    def explored(
        self,
        invariant: Invariant | None = None,
        depth: int | None = None,
        max_states: int = MAX_STATES,
        listener: SearchListener | None = None,
    ) -> Explored:
        """All states within `depth` steps and the events between them; raises `BudgetExceeded` beyond the limits."""
        from otsrw.search import OutOfLimits, maude_or_rewriting
        from otsrw.traces.observed import observed_graph

        try:
            graph = observed_graph(maude_or_rewriting(self.instance), depth, invariant, max_states, listener)
        except OutOfLimits as stop:
            raise BudgetExceeded("E402", str(stop), hint="give a smaller --depth or --max-states") from None
        return Explored(self, invariant, graph, depth)

    def decided(
        self, invariant: str | None, options: Options, listener: NewsListener | None = None, count: int = 0
    ) -> Decided:
        """Induction-guided falsification in this instance.

        How often transitions are enabled and taken is counted in as many states as `count` says.
        """
        from otsrw.search import MaudeSpace

        with MaudeSpace(self.instance) as space:
            decided = self.decided_in(space, invariant, options, listener)
            return replace(decided, activity=self.activity(space, decided.result, count))

    def decided_in(
        self,
        space: StateSpace,
        invariant: str | None,
        options: Options,
        listener: NewsListener | None = None,
        keeper: ProofKeeper | None = None,
        looks: Sequence[SecondLook] = (),
    ) -> Decided:
        """Induction-guided falsification; a verified result has a proof score that our engine accepts.

        The lemmas that the file names are used as well as those of the options.
        """
        from otsrw.induction import igf

        recognised = self.recognised
        proved = recognised.invariant(invariant)
        lemmas = recognised.lemma_names(proved.name, options.lemmas)
        result = igf(recognised.ots, space, proved, replace(options, lemmas=lemmas), listener, keeper, looks)
        return recognised.scored(result)

    def activity(self, space: StateSpace, result: IgfResult, count: int) -> Activity | None:
        """What the transitions do in all reachable states, if they are few; None if it is not counted."""
        from otsrw.search import Limits
        from otsrw.search.activity import activity_of

        if not count or result.was_interrupted:
            return None
        limits = Limits(MOST_COUNTING)
        return activity_of(space, [self.invariant(result.invariant.name)], None, count, limits, result.is_proved)

    def observed(self, invariants: Sequence[str], depth: int | None, count: int) -> Activity | None:
        """What transitions do in so many states, and which of these invariants hold for want of a case.

        Without a depth all reachable states are looked at, or, if they are too many, those within as many steps as
        possible. None if the states cannot be computed.
        """
        from otsrw.search import Limits, MaudeSpace
        from otsrw.search.activity import activity_of

        chosen = [self.invariant(name) for name in invariants]
        found: Activity | None = None
        with MaudeSpace(self.instance) as space:
            for bound in (None, *range(MOST_STEPS, 0, -1)) if depth is None else (depth,):
                found = activity_of(space, chosen, bound, count, Limits(MOST_COUNTING))
                if found is None or not found.cut:
                    break
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Explored:
    """An instance with the graph of its states, and the invariant that was asked for, if any."""

    instantiated: Instantiated
    invariant: Invariant | None
    graph: ObservedGraph
    depth: int | None = None
    """How many steps were asked for; None if as many as it takes."""

    @property
    def left_out(self) -> Diagnostic | None:
        """A warning if states were left out because there were too many; None if the graph is what was asked for."""
        if not self.graph.cut:
            return None
        lts = self.graph.lts
        message = f"only {lts.states - len(lts.frontier)} of {lts.states} states were expanded"
        hint = "give --depth, or more with --max-states"
        if self.depth is not None:
            hint = "allow more with --max-states, or give a smaller --depth"
        return Diagnostic("W531", message, hint=hint)


@dataclass(frozen=True, eq=False, slots=True)
class Decided:
    """A verdict on an invariant, and the proof score if it is verified."""

    recognised: Recognised
    result: IgfResult
    score: ProofScore | None
    activity: Activity | None = None
    left_out: str = ""
    """What was chosen or left out because nobody said it; empty if nothing was."""


def _without_doubt(instance: Instance, result: SearchResult) -> SearchResult:
    """A result that says `holds` only if no two states were taken as one, and every element was tried in every step."""
    reason = ""
    if result.merged:
        sorts = ", ".join(sort.name for sort in instance.incomplete)
        reason = f"what happens may depend on elements of {sorts} that are no entities; give them with --with"
    elif undefined := _undefined(instance):
        symbol, sort = undefined
        reason = f"nothing says which {sort} {symbol} gives, so no step was tried with it; define {symbol}, or ask igf"
    if result.verdict != "holds" or not reason:
        return result
    return replace(result, verdict="unknown", reason=reason, exhausted=False)


def _undefined(instance: Instance) -> tuple[str, str] | None:
    """A function that may give any entity of a sort, `op home : Key -> Node`, and this sort; None if none is used.

    Its values are elements of their own in an instance that does not choose others: no parameter of a transition is
    one of them.
    """
    from otsrw.ots.openness import open_parts
    from otsrw.ots.uniform import uniform_meanings
    from otsrw.theory.modules import equations_by_symbol
    from otsrw.theory.terms import subterms

    ots = instance.base
    parts, rules = open_parts(ots), equations_by_symbol(ots.module)
    loose = (
        *parts.functions,
        *(symbol for symbol in parts.mappings if symbol not in rules),
        *(meaning.symbol for meaning in uniform_meanings(ots)),
    )
    makers = [symbol for symbol in loose if symbol.decls[0].coarity.name in instance.given]
    if not makers or instance.meanings:
        return None
    sides = (side for _, axiom in ots.module.flat_axioms() for side in (axiom.lhs, axiom.rhs, axiom.condition) if side)
    used = {part.op for side in sides for part in subterms(side)}
    return next(((symbol.name, symbol.decls[0].coarity.name) for symbol in makers if symbol in used), None)


def _counted(space: StateSpace, result: SearchResult, count: int, limits: Limits) -> SearchResult:
    """A result with the activity of the transitions, within the time that the search has left.

    If there are too many states within the depth of the search, those of a smaller depth are counted, and nothing is
    doubted.
    """
    from otsrw.search.activity import activity_of

    left = None if limits.timeout is None else limits.timeout - result.seconds
    if not count or result.verdict == "unknown" or (left is not None and left <= 0):
        return result
    renamings = 1 if result.work is None else result.work.orbits or 1
    fitting = [depth for depth, states in enumerate(result.levels) if states * renamings <= count]
    depth = result.depth if len(fitting) == len(result.levels) else max(fitting, default=0)
    doubting = result.verdict == "holds" and depth == result.depth
    counting = replace(limits, timeout=left)
    about = [] if result.invariant is None else [result.invariant]
    return replace(result, activity=activity_of(space, about, depth, count, counting, doubting))


def _named(ots: Ots, name: str) -> Invariant:
    return next(invariant for invariant in ots.invariants if invariant.name == name)
