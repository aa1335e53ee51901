"""Text to tree: sources and spans, diagnostics, declarations and commands, the mixfix parser."""

from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span

__all__ = ["Diagnostic", "OtsrwError", "Source", "Span", "read"]
