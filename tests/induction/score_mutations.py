"""Mutations of a proof score of TAS, and an oracle that says whether a mutated score still covers every case.

The oracle shares nothing with otsrw: it reads the passages with a small parser of its own, and tries every state of
three processes, reachable or not, with every choice of arguments. A case is covered if some passage about that step
assumes only what is true there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

PROCESSES = (0, 1, 2)
PREDICATES = ("mutex", "lemma1")
REPEATED = (
    "op locked : Sys -> Bool .", "op c-enter : Sys Pid -> Bool .", "op mutex : Sys Pid Pid -> Bool .",
    "op init : -> Sys .", "op rs : -> Label .",
)  # fmt: skip
"""Declarations that say once more what the modules say."""
_DECLARED = re.compile(r"ops? (.+) : -> (Sys|Pid) \.")
_WORD = re.compile(r"[()=,]|[^\s()=,]+")


class ScoreText(NamedTuple):
    """A passage in parts: declarations, equations, and what is reduced."""

    declarations: tuple[str, ...]
    equations: tuple[str, ...]
    goal: str

    def __str__(self) -> str:
        lines = [*self.declarations, *self.equations, f"red {self.goal} ."]
        return "\n".join(["open PROOF .", *(f"  {line}" for line in lines), "close", ""])


def passages_of(text: str) -> tuple[str, list[ScoreText]]:
    """The modules of a score without the line that counts its reductions, and its passages about steps."""
    modules, *rest = re.split(r"^open PROOF \.\n", text, flags=re.MULTILINE)
    found = []
    for block in rest:
        lines = [line.strip() for line in block[: block.index("close")].splitlines()]
        equations = tuple(line for line in lines if line.startswith("eq "))
        goal = next(line for line in lines if line.startswith("red "))
        declarations = tuple(line for line in lines if line.startswith("op"))
        if re.search(r"(mutex|lemma1)\((init|enter|leave)", goal):
            found.append(ScoreText(declarations, equations, goal.removeprefix("red ").removesuffix(" .")))
    return re.sub(r"^-- reductions: .*\n", "", modules, flags=re.MULTILINE), found


# --- terms of the text


class Node(NamedTuple):
    """A term: a word and its arguments; `=`, `not`, `and`, `or`, `implies` are words, too."""

    word: str
    args: tuple[Node, ...] = ()


class _Parser:
    def __init__(self, text: str) -> None:
        self.words: list[str] = _WORD.findall(text)
        self.place = 0

    def next_is(self, *words: str) -> bool:
        return self.place < len(self.words) and self.words[self.place] in words

    def take(self) -> str:
        self.place += 1
        return self.words[self.place - 1]

    def formula(self) -> Node:
        left = self.disjunction()
        if self.next_is("implies"):
            return Node(self.take(), (left, self.formula()))
        return left

    def disjunction(self) -> Node:
        left = self.comparison()
        while self.next_is("and", "or"):
            left = Node(self.take(), (left, self.comparison()))
        return left

    def comparison(self) -> Node:
        if self.next_is("not"):
            return Node(self.take(), (self.comparison(),))
        left = self.plain()
        if self.next_is("="):
            return Node(self.take(), (left, self.plain()))
        return left

    def plain(self) -> Node:
        word = self.take()
        if word == "(":
            inner = self.formula()
            assert self.take() == ")"
            return inner
        args: list[Node] = []
        if self.next_is("("):
            self.take()
            args.append(self.formula())
            while self.next_is(","):
                self.take()
                args.append(self.formula())
            assert self.take() == ")"
        return Node(word, tuple(args))


def parsed(text: str) -> Node:
    """The term of a text."""
    return _Parser(text).formula()


def words_of(node: Node) -> Iterator[str]:
    """All words of a term."""
    yield node.word
    for arg in node.args:
        yield from words_of(arg)


# --- the system, by hand


class State(NamedTuple):
    """A state of TAS: is the lock closed, and where are the processes?"""

    locked: bool
    pc: tuple[str, ...]


def _moved(state: State, process: int, to: str, locked: bool) -> State:
    return State(locked, tuple(to if each == process else at for each, at in enumerate(state.pc)))


def _c_enter(state: State, process: int) -> bool:
    return state.pc[process] == "rs" and not state.locked


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "pc": lambda s, i: s.pc[i],
    "locked": lambda s: s.locked,
    "c-enter": _c_enter,
    "c-leave": lambda s, i: s.pc[i] == "cs",
    "enter": lambda s, i: _moved(s, i, "cs", True) if _c_enter(s, i) else s,
    "leave": lambda s, i: _moved(s, i, "rs", False) if s.pc[i] == "cs" else s,
    "mutex": lambda s, i, j: not (s.pc[i] == "cs" and s.pc[j] == "cs") or i == j,
    "lemma1": lambda s, i: s.pc[i] != "cs" or s.locked,
    "lock-lemma": lambda s, i: s.pc[i] != "cs" or s.locked,
    "=": lambda a, b: a == b,
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "implies": lambda a, b: not a or b,
    "rs": lambda: "rs",
    "cs": lambda: "cs",
    "true": lambda: True,
    "false": lambda: False,
    "init": lambda: State(False, ("rs",) * len(PROCESSES)),
}
STATES = [State(locked, pc) for locked in (False, True) for pc in product(("rs", "cs"), repeat=len(PROCESSES))]
ARGUMENTS = {"mutex": 2, "lemma1": 1}
OF_STATES = ("pc", "locked", "c-enter", "c-leave", "enter", "leave", "mutex", "lemma1", "lock-lemma")


def value(node: Node, known: Mapping[str, object]) -> object:
    """The value of a term, if words have the values given."""
    if node.word in known and not node.args:
        return known[node.word]
    return FUNCTIONS[node.word](*[value(arg, known) for arg in node.args])


# --- coverage


class Covering(NamedTuple):
    """A passage as the oracle understands it."""

    predicate: str
    step: str
    general: tuple[str, ...]
    """The names of the state, the step's argument and the predicate's arguments."""
    others: tuple[str, ...]
    """Other constants, which stand for processes."""
    assumed: tuple[Node, ...]


def _conjuncts(node: Node) -> Iterator[Node]:
    if node.word == "and":
        for arg in node.args:
            yield from _conjuncts(arg)
    else:
        yield node


def read(passage: ScoreText) -> Covering | None:
    """What the passage covers; None if it is not about a step for arbitrary values, or declares anything odd."""
    declared: dict[str, str] = {}
    states: set[str] = set()
    for line in passage.declarations:
        if line in REPEATED:
            continue
        match = _DECLARED.fullmatch(line)
        if match is None or any(name in FUNCTIONS for name in match[1].split()):
            return None
        for name in match[1].split():
            other = declared.get(name, match[2])
            declared[name] = match[2] if other == match[2] else "Pid"
            states |= {name} if match[2] == "Sys" or other == "Sys" else set()
    both = {name for name in states if declared[name] == "Pid"}
    declared.update(dict.fromkeys((f"{name}'s state" for name in both), "Sys"))
    if any(":" in line for line in passage.equations):
        return None
    *premises, conclusion = _premises_and_conclusion(_told_apart(parsed(passage.goal), both))
    if conclusion.word not in PREDICATES or not conclusion.args:
        return None
    after, *arguments = conclusion.args
    if after.word not in ("init", "enter", "leave") or any(arg.args for arg in (*after.args, *arguments)):
        return None
    general = tuple(arg.word for arg in (*after.args, *arguments))
    if len(set(general)) < len(general) or not all(name in declared for name in general):
        return None
    state = after.args[0].word if after.args else None
    free = [p for p in premises if p.word in PREDICATES and p.args[0] == Node(state or "") and state is not None]
    sides = [map(parsed, _sides(line)) for line in passage.equations]
    equations = [Node("=", tuple(_told_apart(side, both) for side in pair)) for pair in sides]
    others = tuple(n for n, sort in declared.items() if n not in general and sort == "Pid")
    return Covering(conclusion.word, after.word, general, others, (*equations, *(p for p in premises if p not in free)))


def _told_apart(node: Node, both: set[str]) -> Node:
    """The term with other names for states that have the name of a process: a state is the first argument."""
    args = tuple(_told_apart(arg, both) for arg in node.args)
    if node.word in OF_STATES and args and args[0].word in both and not args[0].args:
        args = (Node(f"{args[0].word}'s state"), *args[1:])
    return Node(node.word, args)


def _premises_and_conclusion(goal: Node) -> Iterator[Node]:
    while goal.word == "implies":
        yield from _conjuncts(goal.args[0])
        goal = goal.args[1]
    yield goal


def _sides(line: str) -> tuple[str, str]:
    """Both sides of `eq left = right .`, where a left side that is an equation stands in parentheses."""
    text = line.removeprefix("eq ").removesuffix(" .")
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "=" and depth == 0:
            return text[:place], text[place + 1 :]
    raise AssertionError(line)


def left_out(passages: Sequence[ScoreText], predicates: Sequence[str]) -> str | None:
    """A situation that no passage covers; None if there is none."""
    readings = [found for passage in passages if (found := read(passage)) is not None]
    for predicate, step in product(predicates, ("init", "enter", "leave")):
        own = [each for each in readings if each.predicate == predicate and each.step == step]
        sizes: list[Sequence[object]] = [] if step == "init" else [STATES, PROCESSES]
        for situation in product(*sizes, *[PROCESSES] * ARGUMENTS[predicate]):
            if not any(_covers(each, situation) for each in own):
                return f"{predicate}, {step}: {situation}"
    return None


def _covers(case: Covering, situation: Sequence[object]) -> bool:
    known = dict(zip(case.general, situation, strict=True))
    for chosen in product(PROCESSES, repeat=len(case.others)):
        values = {**known, **dict(zip(case.others, chosen, strict=True))}
        try:
            if all(value(formula, values) is True for formula in case.assumed):
                return True
        except (KeyError, TypeError, AttributeError):
            return False  # an odd text
    return False


# --- mutations

PREMISES = (
    "lemma1(s,i)", "lemma1(s,j)", "lemma1(enter(s,j),i)", "lemma1(leave(s,j),j)", "mutex(s,i,j)", "mutex(s,j,j1)",
    "mutex(enter(s,j),i,j1)", "mutex(leave(s,j),i,j1)", "lock-lemma(s,i)", "c-enter(s,j)", "not c-leave(s,j)",
    "locked(s)", "false", "(pc(s,i) = rs)", "(i = j)",
)  # fmt: skip
DECLARATIONS = (
    "op init : -> Sys .", "op rs : -> Label .", "op s : -> Sys .", "op c-enter : Sys Pid -> Bool .", "[ Pid < Label ]",
    "[ Label < Pid ]", "[ New ]", "ops p q : -> Pid .", "op s : -> Pid .", "op j : -> Sys .", "pr(NAT)",
    "op locked : Sys -> Bool .", "op s : -> Sys {constr} .", "op mutex : Sys Pid Pid -> Bool .",
)  # fmt: skip
EQUATIONS = (
    "eq pc(S:Sys,I:Pid) = rs .", "eq true = false .", "eq false = true .", "eq (I:Pid = J:Pid) = true .",
    "eq s = init .", "eq lemma1(s,j) = false .",
    "eq enter(s,j) = s .", "eq leave(s,j) = s .", "eq enter(s,j) = init .", "eq mutex(s,i,j1) = true .", "eq cs = rs .",
    "eq mutex(enter(s,j),i,j1) = true .", "eq (rs = cs) = true .", "eq locked(init) = true .",
    "eq mutex(s,i,j1) = false .", "eq c-enter(s,j) = true .", "eq c-enter(s,i) = false .", "eq pc(init,i) = cs .",
    "eq (mutex(s,i,j1) implies mutex(enter(s,j),i,j1)) = true .", "eq lemma1(enter(s,j),i) = true .", "eq i = q .",
    "eq locked(enter(s,j)) = true .", "eq pc(s,i) = pc(s,j) .", "eq j = j1 .", "eq (pc(s,i) = cs) = true .",
)  # fmt: skip
WORDS = ("s", "i", "j", "j1", "rs", "cs", "init", "enter", "leave", "mutex", "lemma1", "lock-lemma", "true", "false")


def mutated(passages: Sequence[ScoreText], random: Random) -> list[ScoreText]:
    """The passages with one to three random changes."""
    result = list(passages)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(result))
        changed = random.choice(_CHANGES)(result[place], result, random)
        if changed is None:
            del result[place]
        else:
            result[place] = changed
    return result


def _dropped(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    return None


def _less(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    if not passage.equations:
        return passage
    gone = random.randrange(len(passage.equations))
    return passage._replace(equations=passage.equations[:gone] + passage.equations[gone + 1 :])


def _more(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    pool = [*EQUATIONS, *(line for other in passages for line in other.equations)]
    return passage._replace(equations=(*passage.equations, random.choice(pool)))


def _declares(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    line = random.choice(DECLARATIONS)
    first = random.random() < 0.5
    return passage._replace(declarations=(line, *passage.declarations) if first else (*passage.declarations, line))


def _premise(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    return passage._replace(goal=f"{random.choice(PREMISES)} implies ({passage.goal})")


def _without_premise(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    return passage._replace(goal=re.sub(r"^\(.*?\) implies ", "", passage.goal))


def _reworded(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    """One word replaced by another one, in one place, in the equations, in the goal or everywhere."""
    old, new = random.sample(WORDS, 2)
    pattern = rf"(?<![\w-]){old}(?![\w-])"
    count = random.choice((0, 1))
    where = random.choice(("goal", "equations", "all"))
    goal = re.sub(pattern, new, passage.goal, count=count) if where != "equations" else passage.goal
    if where == "goal":
        return passage._replace(goal=goal)
    equations = tuple(re.sub(pattern, new, line, count=count) for line in passage.equations)
    if where == "equations" or new in FUNCTIONS:  # a constant may have the name of another one of another sort
        return passage._replace(equations=equations)
    return ScoreText(tuple(re.sub(pattern, new, line) for line in passage.declarations), equations, goal)


def _goal_of_another(passage: ScoreText, passages: list[ScoreText], random: Random) -> ScoreText | None:
    return passage._replace(goal=random.choice(passages).goal)


_CHANGES = (
    _dropped, _less, _less, _more, _more, _declares, _premise, _without_premise, _reworded, _reworded, _reworded,
    _goal_of_another,
)  # fmt: skip
