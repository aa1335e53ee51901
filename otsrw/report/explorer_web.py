"""The explorer as a page on this machine (extra `web`): starlette and uvicorn, bound to loopback.

An address holds the verbs performed so far, and each answer is that of performing them from the first run on: an
address is a permalink. Answers to the addresses before are remembered, because a verb may expand a state. Tables that
are not full are filled by a thread; the page says `grow` when it hears that more is known.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from otsrw.report.chart_drawing import chart_svg
from otsrw.report.charts import Chart
from otsrw.report.exhibit import KEYS, LEGEND, OTHER_KEYS, Exhibit, key_names, place_line, refusal, rows_of
from otsrw.report.explore import answer_document
from otsrw.report.html import render_page
from otsrw.report.pictures import played
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.exploration import Answer, apply
from otsrw.traces.formats import write_itf
from otsrw.traces.situations import ExplorationTables, Scene
from otsrw.traces.trace import Trace
from otsrw.traces.verbs import VERBS, Verb, VerbName, read_verb

HOST = "127.0.0.1"
MAX_VERBS = 2000
MAX_ANSWERS = 200
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_BROWSER_KEYS = {"right": "ArrowRight", "left": "ArrowLeft"}


def application(exhibit: Exhibit, on_show: Callable[[Answer], None]) -> Starlette:
    """Four addresses: the page, what verbs answer at their end, the run they lead to, and how full the tables are.

    `on_show` is told each answer that somebody asked for. The handlers are coroutines without a break, so requests
    are answered one after the other.
    """
    page = _page(exhibit)
    answers = RememberedAnswers(exhibit.tables)
    filling = BackgroundFilling(exhibit)

    def answered(request: Request, response: Callable[[str, Answer], Response]) -> Response:
        commands = request.query_params.getlist("verb")
        if len(commands) > MAX_VERBS:
            return JSONResponse({"error": f"more than {MAX_VERBS} verbs"}, 400)
        try:
            with exhibit.alone():
                answer = answers.to(commands)
                on_show(answer)
                return response(commands[-1] if commands else "look", answer)
        except OtsrwError as error:
            return JSONResponse({"error": error.problem.message}, 400)

    async def show_page(_: Request) -> Response:
        return HTMLResponse(page)

    async def show_state(request: Request) -> Response:
        return answered(
            request, lambda command, answer: _json(state_document(exhibit.at(answer.tables), command, answer))
        )

    async def show_trace(request: Request) -> Response:
        return answered(request, lambda _, answer: _download(write_itf(_trace(exhibit, answer))))

    async def show_level(_: Request) -> Response:
        return JSONResponse({"level": filling.ready})

    routes = [
        Route("/", show_page),
        Route("/state", show_state),
        Route("/trace.itf.json", show_trace),
        Route("/level", show_level),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False)
    return Starlette(routes=routes, middleware=[Middleware(_WithHeaders), hosts], lifespan=filling.running)


class BackgroundFilling:
    """Fills tables in a thread while the server runs."""

    def __init__(self, exhibit: Exhibit) -> None:
        self._exhibit = exhibit
        self._stopped = threading.Event()
        self.ready = 0 if exhibit.tables.level is None else exhibit.tables.level.number
        """The greatest level that is ready."""

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """The thread lives while this is entered."""
        thread = threading.Thread(target=self._fill, daemon=True)
        if self._exhibit.fills:
            thread.start()
        yield
        self._stopped.set()
        if thread.ident is not None:
            thread.join()

    def _fill(self) -> None:
        for level in self._exhibit.levels(self._stopped.is_set):
            self.ready = level


class RememberedAnswers:
    """What the last of some commands answers, if all are performed from the start; that of `look` if there is none.

    An answer is a function of the commands. The last `MAX_ANSWERS` are remembered, so that one more command is one
    verb.
    """

    def __init__(self, tables: ExplorationTables) -> None:
        self._first = apply(tables, tables.start, Verb(VerbName.LOOK))
        self._known: dict[tuple[str, ...], Answer] = {}

    def to(self, commands: Sequence[str]) -> Answer:
        verbs = [read_verb(command) for command in commands]
        given = tuple(commands)
        known = next(length for length in range(len(given), -1, -1) if not length or given[:length] in self._known)
        answer = self._known[given[:known]] if known else self._first
        for verb in verbs[known:]:
            answer = apply(answer.tables, answer.situation, verb)
        self._known[given] = answer
        if len(self._known) > MAX_ANSWERS:
            del self._known[next(iter(self._known))]
        return answer


def _trace(exhibit: Exhibit, answer: Answer) -> Trace:
    return exhibit.at(answer.tables).trace(answer.situation.scene)


def _page(exhibit: Exhibit) -> str:
    verbs = [
        {"name": v.name, "argument": v.argument, "meaning": v.meaning, "keys": key_names(v.name)}
        for v in (VERBS[name] for name in KEYS)
    ]
    keys = {_BROWSER_KEYS.get(key, key): name for name, keys in KEYS.items() for key in keys}
    return render_page(
        "explore.html",
        title=exhibit.title,
        size=exhibit.size,
        picture=played(exhibit.picture, exhibit.trace(exhibit.tables.start.scene)),
        verbs=verbs,
        others=OTHER_KEYS,
        legend=LEGEND,
        settings={"keys": keys, "arguments": {v.name: v.argument for v in VERBS.values() if v.argument}},
    )


class _WithHeaders:
    """Adds `HEADERS` to every answer: browsers must not store it, frame it or guess its type."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *given]
            await send(message)

        await self._app(scope, receive, sending)


