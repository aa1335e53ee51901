"""A hint belongs to the module that contains it or, between modules, to the next one."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

from otsrw.application import load_specification
from otsrw.ots.hints import modules_in
from otsrw.syntax.source import Source

SYSTEM = """\
mod* {name} {{
  {inside}
  *[{sort}]* [Pid]
  op init : -> {sort}
  bop pc : {sort} Pid -> Bool
  bop go : {sort} Pid -> {sort}
  op safe : {sort} -> Bool
  op live : {sort} -> Bool
  var S : {sort} vars I J : Pid
  eq pc(init, I) = false .
  eq pc(go(S, J), I) = if I = J then true else pc(S, I) fi .
  eq safe(S) = true .
  eq live(S) = true .
}}
"""


def system(name: str, inside: str = "") -> str:
    return SYSTEM.format(name=name, sort=f"{name}State", inside=inside)


def suggested(tmp_path: Path, text: str, module: str) -> tuple[str, ...]:
    path = tmp_path / "hints.cafe"
    path.write_text(text, encoding="utf-8")
    return load_specification(str(path)).recognised(module).ots.suggested


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (system("A", "-- @ invariant safe") + system("B"), ("safe",), ()),
        (system("A") + system("B", "-- @ invariant safe"), (), ("safe",)),
        (system("A", "-- @ invariant safe") + system("B", "-- @ invariant live"), ("safe",), ("live",)),
        (system("A") + "-- @ invariant live\n" + system("B"), (), ("live",)),
        ("-- @ invariant safe\n" + system("A") + system("B"), ("safe",), ()),
        (system("A") + system("B") + "-- @ invariant live\n", ("live",), ("live",)),
        (system("A", "-- a brace } in a comment\n  -- @ invariant safe") + system("B"), ("safe",), ()),
    ],
    ids=["inside the first", "inside the second", "inside both", "between", "before", "after", "after a brace"],
)
def test_a_hint_has_one_home(tmp_path: Path, text: str, first: tuple[str, ...], second: tuple[str, ...]) -> None:
    assert suggested(tmp_path, text, "A") == first
    assert suggested(tmp_path, text, "B") == second


def test_modules_are_found_with_their_braces() -> None:
    text = "mod! A { op {_} : S -> S } -- mod! X {\nmodule* B {\n signature { [ S ] } }\n"
    places = modules_in(Source("f", text))
    assert [text[start] + text[end] for start, end in places] == ["m}", "m}"]
    assert [text[start : start + 8] for start, _ in places] == ["mod! A {", "module* "]


@pytest.mark.parametrize("words", ["2", "pid1 pid2"])
def test_a_number_in_a_hint_stands_for_so_many_entities(words: str, tmp_path: Path) -> None:
    path = tmp_path / "hints.cafe"
    path.write_text(f"-- @ with Pid = {words}\n" + system("A"), encoding="utf-8")
    recognised = load_specification(str(path)).recognised()
    assert len(recognised.entities()["Pid"]) == 2
    assert len(recognised.instantiated().instance.slots) == 2


@pytest.mark.parametrize("words", ["Pid = p1 p2", "Pid = p1, p2", "Pid=p1,p2", "Pid = p1 , p2"])
def test_entities_are_separated_by_blanks_or_commas(tmp_path: Path, words: str) -> None:
    path = tmp_path / "hints.cafe"
    path.write_text(f"-- @ with {words}\n" + system("A"), encoding="utf-8")
    assert load_specification(str(path)).recognised("A").entities() == {"Pid": ("p1", "p2")}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Pid = p1 p2 ; Job = j", "error E501: these entities are not understood: 'p1 p2 ; Job = j'"),
        ("Pid = p1 Job = j", "error E501: these entities are not understood: 'p1 Job = j'"),
        ("Pid = {p1 p2}", "error E501: these entities are not understood: '{p1 p2}'"),
        ("Pod = p1 p2", "error E502: there is no sort 'Pod' in module A"),
    ],
)
def test_entities_that_are_not_understood_are_shown_where_they_stand(tmp_path: Path, words: str, told: str) -> None:
    path = tmp_path / "hints.cafe"
    path.write_text(f"\n-- @ with {words}\n" + system("A"), encoding="utf-8")
    lines = run("search", str(path), "--inv", "safe")[2].splitlines()
    assert lines[:2] == [f"{path}:2:6: {told}", f" 2 | -- @ with {words}"]
