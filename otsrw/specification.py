"""The short way from a file to answers: a specification with its entities, and a method for what each command does.

The rooms do the work; what stands here is what `otsrw igf FILE --with ...` does before and after them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

from otsrw.display import Displayed
from otsrw.induction import (
    IgfResult,
    Induction,
    LemmaReport,
    Options,
    ProofScore,
    ScoreWriter,
    check_score,
    igf,
    necessary_lemmas,
)
from otsrw.ots import Instance, Invariant, Ots, entities_of, find_ots
from otsrw.ots.naming import invariant_name
from otsrw.proofs import Session
from otsrw.search import Limits, MaudeModule, SearchResult, search, translate
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces import (
    ActionSequence,
    BoundedTraces,
    Classification,
    ExplicitEngine,
    Explorer,
    Simplification,
    Vocabulary,
    classify,
    simplify_inevitability,
    simplify_safety,
    simplify_temporal,
    split_labels,
)
from otsrw.traces.observed import ObservedGraph, checked, observed_graph
from otsrw.traces.predicates import collected_arguments, property_variables
from otsrw.traces.temporal import TemporalProperty

_NO_LIMITS = Limits()


class Specification(Displayed):
    """A file with an OTS, and its entities: `"Pid=p1,p2"`, `"Pid=3"`, or those that the file names.

    An invariant is given by its name; without one it is the one that the file names.

    >>> ticket = Specification("specs/ticket.cafe", "Pid=p1,p2")
    >>> ticket.invariants
    ('mutex', 'enter-lemma', 'inc-lemma', 'wait-lemma')
    >>> ticket.search("mutex", depth=6).verdict
    'violated'
    >>> Specification("specs/tas.cafe").igf().verdict
    'verified'
    """

    def __init__(self, path: str | Path, *entities: str, module: str | None = None) -> None:
        self.path = str(path)
        session = Session()
        session.run_file(Path(path))
        problems = session.outcome.errors
        if not problems:
            self.ots: Ots = find_ots(session.library, module)
            problems = [finding for finding in self.ots.findings if finding.is_error]
        for problem in problems:
            raise OtsrwError.of(problem)
        self.instance = Instance(self.ots, entities_of(self.ots, entities))
        self.declarations = tuple(span.text for span in session.declarations)

    def __repr__(self) -> str:
        entities = (f"{sort}={','.join(words)}" for sort, words in self.instance.given.items())
        return f"Specification({', '.join(map(repr, [self.path, *entities]))})"

    @property
    def invariants(self) -> tuple[str, ...]:
        """The names of what may be an invariant."""
        return tuple(invariant.name for invariant in self.ots.invariants)

    def search(self, invariant: str | None = None, depth: int = 5, limits: Limits = _NO_LIMITS) -> SearchResult:
        """Bounded search in Maude.

        >>> Specification("specs/tas.cafe").search(depth=4).states
        4
        """
        return search(self.instance, self._searched(invariant), depth, limits)

    def translate(self, invariant: str | None = None) -> MaudeModule:
        """The Maude module that is searched.

        >>> Specification("specs/tas.cafe").translate().text.split()[:2]
        ['mod', 'TAS-SYSTEM']
        """
        return translate(self.instance, [self._searched(invariant)])

    def lemmas(self, invariant: str | None = None) -> LemmaReport:
        """The necessary lemmas of the induction cases.

        >>> [lemma.formula for lemma in Specification("specs/tas.cafe").lemmas().lemmas]
        ['(((pc(S,J) = rs) and (pc(S,J1) = cs)) implies (locked(S) or (J = J1)))']
        """
        proved = self._proved(invariant)
        induction = Induction(self.ots)
        predicate = induction.predicate(proved.name, proved.parameters, proved.formula)
        return necessary_lemmas(induction, predicate, self.instance)

    def igf(
        self, invariant: str | None = None, depth: int = 3, timeout: float | None = None, strengthen: bool = True
    ) -> IgfResult:
        """Induction-guided falsification; what is verified has a proof score that was checked.

        >>> result = Specification("specs/ticket.cafe").igf(depth=4, strengthen=False)
        >>> result.verdict, len(result.run.actions), result.chain
        ('falsified', 6, ('mutex', 'lemma1', 'lemma2'))
        """
        proved = self._proved(invariant)
        lemmas = tuple(name for name in self.ots.lemmas if name != proved.name)
        options = Options(depth=depth, strengthen=strengthen, timeout=timeout, lemmas=lemmas)
        result = igf(self.ots, self.instance, proved, options)
        problems = check_score(self.proof(result)) if result.verdict == "verified" else []
        return result.unproved(f"the proof score does not check: {problems[0]}") if problems else result

    def proof(self, result: IgfResult) -> ProofScore:
        """The proof score of a verified invariant, in CafeOBJ.

        >>> tas = Specification("specs/tas.cafe")
        >>> tas.proof(tas.igf()).passages
        20
        """
        return ScoreWriter(self.ots, result, self.declarations).write()

    def simplify(
        self,
        invariant: str | None = None,
        inev: str | None = None,
        depth: int | None = None,
        ltl: str | None = None,
        fair: Iterable[str] = (),
    ) -> Simplification:
        """Neighbourhoods of an invariant, of the labels `inev` that have to occur in this order, or of a formula `ltl`.

        >>> result = Specification("specs/tas-flawed.cafe").simplify()
        >>> result.verdict, len(result.neighbourhoods), result.counterexample.length, result.kept
        ('violated', 2, 4, 2)
        >>> Specification("specs/qlock.cafe").simplify(ltl="[] (want(p1) -> <> pc(p1) = cs)").verdict
        'holds'
        """
        graph = self._graph(invariant, depth, needed=inev is None and ltl is None)
        if ltl is not None:
            return checked(graph, simplify_temporal(graph.lts, TemporalProperty.of(ltl, fair)))
        if inev is not None:
            return checked(graph, simplify_inevitability(graph.lts, ActionSequence.of(graph.lts, split_labels(inev))))
        return checked(graph, simplify_safety(graph.lts, graph.safety))

    def explore(
        self,
        invariant: str | None = None,
        depth: int | None = None,
        ltl: str | None = None,
        fair: Iterable[str] = (),
    ) -> Explorer:
        """An explorer of the counterexamples of an invariant or of a formula.

        >>> explorer = Specification("specs/hotel.cafe").explore("safe")
        >>> bool(explorer.forward()), explorer.view().focus
        (True, 1)
        """
        graph = self._graph(invariant, depth, needed=ltl is None)
        return Explorer(graph.lts, graph.safety if ltl is None else TemporalProperty.of(ltl, fair))

    def classify(self, invariant: str | None = None, depth: int = 5) -> Classification:
        """Classes of all counterexamples within a bound.

        >>> found = Specification("specs/alice-bob-eve.cafe").classify(depth=3)
        >>> len(found.classes), found.counterexamples
        (2, 430)
        """
        graph = self._graph(invariant, depth)
        hidden = property_variables(self.instance, self._searched(invariant)) | collected_arguments(self.instance)
        engine = ExplicitEngine(BoundedTraces(graph.lts, graph.safety, depth))
        found = classify(engine, Vocabulary(hidden=hidden))
        for example in found.classes:
            graph.confirm(example.representative)
        return found

    def _graph(self, invariant: str | None, depth: int | None, needed: bool = True) -> ObservedGraph:
        found = None if invariant is None and not needed else self._searched(invariant)
        graph = observed_graph(self.instance, depth, found)
        if graph.cut:
            expanded = graph.lts.states - len(graph.lts.frontier)
            warnings.warn(f"only {expanded} of {graph.lts.states} states were expanded; give a depth", stacklevel=3)
        return graph

    def _proved(self, name: str | None) -> Invariant:
        """The invariant in the terms of the specification."""
        return _named(self.ots, invariant_name(self.ots, name))

    def _searched(self, name: str | None) -> Invariant:
        """The invariant in the terms of the instance, which is a module of its own."""
        return _named(self.instance.ots, invariant_name(self.ots, name))


def _named(ots: Ots, name: str) -> Invariant:
    return next(invariant for invariant in ots.invariants if invariant.name == name)
