"""Proofs of several goals at once by simultaneous induction, with the lemmas that the user gives and no others.

Nothing is searched and no entities are needed. A goal is verified if its cases are closed, if those of every predicate
that they use are, and if what these rest on is proved; other goals may stay open.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.application.comparisons import with_values_compared
from otsrw.application.loading import run_into
from otsrw.application.stages import Loaded, Recognised
from otsrw.induction import IgfResult, IgfVerdict, Induction, Options, ProofScore, checked_score, igf
from otsrw.induction.grounds import Grounds, grounds_of
from otsrw.induction.results import NewsListener, Node, NodeStatus, supported, used_by
from otsrw.ots import Ots
from otsrw.ots.naming import invariant_name, is_data_lemma
from otsrw.proofs import Session, Settings
from otsrw.proofs.events import SessionEvent
from otsrw.proofs.requests import ProofWanted, Scheme, ScoreWanted
from otsrw.records import NamedTuple, dataclass, replace
from otsrw.syntax.diagnostics import OtsrwError, Tell, did_you_mean
from otsrw.syntax.source import Span

ALL = "*"
"""Stands for every invariant candidate of the OTS."""


class ProofRequest(NamedTuple):
    """What the files ask for themselves, in IPSG's commands: goals and lemmas by name, in order."""

    module: str | None = None
    goals: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    output: str | None = None
    """Where a file wants the proof score; it is never written there unless the user says so."""
    places: tuple[tuple[str, Span], ...] = ()
    """Where goals and lemmas are named."""
    schemes: tuple[Scheme, ...] = ()
    """The variables that goals are to be proved by induction on."""

    def check(self, ots: Ots) -> None:
        """Every predicate is known, and every induction is on the state."""
        known = [invariant.name for invariant in ots.invariants]
        for name, span in self.places:
            about_data = is_data_lemma(ots, name)
            if name in self.goals and about_data:
                hint = f"state it as a lemma, 'inv {name}(...) .': it is proved by induction on the data"
                raise OtsrwError("E519", f"{name} is about data, not about states", span, hint)
            if name not in known and not about_data:
                hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
                raise OtsrwError("E519", f"{name} is no invariant of {ots.name}", span, hint)
        for variable, span in self.schemes:
            if variable.sort is not ots.sort:
                named = f"{variable.op.name}:{variable.sort.name}"
                message = f"goals are proved by induction on the state, and {named} is none"
                raise OtsrwError("E519", message, span, f"name the variable of sort {ots.sort.name}")


def load_request(files: Iterable[str], settings: Settings, tell: Tell) -> tuple[Loaded, ProofRequest]:
    """Run files in order in one session; what they want proved is collected."""
    heard: list[SessionEvent] = []
    settings.expand = with_values_compared
    session = Session(settings, heard.append)
    names = list(files)
    for name in names:
        run_into(session, name, tell)
        if session.has_quit:
            break
    return Loaded(names[-1], session), _request(heard)


def _request(events: Iterable[SessionEvent]) -> ProofRequest:
    request = ProofRequest()
    for event in events:
        if isinstance(event, ScoreWanted):
            request = request._replace(output=event.path)
        if not isinstance(event, ProofWanted):
            continue
        module = event.module.name
        if request.module not in (None, module):
            message = f"proofs about {request.module} and about {module} are wanted"
            raise OtsrwError("E519", message, event.span, "prove them one after the other")
        name = event.predicate.op.name
        kind = "goals" if event.is_goal else "lemmas"
        known = getattr(request, kind)
        request = request._replace(
            module=module,
            places=(*request.places, (name, event.span)),
            schemes=request.schemes if event.scheme is None else (*request.schemes, event.scheme),
            **({kind: known} if name in known else {kind: (*known, name)}),
        )
    return request


@dataclass(frozen=True, eq=False, slots=True)
class GoalStanding:
    """What became of a goal, or of a lemma that was given; `reason` says why it is not verified."""

    name: str
    is_root: bool
    """Was it asked for? Otherwise it is a lemma that proofs may use."""
    node: Node | None
    """None for a lemma about data."""
    verdict: IgfVerdict = IgfVerdict.UNKNOWN
    reason: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Proved:
    """Goals with their standing; `result` has all cases, `score` those of the goals that are verified."""

    recognised: Recognised
    result: IgfResult
    goals: tuple[GoalStanding, ...]
    grounds: Grounds
    score: ProofScore | None

    @property
    def verdict(self) -> IgfVerdict:
        """Verified if all that was asked for is; what is assumed for one goal is assumed for all."""
        verdicts = {goal.verdict for goal in self.goals if goal.is_root}
        if IgfVerdict.UNKNOWN in verdicts:
            return IgfVerdict.UNKNOWN
        return IgfVerdict.VERIFIED_ASSUMING if IgfVerdict.VERIFIED_ASSUMING in verdicts else IgfVerdict.VERIFIED


class GoalNames(NamedTuple):
    """The predicates to prove, those to prove and use as well, and lemmas about data."""

    roots: tuple[str, ...]
    lemmas: tuple[str, ...]
    data: tuple[str, ...]


