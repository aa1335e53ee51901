"""The graph of a small system as a picture, and terms that break where they should."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.report.html import breakable
from otsrw.report.state_graph import MAX_STATES, fitted, layers_of, state_graph
from otsrw.traces import Lts, Safety
from otsrw.traces.simplification import simplify_safety

systems = st.integers(1, 8).flatmap(
    lambda states: st.tuples(
        st.just(states),
        st.lists(
            st.tuples(st.integers(0, states - 1), st.sampled_from("ab<"), st.integers(0, states - 1)), max_size=20
        ),
    )
)


@settings(max_examples=100)
@given(systems)
def test_every_state_and_every_transition_is_drawn(system: tuple[int, list[tuple[int, str, int]]]) -> None:
    states, edges = system
    lts = Lts.of(states, [0], edges)
    drawn = str(state_graph(simplify_safety(lts, Safety(frozenset([states - 1])))))
    assert drawn.count('<circle class="state') == states
    assert drawn.count('class="line ') == len({(source, target) for source, _, target in edges})
    titles = re.findall(r"<title>(?!state )(.*?)</title>", drawn)
    assert sum(len(title.replace("&lt;", "<").split("; ")) for title in titles) == len(edges)
    assert sorted(state for layer in layers_of(lts) for state in layer) == list(range(states))
    places = re.findall(r'<circle class="state" cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert len(set(places)) == states


def test_a_greater_system_is_not_drawn() -> None:
    edges = [(state, "a", state + 1) for state in range(MAX_STATES)]
    assert state_graph(simplify_safety(Lts.of(MAX_STATES + 1, [0], edges), Safety())) is None


@pytest.mark.parametrize("digits", range(1, 9))
def test_numbers_fit_their_circles(digits: int) -> None:
    size = re.search(r"font-size: ([\d.]+)px", fitted("9" * digits, 26))
    assert 0.6 * (float(size[1]) if size else 13) * digits <= 26.5


def test_a_term_breaks_between_words_only() -> None:
    markup = str(breakable("check-in(g0,<r0> , k)"))
    words = re.findall(r'<span class="word">(.*?)</span>', markup)
    assert words == ["check-in(", "g0,", "&lt;r0&gt; ", ",", " ", "k)"]
    assert "".join(words).replace("&lt;", "<").replace("&gt;", ">") == "check-in(g0,<r0> , k)"
