"""The explorer as a page on this machine (extra `web`): starlette and uvicorn, bound to loopback.

The server has no state of its own: an address holds the verbs performed so far, and every request performs them anew
from the first run on. They are look-ups, so this is cheap, and each address is a permalink.
"""

from __future__ import annotations

import json
import threading
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from otsrw.report.explore import answer_line
from otsrw.report.html import render_page
from otsrw.report.sequence import Arrow, sequence_of
from otsrw.report.simplify import Claim
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.exploration import Explorer
from otsrw.traces.verbs import VERBS, answer_document, perform, script_commands

HOST = "127.0.0.1"
MAX_VERBS = 2000


def application(explorer: Explorer, claim: Claim, file: str, people: tuple[str, ...]) -> Starlette:
    """Two addresses: the page, and what a script of verbs answers at its end."""
    lock = threading.Lock()
    title = f"{claim} in {file}" if claim else file
    verbs = [{"name": v.name, "argument": v.argument, "meaning": v.meaning} for v in VERBS.values()]
    page = render_page("explore.html", title=title, verbs=verbs, types=explorer.types, states=explorer.lts.states)

    def show_page(request: Request) -> Response:
        del request
        return HTMLResponse(page)

    def show_state(request: Request) -> Response:
        commands = script_commands(request.query_params.get("script", ""))
        if len(commands) > MAX_VERBS:
            return JSONResponse({"error": f"more than {MAX_VERBS} verbs"}, 400)
        with lock:
            explorer.restart()
            try:
                return _json(_state(explorer, commands, people))
            except OtsrwError as error:
                return JSONResponse({"error": error.problem.message}, 400)

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(routes=[Route("/", show_page), Route("/state", show_state)], middleware=[hosts])


def _json(document: dict[str, Any]) -> Response:
    return Response(json.dumps(document, ensure_ascii=False), media_type="application/json")


def _state(explorer: Explorer, commands: list[str], people: tuple[str, ...]) -> dict[str, Any]:
    answer = explorer.look()
    for command in commands:
        answer = perform(explorer, command)
    trace, path = explorer.export(), explorer.path
    return {
        **answer_document(commands[-1] if commands else "look", answer),
        "message": answer_line(answer),
        "run": [
            {
                "label": "initially" if state.label is None else str(state.label),
                "neighbourhood": path.states[index] in explorer.neighbourhoods,
            }
            for index, state in enumerate(trace.states)
        ],
        "people": list(people),
        "chart": [_arrow(arrow) for arrow in sequence_of(trace, people)],
        "trace": trace.to_document(),
    }


def _arrow(arrow: Arrow) -> dict[str, Any]:
    return {"step": arrow.step, "source": arrow.source, "target": arrow.target, "text": arrow.text}


def serve(explorer: Explorer, claim: Claim, file: str, people: tuple[str, ...], port: int) -> None:
    """Until interrupted."""
    print(f"exploring on http://{HOST}:{port}/ (Ctrl-C ends)", flush=True)
    uvicorn.run(application(explorer, claim, file, people), host=HOST, port=port, log_level="warning")
