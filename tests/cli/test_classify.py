"""The contract of `otsrw classify`: the paper's examples as OTSs, predicates in the specification language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from commands import document, run, schema, spec


def constraints(found: Any) -> list[str]:
    return [c["constraint"] for c in found["classes"]]


EVE = spec("alice-bob-eve.cafe")


@pytest.mark.parametrize(("bound", "counterexamples"), [("2", 38), ("3", 430)])
def test_the_two_classes_of_the_running_example(bound: str, counterexamples: int) -> None:
    found = document("classify", EVE, "--depth", bound, "--lasts")
    assert list(found) == list(schema("classify")["properties"])
    assert found["counterexamples"] == counterexamples
    assert found["hidden"] == ["eve-seen"]
    assert constraints(found) == [
        "exists i: send.1@i = plaintext and send.3@i = true",
        "exists i, j: i < j and send.1@i = encrypted and send.3@j = true",
    ]
    assert all(c["canonical"] for c in found["classes"])


def test_what_the_invariant_mentions_is_shown_on_demand() -> None:
    found = document("classify", EVE, "--depth", "2", "--show", "eve-seen")
    assert constraints(found) == ["exists i: eve-seen@i = true"]
    assert found["classes"][0]["covers"] == 38


def test_facts_are_told_in_parts() -> None:
    second = document("classify", EVE, "--depth", "2")["classes"][1]
    assert second["facts"] == [
        {"kind": "before", "text": "i < j", "positions": ["i", "j"]},
        {
            "kind": "equals",
            "text": "send.1@i = encrypted",
            "positions": ["i"],
            "variable": "send.1",
            "value": "encrypted",
        },
        {"kind": "equals", "text": "send.3@j = true", "positions": ["j"], "variable": "send.3", "value": "true"},
    ]


def test_both_engines_agree() -> None:
    pytest.importorskip("z3")
    explicit, symbolic = (
        document("classify", spec("counter.cafe"), "--depth", "2", "--engine", e) for e in ("explicit", "z3")
    )
    assert constraints(explicit) == constraints(symbolic)
    assert symbolic["counterexamples"] is None


COUNTER = (spec("counter.cafe"), "--depth", "2", "--only", "--predicates")
PREDICATES = """mod! P { pr(COUNTER) ops below above other : Sys -> Bool var S : Sys
  eq below(S) = a(S) < 1 . eq above(S) = a(S) > 1 . eq other(S) = not (a(S) == 1) . }"""


@pytest.mark.parametrize(
    ("operators", "expected", "explained"),
    [
        ("below", ["exists i: below[i]"], False),
        ("below above", ["exists i: below[i]", "exists i: above[i]"], True),
        ("below above other", ["exists i: other[i]"], True),
    ],
)
def test_the_a_example(tmp_path: Path, operators: str, expected: list[str], explained: bool) -> None:
    text = PREDICATES.replace("below above other", operators)
    lines = [part for part in text.split(" eq ") if part.split("(")[0] in operators.split() or part.startswith("mod!")]
    file = tmp_path / "p.cafe"
    file.write_text(" eq ".join(lines).rstrip(" }\n") + " }\n")
    found = document("classify", *COUNTER, str(file))
    assert constraints(found) == expected
    assert (found["unexplained"] is None) == explained


def test_the_bundled_predicates_of_the_counter() -> None:
    found = document("classify", *COUNTER, spec("predicates/counter.cafe"))
    assert found["predicates"] == ["below-one", "above-one"]
    assert constraints(found) == ["exists i: below-one[i]", "exists i: above-one[i]"]


REPEATS = """mod! REPEATS {
  pr(ALICE-BOB-EVE)
  op repeats : Sys Sys -> Bool
  op secret : Sys -> Bool
  vars S S' : Sys
  var T : Type
  var P : Prin
  var B : Bool
  eq secret(init) = false .
  eq secret(send(S, T, P, B)) = B .
  eq repeats(S, S') = secret(S) and secret(S') and (eve-key(S') == key-ab) .
}
"""


def test_predicates_see_labels_and_observers(tmp_path: Path) -> None:
    file = tmp_path / "p.cafe"
    file.write_text(REPEATS)
    found = document("classify", EVE, "--depth", "2", "--predicates", str(file))
    assert found["predicates"] == ["repeats"], "what a predicate is defined by is none itself"
    assert len(found["classes"]) == 3
    assert "repeats[i, j]" in found["classes"][0]["constraint"]
    assert found["classes"][0]["covered_by"]
    assert constraints(found)[1:] == constraints(document("classify", EVE, "--depth", "2"))


def test_a_predicate_that_is_not_defined_everywhere_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "p.cafe"
    file.write_text(REPEATS.replace("  eq secret(init) = false .\n", ""))
    code, _, err = run("classify", EVE, "--depth", "1", "--predicates", str(file))
    assert (code, "E513" in err) == (75, True)


def test_the_page_shows_every_class_with_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "classes.html"
    code, _, err = run("classify", EVE, "--depth", "2", "--html", str(file))
    text = file.read_text("utf-8")
    assert (code, err) == (12, "")
    assert "exists i: send.1@i = plaintext and send.3@i = true" in re.sub("<[^>]*>", "", text)
    assert text.count("<section") == 2
    assert text.count("of 38 counterexamples.") == 2
    assert "A canonical trace" in text
    assert "<script" not in text


def test_the_page_tells_which_class_is_the_image_of_which(tmp_path: Path) -> None:
    pages = []
    for number, more in enumerate(([], ["--symmetry"])):
        file = tmp_path / f"{number}.html"
        run("classify", spec("bakery-flawed.cafe"), "--depth", "6", "--html", str(file), *more)
        pages.append(re.sub(r"\s+", " ", file.read_text("utf-8")))
    assert 'This is <a href="#class-1">class 1</a> with p2 and p3 exchanged.' in pages[0]
    assert "There are also the classes with p2 and p3 exchanged; with p1 for p3, p2 for p1, p3 for p2." in pages[1]


def test_the_page_tells_what_cannot_be_characterised(tmp_path: Path) -> None:
    predicates, file = tmp_path / "p.cafe", tmp_path / "classes.html"
    predicates.write_text("mod! P { pr(COUNTER) op below : Sys -> Bool eq below(S:Sys) = a(S) < 1 . }")
    run("classify", *COUNTER, str(predicates), "--html", str(file))
    text = file.read_text("utf-8")
    assert "Not characterised" in text
    assert "also true of a trace that satisfies the property" in text


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    code, _, err = run("classify", EVE, "--depth", "1", "--html", str(tmp_path / "no" / "x.html"))
    assert (code, "E307" in err) == (2, True)


EXITS = {
    "violated": ((EVE, "--depth", "1"), 12),
    "holds": ((spec("tas.cafe"), "--with", "Pid=2", "--inv", "mutex", "--depth", "3"), 0),
    "no-such-variable": ((EVE, "--show", "eve-sen"), 2),
    "no-such-file": (("nowhere.cafe",), 150),
    "no-such-predicates": ((EVE, "--predicates", "nowhere.cafe"), 150),
    "no-predicates-in-file": ((EVE, "--predicates", spec("counter.cafe")), 150),
}


@pytest.mark.parametrize(("arguments", "code"), EXITS.values(), ids=list(EXITS))
def test_exit_code(arguments: tuple[str, ...], code: int) -> None:
    assert run("classify", *arguments)[0] == code
    errors = document("classify", *arguments)["errors"]
    assert bool(errors) == (code in (2, 150))


def test_the_verdict_is_the_last_line() -> None:
    out = run("classify", EVE, "--depth", "2")[1]
    assert out.splitlines()[-1].startswith("violated: unread; 2 classes of 38 counterexamples; bound 2, 4 states")
    assert "covers 30 of 38 counterexamples; a canonical trace:" in out


def test_states_that_were_left_out_are_told_in_the_verdict() -> None:
    arguments = (spec("counter.cafe"), "--depth", "4")
    cut = (*arguments, "--max-states", "3")
    code, out, _ = run("classify", "-q", *cut)
    assert (code, "; states were left out" in out) == (12, True)
    assert document("classify", *cut)["expanded"] is False
    assert document("classify", *arguments)["expanded"] is True
    assert "left out" not in run("classify", "-q", *arguments)[1]


def test_verbose_shows_traces_as_tables() -> None:
    assert "what changed" in run("classify", EVE, "--depth", "2", "-v")[1]


def test_numbers_of_counterexamples_that_nobody_could_list() -> None:
    found = document("classify", EVE, "--depth", "100")
    assert len(found["classes"]) == 2
    assert found["counterexamples"] > 10**90


@pytest.mark.slow
def test_the_public_key_protocol_has_three_classes_with_man_in_the_middle() -> None:
    arguments = (spec("nspk.cafe"), "--depth", "4", "--hide", "nw", "--hide", "rand")
    generic = document("classify", *arguments)
    assert constraints(generic) == [
        "exists i: send3.2@i = intr and send3.4@i = n(p2,p1,next(seed))",
        "exists i: send3.2@i = intr and send3.4@i = n(p1,p2,next(seed))",
    ]
    middle = document("classify", *arguments, "--predicates", spec("predicates/nspk-man-in-the-middle.cafe"))
    assert constraints(middle) == ["exists i, j, k: manInTheMiddle[i, j, k]", *constraints(generic)]
    assert middle["classes"][0]["covered_by"] == [1, 2]
    replay = document("classify", *arguments, "--predicates", spec("predicates/nspk-replay.cafe"))
    assert constraints(replay) == constraints(generic), "no attack is a replay"


@pytest.mark.slow
@pytest.mark.parametrize("bound", ["10", "100"])
@pytest.mark.parametrize(
    ("name", "hidden", "predicates", "summary"),
    [
        (
            "needham-schroeder-symmetric-scope",
            ["nw", "log", "rand"],
            "nss-replay",
            "exists i, j, k: event@k = accept and replay[i, j, k]",
        ),
        ("nspk-scope", ["nw", "rand"], "nspk-man-in-the-middle", "exists i, j, k: manInTheMiddle[i, j, k]"),
    ],
    ids=["symmetric", "public-key"],
)
def test_in_a_scope_the_paper_has_as_many_classes(
    name: str, hidden: list[str], predicates: str, summary: str, bound: str
) -> None:
    arguments = (
        spec(f"{name}.cafe"),
        "--inv",
        "secrecy",
        "--depth",
        bound,
        *(w for h in hidden for w in ("--hide", h)),
    )
    generic = document("classify", *arguments)
    assert len(generic["classes"]) == 2
    found = document("classify", *arguments, "--predicates", spec(f"predicates/{predicates}.cafe"))
    assert constraints(found) == [summary, *constraints(generic)]


@pytest.mark.slow
def test_the_symmetric_protocol_has_three_classes_with_replay() -> None:
    hidden = ("--hide", "nw", "--hide", "log", "--hide", "rand")
    arguments = (spec("needham-schroeder-symmetric.cafe"), "--depth", "9", *hidden)
    found = document("classify", *arguments, "--predicates", spec("predicates/nss-replay.cafe"))
    assert constraints(found) == [
        "exists i, j, k: event@k = accept and replay[i, j, k]",
        "exists i, j: i < j and replay.1@i = tick(bob,key(alice,bob,next(seed)),alice) and event@j = accept",
        "exists i, j: i < j and replay.1@i = tick(alice,key(bob,alice,next(seed)),bob) and event@j = accept",
    ]
    assert [c["covers"] for c in found["classes"]] == [8, 4, 4]


def test_nothing_has_to_be_hidden_for_the_classes_of_the_paper() -> None:
    found = document("classify", spec("nspk-scope.cafe"), "--depth", "10")
    assert constraints(found) == [
        r"exists i: enc3(intr,n(p2,p1,next(seed))) \in nw@i",
        r"exists i: enc3(intr,n(p1,p2,next(seed))) \in nw@i",
    ]
    assert found["classes"][0]["facts"] == [
        {
            "kind": "contains",
            "text": r"enc3(intr,n(p2,p1,next(seed))) \in nw@i",
            "positions": ["i"],
            "variable": "nw",
            "element": "enc3(intr,n(p2,p1,next(seed)))",
        }
    ]
    assert [(c["image_of"], c["renamings"]) for c in found["classes"]] == [(None, []), (0, [{"p1": "p2", "p2": "p1"}])]


@pytest.mark.parametrize("name", ["tas-flawed.cafe", "hotel.cafe"])
def test_every_counterexample_is_in_a_class(name: str) -> None:
    found = document("classify", spec(name), "--depth", "6")
    assert found["classes"]
    assert found["unexplained"] is None


def test_mirror_images_are_one_class_on_demand() -> None:
    """No equation says that processes of the bakery are interchangeable; its graph does."""
    every, ideas = (document("classify", spec("bakery-flawed.cafe"), "--depth", "6", *o) for o in ([], ["--symmetry"]))
    assert [c["image_of"] for c in every["classes"]] == [None, 0, 0]
    assert len(ideas["classes"]) == 1
    assert [len(renaming) for renaming in ideas["classes"][0]["renamings"]] == [2, 3]
    assert "1 class up to renaming" in run("classify", spec("bakery-flawed.cafe"), "--depth", "6", "--symmetry")[1]


def test_counterexamples_of_a_formula_have_classes(tmp_path: Path) -> None:
    """Somebody may wait for ever in TAS: the others take turns, and the trace is a loop."""
    found = document("classify", spec("tas.cafe"), "--ltl", "[] (pc(p1) = rs -> <> pc(p1) = cs)", "--depth", "4")
    assert found["property"]["kind"] == "temporal"
    assert constraints(found) == ["exists i: leave.1@i = p2", "exists i: leave.1@i = p3"]
    assert found["classes"][0]["representative"]["loop"] == 0
    assert "( enter(p2) leave(p2) ) for ever" in run("classify", spec("tas.cafe"), "--ltl", "[]<> pc(p1) = cs")[1]


def test_files_of_labels_are_classified(tmp_path: Path) -> None:
    file = tmp_path / "t.aut"
    file.write_text('des (0, 4, 4)\n(0, "PUT !1", 1)\n(0, "PUT !2", 2)\n(1, "GET", 3)\n(2, "LOSS", 3)\n')
    found = document("classify", str(file), "--inev", "GET")
    assert found["hidden"] == ["state"]
    assert constraints(found) == ["exists i: event@i = LOSS"]
    assert run("classify", str(file), "--ltl", "[] not LOSS")[0] == 13
    assert run("classify", str(file))[0] == 2


def test_whether_classes_last_is_tried_and_told() -> None:
    """A class by its place is sufficient for ever, but does not cover what comes later."""
    found = document("classify", spec("tas-flawed.cafe"), "--lasts")["lasts"]
    assert (found["tried"], found["bound"]) == (True, None)
    assert [c["lasts"] for c in found["classes"]] == [True]
    assert found["covers"]["lasts"] is False
    assert len(found["covers"]["run"]["states"]) > 6, "longer than the bound of 5"
    out = run("classify", spec("hotel.cafe"), "--lasts", "6")[1]
    assert "does it last? tried with runs of up to 6 steps," in out
    assert "class 3 does not: this run has its facts and violates nothing:" in out
    assert "the classes cover all counterexamples" in out


def test_classes_of_a_protocol_last_for_runs_of_any_length() -> None:
    predicates = ("--predicates", "specs/predicates/nspk-man-in-the-middle.cafe")
    found = document("classify", spec("nspk-scope.cafe"), "--depth", "4", *predicates, "--lasts")["lasts"]
    assert found["bound"] is None
    assert [c["lasts"] for c in found["classes"]] == [True] * 3
    assert found["covers"] == {"lasts": True, "run": None}


def test_the_images_of_a_class_count_for_what_is_covered() -> None:
    arguments = (spec("bakery-flawed.cafe"), "--depth", "6", "--lasts", "7")
    every, ideas = document("classify", *arguments), document("classify", *arguments, "--symmetry")
    assert [c["lasts"] for c in every["lasts"]["classes"]] == [False] * 3
    assert [c["lasts"] for c in ideas["lasts"]["classes"]] == [False]
    assert every["lasts"]["covers"] == ideas["lasts"]["covers"]
    assert every["lasts"]["covers"]["lasts"] is True


def test_no_larger_bound_is_told() -> None:
    found = document("classify", spec("bakery-flawed.cafe"), "--depth", "6", "--lasts", "--max-states", "150")
    assert found["lasts"] == {"tried": False}
    assert run("classify", spec("bakery-flawed.cafe"), "--depth", "6", "--lasts", "6")[0] == 2


def test_classes_of_a_formula_and_of_a_file_last(tmp_path: Path) -> None:
    formula = "[] (pc(p1) = rs -> <> pc(p1) = cs)"
    found = document("classify", spec("tas.cafe"), "--ltl", formula, "--depth", "4", "--lasts")
    assert [c["lasts"] for c in found["lasts"]["classes"]] == [True, True]
    assert [c["image_of"] for c in found["classes"]] == [None, 0], "the formula names p1 only"
    file = tmp_path / "t.aut"
    file.write_text('des (0, 4, 3)\n(0, "PUT", 1)\n(1, "GET", 0)\n(1, "LOSS", 2)\n(1, "PUT", 2)\n')
    lasts = document("classify", str(file), "--ltl", "[] (PUT -> X (GET || LOSS))", "--depth", "2", "--lasts")["lasts"]
    assert (lasts["bound"], lasts["states"]) == (None, 3)
    assert [c["lasts"] for c in lasts["classes"]] == [False], "PUT GET PUT has two PUT"
