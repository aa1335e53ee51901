"""Reading what CafeOBJ prints, and comparing normal forms modulo associativity and commutativity.

`read_output` collects the reductions of a batch run. `compare` decides whether two printed normal forms denote the
same term: CafeOBJ prints the arguments of AC operators in an order that depends on the history of matching, so texts
are read into hash-consed nodes in which nested AC applications are flattened and sorted. Reading is one pass with an
explicit stack (normal forms can be thousands of levels deep) and linear up to the sorting.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from pathlib import Path

# --- what CafeOBJ printed ---------------------------------------------------------------------------------------------

_TARGET = re.compile(r"^-- (reduce|execute|bhavioral reduce|behavioral reduce) in (.*?) : (.*)$")
_STATS = re.compile(r"^\(\S+ sec for parse, (\S+) sec for (\d+) rewrites \+ \d+ matches.*\)$")
_NOISE = re.compile(r"^(--|\*\*|\[|\s|\d+[<>]\[|--->|processing input|$)")
_LONE_VARIABLE = re.compile(r"^[^\s():]+:[^\s()]+$")
_EXITING = re.compile(r"^\*\* (Exiting CafeOBJ due to|Caught an exception:?) ?(.*)$", re.MULTILINE)
_ERROR = re.compile(r"^\[Error\]:? ?(.*)$", re.MULTILINE)
_LEAVING = "[Leaving CafeOBJ]\n"
_KINDS = {"reduce": "red", "execute": "exec", "bhavioral reduce": "bred", "behavioral reduce": "bred"}


@dataclass(frozen=True, slots=True)
class Reduction:
    """One reduction of a run; `rewrites` and `seconds` are None when statistics are off."""

    kind: str
    module: str
    target: str
    result: str
    sort: str
    rewrites: int | None = None
    seconds: float | None = None


def read_output(stdout: str) -> tuple[Reduction, ...]:
    """The finished reductions of a CafeOBJ run, in order; one cut off before its result is left out."""
    lines = stdout.removesuffix(_LEAVING).splitlines()
    starts = [index for index, line in enumerate(lines) if _TARGET.match(line)]
    found = (_read_block(lines[start:end]) for start, end in pairwise([*starts, len(lines)]))
    return tuple(reduction for reduction in found if reduction is not None)


def read_error(stdout: str, stderr: str) -> str | None:
    """Why CafeOBJ stopped early, in one line; None if it did not."""
    exiting = _EXITING.search(stdout) or _EXITING.search(stderr)
    if exiting is None:
        return None
    texts = [text.strip() for text in _ERROR.findall(stderr) + _ERROR.findall(stdout) if text.strip()]
    return "; ".join([*texts, exiting.group(2).strip()])


def _read_block(block: Sequence[str]) -> Reduction | None:
    header = _TARGET.match(block[0])
    if header is None:
        return None
    stats_at = next((index for index, line in enumerate(block) if _STATS.match(line)), None)
    stats = None if stats_at is None else _STATS.match(block[stats_at])
    printed = _typed_terms(block[1:stats_at])
    if not printed:
        return None
    result, sort = printed[-1] if stats else printed[0]
    return Reduction(
        kind=_KINDS[header.group(1)],
        module=header.group(2).removeprefix("%"),
        target=split_sort(header.group(3))[0],
        result=result,
        sort=sort,
        rewrites=int(stats.group(2)) if stats else None,
        seconds=float(stats.group(1)) if stats else None,
    )


def _typed_terms(lines: Iterable[str]) -> list[tuple[str, str]]:
    """The `(t):Sort` texts among lines, each possibly spread over several lines until its parentheses balance."""
    terms: list[tuple[str, str]] = []
    pending = ""
    for line in lines:
        if not pending and _NOISE.match(line):
            continue
        pending = f"{pending} {line.strip()}" if pending else line.strip()
        if pending.startswith("(") and _closing(pending) is None:
            continue
        term, sort = split_sort(pending)
        if sort:
            terms.append((term, sort))
        pending = ""
    return terms


def split_sort(text: str) -> tuple[str, str]:
    """`(t):Sort` as (t, Sort) and a lone variable `X:Sort` as (X:Sort, Sort); the sort is empty if there is none."""
    text = text.strip()
    if text.startswith("("):
        end = _closing(text)
        if end is not None and text[end + 1 : end + 2] == ":" and text[end + 2 :].strip():
            return text[1:end].strip(), text[end + 2 :].strip()
        return text, ""
    return (text, text.split(":", 1)[1]) if _LONE_VARIABLE.match(text) else (text, "")


def _closing(text: str) -> int | None:
    """Where the parenthesis that opens `text` closes; parentheses in string literals do not count."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match.group() in ("(", ")"):
            depth += 1 if match.group() == "(" else -1
            if depth == 0:
                return match.start()
    return None


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[()]')

