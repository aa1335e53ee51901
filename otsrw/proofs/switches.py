"""`set`: the switches of a session."""

from __future__ import annotations

from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree


def set_switch(command: tree.LineCommand, workspace: Workspace) -> None:
    """Change a setting; CafeOBJ's other switches are accepted and do nothing."""
    settings = workspace.settings
    words = [word for word in command.line.split() if word != "."]
    match words:
        case ["trace", ("on" | "off") as value] | ["trace", "whole", ("on" | "off") as value]:
            settings.trace = value == "on"
        case ["auto", "context", ("on" | "off") as value]:
            settings.auto_context = value == "on"
        case ["accept", "=*=", "proof", ("on" | "off") as value]:
            settings.accepts_proofs = value == "on"
        case ["include", "BOOL", ("on" | "off") as value]:
            workspace.library.include_bool = value == "on"
        case ["libpath", "+", paths]:
            settings.library_path += _folders(paths)
        case ["libpath", paths]:
            settings.library_path = _folders(paths)
        case _:
            workspace.library.warn("W106", f"the switch {' '.join(words)!r} has no effect in otsrw", command.span)


def _folders(paths: str) -> list[str]:
    return [path for path in paths.split(":") if path]
