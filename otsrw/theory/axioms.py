"""Axioms: equations and transitions, from bubbles to pairs of terms.

CafeOBJ cuts `eq L = R .` at the first `=` outside parentheses and `ceq L = R if C .` at the first `if`; where that
gives no terms, the other places of `if` are tried.
"""

from __future__ import annotations

from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError, SortProblem, SyntaxProblem, did_you_mean
from otsrw.theory.builtins import Builtin
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.parsing import Scope, parse_words, readings_of, scope_of
from otsrw.theory.portability import late_sort
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, symbols_of, variables_of


def is_transition(keyword: str) -> bool:
    return keyword.removeprefix("b").removeprefix("c").startswith(("t", "r"))


def is_conditional(keyword: str) -> bool:
    return keyword.removeprefix("b").startswith("c")


_CONJUNCTIONS = (Builtin.CONJUNCTION, Builtin.AND)
_MARKS = ("metadata", "owise", "nonexec", "label", "variant")


def read_axiom(item: tree.AxiomDeclaration, module: Module, library: Library, is_rule: bool = True) -> Axiom | None:
    """Parse an axiom; None if the module has it already. A sentence that is no rule is not complained of as one."""
    body, labels, otherwise = _strip_marks(item.body)
    if any(label.startswith(":m-") for label in labels):
        raise SyntaxProblem("E106", f"equations labelled [{labels[0]}] are not supported", item.body.span)
    scope = scope_of(module)
    lhs, rhs, condition = _sides(item, body, scope, library)
    late = late_sort(body.words, scope.fresh) if scope.fresh else None
    if late is not None and body.words[late] not in module.variables:
        hint = "write the sort where the variable stands first"
        library.warn("W118", "CafeOBJ does not know the sort of this variable yet", body.span_of(late), hint)
    if module.has_axiom(lhs, rhs, condition):
        return None
    executable = is_rule and _is_executable(item, lhs, rhs, condition, labels, library)
    return Axiom(
        lhs,
        rhs,
        condition,
        is_transition(item.keyword),
        labels,
        executable,
        otherwise,
        item.span,
        module.name,
        item.keyword.startswith("b"),
    )


def _strip_marks(body: tree.Bubble) -> tuple[tree.Bubble, tuple[str, ...], bool]:
    """Take off `[label]:` in front and CafeInMaude's `{owise}`, `[owise]`, `{metadata ..}` at the end."""
    words = body.words
    labels: tuple[str, ...] = ()
    start, end = 0, len(words)
    if words and words[0] == "[" and "]" in words:
        close = words.index("]")
        if words[close + 1 : close + 2] == [":"]:
            labels = tuple(words[1:close])
            start = close + 2
    otherwise = False
    for opening, closing in (("{", "}"), ("[", "]")):
        while end > start + 2 and words[end - 1] == closing:
            begin = max(i for i in range(start, end) if words[i] == opening) if opening in words[start:end] else end
            if begin >= end - 1 or words[begin + 1] not in _MARKS:
                break
            otherwise = otherwise or "owise" in words[begin:end]
            end = begin
    return body.part(start, end), labels, otherwise


def _split(body: tree.Bubble, separator: str) -> list[int]:
    """Positions of a word outside parentheses."""
    depth = 0
    found = []
    for index, word in enumerate(body.words):
        if word == "(":
            depth += 1
        elif word == ")":
            depth = max(0, depth - 1)
        elif word == separator and depth == 0:
            found.append(index)
    return found


def _sides(
    item: tree.AxiomDeclaration, body: tree.Bubble, scope: Scope, library: Library
) -> tuple[Term, Term, Term | None]:
    separator = "=>" if is_transition(item.keyword) else "="
    places = _split(body, separator)
    if not places or places[0] == 0:
        raise SyntaxProblem(
            "E101",
            f"this '{item.keyword}' has no {separator!r} between its sides",
            body.span if len(body) else item.span,
        )
    scope.declare_on_the_fly(body.words)
    left = body.part(0, places[0])
    rest = body.part(places[0] + 1, len(body))
    if not is_conditional(item.keyword):
        try:
            lhs, rhs = _pair(left, rest, scope, library)
        except OtsrwError as error:
            raise _meant_conditional(item, rest) or error from None
        return lhs, rhs, None
    ifs = _split(rest, "if")
    if not ifs:
        raise SyntaxProblem(
            "E101",
            f"this '{item.keyword}' has no 'if'",
            rest.span if len(rest) else item.span,
            "use 'eq' for an unconditional equation",
        )
    failure: OtsrwError | None = None
    for place in ifs:
        if place == 0:
            continue
        try:
            condition = _condition(rest.part(place + 1, len(rest)), scope)
            lhs, rhs = _pair(left, rest.part(0, place), scope, library)
            if place != ifs[0]:
                hint = "put the right side in parentheses"
                library.warn("W113", "CafeOBJ takes the first 'if' here as that of the condition", rest.span, hint)
            return lhs, rhs, None if _is_true(condition) else condition
        except OtsrwError as error:
            failure = failure or error
    raise failure or SyntaxProblem("E101", "there is no term before this 'if'", rest.span_of(ifs[0]))


