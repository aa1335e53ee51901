"""A headless Chromium for pictures and for tests: real keys and clicks, through its debugging pipe.

Nothing but the browser is needed: messages are JSON with a zero byte after each, on two inherited file descriptors.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 30
_CODES = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Tab": 9}

_CUT_OFF = """(() => {
  const width = document.documentElement.clientWidth, style = e => getComputedStyle(e).overflowX;
  const scrolls = e => e && (["auto", "scroll"].includes(style(e)) || scrolls(e.parentElement));
  const beyond = e => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement);
  const cut = [...document.body.querySelectorAll("*")].filter(beyond);
  const page = document.documentElement.scrollWidth > width + 1 ? ["the page is too wide"] : [];
  return [...page, ...cut.slice(0, 5).map(e => `${e.tagName} ${e.id} ${e.textContent.slice(0, 40)}`)];
})()"""


class BrowserProblem(Exception):
    """The browser did not answer, or a page did not do what was waited for."""


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One tab; what its console says, and what goes wrong in it, is in `complaints`."""

    def __init__(self, pipe: _Pipe, session: str) -> None:
        self._pipe = pipe
        self._session = session
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    @property
    def complaints(self) -> list[str]:
        self.run("0")
        return self._pipe.complaints

    def call(self, method: str, **parameters: Any) -> Any:
        return self._pipe.call(method, parameters, self._session)

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete'")

    def resize(self, width: int, height: int, dark: bool = False, scale: float = 1) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def run(self, script: str) -> Any:
        """What an expression is worth on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserProblem(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        self.wait_until(lambda: self.run(script), script)

    def wait_until(self, done: Callable[[], Any], what: str = "it") -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                raise BrowserProblem(f"waited in vain for {what}")
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """A key as a user presses it: a character, or a name such as ArrowRight."""
        code = _CODES.get(key, ord(key.upper()[0]))
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if key.isupper() and len(key) == 1 else 0}
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, selector: str) -> None:
        """A click in the middle of an element, which has to be the topmost there."""
        quoted = json.dumps(selector)
        place = self.run(
            f"(() => {{ const e = document.querySelector({quoted}); if (!e) return null;"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " const x = r.x + r.width / 2, y = r.y + r.height / 2, top = document.elementFromPoint(x, y);"
            " return top && (e === top || e.contains(top)) ? [x, y] : null; })()"
        )
        if place is None:
            raise BrowserProblem(f"nothing to click: {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def cut_off(self) -> list[str]:
        """What reaches beyond the window where nothing scrolls; the window itself if it scrolls sideways."""
        found: list[str] = self.run(_CUT_OFF)
        return found

    def close(self) -> None:
        self.call("Page.close")

    def screenshot(self, file: Path, whole: bool = False) -> None:
        taken = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(taken["data"]))


class _Pipe:
    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._numbers = itertools.count(1)
        self._rest = b""
        self.complaints: list[str] = []

    def call(self, method: str, parameters: dict[str, Any], session: str | None = None) -> Any:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != number:
                self._note(answer)
            elif "error" in answer:
                raise BrowserProblem(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            if not select.select([self._read], [], [], PATIENCE)[0]:
                raise BrowserProblem("the browser does not answer")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise BrowserProblem("the browser has ended")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        given = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(given["exceptionDetails"].get("exception", {}).get("description")))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in given["args"]))
        elif event.get("method") == "Log.entryAdded":
            self.complaints.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")


class Browser:
    """A browser with a profile of its own, which is removed at the end."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._to_write = os.pipe()
        self._from_read, to_write = os.pipe()
        flags = ["--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe"]
        flags += [f"--user-data-dir={self._profile.name}", "--disable-dev-shm-usage", "about:blank"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        move = f'exec 3<&{to_read} 4>&{to_write}; exec "$0" "$@"'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", move, program, *flags],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._pipe = _Pipe(self._to_write, self._from_read)

    def page(self) -> Page:
        target = self._pipe.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self._pipe.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self._pipe.complaints.clear()
        return Page(self._pipe, session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._pipe.call("Browser.close", {})
            self._process.wait(10)
        except (BrowserProblem, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._to_write)
        os.close(self._from_read)
        self._profile.cleanup()
