"""Every verdict of otsrw on a random system, compared with the oracle."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from otsrw.application import Instantiated, Loaded, Recognised
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, IgfVerdict, Options
from otsrw.induction.score import check_score, check_with_cafeobj
from otsrw.proofs.session import Session
from otsrw.search import Limits, MaudeSpace, RewritingSpace, SearchResult, StateSpace
from otsrw.soundness import ObligationKind, SoundnessReport, SoundnessVerdict, Status, check
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind
from otsrw.syntax.source import Source
from random_ots.drawing import draw
from random_ots.model import TRUE, System
from random_ots.oracle import RESOLUTIONS, Oracle, Seen
from random_ots.printing import printed

SPECS = Path(__file__).parents[2] / "specs"
DEPTH = 5
DEEPER = 8
STATES = 200
SEARCHED = 1
"""Which of the instances is searched."""


CLOSED = "closed, but rests on"
"""Part of the reason of igf when a proof fails only because of what check says."""


@dataclass(frozen=True)
class Settings:
    """How much is tried."""

    seconds: float = 3.0
    maude_every: int = 10
    """Every so many systems are searched by Maude, the others by rewriting."""
    cafeobj_every: int = 0
    """The scores of every so many systems are given to the real CafeOBJ; 0: none."""


@dataclass
class Truth:
    """What the oracle found: for each instance one exploration a resolution."""

    seen: list[list[Seen]]
    ambiguous: set[str] = field(default_factory=set)
    """Met in some reachable state."""
    gaps: set[str] = field(default_factory=set)
    defects: set[str] = field(default_factory=set)
    """Of functions for any arguments and of steps from reachable states: the specification is not sound."""
    identified: list[Seen] = field(default_factory=list)
    """With labels that are equal by an equation on `=` made one."""

    @property
    def is_the_same_in_all_resolutions(self) -> bool:
        return all(
            (seen.levels, seen.violated) == (every[0].levels, every[0].violated)
            for every in self.seen
            for seen in every
        )

    def violated(self, invariant: str) -> bool:
        return any(invariant in seen.violated for every in self.seen for seen in every)


@dataclass
class Outcome:
    """What one system told: figures, and what disagrees."""

    seed: int
    plant: str
    told: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    searched: dict[str, SearchResult] = field(default_factory=dict)

    def note(self, what: str) -> None:
        self.told[what] += 1


def truth_of(system: System) -> Truth:
    """Explore all instances, in several resolutions where there is more than one."""
    truth = Truth([])
    for entities in system.sizes():
        first = Oracle(system, entities)
        every = [first.explore(DEEPER, STATES)]
        if first.ambiguous or first.gaps:
            every += [Oracle(system, entities, name).explore(DEEPER, STATES) for name in RESOLUTIONS[1:]]
        truth.seen.append(every)
        truth.ambiguous |= first.ambiguous
        truth.gaps |= first.gaps
        first.probe()
        truth.defects |= first.ambiguous | first.gaps
        if system.same is not None:
            other = Oracle(system, entities, identify=True)
            truth.identified.append(seen := other.explore(DEEPER, STATES))
            other.probe()
            if seen.violated != every[0].violated or other.ambiguous:
                truth.defects.add(f"{system.same[0]} = {system.same[1]}")
    return truth


def compared(seed: int, settings: Settings) -> Outcome:
    """Draw the system of a seed and compare everything; no exception but an interrupt leaves this."""
    system = draw(seed)
    outcome = Outcome(seed, system.plant)
    try:
        _Comparison(system, outcome, settings).run()
    except OtsrwError as error:
        outcome.disagreements.append(f"unexpected error {error.problem.code}: {error.problem.message}")
    except TimeoutError:
        outcome.note("stopped: too slow")
    except Exception as error:
        outcome.disagreements.append(f"internal error {type(error).__name__}: {error}")
    outcome.searched.clear()
    return outcome


class _Comparison:
    """One system and what is known of it."""

    def __init__(self, system: System, outcome: Outcome, settings: Settings) -> None:
        self.system = system
        self.outcome = outcome
        self.settings = settings
        self.truth = truth_of(system)
        self.is_clean = system.plant == "clean"
        self.is_single = not (self.truth.ambiguous or self.truth.gaps or system.same)
        self.with_maude = settings.maude_every > 0 and system.seed % settings.maude_every == 0

    def wrong(self, what: str) -> None:
        self.outcome.disagreements.append(what)

    def run(self) -> None:
        session = Session()
        session.run_source(Source("<random>", printed(self.system), SPECS))
        if session.outcome.errors:
            self.wrong(f"not loaded: {session.outcome.errors[0].header()}")
            return
        recognised = Loaded("<random>", session).recognised()
        sound = self._check(recognised)
        if recognised.problems:
            self._refused("ots", recognised.problems[0].code, recognised.problems[0].message)
            return
        words = [f"{sort}={','.join(names)}" for sort, names in self.system.sizes()[SEARCHED].items()]
        try:
            instantiated = recognised.instantiated(words)
        except OtsrwError as error:
            self._refused("instance", error.problem.code, error.problem.message, error)
            return
        self.outcome.note("late" if self.system.has_phases else "not late")
        self.outcome.note("searched by Maude" if self.with_maude else "searched by rewriting")
        if not self.with_maude:
            self._decide(instantiated, RewritingSpace(instantiated.instance), sound)
            return
        with MaudeSpace(instantiated.instance) as space:
            self._decide(instantiated, space, sound)

    def _decide(self, instantiated: Instantiated, space: StateSpace, sound: SoundnessVerdict) -> None:
        for invariant in self.system.invariants:
            self._search(instantiated, space, invariant.name)
            self._igf(instantiated, space, invariant.name, sound)
            if self.with_maude:
                self._with_nothing_given(instantiated.recognised, invariant.name, sound)

    def _refused(self, who: str, code: str, message: str, error: OtsrwError | None = None) -> None:
        """An error that names its reason is an answer, but not for a clean system, and not a defect of otsrw."""
        self.outcome.note(f"{who}: refused, {code}")
        if self.is_clean or (error is not None and error.problem.kind is ProblemKind.DEFECT):
            self.wrong(f"{who} refuses: {code}: {message}")

    # --- check

    def _check(self, recognised: Recognised) -> SoundnessVerdict:
        report = check(recognised.ots)
        verdict = report.verdict
        kind = "clean" if self.is_clean else "harmful" if self.truth.defects else "harmless"
        self.outcome.note(f"check: {kind}, {verdict.value}")
        if self.is_clean and verdict is SoundnessVerdict.BROKEN:
            self.wrong("check: a clean system is broken")
        if self.truth.defects and verdict is SoundnessVerdict.SOUND:
            is_told = any(obligation.status is not Status.PROVED for obligation in report.obligations)
            if is_told and self.truth.defects <= {gap for gap in self.truth.gaps if " after " in gap}:
                self.outcome.note("check: sound, warns of an observer of a loose module without a value")
            elif self.truth.defects <= _not_asked_for(report) and self.truth.is_the_same_in_all_resolutions:
                self.outcome.note("check: sound, since no equation asks for the value that is missing")
            else:
                self.wrong(f"check: sound, but {', '.join(sorted(self.truth.defects))}")
        return verdict

    # --- search

    def _search(self, instantiated: Instantiated, space: StateSpace, name: str) -> None:
        seen = self.truth.seen[SEARCHED]
        depth = min(DEPTH, *(each.depth if not each.exhausted else DEPTH for each in seen))
        invariant = instantiated.invariant(name)
        limits = Limits(timeout=self.settings.seconds * 3)
        try:
            found = space.search(invariant, depth, limits)
        except OtsrwError as error:
            self._refused("search", error.problem.code, error.problem.message, error)
            return
        self.outcome.searched[name] = found
        self.outcome.note(f"search: {found.verdict}")
        if found.verdict != "unknown":
            self._check_search(found, name, depth)

    def _check_search(self, found: SearchResult, name: str, depth: int) -> None:
        seen = self.truth.seen[SEARCHED]
        if self.system.same is not None:
            seen = [*seen, self.truth.identified[SEARCHED]]
        fits = [self._fits(found, each, name, depth) for each in seen]
        if self.truth.ambiguous or self.system.same:
            self.outcome.note("search: order matters, " + ("one of the values" if any(fits) else "other values"))
        elif not all(fits) and self._is_idle_where_open():
            self.outcome.note("search: no step where no equation says what it does")
        elif not all(fits):
            expected = [(each.violated.get(name), each.levels) for each in seen]
            self.wrong(f"search: {name} {found.verdict} at {found.depth} with {found.levels}, the oracle {expected}")

    def _is_idle_where_open(self) -> bool:
        """Do only observers after steps have gaps, and does no equation say when these steps do nothing?

        Then the conditions of the observers' equations say when a step is effective (docs/search.md).
        """
        idle = {transition.name for transition in self.system.transitions if transition.guard == TRUE}
        return bool(self.truth.gaps) and all(gap.partition(" after ")[2] in idle for gap in self.truth.gaps)

    def _fits(self, found: SearchResult, seen: Seen, name: str, depth: int) -> bool:
        violation = seen.violated.get(name, depth + 1)
        if violation <= depth:
            return found.verdict == "violated" and found.run is not None and len(found.run.actions) == violation
        if found.verdict != "holds":
            return False
        expected = seen.levels[: depth + 1]
        is_whole = seen.exhausted and seen.depth <= depth
        levels = list(found.levels)
        while len(levels) > len(expected) and levels[-1] == levels[-2]:
            levels.pop()
        return not self.is_single or (levels == expected and found.exhausted == is_whole)

    # --- igf

    def _igf(self, instantiated: Instantiated, space: StateSpace, name: str, sound: SoundnessVerdict) -> None:
        recognised = instantiated.recognised
        options = Options(depth=self.system.seed % 3, timeout=self.settings.seconds)
        proved = recognised.invariant(name)
        try:
            result = igf(recognised.ots, space, proved, options)
        except OtsrwError as error:
            self._refused("igf", error.problem.code, error.problem.message, error)
            return
        self.outcome.note(f"igf: {result.verdict.value}")
        kind = "clean" if self.is_clean else "harmful" if self.truth.defects else "harmless"
        self.outcome.note(f"igf: {kind}, {result.verdict.value}")
        if result.verdict is IgfVerdict.VERIFIED:
            self._check_verified(recognised, result, name, sound)
        elif result.verdict is IgfVerdict.FALSIFIED:
            self._check_falsified(result, name)
        elif CLOSED in result.reason:
            told = "violated" if self.truth.violated(name) else "not violated"
            self.outcome.note(f"igf: closed, but rests on something that is not proved; {told}")

    def _with_nothing_given(self, recognised: Recognised, name: str, sound: SoundnessVerdict) -> None:
        """As the command decides it: it chooses entities, tries larger ones and other words, or exhausts the states."""
        try:
            question = DecisionQuestion(name, Options(timeout=self.settings.seconds))
            result = decide(recognised, question).result
        except OtsrwError as error:
            self._refused("nothing given", error.problem.code, error.problem.message, error)
            return
        self.outcome.note(f"nothing given: {result.verdict.value}")
        if result.verdict is IgfVerdict.VERIFIED and not result.is_exhausted and result.ots is recognised.ots:
            self._check_verified(recognised, result, name, sound)
        elif result.verdict is IgfVerdict.VERIFIED and self.truth.violated(name):
            self.wrong(f"nothing given: {name} is verified, but violated")

    def _check_verified(self, recognised: Recognised, result: IgfResult, name: str, sound: SoundnessVerdict) -> None:
        if self.truth.violated(name):
            depths = [[seen.violated.get(name) for seen in every] for every in self.truth.seen]
            self.wrong(f"igf: {name} is verified, but violated at {depths} (instances, resolutions)")
        searched = self.outcome.searched.get(name)
        if searched is not None and searched.verdict == "violated":
            self.wrong(f"igf verifies {name}, search violates it")
        if sound is not SoundnessVerdict.SOUND:
            self.outcome.note(f"igf: verified in a part of a {sound.value} system")
        score = recognised.proof(result)
        problems = check_score(score)
        if problems:  # `otsrw igf` calls it unknown
            self.outcome.note("score: not accepted by otsrw")
            return
        self.outcome.note("score: accepted by otsrw")
        every = self.settings.cafeobj_every
        if every and self.system.seed % every == 0:
            self._ask_cafeobj(score.text, score.passages, name)

    def _ask_cafeobj(self, text: str, passages: int, name: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "score.cafe")
            path.write_text(text, encoding="utf-8")
            problems = check_with_cafeobj(path, passages, 60.0)
        if problems and "did not finish" in problems[0]:
            self.outcome.note("score: CafeOBJ did not finish")
            return
        self.outcome.note("score: accepted by CafeOBJ" if not problems else "score: not accepted by CafeOBJ")
        if problems:
            self.wrong(f"CafeOBJ on the score of {name}: {problems[0]}")

    def _check_falsified(self, result: IgfResult, name: str) -> None:
        seen = self.truth.seen[SEARCHED]
        steps = len(result.run.actions) if result.run is not None else -1
        searched = self.outcome.searched.get(name)
        if searched is not None and searched.verdict == "holds" and searched.exhausted:
            self.wrong(f"igf falsifies {name}, search holds and is exhausted")
        if self.truth.ambiguous or self.system.same:
            return
        fits = [_is_possible(each, name, steps) for each in seen]
        if not all(fits):
            expected = [(each.violated.get(name), each.levels) for each in seen]
            self.wrong(f"igf: {name} is falsified after {steps} steps, the oracle {expected}")
        if self.is_single and not self._is_violated_after(name, steps):
            self.wrong(f"igf: {name} is falsified after {steps} steps, no run of the oracle is")

    def _is_violated_after(self, name: str, steps: int) -> bool:
        """Is there a run of exactly so many steps to a violation? Long ones are believed."""
        oracle = Oracle(self.system, self.system.sizes()[SEARCHED])
        states = set(oracle.initial_states())
        for _ in range(steps):
            states = {after for state in states for after in oracle.successors(state)}
            if len(states) > STATES * 10:
                return True
        invariant = next(each for each in self.system.invariants if each.name == name)
        return any(oracle.is_violated(invariant, state) for state in states)


def _not_asked_for(report: SoundnessReport) -> set[str]:
    """The functions with a gap that does no harm, as check says."""
    claims = report.of_kind(ObligationKind.COMPLETE)
    return {c.subject for c in claims if c.status is Status.PROVED and "no equation asks for it" in (c.evidence or "")}


def _is_possible(seen: Seen, name: str, steps: int) -> bool:
    """May there be a run of so many steps to a violation?"""
    if name in seen.violated:
        return seen.violated[name] <= steps
    return not seen.exhausted and steps > seen.depth
