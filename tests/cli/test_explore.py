"""The contract of `otsrw explore`: scripts, documents, exit codes; the hotel of the paper as an OTS."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import document, run, schema, spec
from specifications import instance_of, invariant_named, ots_of_file
from traces.systems import walk

from otsrw.search import maude_or_rewriting
from otsrw.syntax.source import Source
from otsrw.traces import Explorer
from otsrw.traces.formats import read_itf
from otsrw.traces.observed import observed_graph

HOTEL = (spec("hotel.cafe"), "--inv", "safe")


def test_one_object_a_verb() -> None:
    found = document("explore", *HOTEL, "--script", "pick check-in; forward; pick entry; pick reentry; mark here; undo")
    assert list(found) == list(schema("explore")["properties"])
    verbs = [(a["verb"], a["answer"]) for a in found["answers"]]
    assert verbs == [
        ("pick check-in", "possible"),
        ("forward", "possible"),
        ("pick entry", "possible"),
        ("pick reentry", "impossible"),
        ("mark here", "possible"),
        ("undo", "possible"),
    ]
    assert found["answers"][1]["view"]["types"] == {
        "check-in": "impossible",
        "check-out": "possible",
        "entry": "possible",
        "reentry": "impossible",
    }
    assert found["answers"][0]["view"]["changed"] == ["last-key(r0)", "occupant(r0)", "gkeys(g0)"]


def test_every_answer_is_a_counterexample() -> None:
    found = document("explore", *HOTEL, "--script", "forward; pick entry; forward; forward")
    assert found["trace"]["states"][-1]["observers"]["event"] == "opened(g0,r0)"
    assert found["trace"]["states"][-1]["observers"]["occupant(r0)"] == "g1"


def test_simulation_has_no_property() -> None:
    found = document(
        "explore", spec("counter.cafe"), "--depth", "2", "--script", "pick inc; forward; pick inc; forward; forward"
    )
    assert found["property"] is None
    assert [a["answer"] for a in found["answers"]] == ["possible"] * 4 + ["unknown"]
    assert found["trace"]["states"][-1]["observers"] == {"a": 3}


def test_a_run_that_loops() -> None:
    found = document(
        "explore", spec("abp.cafe"), "--depth", "4", "--inev", "rec2", "--script", "forward; forward; forward"
    )
    assert found["property"] == {"kind": "inevitability", "labels": ["rec2"]}
    assert found["trace"]["loop"] is not None


def test_a_system_of_another_tool(tmp_path: Path) -> None:
    (tmp_path / "t.aut").write_text('des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n')
    found = document("explore", str(tmp_path / "t.aut"), "--script", "pick a; forward")
    assert found["answers"][1]["view"]["observers"] == {"state": 1}


def test_a_state_is_shown_with_what_the_formula_remembers(tmp_path: Path) -> None:
    """State 0 comes twice: before `make`, when `use` is fatal, and after it."""
    file = tmp_path / "store.aut"
    file.write_text('des (0, 4, 3)\n(0, "make", 1)\n(1, "back", 0)\n(0, "use", 2)\n(1, "use", 1)\n')
    formula = "((not use) W make) and [] (back -> X not make)"
    script = "look; pick make; forward; forward; forward"
    found = document("explore", str(file), "--ltl", formula, "--script", script)
    first, *_, again, last = (answer["view"] for answer in found["answers"])
    assert first["observers"] == again["observers"] == {"state": 0}
    assert (first["neighbourhood"], again["neighbourhood"]) == (True, True)
    assert first["still_to_do"] == ["((not use) W make) and ([] (back -> (X (not make))))", "violated whatever follows"]
    assert again["still_to_do"][0] != first["still_to_do"][0]
    assert last["still_to_do"] == ["violated whatever follows"]
    out = run("explore", str(file), "--ltl", formula, "--script", "look")[1]
    assert "│ * │ (still to do) │ " in out


def test_the_run_is_written(tmp_path: Path) -> None:
    file = tmp_path / "t.itf.json"
    run("explore", *HOTEL, "--script", "forward", "--itf", str(file))
    trace = read_itf(Source("t", file.read_text("utf-8")))
    assert [s.label.transition for s in trace.states if s.label] == ["check-in", "check-out", "check-in", "entry"]


def test_text_shows_two_states_and_says_what_differs() -> None:
    code, out, err = run("explore", *HOTEL, "--script", "look; pick reentry")
    assert (code, err) == (0, "")
    assert "state 0 of 4; then check-in(g0,r0,k1)" in out
    assert "│ * │ occupant(r0) │ nobody  │ g0 " in out
    assert "possible: check-in; impossible: check-out, entry, reentry" in out
    assert "impossible: no reentry leads to a violation from here" in out
    assert out.splitlines()[-1].startswith("1 of 2 verbs done; run: check-in(g0,r0,k1) check-out(g0,r0)")


EXITS = {
    "no-such-verb": (("hotel.cafe", "--script", "fly"), 2),
    "no-terminal": (("hotel.cafe",), 2),
    "holds": (("sanitary-agency.cafe", "--inv", "one-service", "--script", "look"), 0),
    "holds-within-the-bound": (("abp.cafe", "--inv", "reliable", "--depth", "4", "--script", "look"), 3),
    "no-such-file": (("nowhere.cafe", "--script", "look"), 150),
    "both-properties": (("hotel.cafe", "--inv", "safe", "--inev", "entry", "--script", "look"), 2),
}


@pytest.mark.parametrize(("arguments", "code"), EXITS.values(), ids=list(EXITS))
def test_exit_code(arguments: tuple[str, ...], code: int) -> None:
    assert run("explore", spec(arguments[0]), *arguments[1:])[0] == code


def test_nothing_to_explore_is_said() -> None:
    found = document("explore", spec("sanitary-agency.cafe"), "--inv", "one-service", "--script", "look")
    assert found["nothing_to_explore"] == "no run violates the property at all: one-service"
    assert found["answers"] == []


NAMES = {"In": "check-in", "Out": "check-out", "Entry": "entry", "Reentry": "reentry"}
ROWS = {
    "hotel.cafe": "In1; Out1 +Entry; In0 +Entry; Entry1; Reentry1 +Out,Entry",
    "hotel-2-13.cafe": "In1; Entry1 +Out; Out1 +Reentry; In0 +Reentry; Reentry1; Reentry1 +Out,Entry",
    "hotel-3-23.cafe": "In2; Out2 +In,Entry; In1 +Entry; Entry2 +In; Reentry2 +In,Out,Entry",
    "hotel-3-114.cafe": "In2; Out2 +Entry; In1 +Entry; Entry2 +Out; Reentry2 +Out,Entry",
    "hotel-4-116.cafe": "In3; Out3 +Entry; In2 +Entry; Entry3 +Out; Reentry3 +Out,Entry",
}


def explorer_of(file: str, depth: int | None) -> Explorer:
    instance = instance_of(ots_of_file(file))
    graph = observed_graph(maude_or_rewriting(instance), depth, invariant_named(instance, "safe"), 50_000)
    return Explorer(graph.lts, graph.safety)


def check_row(file: str, depth: int | None) -> None:
    walk(explorer_of(file, depth), ROWS[file], NAMES)


@pytest.mark.parametrize("file", ROWS)
def test_a_row_of_the_hotel_table(file: str) -> None:
    check_row(file, None)
