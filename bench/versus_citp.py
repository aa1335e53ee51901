"""CITP in CafeOBJ and in otsrw: what both close, and processor seconds. Needs `cafeobj` (1.6.0).

    python bench/versus_citp.py goals [--count 300]    generated goals: none that is false is discharged, and both agree
    python bench/versus_citp.py files FILE...          files with goals, one after the other; the least of three runs

`bench/take_home.py` has the scripts that igf writes. Exit code 12 if something is not as it should be.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from sections import circumstances, table
from tools import CAFEOBJ, OTSRW

ROOT = Path(__file__).parents[1]
CLOSED = "** All goals are successfully discharged."
_AGREES, _DIFFERS = 0, 12


class TimedRun(NamedTuple):
    """What a program printed, and its processor seconds; `code` is None if the limit was reached."""

    output: str
    code: int | None
    seconds: float


def timed(command: list[str], limit: float, folder: Path = ROOT) -> TimedRun:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code: int | None
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)
        output, code = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired as stopped:
        output, code = (stopped.stdout or b"").decode("utf-8", "replace"), None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return TimedRun(output, code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _seconds(run: TimedRun) -> float:
    return run.seconds


# --- files


def files(paths: list[str], limit: float) -> int:
    rows, code = [], _AGREES
    for path in map(Path, paths):
        folder = path.resolve().parent
        theirs, ours = (
            min((timed([*command, path.name], limit, folder) for _ in range(3)), key=_seconds)
            for command in (CAFEOBJ, (*OTSRW, "run"))
        )
        counts = [theirs.output.count(CLOSED), ours.output.count(CLOSED)]
        code = code if counts[0] == counts[1] else _DIFFERS
        rows.append([path.stem, str(counts[0]), f"{theirs.seconds:.2f}", str(counts[1]), f"{ours.seconds:.2f}"])
    _print(["file", "proofs closed by CafeOBJ", "cpu s", "proofs closed by otsrw", "cpu s"], rows)
    return code


# --- generated goals

DATA = """mod! DATA { [ N ]  [ L ]
  op z : -> N {constr} .   op s : N -> N {constr} .
  op nil : -> L {constr} .   op _;_ : N L -> L {constr} .
  op _+_ : N N -> N .   op d : N -> N .   op _<_ : N N -> Bool .   pred even : N .
  op len : L -> N .   op sum : L -> N .   op _++_ : L L -> L .   op _in_ : N L -> Bool .
  vars X Y : N   vars A B : L
  eq z + Y = Y .   eq s(X) + Y = s(X + Y) .   eq d(z) = z .   eq d(s(X)) = s(s(d(X))) .
  eq X < z = false .   eq z < s(Y) = true .   eq s(X) < s(Y) = X < Y .
  eq even(z) = true .   eq even(s(z)) = false .   eq even(s(s(X))) = even(X) .
  eq (z = s(X)) = false .   eq (s(X) = s(Y)) = (X = Y) .
  eq (nil = (X ; A)) = false .   eq ((X ; A) = (Y ; B)) = (X = Y) and (A = B) .
  eq len(nil) = z .   eq len(X ; A) = s(len(A)) .   eq sum(nil) = z .   eq sum(X ; A) = X + sum(A) .
  eq nil ++ B = B .   eq (X ; A) ++ B = X ; (A ++ B) .   eq X in nil = false .   eq X in (Y ; A) = (X = Y) or (X in A) .
}
"""
NUMBERS = ("x:N", "y:N")
LISTS = ("a:L", "b:L")
TACTICS = (
    "(si tc rd)",
    "(tc rd)",
    "(tc ip rd)",
    "(si tc ip rd)",
    "(rd)",
    "(si rd- tc ip+ rd)",
    "(si tc ct rd)",
    "(si tc nf rd)",
)
SPLITS = (
    ":ctf [ X@N . ]",
    ":ctf { eq X@N = z . }",
    ":ctf [ even(Y@N) . ]",
    ":ctf [ A@L . ]",
    ":ctf { eq X@N = Y@N . }",
)


LAWS = (
    ("(x:N + s(y:N))", "s(x:N + y:N)"),
    ("(x:N + z)", "x:N"),
    ("(x:N + (y:N + x:N))", "((x:N + y:N) + x:N)"),
    ("d(x:N)", "(x:N + x:N)"),
    ("even(d(x:N))", "true"),
    ("(x:N < s(x:N))", "true"),
    ("(x:N < x:N)", "false"),
    ("(x:N = s(x:N))", "false"),
    ("len(a:L ++ b:L)", "(len(a:L) + len(b:L))"),
    ("sum(a:L ++ b:L)", "(sum(a:L) + sum(b:L))"),
    ("((a:L ++ b:L) ++ a:L)", "(a:L ++ (b:L ++ a:L))"),
    ("(a:L ++ nil)", "a:L"),
    ("(x:N in (a:L ++ b:L))", "((x:N in a:L) or (x:N in b:L))"),
)
"""True sentences; a part of one is changed in every second goal that is made of it."""


class Claim(NamedTuple):
    """A sentence; the condition is None if it has none."""

    left: str
    right: str
    condition: str | None

    def text(self) -> str:
        if self.condition is None:
            return f"eq {self.left} = {self.right} ."
        return f"ceq {self.left} = {self.right} if {self.condition} ."


class GoalMaker:
    """Makes goals and proofs at random; many are false, some are true by induction."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(("z", "s(z)", *NUMBERS))
        inner, kind = depth - 1, self.random.randrange(6)
        if kind < 2:
            return f"({self.number(inner)} + {self.number(inner)})"
        if kind < 4:
            return f"{self.random.choice('sd')}({self.number(inner)})"
        return f"{self.random.choice(('len', 'sum'))}({self.list(inner)})"

    def list(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.35:
            return self.random.choice(("nil", *LISTS))
        if self.random.random() < 0.6:
            return f"({self.list(depth - 1)} ++ {self.list(depth - 1)})"
        return f"({self.number(depth - 1)} ; {self.list(depth - 1)})"

    def truth(self) -> str:
        kind = self.random.randrange(5)
        if kind == 0:
            return f"even({self.number()})"
        if kind == 1:
            return f"({self.number(1)} in {self.list()})"
        if kind == 2:
            return f"({self.list()} = {self.list()})"
        return f"({self.number()} {self.random.choice('<=')} {self.number()})"

    def claim(self) -> Claim:
        kind = self.random.randrange(6)
        if self.random.random() < 0.5:
            sides = self.law()
        elif kind < 3:
            sides = (self.number(), self.number())
        elif kind == 3:
            sides = (self.list(), self.list())
        else:
            sides = (self.truth(), self.random.choice(("true", "false")))
        return Claim(*sides, self.truth() if self.random.random() < 0.3 else None)

    def law(self) -> tuple[str, str]:
        left, right = self.random.choice(LAWS)
        if self.random.random() < 0.5:
            return left, right
        old, new = self.random.choice((("x:N", "y:N"), ("y:N", "z"), ("b:L", "a:L"), ("s(", "d("), ("true", "false")))
        return left.replace(old, new, 1), right

    def script(self, claim: Claim) -> str:
        """A proof of the sentence, by induction on a variable in it if there is one."""
        found = [v for v in (*NUMBERS, *LISTS) if v in claim.text()]
        lines = ["select DATA .", f":goal {{ {claim.text()} }}"]
        lines += [f":ind on ({self.random.choice(found)})"] if found else []
        lines.append(f":apply {self.random.choice(TACTICS)}")
        names = [v.upper().replace(":", "@") for v in found]
        usable = [split for split in SPLITS if all(c in names for c in ("X@N", "Y@N", "A@L") if c in split)]
        if usable and self.random.random() < 0.3:
            lines += [self.random.choice(usable), ":apply (rd)", ":apply (rd)"]
        return "\n".join(lines)


def holds(claims: list[Claim]) -> list[bool]:
    """Is each sentence true for all numbers up to 2 and all lists of up to two of 0 and 1?"""
    from itertools import product

    from otsrw.proofs import Session

    numbers = ("z", "s(z)", "s(s(z))")
    lists = ("nil", "(z ; nil)", "(s(z) ; nil)", "(z ; (s(z) ; nil))", "(s(z) ; (s(z) ; nil))")
    session = Session()
    session.run_text(DATA)
    found = []
    for claim in claims:
        used = [v for v in (*NUMBERS, *LISTS) if v in claim.text()]
        reductions = []
        for values in product(*(numbers if v in NUMBERS else lists for v in used)):
            shown = [claim.left, claim.right, claim.condition or "true"]
            for name, value in zip(used, values, strict=True):
                shown = [text.replace(name, value) for text in shown]
            reductions += [f"red {text} ." for text in shown]
        before = len(session.outcome.commands)
        session.run_text("open DATA .\n" + "\n".join(reductions) + "\nclose")
        answers = [command.result for command in session.outcome.commands[before:]]
        triples = zip(answers[::3], answers[1::3], answers[2::3], strict=True)
        found.append(all(one == other for one, other, condition in triples if condition == "true"))
    return found


def goals(count: int, seed: int, limit: float) -> int:
    """Generate goals, and say which are discharged by whom, and which are false."""
    from otsrw.proofs import Session

    maker = GoalMaker(seed)
    claims = [maker.claim() for _ in range(count)]
    texts = [maker.script(claim) for claim in claims]
    true = holds(claims)
    ours = []
    for text in texts:
        session = Session()
        session.run_text(DATA + text)
        ours.append(bool(session.outcome.proofs) and not session.outcome.open_proofs)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "goals.cafe"
        path.write_text(DATA + "".join(f"{text}\n--> next\n" for text in texts), "utf-8")
        typed = ["sh", "-c", f"cafeobj -q < {path}"]  # typed, an error does not end the run
        parts = timed(typed, limit).output.split("--> next")
    theirs = [CLOSED in part for part in parts[:count]]
    wrong = [text for text, is_true, closed in zip(texts, true, ours, strict=True) if closed and not is_true]
    pairs = list(zip(texts, claims, true, ours, theirs, strict=False))
    differing = [text for text, _, _, one, other in pairs if one and not other]
    open_here = [(claim, is_true) for _, claim, is_true, one, other in pairs if other and not one]
    rows = [
        ["goals", f"{count}, compared with CafeOBJ {len(theirs)}"],
        ["true for small values", str(sum(true))],
        ["conditional", str(sum(claim.condition is not None for claim in claims))],
        ["discharged by otsrw", str(sum(ours))],
        ["of these false", str(len(wrong))],
        ["discharged by CafeOBJ", str(sum(theirs))],
        ["discharged by otsrw alone", str(len(differing))],
        ["discharged by CafeOBJ alone", str(len(open_here))],
        ["of these false", str(sum(not is_true for _, is_true in open_here))],
        ["of these conditional", str(sum(claim.condition is not None for claim, _ in open_here))],
    ]
    _print(["", f"seed {seed}"], rows)
    for text in (*wrong, *differing):
        print("\n" + text)
    plain = [claim for claim, _ in open_here if claim.condition is None]
    for claim in plain:
        print(f"\nonly CafeOBJ: {claim.text()}")
    return _DIFFERS if wrong or differing or plain else _AGREES


def _print(headings: list[str], rows: list[list[str]]) -> None:
    print("\n".join([circumstances(), "", *table(headings, rows)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("goals", "files"))
    parser.add_argument("names", nargs="*", metavar="FILE")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for one run of a program (600)")
    parser.add_argument("--count", type=int, default=300, help="generated goals (300)")
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    if options.what == "files":
        sys.exit(files(options.names, options.limit))
    sys.exit(goals(options.count, options.seed, options.limit))


if __name__ == "__main__":
    main()
