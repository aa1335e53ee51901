"""The short way for Python programs: a specification with its entities, and a method for what each command does."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

from otsrw.application.classifying import Facts, classified
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.exploring import GrowingSpecification
from otsrw.application.loading import LoadFailed, load_specification
from otsrw.application.stages import Explored, Instantiated, Recognised
from otsrw.application.systems import System
from otsrw.display import Displayed
from otsrw.induction import IgfResult, LemmaReport, Options, ProofScore
from otsrw.ots import Instance, Ots
from otsrw.ots.instance import MissingValues
from otsrw.ots.population import trial_values, usual_entities
from otsrw.search import Limits, MaudeModule, SearchResult
from otsrw.search.simulation import RandomRuns, Simulation
from otsrw.search.space import USUAL_LIMITS
from otsrw.traces import Classification, Explorer, Simplification, split_labels
from otsrw.traces.claims import Claim


class Specification(Displayed):
    """A file with an OTS, and its entities: `"Pid=p1,p2"`, `"Pid=3"`, or those that the file names.

    A loose sort for which there are none gets the constants of the specification, and fresh ones up to three.

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
        self._entities = entities
        self._module = module
        self._loaded = load_specification(self.path, by_value=True)
        self._chosen: dict[str | None, Instantiated] = {}
        """By invariant: a file may have several OTSs, and the invariant named says which one is meant."""
        self.instance: Instance = self._of(None).instance

    def __repr__(self) -> str:
        entities = (f"{sort}={','.join(words)}" for sort, words in self.instance.given.items())
        return f"Specification({', '.join(map(repr, [self.path, *entities]))})"

    @property
    def ots(self) -> Ots:
        """What the last module of the file, or the one named, specifies."""
        return self._of(None).recognised.ots

    @property
    def invariants(self) -> tuple[str, ...]:
        """The names of what may be an invariant of this OTS."""
        return tuple(invariant.name for invariant in self.ots.invariants)

    def search(self, invariant: str | None = None, depth: int = 5, limits: Limits = USUAL_LIMITS) -> SearchResult:
        """Bounded search in Maude.

        >>> Specification("specs/tas.cafe").search(depth=4).states
        4
        """
        found = self._of(invariant)
        return found.search(found.invariant(invariant), depth, limits)

    def simulate(self, invariant: str | None = None, runs: int = 100, steps: int = 100, seed: int = 0) -> Simulation:
        """Random runs; the shortest one to a violation is made shorter and replayed.

        >>> found = Specification("specs/tas-flawed.cafe").simulate("mutex", runs=20)
        >>> found.violated.name, len(found.run.actions)
        ('mutex', 4)
        """
        found = self._of(invariant)
        return found.simulated(found.recognised.invariants(invariant), RandomRuns(runs, steps, seed))

    def translate(self, invariant: str | None = None) -> MaudeModule:
        """The Maude module that is searched.

        >>> Specification("specs/tas.cafe").translate().text.split()[:2]
        ['mod', 'TAS-SYSTEM']
        """
        found = self._of(invariant)
        return found.translated([found.invariant(invariant)])

    def lemmas(self, invariant: str | None = None) -> LemmaReport:
        """The necessary lemmas of the induction cases.

        >>> [lemma.formula for lemma in Specification("specs/tas.cafe").lemmas().lemmas]
        ['(((pc(S,J) = rs) and (pc(S,J1) = cs)) implies (locked(S) or (J = J1)))']
        """
        return self._of(invariant).recognised.lemmas(invariant)

    def igf(
        self,
        invariant: str | None = None,
        depth: int | None = None,
        timeout: float | None = None,
        strengthen: bool = True,
    ) -> IgfResult:
        """Induction-guided falsification, as `otsrw igf` does it; what is proved by induction has a checked score.

        Without a depth the search goes as deep as is usual, and a system that leaves nothing open is searched whole.

        >>> result = Specification("specs/ticket.cafe").igf(depth=4, strengthen=False)
        >>> result.verdict, len(result.run.actions), result.chain
        ('falsified', 6, ('mutex', 'lemma1', 'lemma2'))
        """
        question = DecisionQuestion(invariant, Options(strengthen=strengthen, timeout=timeout), self._entities, depth)
        return decide(self._of(invariant).recognised, question).result

    def proof(self, result: IgfResult) -> ProofScore:
        """The proof score of a verified invariant, in CafeOBJ.

        >>> tas = Specification("specs/tas.cafe")
        >>> tas.proof(tas.igf()).passages
        24
        """
        return self._of(result.invariant.name).recognised.proof(result)

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
        claim = Claim(() if inev is None else split_labels(inev), formula=ltl, fair=tuple(fair))
        return System.of(self._explored(invariant, depth, needed=not claim), claim).simplified()

    def explore(
        self,
        invariant: str | None = None,
        depth: int | None = None,
        ltl: str | None = None,
        fair: Iterable[str] = (),
    ) -> Explorer:
        """An explorer of the counterexamples of an invariant or of a formula.

        It begins with a part of the states if there are many: what is `unknown yet` is known after `fill`.

        >>> explorer = Specification("specs/hotel.cafe").explore("safe")
        >>> bool(explorer.forward()), explorer.view().focus
        (True, 1)
        """
        claim = Claim(formula=ltl, fair=tuple(fair))
        found = self._of(invariant)
        chosen = found.invariant(invariant) if invariant is not None or not claim else None
        return Explorer(GrowingSpecification.of(found, chosen, claim, depth=depth).tables())

    def classify(self, invariant: str | None = None, depth: int = 5) -> Classification:
        """Classes of all counterexamples within a bound.

        >>> found = Specification("specs/alice-bob-eve.cafe").classify(depth=3)
        >>> len(found.classes), found.counterexamples
        (2, 430)
        """
        explored = self._explored(invariant, depth)
        return classified(explored, Facts(), depth)

    def _explored(self, invariant: str | None, depth: int | None, needed: bool = True) -> Explored:
        """The graph, with a warning if it is not whole; without a property of its own the file's invariant is meant."""
        found = self._of(invariant)
        explored = found.explored(found.invariant(invariant) if needed or invariant else None, depth)
        if explored.left_out is not None:
            warnings.warn(f"{explored.left_out.message}; give a depth", stacklevel=3)
        return explored

    def _of(self, invariant: str | None) -> Instantiated:
        """The OTS that has this invariant, with its entities."""
        found = self._chosen.get(invariant)
        if found is None:
            recognised = self._loaded.recognised(self._module, invariant)
            if recognised.problems:
                raise LoadFailed(recognised.problems)
            known = (other for other in self._chosen.values() if other.recognised.ots.module is recognised.ots.module)
            found = self._chosen[invariant] = next(known, None) or self._instantiated(recognised)
        return found

    def _instantiated(self, recognised: Recognised) -> Instantiated:
        """With entities that nobody gave, and small values of sorts with infinitely many, where they are needed."""
        entities = usual_entities(recognised.ots, self._entities)
        while True:
            try:
                most = recognised.loaded.session.max_rewrites
                return Instantiated(recognised, Instance(recognised.ots, entities, most))
            except MissingValues as missing:
                values = trial_values(recognised.ots, missing.sort, entities)
                if not values or missing.sort.name in entities:
                    raise
                entities[missing.sort.name] = values