# --- which operators are associative or commutative -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Axioms:
    """The equational attributes of the operators spelled with one token, and how loosely it binds."""

    assoc: bool = False
    comm: bool = False
    prec: int = 41

    def joined(self, other: Axioms) -> Axioms:
        """Both declarations of an overloaded token taken together."""
        return Axioms(self.assoc or other.assoc, self.comm or other.comm, max(self.prec, other.prec))


JUXTAPOSITION = ""
_BOOLEAN = {
    "and": Axioms(True, True, 55),
    "xor": Axioms(True, True, 57),
    "or": Axioms(True, True, 59),
    "implies": Axioms(prec=61),
    "iff": Axioms(comm=True, prec=63),
    "and-also": Axioms(prec=55),
    "or-else": Axioms(prec=59),
    "=": Axioms(comm=True, prec=51),
    "==": Axioms(comm=True, prec=51),
    "=/=": Axioms(comm=True, prec=51),
    "=*=": Axioms(comm=True, prec=51),
}
_ARITHMETIC = {"+": Axioms(True, True, 33), "*": Axioms(True, True, 31)}
_BOOLEAN_KEYWORDS = frozenset({"not", "if", "then", "else", "fi", ":is"})


@dataclass(frozen=True, slots=True)
class Signature:
    """What is known of the operators: axioms by infix token (or prefix name), and every token of a mixfix name."""

    axioms: Mapping[str, Axioms] = field(default_factory=lambda: dict(_BOOLEAN))
    infix: frozenset[str] = frozenset(_BOOLEAN)
    keywords: frozenset[str] = _BOOLEAN_KEYWORDS | frozenset(_BOOLEAN)


_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))(?:--|\*\*)>?(?:\s.*)?$")
_FIRST_WORDS = (
    r"b?ops?|b?preds?|b?c?eq|b?cq|b?c?trans|vars?|pr|protecting|ex|extending|us|using|inc|including|"
    r"mod[!*]?|module[!*]?|view|open|close|red|reduce|bred|exec|select|signature|axioms|imports|in|require"
)
_DECLARATION = re.compile(rf"(?:^|(?<=[\s{{}}.]))(?=(?:{_FIRST_WORDS})\s|\[)")
_OPERATOR = re.compile(r"^b?(op|pred)(s?)\s+(.+?)\s+:\s*([^{}]*)(?:\{([^{}]*)\})?", re.DOTALL)
_RENAMING = re.compile(r"(?:^|[\s{,])b?op\s+(\S+)\s+->\s+([^\s,}]+)")
_GROUPED_NAME = re.compile(r"\(([^()]*)\)|(\S+)")
_LOADING = re.compile(r"(?m)^\s*(?:in|input|require|load)\s+(.+)$")
_NAME_PARTS = re.compile(r"_|[()\[\]{},]|[^\s_()\[\]{},]+")
_SUFFIXES = ("", ".cafe", ".mod", ".cafeobj")


def read_signature(path: Path) -> Signature:
    """The signature declared in a file and in the files it loads."""
    return scan_signature(text for _, text in loaded_files(path))