def _json(document: dict[str, Any]) -> Response:
    return Response(json.dumps(document, ensure_ascii=False), media_type="application/json")


def _download(trace: str) -> Response:
    name = {"Content-Disposition": 'attachment; filename="trace.itf.json"'}
    return Response(trace, media_type="application/json", headers=name)


def state_document(exhibit: Exhibit, command: str, answer: Answer) -> dict[str, Any]:
    """Everything the page shows."""
    exhibit = exhibit.at(answer.tables)
    scene, view = answer.situation.scene, answer.view
    run = exhibit.run(scene)
    steps = exhibit.steps(scene, run)
    chart = exhibit.chart(run)
    return {
        **answer_document(command, answer),
        "level": 0 if exhibit.tables.level is None else exhibit.tables.level.number,
        "filling": exhibit.fills,
        "size": exhibit.size,
        "place": place_line(view, None if view.event is None else steps[view.focus + 1].label),
        "notice": refusal(answer),
        "run": [
            {
                "label": step.label,
                "neighbourhood": step.neighbourhood,
                "violated": step.violated,
                "loops": step.loops,
            }
            for step in steps
        ],
        "label": "" if view.event is None else str(view.event),
        "rows": [
            {"observer": row.observer, "now": row.now, "then": row.then, "changed": row.changed}
            for row in rows_of(view, run)
        ],
        "bookmarks": list(answer.situation.bookmarks),
        "picture": _frames(exhibit, scene, [step.label for step in steps[1:]]),
        "chart": None if chart is None else chart_document(chart, view.focus),
    }


def _frames(exhibit: Exhibit, scene: Scene, labels: list[str]) -> dict[str, Any] | None:
    """What the player of the picture shows for the run on display."""
    found = played(exhibit.picture, exhibit.trace(scene), labels)
    return None if found is None else {"frames": found["frames"], "labels": found["labels"]}


def chart_document(chart: Chart, focus: int) -> dict[str, Any]:
    """Lanes, events with what is written at them, and all that as a picture."""
    return {
        "lanes": list(chart.lanes),
        "svg": chart_svg(chart, focus),
        "events": [
            {
                "title": event.title,
                "actor": event.actor,
                "receiver": event.receiver,
                "messages": list(event.messages),
                "notes": list(event.notes),
                "forged": event.forged,
            }
            for event in chart.events
        ],
    }


def listening_socket(port: int) -> socket.socket:
    """A socket that listens on a port of loopback, which other machines cannot reach."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        hint = "give another one with --port; 0 takes one that is free"
        raise OtsrwError("E533", f"cannot use port {port}: {reason}", hint=hint) from None
    return listening


def server_of(exhibit: Exhibit, on_show: Callable[[Answer], None]) -> uvicorn.Server:
    return uvicorn.Server(uvicorn.Config(application(exhibit, on_show), log_level="warning"))


def serve(exhibit: Exhibit, port: int) -> Answer:
    """Serve until interrupted; returns the answer that was shown last."""
    shown = deque([apply(exhibit.tables, exhibit.tables.start, Verb(VerbName.LOOK))], maxlen=1)
    with listening_socket(port) as listening:
        print(f"exploring on http://{HOST}:{listening.getsockname()[1]}/ (Ctrl-C ends)", flush=True)
        with suppress(KeyboardInterrupt):
            server_of(exhibit, shown.append).run([listening])
    return shown[0]
