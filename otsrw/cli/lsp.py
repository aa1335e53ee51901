"""`otsrw lsp`: the language server. It needs the extra `lsp`."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec

from otsrw.cli import exits


def execute(_: argparse.Namespace) -> int:
    if find_spec("pygls") is None:
        print("otsrw lsp needs the extra 'lsp': pip install 'otsrw[lsp]'", file=sys.stderr)
        return exits.USAGE
    from otsrw.editor import serve

    serve()
    return exits.HOLDS