def scan_signature(texts: Iterable[str]) -> Signature:
    """The operators declared in CafeOBJ texts; same tokens in different modules are taken together."""
    text = "\n".join(texts)
    axioms = dict(_BOOLEAN) | (_ARITHMETIC if re.search(r"\b(NAT|INT|RAT|FLOAT)\b", text) else {})
    infix, keywords = set(axioms), set(axioms) | _BOOLEAN_KEYWORDS
    for name, declared in _declared_operators(text):
        parts = _NAME_PARTS.findall(name)
        token = _operator_token(parts)
        keywords.update(part for part in parts if part != "_" and "_" in parts)
        if token is None:
            continue
        if "_" in parts and token != JUXTAPOSITION:
            infix.add(token)
        if "_" in parts or declared.assoc or declared.comm:
            axioms[token] = axioms[token].joined(declared) if token in axioms else declared
    return Signature(axioms, frozenset(infix), frozenset(keywords))


def _operator_token(parts: Sequence[str]) -> str | None:
    """The token of `_+_` is +, of `__` the empty one, of prefix `f` its name; None for other shapes."""
    if parts == ["_", "_"]:
        return JUXTAPOSITION
    if len(parts) == 3 and parts[0] == parts[2] == "_":
        return parts[1]
    return parts[0] if len(parts) == 1 and parts[0] != "_" else None


def _declared_operators(text: str) -> Iterator[tuple[str, Axioms]]:
    text = _COMMENT.sub("", text)
    declared: list[tuple[str, Axioms]] = []
    for chunk in _DECLARATION.split(text):
        match = _OPERATOR.match(chunk)
        if match and "->" not in match.group(3).split():
            plural, names, attributes = match.group(2), match.group(3), match.group(5) or ""
            spelled = _names(names) if plural else ["".join(names.split()).removeprefix("(").removesuffix(")")]
            declared += [(name, _attributes(attributes)) for name in spelled]
    yield from declared
    by_name = dict(declared)
    for old, new in _RENAMING.findall(text):
        if old in by_name:
            yield new.strip("()"), by_name[old]


def _names(text: str) -> list[str]:
    return ["".join((grouped or single).split()) for grouped, single in _GROUPED_NAME.findall(text)]


def _attributes(text: str) -> Axioms:
    words = text.split()
    prec = re.search(r"prec(?:edence)?:?\s*(\d+)", text)
    assoc, comm = bool({"assoc", "associative"} & set(words)), bool({"comm", "commutative"} & set(words))
    return Axioms(assoc, comm, int(prec.group(1)) if prec else 41)


def loaded_files(path: Path) -> Iterator[tuple[Path, str]]:
    """A file and the files it loads, with their texts."""
    seen: set[Path] = set()
    waiting = [path.resolve()]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        text = current.read_text(encoding="utf-8", errors="replace")
        yield current, text
        words = {word for line in _LOADING.findall(_COMMENT.sub("", text)) for word in line.split()}
        waiting += [found for word in words for found in _resolve(word, {current.parent, path.resolve().parent})]


def _resolve(word: str, folders: Iterable[Path]) -> list[Path]:
    candidates = (folder / f"{word}{suffix}" for folder in folders for suffix in _SUFFIXES)
    try:
        return [candidate.resolve() for candidate in candidates if candidate.is_file()]
    except (OSError, ValueError):
        return []


# --- comparing printed terms ------------------------------------------------------------------------------------------


class Agreement(Enum):
    """How far two printed normal forms agree."""

    EXACT = "exact"
    MODULO_AC = "modulo AC"
    PROBABLE = "probably equal"
    DIFFERENT = "different"


def compare(left: str, right: str, signature: Signature) -> Agreement:
    """Whether two printed terms are the same: as texts, modulo AC and parentheses, or at least in their tokens."""
    if _spaced(left) == _spaced(right):
        return Agreement.EXACT
    reader = _TermReader(signature)
    if reader.read(left) == reader.read(right):
        return Agreement.MODULO_AC
    return Agreement.PROBABLE if token_bag(left) == token_bag(right) else Agreement.DIFFERENT


