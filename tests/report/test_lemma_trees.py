"""Trees of lemmas in 80 columns, however deep they are."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache

import pytest
from rich.console import Console
from specifications import SPECS, instance_of, ots_of

from otsrw.induction import IgfResult, IgfVerdict, Options, igf
from otsrw.induction.results import Dropped
from otsrw.report.igf import MOST_LEVELS, lemma_trees
from otsrw.report.short_trees import MOST_DROPPED, MOST_LEMMAS, left_out_line, shortened
from otsrw.search import RewritingSpace


@cache
def one() -> IgfResult:
    ots = ots_of((SPECS / "tas.cafe").read_text(encoding="utf-8"))
    invariant = next(each for each in ots.invariants if each.name == "mutex")
    return igf(ots, RewritingSpace(instance_of(ots, {"Pid": ("p1", "p2")})), invariant, Options(depth=1))


def chain(length: int) -> IgfResult:
    """A proof in which every lemma was found for the one before it."""
    root = one().nodes["mutex"]
    nodes = {"mutex": root}
    for number in range(1, length + 1):
        parent = "mutex" if number == 1 else f"lemma{number - 1}"
        nodes[f"lemma{number}"] = replace(root, parent=parent, transition="enter")
    return replace(one(), nodes=nodes)


def shown(result: IgfResult) -> list[str]:
    written = io.StringIO()
    console = Console(file=written, width=80)
    for tree in lemma_trees(result):
        console.print(tree)
    return written.getvalue().splitlines()


@pytest.mark.parametrize("length", [1, MOST_LEVELS, MOST_LEVELS + 1, 20])
def test_every_lemma_has_half_of_the_line(length: int) -> None:
    lines = shown(chain(length))
    assert max(map(len, lines)) <= 80
    labels = [line for line in lines if "  for enter" in line]
    assert [line.split("+ ")[1].split(" ")[0] for line in labels] == [f"lemma{n}" for n in range(1, length + 1)]
    assert max(line.index("+") for line in labels) <= 40
    titles = [line for line in lines if line.startswith("below ")]
    assert titles == [f"below lemma{number}" for number in range(MOST_LEVELS, length, MOST_LEVELS)]
    continued = [line.split("+ ")[1].split(" ")[0] for line in labels if line.rstrip().endswith("continued below")]
    assert [f"below {name}" for name in continued] == titles


def test_all_lemmas_of_a_proof_are_shown_and_few_that_were_dropped() -> None:
    dropped = tuple(Dropped("f", "it is false", True) for _ in range(MOST_DROPPED + 2))
    result = replace(chain(40), dropped=dropped)
    short = shortened(result)
    assert short.result.nodes == result.nodes
    assert (len(short.result.dropped), short.lemmas) == (MOST_DROPPED, 0)
    assert left_out_line(short) == "not shown: 2 dropped lemmas; --full shows all"


@pytest.mark.parametrize("length", [MOST_LEMMAS, MOST_LEMMAS + 1, 40])
def test_of_a_long_run_without_a_verdict_few_lemmas_are_shown(length: int) -> None:
    dropped = tuple(Dropped("f", "it is false", True) for _ in range(MOST_DROPPED + 1))
    nodes = {name: replace(node, depth=number) for number, (name, node) in enumerate(chain(length).nodes.items())}
    short = shortened(replace(chain(length), verdict=IgfVerdict.UNKNOWN, nodes=nodes, dropped=dropped))
    assert list(short.result.nodes) == ["mutex", *(f"lemma{n}" for n in range(1, MOST_LEMMAS + 1))]
    assert short.lemmas == length - MOST_LEMMAS
    assert (" and " in left_out_line(short)) == (length > MOST_LEMMAS)
    assert "1 dropped lemma;" in left_out_line(short)


def test_the_way_to_a_violation_is_shown_at_both_ends() -> None:
    way = ("mutex", *(f"lemma{number}" for number in range(1, 41)))
    result = replace(chain(40), verdict=IgfVerdict.FALSIFIED, chain=way)
    kept = shortened(result).result.nodes
    assert {"lemma40", "lemma39", "lemma1", "lemma2"} <= set(kept)
    assert kept["lemma37"].parent in kept
    assert len(kept) == MOST_LEMMAS + 1
