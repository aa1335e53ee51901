"""The page of the explorer, served as it is in use: what it answers, and to whom."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from commands import run, spec

from otsrw.report.exhibit import KEYS
from otsrw.syntax.source import Source
from otsrw.traces.exploration import Answer
from otsrw.traces.formats import read_itf
from otsrw.traces.verbs import VERBS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


from otsrw.report.explorer_web import HOST, MAX_VERBS
from report.exhibits import choices, growing, hotel, protocol
from report.serving import serving


def ask(address: str, path: str, *verbs: str) -> str:
    query = urllib.parse.urlencode([("verb", verb) for verb in verbs])
    with urllib.request.urlopen(f"{address}{path}?{query}") as response:
        text: str = response.read().decode()
        return text


def state(address: str, *verbs: str) -> Any:
    return json.loads(ask(address, "/state", *verbs))


def test_the_page_stands_alone() -> None:
    with serving(choices()) as address:
        text = ask(address, "/")
    assert "&lt;spec&gt;.cafe: runs that violate safe" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "connect-src 'self'" in text
    assert [verb.name for verb in VERBS.values() if verb.meaning not in text] == []
    assert set(KEYS) == set(VERBS)


def test_an_address_holds_the_choices() -> None:
    with serving(hotel()) as address:
        first = state(address)
        moved = state(address, "forward", "pick entry", "forward")
        assert state(address) == first
    assert moved["view"]["focus"] == 2
    labels = [step["label"] for step in moved["run"]]
    assert labels[:3] == ["initially", "check-in(g0, r0, k1)", "entry(g0, r0, k1)"]
    assert [step["violated"] for step in moved["run"]] == [False] * 5 + [True]
    assert moved["view"]["types"]["reentry"] == "possible"
    assert (moved["place"], moved["notice"]) == ("state 2 of 5; next: check-out(g0, r0)", "")


def test_a_permalink_does_not_depend_on_what_others_ask() -> None:
    """Requests at the same time, each with its own verbs."""
    asked = [("forward",), ("parameters",), ("parameters", "parameters"), ("mark a", "forward"), ()] * 6
    with serving(choices()) as address, ThreadPoolExecutor(6) as pool:
        alone = [state(address, *verbs) for verbs in asked[:5]] * 6
        assert list(pool.map(lambda verbs: state(address, *verbs), asked)) == alone
    assert [found["bookmarks"] for found in alone[:5]] == [[], [], [], ["a"], []]
    assert alone[2]["notice"] == "impossible: every send event has been shown"


def test_the_situation_that_was_asked_for_last_is_told() -> None:
    """`--itf` writes the run on display at the end, also for the page."""
    told: list[Answer] = []
    with serving(choices(), told.append) as address:
        state(address, "forward")
        ask(address, "/trace.itf.json", "parameters")
        with pytest.raises(urllib.error.HTTPError):
            state(address, "fly")
    assert [answer.view.focus for answer in told] == [1, 0]


def test_a_verb_that_cannot_be_done_says_why_and_where_one_still_is() -> None:
    with serving(choices()) as address:
        found = state(address, "pick tick")
    assert found["notice"] == "unknown: not known within the bound"
    assert found["place"] == "state 0 of 2; neighbourhood; next: send(a)"


def test_differences_of_collections_are_told_by_element() -> None:
    with serving(protocol()) as address:
        network = next(row for row in state(address, "forward")["rows"] if row["observer"] == "nw")
    assert network == {
        "observer": "nw",
        "now": [["", "enc1(intr,n(p1,intr,seed),p1)"]],
        "then": [["", "enc1(intr,n(p1,intr,seed),p1)"], ["+", "enc1(p2,n(p1,intr,seed),p1)"]],
        "changed": True,
    }


def test_a_protocol_has_a_chart_with_its_messages() -> None:
    with serving(protocol()) as address, serving(choices()) as other:
        chart = state(address)["chart"]
        assert state(other)["chart"] is None
    assert sorted(chart["lanes"]) == ["intr", "p1", "p2"]
    assert "fake1(p1, p2, n(p1,intr,seed))" in chart["svg"]
    assert [(e["actor"], e["receiver"], e["messages"], e["forged"]) for e in chart["events"]] == [
        ("p1", "intr", ["enc1(intr,n(p1,intr,seed),p1)"], False),
        ("intr", "p2", ["enc1(p2,n(p1,intr,seed),p1)"], True),
        ("p2", "p1", ["enc2(p1,n(p1,intr,seed),n(p2,p1,next(seed)))"], False),
    ]


def test_the_run_is_exported() -> None:
    with serving(hotel()) as address:
        trace = read_itf(Source("t", ask(address, "/trace.itf.json", "forward", "pick entry")))
    assert str(trace.states[2].label) == "entry(g0,r0,k1)"


REFUSED = {
    "no-such-verb": (["fly"], "no such verb: 'fly'"),
    "an-argument-too-many": (["forward", "back 2"], "wrong use of a verb: 'back 2'"),
    "too-many": (["look"] * (MAX_VERBS + 1), f"more than {MAX_VERBS} verbs"),
}


@pytest.mark.parametrize(("verbs", "message"), REFUSED.values(), ids=list(REFUSED))
def test_wrong_verbs_are_refused(verbs: list[str], message: str) -> None:
    with serving(choices()) as address, pytest.raises(urllib.error.HTTPError) as refused:
        state(address, *verbs)
    assert refused.value.code == 400
    assert json.load(refused.value) == {"error": message}


@pytest.mark.parametrize("path", ["/", "/state", "/trace.itf.json"])
@pytest.mark.parametrize("host", ["example.org", "example.org:8765", "127.0.0.1.example.org", "localhost.example.org"])
def test_other_names_of_this_machine_are_not_served(path: str, host: str) -> None:
    """A page from elsewhere that has its name lead to loopback (DNS rebinding) learns nothing."""
    with serving(choices()) as address:
        request = urllib.request.Request(f"{address}{path}", headers={"Host": host})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
    assert (refused.value.code, refused.value.read()) == (400, b"Invalid host header")


def test_only_loopback_is_bound() -> None:
    with serving(choices()) as address:
        port = urllib.parse.urlsplit(address).port
        assert urllib.parse.urlsplit(address).hostname == HOST
        for elsewhere in ("127.0.0.2", *others()):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((elsewhere, port), timeout=2)


def others() -> list[str]:
    """Addresses of this machine that are not loopback."""
    found = {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return sorted(address for address in found if not address.startswith("127."))


def test_an_answer_is_for_this_page_only() -> None:
    with serving(choices()) as address, urllib.request.urlopen(f"{address}/state") as response:
        given = response.headers
    assert given["Access-Control-Allow-Origin"] is None
    assert given["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert given["Cache-Control"] == "no-store"


def test_a_port_in_use_is_told() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = run("explore", spec("hotel.cafe"), "--inv", "safe", "--web", "--port", str(port))
    assert (code, out) == (2, "")
    assert f"E533: cannot use port {port}: " in err
    assert "give another one with --port" in err


def test_tables_are_filled_while_the_page_is_open() -> None:
    """An address shows the same however full the tables are; `grow` at its end shows more."""
    with serving(growing(10)) as address, serving(hotel()) as whole:
        first = state(address, "forward")
        assert (first["filling"], "unknown yet" in first["view"]["types"].values()) == (True, True)
        while json.loads(ask(address, "/level"))["level"] == first["level"]:
            time.sleep(0.01)
        assert state(address, "forward") == first
        full = state(address, "forward", "fill")
        assert full["view"]["types"] == state(whole, "forward")["view"]["types"]
        assert (full["filling"], full["run"][1]["label"]) == (False, first["run"][1]["label"])
        assert state(address, "forward", "fill", "undo")["view"]["focus"] == 0