def goal_names(recognised: Recognised, goals: Iterable[str], lemmas: Iterable[str]) -> GoalNames:
    """The goals named, else the one that the file names; `*` stands for all invariant candidates."""
    ots = recognised.ots
    known = [invariant.name for invariant in ots.invariants]
    roots = _expanded(goals, known) or (invariant_name(ots, None),)
    for name in roots:
        invariant_name(ots, name)
    given = tuple(name for name in _expanded((*lemmas, *ots.lemmas), known) if name not in roots)
    data = tuple(name for name in given if is_data_lemma(ots, name))
    for name in given:
        if name not in data:
            invariant_name(ots, name)
    return GoalNames(roots, tuple(name for name in given if name not in data), data)


def _expanded(names: Iterable[str], known: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for name in names for each in (known if name in (ALL, "all") else [name])))


def prove(recognised: Recognised, names: GoalNames, options: Options, listener: NewsListener | None = None) -> Proved:
    """Prove the goals and the lemmas together; each may be used in every case, at the state before the transition."""
    ots = recognised.ots
    first, *others = (*names.roots, *names.lemmas)
    chosen = replace(options, lemmas=(*others, *names.data), discover=False)
    result = igf(ots, None, recognised.invariant(first), chosen, listener)
    if_granted = _closed_if_granted(ots, result, names)
    doubts, grounds = _doubts(ots, result, options)
    proved = frozenset(name for name, doubt in doubts.items() if doubt is None)
    claims = tuple(name for name in names.roots if name in proved)
    score, problem = _score(recognised, result, proved, claims, grounds)
    verdict = IgfVerdict.VERIFIED_ASSUMING if grounds.assumed else IgfVerdict.VERIFIED

    def standing(name: str) -> GoalStanding:
        node = result.nodes[name]
        if name in proved and problem is None:
            return GoalStanding(name, name in names.roots, node, verdict)
        reason = (
            problem
            or (doubts.get(name) or "").removeprefix(f"{name} is ")
            or _why_open(result, node, proved) + if_granted.get(name, "")
        )
        return GoalStanding(name, name in names.roots, node, reason=reason)

    def standing_of_data(name: str) -> GoalStanding:
        doubt = _data_doubt(ots, result, name, options)
        return GoalStanding(name, False, None, IgfVerdict.UNKNOWN if doubt else verdict, doubt or "")

    data = map(standing_of_data, names.data)
    return Proved(recognised, result, (*map(standing, (first, *others)), *data), grounds, score)


def _closed_if_granted(ots: Ots, result: IgfResult, names: GoalNames) -> dict[str, str]:
    """For predicates with open cases that stated lemmas about data would close if they were proved: these lemmas."""
    proved = {proof.lemma.name for proof in result.data}
    granted = [name for name in names.data if name not in proved]
    waiting = {name: node for name, node in result.nodes.items() if node.undecided}
    if not granted or not waiting:
        return {}
    induction = Induction(ots)
    induction.grant_lemmas(granted)
    data = induction.data_predicates
    known = [*(node.predicate for node in result.nodes.values()), *data]
    told = f"; closed if {' and '.join(granted)} can be proved"
    return {
        name: told
        for name, node in waiting.items()
        if all(
            induction.closing(case, leaf, data if case.transition is None else known) is not None
            for case, leaf in node.undecided
        )
    }


def _data_doubt(ots: Ots, result: IgfResult, name: str, options: Options) -> str | None:
    """Why a lemma about data is not proved; None if it is."""
    if not any(proof.lemma.name == name for proof in result.data):
        return "structural induction does not prove it"
    return grounds_of(ots, (), options.assume, result.data).doubt(name)


def _doubts(ots: Ots, result: IgfResult, options: Options) -> tuple[dict[str, str | None], Grounds]:
    """For each predicate whose cases are closed: what is missing about the equations; None if nothing is."""
    nodes = result.nodes
    closed = [name for name in nodes if name in supported(nodes)]

    def grounds_for(names: Iterable[str]) -> Grounds:
        return grounds_of(ots, [nodes[name].predicate for name in names], options.assume, result.data)

    together = grounds_for(closed)
    if not together.missing:
        return dict.fromkeys(closed), together
    system = grounds_for(())
    if system.missing:  # the system itself is in doubt, and so is every predicate of it
        return {name: system.doubt(name) for name in closed}, together
    return {name: grounds_for(used_by(nodes, name)).doubt(name) for name in closed}, together


def _score(
    recognised: Recognised, result: IgfResult, proved: frozenset[str], claims: tuple[str, ...], grounds: Grounds
) -> tuple[ProofScore | None, str | None]:
    """The proof score of what is proved; or what our own engine says against it."""
    nodes = {name: node for name, node in result.nodes.items() if name in proved}
    if not nodes:
        return None, None
    invariant = recognised.invariant(next(iter(nodes)))
    part = replace(result, verdict=IgfVerdict.VERIFIED, invariant=invariant, nodes=nodes, grounds=grounds)
    checked = checked_score(part, lambda each: recognised.proof(each, claims), recognised.loaded.session.declared)
    score, problems = checked.score, checked.problems
    return (None, f"the proof score does not check: {problems[0]}") if problems else (score, None)


def _why_open(result: IgfResult, node: Node, proved: frozenset[str]) -> str:
    if node.status is NodeStatus.OPEN:
        return f"not finished: {result.reason}"
    if node.undecided:
        case = node.undecided[0][0]
        where = "an initial state" if case.transition is None else case.transition.name
        count = len(node.undecided)
        return f"{count} open case{'s' * (count > 1)}, the first for {where}"
    pending = [name for name in result.nodes if name in used_by(result.nodes, node.name) - proved]
    return f"closed if {', '.join(name for name in pending if name != node.name)} can be proved"
