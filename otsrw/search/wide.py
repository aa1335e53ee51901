"""Searches that go further than one Maude process: one state an orbit, several processes, little memory.

What they find is checked as any other search is: a run of a violation is replayed by rewriting.
"""

from __future__ import annotations

from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import ReplayMismatch, replay
from otsrw.ots.stepping import Stepper
from otsrw.ots.symmetry import Symmetry, symmetry_of
from otsrw.records import dataclass, replace
from otsrw.search.divided import DividedSearch
from otsrw.search.fingerprints import collision_risk
from otsrw.search.groups import groups_in
from otsrw.search.levels import LevelEnding, LevelQuestion, LevelSearch
from otsrw.search.maude_space import (
    DecidedByRewriting,
    MaudeSpace,
    find_missing_value,
    search_result,
    try_first_steps,
)
from otsrw.search.maude_worker.messages import ExpansionEnd, Load
from otsrw.search.module import translate
from otsrw.search.reading import SoupReader
from otsrw.search.results import SearchResult, WideWork, unfinished
from otsrw.search.space import USUAL_LIMITS, Limits, OutOfLimits, SearchListener
from otsrw.search.teamwork import TeamWork
from otsrw.search.workforce import LocalWorkers
from otsrw.soundness import has_one_meaning
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.printing import show
from otsrw.workers.shares import WorkerShare
from otsrw.workers.team import Team


@dataclass(frozen=True, slots=True)
class Means:
    """How to search: one state an orbit or every state, with how many processes, and with how much memory."""

    symmetry: bool = False
    jobs: int = 1
    cluster: str | None = None
    """The address of the cluster that does the work instead of processes of this machine."""
    compact: bool = False
    """Keep fingerprints only, and go level by level."""
    counts: bool = True
    """Count the states of a divided search. If not, `states` are those up to the level that was divided."""

    @property
    def divides(self) -> bool:
        """Is the work divided, so that each process does Maude's own search?"""
        return not (self.symmetry or self.compact)