def _meant_conditional(item: tree.AxiomDeclaration, rest: tree.Bubble) -> SyntaxProblem | None:
    """The error for an `eq` with a condition; None if it has none."""
    for place in _split(rest, "if"):
        before = rest.words[:place]
        if place and before.count("if") == before.count("fi") and "then" not in rest.words[place:]:
            keyword = item.keyword
            right = keyword[:1] + "c" + keyword[1:] if keyword.startswith("b") else f"c{keyword}"
            message = f"an equation with a condition begins with '{right}', not with '{keyword}'"
            return SyntaxProblem("E101", message, rest.span_of(place), f"write '{right} ... = ... if ... .'")
    return None


def _is_true(term: Term) -> bool:
    return term.op.name == "true" and not term.args and term.sort.name == "Bool"


def _condition(bubble: tree.Bubble, scope: Scope) -> Term:
    bools = scope.signature.sort_names.get("Bool")
    return parse_words(bubble, scope, scope.signature.order.kind[bools[0]] if bools else None)


def _pair(left: tree.Bubble, right: tree.Bubble, scope: Scope, library: Library) -> tuple[Term, Term]:
    """Both sides of an axiom, of one kind; an ambiguous side takes its first reading, with a warning."""
    kinds = scope.signature.order.kind
    lefts, _ = readings_of(left, scope)
    if not lefts:
        parse_words(left, scope)
    if len(lefts) == 1:
        rights, _ = readings_of(right, scope, kinds.get(lefts[0].sort))
    else:
        rights, _ = readings_of(right, scope)
    if not rights:
        parse_words(right, scope)
    pairs = [(lhs, rhs) for lhs in lefts for rhs in rights if kinds.get(lhs.sort) is kinds.get(rhs.sort)]
    if not pairs:
        raise SortProblem(
            "E207",
            f"the sides are of unrelated sorts: {lefts[0].sort.name} and {rights[0].sort.name}",
            right.span,
            notes=[f"left: {show(lefts[0])}", f"right: {show(rights[0])}"],
        )
    if len(pairs) > 1:
        library.warn(
            "W112",
            f"this axiom is ambiguous ({len(pairs)} readings), taking {show(pairs[0][0])} = {show(pairs[0][1])}",
            left.span,
        )
    return pairs[0]


def _is_executable(
    item: tree.AxiomDeclaration, lhs: Term, rhs: Term, condition: Term | None, labels: tuple[str, ...], library: Library
) -> bool:
    if ":nonexec" in labels:
        return False
    if lhs.op.variable:
        library.warn(
            "W401", f"the left side is just the variable {lhs.op.name}: not used as a rewrite rule", item.body.span
        )
        return False
    bound = set(variables_of(lhs))
    if condition is not None:
        bound |= bound_by_matching(condition)
    # The variables of a search are those of what is looked for.
    searches = any(op.native is Builtin.SEARCH for op in symbols_of(rhs))
    extra = [] if searches else [v for v in variables_of(rhs) if v not in bound]
    if condition is not None:
        extra += [v for v in variables_of(condition) if v not in bound and v not in extra]
    if extra:
        names = ", ".join(v.op.name for v in extra)
        side = "right side" if set(variables_of(rhs)) & set(extra) else "condition"
        library.warn(
            "W402",
            f"extra variable on the {side}: {names}; not used as a rewrite rule",
            item.body.span,
            _extra_hint(extra, bound),
        )
        return False
    if item.keyword.startswith("b") and not (_observes(lhs) and _observes(rhs)):
        message = "an operator in this behavioural equation is neither behavioural nor coherent: not used"
        library.warn("W403", message, item.body.span)
        return False
    return True


def _observes(term: Term) -> bool:
    """Do only behavioural operators look at the states in a term?"""
    todo = [term]
    while todo:
        current = todo.pop()
        op = current.op
        if op.native is Builtin.IF:
            todo += current.args[1:]
            continue
        if any(op.order.is_hidden(arg.sort) for arg in current.args) and not op.is_behavioural:
            return False
        todo += current.args
    return True


def _extra_hint(extra: list[Term], bound: set[Term]) -> str | None:
    return did_you_mean(extra[0].op.name, [v.op.name for v in bound])


def bound_by_matching(condition: Term) -> set[Term]:
    """Variables that conditions `pattern := term` bind."""
    if condition.op.native in _CONJUNCTIONS:
        return {variable for part in condition.args for variable in bound_by_matching(part)}
    if condition.op.native is Builtin.MATCH:
        return set(variables_of(condition.args[0]))
    return set()
