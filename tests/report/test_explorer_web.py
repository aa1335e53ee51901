"""The page of the explorer, served as it is in use."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from specifications import instance_of, invariant_named, ots_of_file

from otsrw.report.sequence import people_of, sequence_of
from otsrw.report.simplify import Claim
from otsrw.traces import Explorer, Label, Lts, Trace
from otsrw.traces.observed import observed_graph

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")

from otsrw.report.explorer_web import HOST, application  # noqa: E402


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    instance = instance_of(ots_of_file("hotel.cafe"))
    graph = observed_graph(instance, None, invariant_named(instance, "safe"))
    app = application(Explorer(graph.lts, graph.safety), Claim(invariant="safe"), "<hotel>.cafe", ("g0", "g1"))
    server = uvicorn.Server(uvicorn.Config(app, host=HOST, port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://{HOST}:{port}"
    server.should_exit = True
    thread.join()


def state(address: str, script: str) -> Any:
    with urllib.request.urlopen(f"{address}/state?{urllib.parse.urlencode({'script': script})}") as response:
        return json.load(response)


def test_the_page_stands_alone(address: str) -> None:
    with urllib.request.urlopen(f"{address}/") as response:
        text = response.read().decode()
    assert "safe in &lt;hotel&gt;.cafe" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "connect-src 'self'" in text
    assert 'data-verb="forward"' in text


def test_an_address_holds_the_choices(address: str) -> None:
    first = state(address, "")
    moved = state(address, "forward;pick entry;forward")
    assert moved["view"]["focus"] == 2
    assert [step["label"] for step in moved["run"]][:3] == ["initially", "check-in(g0,r0,k1)", "entry(g0,r0,k1)"]
    assert state(address, "") == first
    assert moved["view"]["types"]["reentry"] == "possible"
    assert moved["message"] == "state 2 of 5; then check-out(g0,r0)"


def test_a_wrong_verb_is_told(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        state(address, "fly")
    assert refused.value.code == 400
    assert json.load(refused.value) == {"error": "no such verb: 'fly'"}


def test_other_hosts_are_not_served(address: str) -> None:
    request = urllib.request.Request(f"{address}/", headers={"Host": "example.org"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 400


def test_a_sequence_chart_shows_who_does_what_to_whom() -> None:
    labels = [
        None,
        Label("send", ("p1", "intr", "n")),
        Label("fake1", ("p1", "p2", "m")),
        Label("note", ("p2",)),
        Label("tick"),
    ]
    trace = Trace.of([(label, {"x": 0}) for label in labels])
    arrows = sequence_of(trace, ("p1", "p2", "intr"))
    assert [(a.source, a.target, a.text) for a in arrows] == [
        ("p1", "intr", "send(n)"),
        ("intr", "p2", "fake1(m), as p1"),
        ("p2", "p2", "note"),
        (None, None, "tick"),
    ]


def test_people_are_the_entities_that_meet_in_labels() -> None:
    lts = Lts.of(2, [0], [(0, "send(p1,intr,k)", 1), (1, "open(k)", 0)])
    assert people_of(lts, {"Key": ("k", "l"), "Prin": ("p1", "intr")}) == ("p1", "intr")
    assert people_of(lts, {"Key": ("k", "l")}) == ()
    assert people_of(lts, {}) == ()