class WideSearch:
    """Searches of one instance for violations of one invariant; without one, its states are counted."""

    def __init__(self, instance: Instance, invariant: Invariant | None, means: Means) -> None:
        self.instance = instance
        self.invariant = invariant
        self.means = means
        asked = [] if invariant is None else [invariant]
        self._symmetry = _checked_symmetry(instance, asked) if means.symmetry else None
        self._module = translate(instance, asked)
        self._groups = None if self._symmetry is None else groups_in(self._module, self._symmetry)

    def run(
        self,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        team: Team | None = None,
    ) -> SearchResult:
        """The verdict; unknown, with what is known, if the time or the memory is spent or the workers are gone.

        Without a team, the one that the means name is called, and dismissed at the end.
        """
        try_first_steps(self.instance)
        team = team or _team(self.means)
        try:
            if self.means.divides:
                return self._run_divided(depth, limits, listener, team)
            return self._run_levels(depth, limits, listener, team)
        finally:
            team.executor.shutdown(cancel_futures=True)

    def _run_levels(self, depth: int, limits: Limits, listener: SearchListener | None, team: Team) -> SearchResult:
        search = LevelSearch(self._question(), team, limits, listener)
        try:
            ending = search.run(depth)
            result = self._result(search, ending, depth)
        except OutOfLimits as stop:
            result = unfinished(self.instance, self.invariant, search.progress, str(stop))
        work = self._work(search.work, team, collision_risk(search.progress.states))
        return replace(result, seconds=search.work.seconds, work=work)

    def _run_divided(self, depth: int, limits: Limits, listener: SearchListener | None, team: Team) -> SearchResult:
        module, violation, _ = self._question()
        search = DividedSearch(
            module._replace(text=self._module.text), violation, team, limits, listener, self.means.counts
        )
        try:
            answer = search.run(depth)
            if answer is None:
                return self._run_undivided(search, depth, limits, listener, team)
            result = search_result(self.instance, self._module, self.invariant, depth, answer)
        except OutOfLimits as stop:
            result = unfinished(self.instance, self.invariant, search.progress, str(stop))
        division = search.division
        is_risky = division is not None and division.counted
        work = self._work(search.work, team, collision_risk(result.states) if is_risky else 0.0)
        return replace(result, seconds=search.work.seconds, work=replace(work, division=division))

    def _run_undivided(
        self, search: DividedSearch, depth: int, limits: Limits, listener: SearchListener | None, team: Team
    ) -> SearchResult:
        """What is better not divided one process of this machine does, or a cluster level by level."""
        spent = search.work.seconds
        left = replace(limits, spent=spent)
        if isinstance(team.executor, LocalWorkers):
            team.executor.shutdown(cancel_futures=True)
            result = MaudeSpace(self.instance).search(self.invariant, depth, left, listener)
            work = self._work(search.work, team, 0.0)
            alone = WorkerShare("one process", 1, result.states, result.seconds, 0.0)
            work = replace(work, shares=(*work.shares, alone))
        else:
            result = self._run_levels(depth, left, listener, team)
            assert result.work is not None
            work = result.work
        return replace(result, seconds=search.work.seconds, work=replace(work, undivided=search.undivided))

    def _question(self) -> LevelQuestion:
        module, invariant = self._module, self.invariant
        loaded = Load(module.name, module.in_lines, module.states, list(module.initials))
        return LevelQuestion(loaded, None if invariant is None else module.violations[invariant.name], self._groups)

    def _result(self, search: LevelSearch, ending: LevelEnding, depth: int) -> SearchResult:
        run = None
        if ending.end is not ExpansionEnd.COMPLETE:
            reader = SoupReader(self.instance, self._module)
            told = search.follow(ending)
            reader.learn(told.terms)
            violated = self.invariant if ending.end is ExpansionEnd.VIOLATION else None
            run = replay(Stepper(self.instance), reader.path(told.path), violated, by_first=True)
            if len(run.actions) != ending.level:
                raise ReplayMismatch("the fingerprints of a run do not lead to its end")
            if violated is None:
                find_missing_value(self.instance, run.states[-1], self.invariant)
        seen = search.progress
        return SearchResult(
            verdict="holds" if run is None else "violated",
            invariant=self.invariant,
            entities=self.instance.given,
            states=seen.states,
            depth=depth if run is None else ending.level,
            levels=tuple(search.levels),
            exhausted=ending.exhausted,
            run=run,
            seconds=seen.seconds,
            memory=seen.memory,
        )

    def _work(self, work: TeamWork, team: Team, risk: float) -> WideWork:
        symmetry = self._symmetry
        return WideWork(
            workers=team.workers,
            orbits=None if symmetry is None else symmetry.size,
            groups=() if symmetry is None else tuple(tuple(map(show, group)) for group in symmetry.groups),
            risk=risk,
            shares=work.ledger.shares,
            repeated=work.ledger.repeated,
        )


def _team(means: Means) -> Team:
    """Those who do the work."""
    if means.cluster is None:
        local = LocalWorkers(means.jobs)
        return Team(local, means.jobs, pulses=local.pulses)
    from otsrw.workers.cluster import ClusterWorkers, cluster_team

    return cluster_team(ClusterWorkers(means.cluster))


def _checked_symmetry(instance: Instance, invariants: list[Invariant]) -> Symmetry:
    """The interchangeable entities, if it is proved that no value depends on the order of equations and elements."""
    if not has_one_meaning(instance.base):
        raise OtsrwError(
            "E542",
            "--symmetry cannot be used: it is not proved that values do not depend on the order of equations",
            hint="'otsrw check' says which ones; search without --symmetry",
        )
    return symmetry_of(instance, invariants)


def wide_search(
    instance: Instance,
    invariant: Invariant | None,
    depth: int,
    means: Means,
    limits: Limits = USUAL_LIMITS,
    listener: SearchListener | None = None,
) -> SearchResult:
    """A search by the means given; where Maude and the equations disagree, one without them."""
    try:
        return WideSearch(instance, invariant, means).run(depth, limits, listener)
    except (ReplayMismatch, DecidedByRewriting) as reason:
        if means.symmetry and isinstance(reason, ReplayMismatch):
            raise
        return MaudeSpace(instance).search(invariant, depth, limits, listener)
