"""The page of the explorer, served in a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from otsrw.report.exhibit import Exhibit
from otsrw.report.explorer_web import listening_socket, server_of
from otsrw.traces.exploration import Answer


@contextmanager
def serving(exhibit: Exhibit, on_show: Callable[[Answer], None] = lambda _: None) -> Iterator[str]:
    """The address of a server that ends with the block."""
    with listening_socket(0) as listening:
        server: uvicorn.Server = server_of(exhibit, on_show)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        host, port = listening.getsockname()
        yield f"http://{host}:{port}"
        server.should_exit = True
        thread.join()
