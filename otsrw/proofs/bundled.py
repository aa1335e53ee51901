"""Where the bundled specifications and proofs are: in the checkout, or inside the installed package."""

from __future__ import annotations

from pathlib import Path


def bundled_folder(name: str) -> Path:
    """`specs` or `proofs`."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / name
    return checkout if checkout.is_dir() else package / "bundled" / name


def library_folder() -> str:
    """The folder of the data library, where `in` looks last."""
    return str(bundled_folder("specs") / "library")
