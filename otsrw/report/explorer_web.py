"""The explorer as a page on this machine (extra `web`): starlette and uvicorn, bound to loopback.

The server has no state of its own: an address holds the verbs performed so far, and every request performs them anew
from the first run on. They are look-ups, so this is cheap, and each address is a permalink.
"""

from __future__ import annotations

import json
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from otsrw.report.charts import FORGED, Chart, columns_of
from otsrw.report.exhibit import KEYS, LEGEND, OTHER_KEYS, Exhibit, key_names, place_line, refusal, rows_of
from otsrw.report.explore import answer_document
from otsrw.report.html import render_page
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.exploration import Answer, apply
from otsrw.traces.formats import write_itf
from otsrw.traces.situations import ExplorationTables, Situation
from otsrw.traces.verbs import VERBS, Verb, VerbName, read_verb

HOST = "127.0.0.1"
MAX_VERBS = 2000
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_BROWSER_KEYS = {"right": "ArrowRight", "left": "ArrowLeft"}


def application(exhibit: Exhibit, on_show: Callable[[Situation], None]) -> Starlette:
    """Three addresses: the page, what verbs answer at their end, and the run they lead to.

    `on_show` is told each situation that somebody asked for. The handlers are coroutines without a break, so requests
    are answered one after the other.
    """
    page = _page(exhibit)

    def answered(request: Request, response: Callable[[str, Answer], Response]) -> Response:
        commands = request.query_params.getlist("verb")
        if len(commands) > MAX_VERBS:
            return JSONResponse({"error": f"more than {MAX_VERBS} verbs"}, 400)
        try:
            answer = answer_of(exhibit.tables, commands)
        except OtsrwError as error:
            return JSONResponse({"error": error.problem.message}, 400)
        on_show(answer.situation)
        return response(commands[-1] if commands else "look", answer)

    async def show_page(_: Request) -> Response:
        return HTMLResponse(page)

    async def show_state(request: Request) -> Response:
        return answered(request, lambda command, answer: _json(state_document(exhibit, command, answer)))

    async def show_trace(request: Request) -> Response:
        return answered(request, lambda _, answer: _download(write_itf(exhibit.trace(answer.situation.scene))))

    routes = [Route("/", show_page), Route("/state", show_state), Route("/trace.itf.json", show_trace)]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"], www_redirect=False)
    return Starlette(routes=routes, middleware=[Middleware(_WithHeaders), hosts])


def answer_of(tables: ExplorationTables, commands: Iterable[str]) -> Answer:
    """What the last of some commands answers, if all are performed from the start; that of `look` if there is none."""
    answer = apply(tables, tables.start, Verb(VerbName.LOOK))
    for command in commands:
        answer = apply(tables, answer.situation, read_verb(command))
    return answer


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
    scene, view = answer.situation.scene, answer.view
    run = exhibit.run(scene)
    steps = exhibit.steps(scene, run)
    chart = exhibit.chart(run)
    return {
        **answer_document(command, answer),
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
        "chart": None if chart is None else chart_document(chart),
    }


def chart_document(chart: Chart) -> dict[str, Any]:
    """Lanes with their places, in characters; events with what is written at them."""
    return {
        "lanes": list(chart.lanes),
        "columns": columns_of(chart),
        "events": [
            {
                "title": event.title,
                "actor": event.actor,
                "receiver": event.receiver,
                "messages": list(event.messages),
                "notes": list(event.notes),
                "forged": event.title.startswith(FORGED),
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


def server_of(exhibit: Exhibit, on_show: Callable[[Situation], None]) -> uvicorn.Server:
    return uvicorn.Server(uvicorn.Config(application(exhibit, on_show), log_level="warning"))


def serve(exhibit: Exhibit, port: int) -> Situation:
    """Serve until interrupted; returns the situation that was asked for last."""
    shown = deque([exhibit.tables.start], maxlen=1)
    with listening_socket(port) as listening:
        print(f"exploring on http://{HOST}:{listening.getsockname()[1]}/ (Ctrl-C ends)", flush=True)
        with suppress(KeyboardInterrupt):
            server_of(exhibit, shown.append).run([listening])
    return shown[0]
