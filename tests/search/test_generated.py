"""Random small systems: Maude sees the graph that our engine computes from the equations."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from specifications import instance_of, ots_of

from search.graphs import graph_by_maude, graph_by_rewriting

_COLLECTIONS = {
    "bag": "op _;_ : Coll Coll -> Coll {constr assoc comm id: void}",
    "set": "op _;_ : Coll Coll -> Coll {constr assoc comm id: void} eq (X ; X) = X .",
    "list": "op _;_ : Coll Coll -> Coll {constr assoc id: void}",
}
_COLOURS = ("red", "green", "blue")
_PIDS = ("p", "q")


@dataclass(frozen=True)
class Move:
    """A transition: conjuncts of its condition, what becomes of the three observers."""

    conjuncts: tuple[str, ...]
    colour: str
    flag: str
    things: str
    takes: bool
    """Is an element of the collection taken apart from the rest?"""


colours = st.sampled_from([*_COLOURS, "colour(S)", "X"])
flags = st.sampled_from(["true", "false", "flag(S, J)", "not flag(S, J)", "flag(S, I)", "(colour(S) = X)"])


@st.composite
def atoms(draw: st.DrawFn) -> str:
    return draw(
        st.sampled_from(
            [
                f"(colour(S) = {draw(colours)})",
                "flag(S, I)",
                f"flag(S, {draw(st.sampled_from(_PIDS))})",
                f"({draw(colours)} in things(S))",
                f"(things(S) = {draw(st.sampled_from(['void', '(red ; green)', 'red']))})",
                "(I = p)",
            ]
        )
    )


@st.composite
def conjuncts(draw: st.DrawFn) -> str:
    one, other = draw(atoms()), draw(atoms())
    shape = draw(st.sampled_from(["{0}", "not {0}", "({0} or {1})", "({0} implies {1})", "not ({0} and {1})"]))
    return shape.format(one, other)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    takes = draw(st.booleans())
    things = ["things(S)", "(X ; things(S))", "void", "(red ; things(S))", *(["R", "(green ; R)"] if takes else [])]
    return Move(
        tuple(draw(st.lists(conjuncts(), max_size=2))),
        draw(colours),
        draw(flags),
        draw(st.sampled_from(things)),
        takes,
    )


def text_of(kind: str, given_moves: list[Move]) -> str:
    lines = [
        f"mod! DATA {{ [Pid] ops {' '.join(_PIDS)} : -> Pid {{constr}} [Colour < Coll]",
        f"  ops {' '.join(_COLOURS)} : -> Colour {{constr}} op void : -> Coll {{constr}}",
        "  vars X Y : Colour var L : Coll",
        f"  {_COLLECTIONS[kind]} op _in_ : Colour Coll -> Bool",
        "  eq X in void = false . eq X in (Y ; L) = (X = Y) or (X in L) . }",
        "mod* M { pr(DATA) *[Sys]* op init : -> Sys bop colour : Sys -> Colour bop flag : Sys Pid -> Bool",
        "  bop things : Sys -> Coll var S : Sys vars I J : Pid var X : Colour var R : Coll",
        "  eq colour(init) = red . eq flag(init, J) = (J = p) . eq things(init) = (red ; green) .",
    ]
    for number, move in enumerate(given_moves):
        name, rest = f"t{number}", (" Coll", ", R") if move.takes else ("", "")
        call = f"{name}(S, I, X{rest[1]})"
        conditions = [*(["(things(S) = (X ; R))"] if move.takes else []), *move.conjuncts] or ["true"]
        lines += [
            f"  bop {name} : Sys Pid Colour{rest[0]} -> Sys op c-{name} : Sys Pid Colour{rest[0]} -> Bool",
            f"  eq c-{call} = {' and '.join(conditions)} .",
            f"  ceq colour({call}) = {move.colour} if c-{call} .",
            f"  ceq flag({call}, J) = (if I = J then {move.flag} else flag(S, J) fi) if c-{call} .",
            f"  ceq things({call}) = {move.things} if c-{call} .",
            f"  ceq {call} = S if not c-{call} .",
        ]
    return "\n".join([*lines, "}"])


@given(st.sampled_from(sorted(_COLLECTIONS)), st.lists(moves(), min_size=1, max_size=3))
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_a_random_system_has_the_same_graph_in_both_engines(kind: str, given_moves: list[Move]) -> None:
    instance = instance_of(ots_of(text_of(kind, given_moves)))
    ours, depth = graph_by_rewriting(instance, 2)
    assert graph_by_maude(instance, depth) == ours
