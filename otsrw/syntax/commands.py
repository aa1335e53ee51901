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
    TACTIC = "after the words and brackets that its shape in `SHAPES` lists"


EXTENTS: dict[str, Extent] = {}
"""The extent of each command by its keyword; an unsupported command has the extent `BRACKETS`."""


def _commands(extent: Extent, keywords: str) -> None:
    EXTENTS.update((keyword, extent) for keyword in keywords.split())


_commands(Extent.TERM, "red reduce bred breduce exec execute exec! parse lparse match start inv generate")
_commands(Extent.STEP, "apply choose")
_commands(Extent.FILE, "in input load require provide protect unprotect ipsgopen set-output :save-proof :enableCsFirst")
_commands(Extent.FILE, "set-cores :infer-proof :generate-proof")
_commands(Extent.BRACKETS, ":proof")
_commands(
    Extent.LINE,
    "show sh describe desc set eof quit q regularize check prompt cd pwd ls "
    "dirs full autoload no cont rewrite delimiter inspect tram trace save restore reset clean "
    "names look version unify pushd popd dribble ? ?? ?ex ?example ?ap ?apropos",
)

SHAPES: dict[str, tuple[str, ...]] = {}
"""What follows the keyword of a `TACTIC`, wherever its lines end: parts that `TacticPart` explains."""


class TacticPart:
    """The parts of shapes. `to?w` is a word after the word `to`, or nothing; `on?` is the word `on`, or nothing."""

    WORD = "w"
    GROUP = "#"
    """Brackets and what is in them."""
    OPTIONAL_GROUP = "?#"
    PERIOD = "?."
    """A period, or nothing."""
    TERM = "..."
    """All up to a period that stands alone."""
    UP_TO_GROUP = "..#"
    """All up to the end of the next brackets."""
    LINE = "$"
    TACTIC = "tactic"
    """A tactic with its own shape, or a group."""


def _tactics(shape: str, keywords: str) -> None:
    _commands(Extent.TACTIC, keywords)
    SHAPES.update((keyword, tuple(shape.split())) for keyword in keywords.split())


# CITP, and what CiMPA of CafeInMaude adds to it
_tactics("#", ":goal :ctf :ctf- :csp :csp- :set :order :sel :proven :is-proven :cvs :csv :csvs :cvss")
_tactics("to?w #", ":apply")
_tactics("on? #", ":ind :induction")
_tactics("w =? tactic", ":def :define")
_tactics("as?w # by?# ?.", ":init")
_tactics("# by?# ?.", ":imp :imply")
_tactics("# ?#", ":use")
_tactics("# ?# as?w into?w", ":embed")
_tactics("w", ":select :roll :verbose :spoiler :normalize :backward")
_tactics("...", ":red :exec :bred :lred :binspect binspect :bgrind bgrind")
_tactics("..#", ":theory")
_tactics("# w #", ":cp")
_tactics("?.", ":postpone :auto :reset :equation :rule")
_tactics("$", ":show :sh :describe :desc :bshow bshow :bresolve bresolve :bguess bguess :bg bg")

UNSUPPORTED: set[str] = set()
"""Commands of CafeOBJ that are refused; a word that starts with a colon and is no command is refused as well."""


def _unsupported(keywords: str) -> None:
    UNSUPPORTED.update(keyword for keyword in keywords.split() if keyword not in EXTENTS)


_unsupported("lisp lispq ev evq eval-lisp !")
_unsupported(":ordinary :nf :opt")
_unsupported("flag param db sigmatch bsort resolve option sos")
_unsupported("hidden-axioms")
