"""Goals, tactics and proof trees of CITP as lines, laid out as CafeOBJ does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.proofs.citp.events import (
    ConstructorsShown,
    GoalNaming,
    GoalsShown,
    ProofBegun,
    ProofDescribed,
    SchemeGiven,
    SentencesShown,
    TacticApplied,
    TheoryEmbedded,
    TreeShown,
    WorkDone,
)
from otsrw.proofs.citp.goals import ROOT, Goal, GoalNode, NoteKind, TacticNote
from otsrw.report.events import StyledLine, layout, search_lines
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_in_turn
from otsrw.theory.signature import level_of
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Term

_HALF_LINE = 40
"""A left side that ends beyond this column has the right side on a line of its own."""


# --- sentences


def sentence(axiom: Axiom, naming: GoalNaming, indent: int, period: bool = True) -> str:
    """A sentence, broken into lines as CafeOBJ breaks it, with its first line indented."""
    sides = [axiom.lhs, axiom.rhs] + ([] if axiom.condition is None else [axiom.condition])
    left, right, *condition = show_in_turn(sides, lambda sort: _sort(sort, naming), naming.declared)
    keyword = f"{'b' if axiom.behavioural else ''}{'c' if condition else ''}{'trans' if axiom.is_transition else 'eq'}"
    labels = f"[{' '.join(axiom.labels)}]: " if axiom.labels else ""
    first = f"{' ' * indent}{keyword} {labels}{left}"
    arrow = "=>" if axiom.is_transition else "="
    if len(first) >= _HALF_LINE:
        text = f"{first}\n{' ' * (indent + len(keyword) + 1)} {arrow} {right}"
    else:
        text = f"{first} {arrow} {right}"
    if condition:
        text += f"\n{' ' * indent}   if {condition[0]}"
    return text + (" ." if period else "")


def _sort(sort: Sort, naming: GoalNaming) -> str:
    return f"{sort.name}.{sort.module}" if sort in naming.ambiguous and "(" not in sort.module else sort.name


def _with_sort(term: Term, naming: GoalNaming) -> str:
    return f"({term_text(term, naming)}):{_sort(term.sort, naming)}"


def term_text(term: Term, naming: GoalNaming) -> str:
    """A term with the sorts of its variables, as a goal prints it."""
    return show_in_turn([term], lambda sort: _sort(sort, naming))[0]


def _operator(decl: OpDecl, naming: GoalNaming) -> str:
    arity = "".join(f"{_sort(sort, naming)} " for sort in decl.arity)
    known = decl.attributes
    before = (("constr", known.constructor), ("assoc", known.assoc), ("comm", known.comm))
    words = [word for word, holds in before if holds] + [f"prec: {level_of(decl)}"]
    words += [] if known.associativity is None else [f"{known.associativity[0]}-assoc"]
    return f"op {' '.join(decl.name)} : {arity}-> {_sort(decl.coarity, naming)} {{ {' '.join(words)} }}"


# --- goals


def goal_text(goal: Goal, naming: GoalNaming, inset: int = 0) -> str:
    """A goal in full; a goal that a tactic made has that tactic in front."""
    lines = [] if goal.name == ROOT else [f"{goal.form}=>"]
    lines.append(f":goal {{ ** {goal.name} -----------------------------------------")
    title, item = " " * (2 + inset), 4 + inset
    lines.append(f"{title}-- context module: {naming.context}")

    def section(name: str, entries: Iterable[str], plural: str | None = None) -> None:
        listed = list(entries)
        if listed:
            lines.append(f"{title}-- {name if len(listed) == 1 else plural or name + 's'}")
            lines.extend(listed)

    def constants(terms: Iterable[Term]) -> list[str]:
        return [f"{' ' * item}{_operator(term.op.decls[0], naming)}" for term in terms]

    section("discharged sentence", (sentence(a, naming, item) for a in goal.proved))
    section("induction variable", (f"{' ' * item}{v.op.name}:{_sort(v.sort, naming)}" for v in goal.variables))
    section("user specified induction base", (f"{' ' * item}{_with_sort(t, naming)}" for t in goal.bases))
    section("user specified induction step", (f"{' ' * item}{_with_sort(t, naming)}" for t in goal.steps))
    section("introduced constant", constants(goal.constants))
    section("constant for induction", constants(goal.induction_constants), "constants for induction")
    section("introduced axiom", (sentence(a, naming, item) for a in goal.assumptions))
    section("sentence to be proved", (sentence(a, naming, item) for a in goal.targets), "sentences to be proved")
    return "\n".join([*lines, "}" if goal.targets else "} << proved >>"])


@layout(ProofBegun)
def _(event: ProofBegun) -> Iterator[StyledLine]:
    begun = f"** Beginning a new proof in {event.naming.context}" if event.is_first else ""
    yield StyledLine(f"{begun} done.")
    yield StyledLine(goal_text(event.goal, event.naming))
    yield StyledLine("** Initial goal (root) is generated. **")


@layout(GoalsShown)
def _(event: GoalsShown) -> Iterator[StyledLine]:
    for goal in event.goals:
        yield StyledLine(goal_text(goal, event.naming))


@layout(SchemeGiven)
def _(event: SchemeGiven) -> Iterator[StyledLine]:
    parts = (
        ("induction base", event.bases),
        ("hypothesis pattern", event.hypotheses),
        ("induction step", event.steps),
    )
    for title, terms in parts:
        yield StyledLine(f"--> :ind{{}} setting {title}{'' if len(terms) == 1 else 's'}")
        for term in terms:
            yield StyledLine(f"  {term_text(term, event.naming)}")
    for goal in event.generated:
        yield StyledLine(goal_text(goal, event.naming, inset=2))


@layout(SentencesShown)
def _(event: SentencesShown) -> Iterator[StyledLine]:
    yield StyledLine(event.title)
    for axiom in event.sentences:
        yield StyledLine(sentence(axiom, event.naming, 2, event.with_period))


@layout(TheoryEmbedded)
def _(event: TheoryEmbedded) -> Iterator[StyledLine]:
    yield StyledLine(f"[:embed] adding operator theory ({' '.join(event.laws)}) into module {event.module}")
    yield StyledLine(f"  {_operator(event.decl, event.naming)}")


@layout(ConstructorsShown)
def _(event: ConstructorsShown) -> Iterator[StyledLine]:
    yield StyledLine("-- Current order of constructors:")
    for number, decl in enumerate(event.constructors, 1):
        yield StyledLine(f"   ({number}) {_operator(decl, event.naming)}")


# --- tactics


@layout(TacticApplied)
def _(event: TacticApplied) -> Iterator[StyledLine]:
    header = f"[{event.header}]=> :goal{{{event.goal}}}" if event.header else ""
    if header or event.modules:
        yield StyledLine(header + " done." * event.modules)
    if event.terms is not None:
        for found in event.searches:
            yield from search_lines(found, event.terms)
    notes = [line for note in event.notes for line in _noted(note, event.naming)]
    count = len(event.generated)
    generated = [StyledLine(f"** Generated {count} goal{'' if count == 1 else 's'}")] if count else []
    yield from (generated + notes if any(note.tactic in ("ctf", "csp") for note in event.notes) else notes + generated)
    for goal in event.generated if event.is_verbose else ():
        yield StyledLine(goal_text(goal, event.naming))
    if event.changed is not None:
        yield StyledLine(goal_text(event.changed, event.naming, inset=2))


def _noted(note: TacticNote, naming: GoalNaming) -> list[StyledLine]:
    style = "green" if note.kind is NoteKind.GOAL_DISCHARGED else None
    return [StyledLine(line, style) for line in _note_lines(note, naming)]


def _note_lines(note: TacticNote, naming: GoalNaming) -> Iterator[str]:
    tactic, kind = note.tactic, note.kind
    if kind is NoteKind.INITIALIZED:
        yield f'**> initialized the axiom in goal "{note.goal}"'
        yield sentence(note.sentences[0], naming, 2, period=False)
    elif kind is NoteKind.GOAL_DISCHARGED:
        yield f'[{tactic}] {kind.value}"{note.goal}".'
    elif kind is NoteKind.CASE_DISCHARGED:
        yield f"[{tactic}] discharged: {' '.join(sentence(note.sentences[0], naming, 0, period=False).split())}"
    elif kind is NoteKind.NEW_GOAL_DISCHARGED:
        yield f'[{tactic}] {kind.value}"{note.goal}"'
    else:
        yield f"[{tactic}] {kind.value}"
        yield from (["  => "] if kind is NoteKind.CONVERTED else [])
        indent = 0 if kind is NoteKind.ALL_DISCHARGED else 4 if kind is NoteKind.CONTRADICTION and tactic != "ct" else 2
        for axiom in note.sentences:
            yield sentence(axiom, naming, indent, period=False)
        if not note.sentences:
            yield f"{' ' * indent}`true = false' can be derived!"


@layout(WorkDone)
def _(event: WorkDone) -> Iterator[StyledLine]:
    yield StyledLine(f"(consumed {event.seconds:.4f} sec, including {event.rewrites} rewrites)", "dim")


# --- trees


@layout(TreeShown)
def _(event: TreeShown) -> Iterator[StyledLine]:
    for node in event.node.walk():
        goal = node.goal
        mark = ">" if goal.name == event.default else ""
        tactic = "" if goal.name == ROOT else f"{mark}[{goal.tactic}]".ljust(5) + " "
        proved = "*" if node.is_proved else ""
        yield StyledLine(f"{tactic or mark}{goal.name}{proved}", "green" if proved else None)


@layout(ProofDescribed)
def _(event: ProofDescribed) -> Iterator[StyledLine]:
    for node in event.node.walk():
        yield from (StyledLine(line) for line in _description(node, event.naming))


def _description(node: GoalNode, naming: GoalNaming) -> Iterator[str]:
    goal = node.goal
    tactic = "==> " if goal.name == ROOT else f"[{goal.tactic}]".ljust(7) + " "
    yield f"{tactic}{goal.name}{'*' if node.is_proved else ' '}"
    yield f"    -- context module: #Goal-{goal.name}"
    targets = "targeted sentence" if node.is_proved else "sentence to be proved", goal.targets
    for title, axioms in (("assumption", goal.assumptions), ("discharged sentence", goal.proved), targets):
        if axioms:
            several = title.replace("sentence", "sentences") if "sentence" in title else title + "s"
            colon = "" if title == "assumption" else ":"
            yield f"    -- {title if len(axioms) == 1 else several}{colon}"
            for axiom in axioms:
                yield sentence(axiom, naming, 6)
