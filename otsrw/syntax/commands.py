"""The keywords that start a command, and how far the command extends.

A new family of commands lists its keywords here; what they do stands in `otsrw/proofs/families.py`. The reader makes a
`TermCommand` of a keyword whose extent is `TERM` or `STEP`, and a `LineCommand` of every other.
"""

from __future__ import annotations

from enum import Enum


class Extent(Enum):
    """Where a command ends."""

    TERM = "at the period after a term"
    STEP = "after the place that ends an `apply` or `choose`"
    FILE = "after a file name: at a period, or at the end of the line"
    LINE = "at the end of the line"
    BRACKETS = "at the end of the line, or of the brackets opened on it"


EXTENTS: dict[str, Extent] = {}
"""The extent of each command by its keyword; an unsupported command has the extent `BRACKETS`."""


def _commands(extent: Extent, keywords: str) -> None:
    EXTENTS.update((keyword, extent) for keyword in keywords.split())


_commands(Extent.TERM, "red reduce bred breduce exec execute exec! parse lparse match start inv generate")
_commands(Extent.STEP, "apply choose")
_commands(Extent.FILE, "in input load require provide protect unprotect ipsgopen set-output :save-proof :enableCsFirst")
_commands(
    Extent.LINE,
    "show sh describe desc set eof quit q regularize check prompt cd pwd ls "
    "dirs full autoload no cont rewrite delimiter inspect tram trace save restore reset clean "
    "names look version unify pushd popd dribble ? ?? ?ex ?example ?ap ?apropos",
)

UNSUPPORTED: set[str] = set()
"""Commands of CafeOBJ that are refused; a word that starts with a colon and is no command is refused as well."""


def _unsupported(keywords: str) -> None:
    UNSUPPORTED.update(keyword for keyword in keywords.split() if keyword not in EXTENTS)


_unsupported("lisp lispq ev evq eval-lisp !")
_unsupported(
    ":goal :apply :ind :init :def :ctf :csp :auto :roll :show :describe :select :backward :equation :rule :cp :red "
    ":exec :bred :set :spoiler :verbose :normalize :ordinary :use :embed :theory :is-proven :proven :postpone :sel "
    ":infer-proof :imp :nf :opt"
)
_unsupported("set-cores flag param db sigmatch bsort resolve option sos binspect bguess bresolve bshow")
_unsupported("hidden-axioms")
