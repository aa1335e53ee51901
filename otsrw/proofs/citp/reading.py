"""The words after the keyword of a CITP command."""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticDefinition
from otsrw.proofs.citp.lemmas import sentence_labelled
from otsrw.proofs.citp.sentences import variables_in
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SortProblem, SyntaxProblem, TheoryProblem
from otsrw.syntax.reader import read_axioms
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import sentence_line, show
from otsrw.theory.terms import Term

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Group:
    """Brackets at the start of some words: the opening one, what is in them, and the words after them."""

    def __init__(self, body: tree.Bubble, what: str) -> None:
        words = body.words
        if not words or words[0] not in _CLOSING:
            raise SyntaxProblem("E101", f"write {what}", body.span)
        depth = 0
        end = len(words)
        for index, word in enumerate(words):
            depth += (word == words[0]) - (word == _CLOSING[words[0]])
            if depth == 0:
                end = index
                break
        self.opening = words[0]
        self.inner = body.part(1, end)
        self.rest = body.part(end + 1, len(words))


def without_period(bubble: tree.Bubble) -> tree.Bubble:
    """The words without a period at their end."""
    return bubble.part(0, len(bubble) - 1) if bubble.words[-1:] == ["."] else bubble


def without_escapes(bubble: tree.Bubble) -> tree.Bubble:
    """The words with names that Maude writes with backquotes put together: `_`,_` is the operator `_,_`."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for word, start, end in zip(bubble.words, bubble.starts, bubble.ends, strict=True):
        glued = (
            words and ends[-1] == start and (words[-1].endswith("`") or (words[-1][-1:] in ",;" and len(words[-1]) > 1))
        )
        if glued and word not in "()[]{}":
            words[-1] = words[-1].removesuffix("`") + word
            ends[-1] = end
        else:
            words.append(word)
            starts.append(start)
            ends.append(end)
    return tree.Bubble(bubble.source, words, starts, ends, bubble.anchor)


def sentences_of(bubble: tree.Bubble, goal: Goal, bench: GoalBench) -> tuple[Axiom, ...]:
    """The axioms that are written in braces."""
    return tuple(bench.read(item, goal) for item in read_axioms(bubble))


def case_split(keyword: str, body: tree.Bubble, goal: Goal, bench: GoalBench, name: str = "") -> TacticDefinition:
    """A `:ctf`, `:ctf-`, `:csp` or `:csp-`."""
    group = Group(
        body,
        f"'{keyword} {{ eq L = R . }}'" if "csp" in keyword else f"'{keyword} {{ eq L = R . }}' or '{keyword} [ t . ]'",
    )
    if group.opening == "[" and "ctf" in keyword:
        return _term_split(keyword, without_period(group.inner), goal, bench, name)
    items = read_axioms(group.inner)
    conditional = any(item.keyword.removeprefix("b").startswith("c") for item in items)
    axioms = () if conditional else sentences_of(group.inner, goal, bench)
    if not axioms or ("ctf" in keyword and len(axioms) > 1):
        raise SyntaxProblem(
            "E101",
            f"{keyword} takes {'one equation' if 'ctf' in keyword else 'equations'} without conditions",
            body.span,
        )
    text = " ".join(sentence_line(axiom) for axiom in axioms)
    form = f"{keyword}{{{text}}}" if "ctf" in keyword else f"{keyword}{{{text} }}"
    return TacticDefinition(name, f"{keyword[:4]}{{{keyword[4:]}", form, axioms)


def _term_split(keyword: str, words: tree.Bubble, goal: Goal, bench: GoalBench, name: str) -> TacticDefinition:
    term = bench.parse_alone(words, goal)
    form = f"{keyword}[{show(term)} .]"
    kind = f"{keyword[:4]}[{keyword[4:]}"
    place = _top_level(words, "=")
    if term.op.native is Builtin.EQUALS and place is not None:
        left = bench.parse(words.part(0, place), goal)
        right = bench.parse(words.part(place + 1, len(words)), goal, left.sort)
        if {left, right} == set(term.args):
            return TacticDefinition(name, kind, form, (Axiom(left, right, None),))
    return TacticDefinition(name, kind, form, term=term)


def _top_level(words: tree.Bubble, word: str) -> int | None:
    """The only place of a word outside parentheses; None if there is none, or there are several."""
    depth, found = 0, []
    for index, each in enumerate(words.words):
        depth += (each in "([{") - (each in ")]}")
        if each == word and depth == 0:
            found.append(index)
    return found[0] if len(found) == 1 else None


def initialisation(body: tree.Bubble, goal: Goal, bench: GoalBench, name: str = "") -> TacticDefinition:
    """`[as L] [label] by { V:S <- t ; }`, or with an axiom in braces or parentheses in place of the label."""
    label = ""
    if body.words[:1] == ["as"]:
        label = body.words[1] if len(body) > 1 else ""
        body = body.part(2, len(body))
    group = Group(body, "':init [label] by { V:S <- t ; }'")
    if group.opening == "[":
        axiom = sentence_labelled(bench, goal, " ".join(group.inner.words))
    else:
        given = sentences_of(group.inner, goal, bench)
        if len(given) != 1:
            raise SyntaxProblem("E101", ":init takes one sentence", group.inner.span)
        axiom = given[0]
    _check_as_cafeobj(group.rest, bench)
    bindings = substitution(group.rest, axiom, goal, bench)
    written = [part.words for part in _parts(group.rest.part(2, len(group.rest) - 1))]
    shown = " ".join(f"({words[0]} {' '.join(words[2:])})" for words in written)
    form = f":init{{{sentence_line(axiom)}}}\n  by subst form: ({shown})"
    return TacticDefinition(
        name, ":init", form, (axiom,), bindings=bindings, label=label, is_given=group.opening != "["
    )


def substitution(rest: tree.Bubble, axiom: Axiom, goal: Goal, bench: GoalBench) -> tuple[tuple[Term, Term], ...]:
    """`by { V:S <- t ; .. }`, or nothing; a period may follow."""
    if not rest.words or rest.words == ["."]:
        return ()
    if rest.words[0] != "by":
        raise SyntaxProblem("E101", "write 'by { V:S <- t ; }' after the sentence", rest.span)
    group = Group(rest.part(1, len(rest)), "'by { V:S <- t ; }'")
    found = []
    for part in _parts(group.inner):
        found.append(_binding(part, axiom, goal, bench))
    return tuple(found)


def _check_as_cafeobj(rest: tree.Bubble, bench: GoalBench) -> None:
    """In CafeOBJ every pair of a substitution ends in `;` or `,`, and a variable that no module declares has a sort."""
    if len(rest) < 3:
        if rest.words != ["."]:
            raise SyntaxProblem("E101", "write a period, or 'by { V:S <- t ; }', after the sentence", rest.span)
        return
    inner = Group(rest.part(1, len(rest)), "'by { V:S <- t ; }'").inner
    for part in _parts(inner):
        name = part.words[0]
        if ":" not in name and name not in bench.context.module.variables:
            raise SyntaxProblem(
                "E101", f"{name} is not a variable with its sort", part.span_of(0), "write 'V:S <- t ;'"
            )
    if inner.words and inner.words[-1] not in (";", ","):
        span = inner.span_of(len(inner) - 1)
        raise SyntaxProblem("E101", "the last pair does not end", span, "write ';' after every pair: 'V:S <- t ;'")


def _parts(body: tree.Bubble) -> list[tree.Bubble]:
    """The pairs of a substitution. A comma ends a pair only if it stands outside parentheses."""
    parts, depth, start = [], 0, 0
    for index, word in enumerate(body.words):
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and word in (";", ","):
            parts.append(body.part(start, index))
            start = index + 1
    rest = body.part(start, len(body))
    return [part for part in (*parts, rest) if part.words]


def _binding(part: tree.Bubble, axiom: Axiom, goal: Goal, bench: GoalBench) -> tuple[Term, Term]:
    if len(part) < 3 or part.words[1] != "<-":
        raise SyntaxProblem("E101", "write 'V:S <- t ;'", part.span)
    name, _, sort = part.words[0].partition(":")
    known = [v for v in variables_in(axiom) if v.op.name == name and (not sort or _is_sort(v, sort))]
    if not known:
        names = ", ".join(f"{v.op.name}:{v.sort.name}" for v in variables_in(axiom))
        hint = f"its variables are {names}" if names else "it has no variables"
        raise TheoryProblem("E309", f"the sentence has no variable {part.words[0]}", part.span_of(0), hint)
    if bench.numbers is not None:
        bench.numbers.check_variables(part.part(0, 1), goal)
    term = bench.parse_alone(part.part(2, len(part)), goal, known[0].sort)
    if not goal.signature.order.leq(term.sort, known[0].sort):
        message = f"{show(term)} is of sort {term.sort.name}, and {name} of sort {known[0].sort.name}"
        raise SortProblem("E203", message, part.span)
    return known[0], term


def _is_sort(variable: Term, name: str) -> bool:
    return name in (variable.sort.name, f"{variable.sort.name}.{variable.sort.module}")


def induction_variables(body: tree.Bubble, goal: Goal) -> tuple[Term, ...]:
    """`on (V:S ..)`: variables that occur in every target."""
    start = 1 if body.words[:1] == ["on"] else 0
    group = Group(body.part(start, len(body)), "':ind on (V:S)'")
    if group.opening != "(" or not start:
        raise SyntaxProblem("E101", "write ':ind on (V:S)'", body.span)
    found = []
    for index, word in enumerate(group.inner.words):
        if ":" not in word[1:-1]:
            raise SyntaxProblem("E101", f"not a variable with its sort: {word}", group.inner.span_of(index))
        name, _, sort = word.partition(":")
        for target in goal.targets:
            known = [v for v in variables_in(target) if v.op.name == name and _is_sort(v, sort)]
            if not known:
                raise TheoryProblem(
                    "E309", f"the variable {word} does not occur in every target", group.inner.span_of(index)
                )
        found += known[:1] if goal.targets else []
    return tuple(found)
