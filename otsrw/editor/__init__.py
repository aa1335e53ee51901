"""The language server: what an editor asks about texts that are being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.editor.project import TextProject
    from otsrw.editor.server import serve
else:
    __getattr__ = entries(__name__, project="TextProject", server="serve")

__all__ = ["TextProject", "serve"]
