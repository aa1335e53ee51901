"""One class name has one meaning in the package, and what a docstring names in backticks exists."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support import ROOT

PACKAGE = ROOT / "otsrw"
FOREIGN = frozenset(["a.M"])
"""What looks like a name of ours and is one of CafeOBJ."""
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_OURS = re.compile(r"_?([A-Z][a-z0-9]+){2,}|[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


@cache
def modules() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = ast.parse(path.read_text("utf-8"))
    return found


def types_of(module: ast.Module) -> Iterator[str]:
    """Classes, and aliases of types on the level of the module; constants are in capitals."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for statement in module.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Name) and re.match(r"_?[A-Z]", target.id) and not target.id.isupper():
                yield target.id


def test_a_class_name_has_one_meaning() -> None:
    counted = Counter(name for module in modules().values() for name in types_of(module))
    assert sorted(name for name, count in counted.items() if count > 1) == []


@cache
def known_names() -> frozenset[str]:
    """Every name that is defined, assigned or used anywhere in the package, and the names of its files."""
    found = set(dir(builtins))
    for name, module in modules().items():
        found.update(name.split("."))
        for node in ast.walk(module):
            match node:
                case ast.ClassDef(name=word) | ast.FunctionDef(name=word) | ast.AsyncFunctionDef(name=word):
                    found.add(word)
                case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word):
                    found.add(word)
                case ast.alias(name=words):
                    found.update(words.split("."))
    return frozenset(found)


def docstrings() -> Iterator[tuple[str, str]]:
    """Every docstring with its place; a string below an attribute counts as well."""
    for name, module in modules().items():
        for node in ast.walk(module):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text)), lineno=line):
                    yield f"{name}:{line}", text


def named(text: str) -> Iterator[str]:
    """What looks like a name of ours: several words in one, or dotted."""
    for quoted in _QUOTED.findall(text):
        word = quoted.removesuffix("()")
        if _OURS.fullmatch(word):
            yield word


def exists(word: str) -> bool:
    if word in FOREIGN or Path(ROOT / word).exists() or any(PACKAGE.rglob(word)):
        return True
    return all(part in known_names() for part in word.split("."))


def test_names_in_docstrings_exist() -> None:
    missing = [f"{place}: {word}" for place, text in docstrings() for word in named(text) if not exists(word)]
    assert missing == []