def token_bag(text: str) -> Counter[str]:
    """The tokens of a printed term without parentheses and sorts of variables; what survives any reordering."""
    return Counter(_plain(token) for token, _ in _tokens(text) if token not in "()")


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{},]|[^\s()\[\]{},"]+|"')
_VARIABLE = re.compile(r"^([^\s:]+):[^\s:=]+$")


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Tokens, each with whether it follows its predecessor without a blank."""
    end = -1
    for match in _TOKEN.finditer(text):
        yield match.group(), match.start() == end
        end = match.end()


def _spaced(text: str) -> str:
    return " ".join(token for token, _ in _tokens(text))


def _plain(token: str) -> str:
    """A variable is printed with its sort at its first occurrence only: X:Sort is X."""
    match = _VARIABLE.match(token)
    return match.group(1) if match else token


_Node = tuple[str, tuple[int, ...]]
_Item = tuple[str | None, int]
"""A token or None for something parenthesised, and the node it denotes."""


class _TermReader:
    """Reads texts to node numbers; equal numbers are terms equal modulo the signature's axioms."""

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._numbers: dict[_Node, int] = {}
        self._nodes: list[_Node] = []

    def read(self, text: str) -> int:
        stack: list[tuple[str | None, list[_Item]]] = [(None, [])]
        for token, adjacent in _tokens(text):
            if token == "(":
                run = stack[-1][1]
                name = run.pop()[0] if adjacent and run and _is_name(run[-1][0]) else None
                stack.append((name, []))
            elif token == ")" and len(stack) > 1:
                name, run = stack.pop()
                stack[-1][1].append((None, self._run(run) if name is None else self._prefix(name, run)))
            else:
                stack[-1][1].append((_plain(token), self._number((_plain(token), ()))))
        return self._run([item for _, run in stack for item in run])

    def _number(self, node: _Node) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[node]

    def _prefix(self, name: str, run: Sequence[_Item]) -> int:
        """`f(a,b)`: the name touches its parenthesis."""
        arguments = [self._run(part) for part in _split(run, {i for i, item in enumerate(run) if item[0] == ","})]
        return self._application(f"{name}(", name, arguments)

    def _run(self, run: Sequence[_Item]) -> int:
        """The items between two parentheses: split at the loosest infix token, else juxtaposed or mixfix."""
        if len(run) == 1:
            return run[0][1]
        places = self._infix_places(run)
        if not places:
            return self._juxtaposed(run)
        loosest = max((self._looseness(token), token) for token in places.values())[1]
        parts = _split(run, {place for place, token in places.items() if token == loosest})
        return self._application(f"_{loosest}_", loosest, [self._run(part) for part in parts])

    def _looseness(self, token: str) -> int:
        return 1000 if token == "," else self._signature.axioms[token].prec

    def _infix_places(self, run: Sequence[_Item]) -> dict[int, str]:
        places: dict[int, str] = {}
        for place in range(1, len(run) - 1):
            token = run[place][0]
            if token is not None and (token == "," or token in self._signature.infix) and place - 1 not in places:
                places[place] = token
        return places

    def _juxtaposed(self, run: Sequence[_Item]) -> int:
        arguments = [number for _, number in run]
        if any(token in self._signature.keywords for token, _ in run):
            return self._number(("mixfix", tuple(arguments)))
        return self._application("__", JUXTAPOSITION, arguments)

    def _application(self, label: str, token: str, arguments: Sequence[int]) -> int:
        axioms = self._signature.axioms.get(token, Axioms())
        if axioms.assoc:
            arguments = [inner for number in arguments for inner in self._flattened(label, number)]
        return self._number((label, tuple(sorted(arguments) if axioms.comm else arguments)))

    def _flattened(self, label: str, number: int) -> tuple[int, ...]:
        """Arguments are already flat, so one level is enough."""
        name, arguments = self._nodes[number]
        return arguments if name == label and arguments else (number,)


def _is_name(token: str | None) -> bool:
    return token is not None and token not in "()[]{},"


def _split(run: Sequence[_Item], places: set[int]) -> list[Sequence[_Item]]:
    edges = [-1, *sorted(places), len(run)]
    return [run[start + 1 : end] for start, end in pairwise(edges)]
