"""A specification is untrusted text: whatever it says, a session answers with results and diagnostics, and soon."""

from __future__ import annotations

import json
import random
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from otsrw.proofs import Session, Settings
from otsrw.proofs.files import decode
from otsrw.proofs.results import Outcome
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.lexer import KEYWORDS
from otsrw.syntax.source import NOWHERE, Source

ROOT = Path(__file__).parents[2]
SECONDS = 15
SECONDS_OF_A_PROCESS = 40

FILES = sorted([*(ROOT / "specs").rglob("*.cafe"), *(ROOT / "proofs").rglob("*.cafe")])


def examples(number: int) -> settings:
    return settings(
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )


class Hang(Exception):
    """A session took far longer than its budget."""


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"no answer after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run(text: str, folder: Path = Path("/nonexistent")) -> Outcome:
    session = Session(Settings(max_rewrites=20_000, timeout=5))
    with alarm(SECONDS):
        session.run_source(Source("fuzz", text, folder))
        for problem in [*session.outcome.errors, *session.outcome.warnings]:
            check(problem)
    return session.outcome


def check(problem: Diagnostic) -> None:
    """The problem has a place in its text and can be shown."""
    span = problem.span
    assert problem.message
    assert "\n" not in problem.header()
    if span is not NOWHERE:
        assert 0 <= span.start <= span.end <= len(span.source.text)
        assert span.line >= 1
        assert span.column >= 1
    problem.render().encode("utf-8", "surrogatepass")


# --- random text


@examples(150)
@given(st.binary(max_size=300))
def test_any_bytes_give_diagnostics(data: bytes) -> None:
    run(decode(data))


@examples(150)
@given(st.text(max_size=200))
def test_any_text_gives_diagnostics(text: str) -> None:
    run(text)


WORDS = [
    *sorted(set(KEYWORDS) - {"in", "input", "load", "require"}),
    *re.findall(
        r"\S+",
        r"""( ) [ ] { } , ; . : :: -> => = == =/= :is < * + *[ ]* _ __ _+_ -- --> ** #| |# ' " . . .
        a b f g X Y S T A B M X:S a:S NAT BOOL TRIV Nat Bool 0 1 42 -1 true false not and or xor implies iff
        if then else fi assoc comm id: idem prec: strat: constr memo owise metadata sort op var from to as of
        =(1,2)=>* =(*,*)=>! suchThat \in := /\ '\n' "s" 1/2 1.5 'q é → %""",
    ),
    *["\n"] * 3,
]
STARTS = [
    "",
    "mod! A { [ S ] ops a b : -> S . op f : S -> S . op _+_ : S S -> S {assoc comm} . var X : S\n",
    "mod! A { [ S ] ops a b : -> S . op f : S -> S . op _+_ : S S -> S . }\nopen A .\n",
    "mod! A { pr(NAT) [ S < T ] op a : -> S . op __ : T T -> T {assoc} . }\nred in A : ",
    "mod* P (X :: TRIV) { op p : Elt -> Bool . }\nview V from TRIV to NAT {",
    "mod! A { pr(",
]


@examples(400)
@given(st.sampled_from(STARTS), st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words_of_the_language_give_diagnostics(start: str, words: list[str]) -> None:
    run(start + " ".join(words))


FOUND = [
    "pr(BAG(CIPHER) pr(SET(NONCE) })",
    "mod! SET (E :: :red op empty}\n}",
]


@pytest.mark.parametrize("text", FOUND)
def test_texts_that_once_hung(text: str) -> None:
    assert run(text).errors


# --- mutated files


@cache
def text_of(path: Path) -> str:
    return decode(path.read_bytes())


def mutated(text: str, seed: int) -> str:
    """One to four random edits of words or lines."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        separator = chance.choice([" ", "\n"])
        parts = text.split(separator)
        at, other = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.randrange(6):
            case 0:
                del parts[at]
            case 1:
                parts.insert(other, parts[at])
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts = parts[: at + 1]
            case 4:
                parts[at] = chance.choice(WORDS)
            case _:
                parts[at] = parts[at][: len(parts[at]) // 2]
        text = separator.join(parts)
    return text


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in FILES])
@examples(12)
@given(st.integers(0, 2**32))
def test_any_edit_of_a_good_file_gives_diagnostics(path: Path, seed: int) -> None:
    run(mutated(text_of(path), seed), path.parent)


# --- names


NAMES = [
    "f0", "f1", "n", "E", "norm", "t", "a0", "t1", "k0", "def", "return", "None", "self", "__name__x", "exec", "global",
    "'", "'''", "\\", "\\n", "%s", "{0}", "é", "Ω", "\N{LINE SEPARATOR}x", "a\\", "#", "@", "`", "$x", "lambda:0",
    "__import__('os').system('true')", "\N{RIGHT-TO-LEFT OVERRIDE}x", "0x1f", "1e5", "ﬁ", "\u00a0x",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_only_a_name(name: str) -> None:
    """Constant, operator and variable names never collide with anything in the generated code."""
    words = name.replace("_", "").replace("(", "").replace(")", "").replace("{", "").replace("}", "")
    words = "".join(words.split()) or "x"
    outcome = run(
        f"mod! A {{ [ S ] op {words} : -> S . op {words} : S -> S . op g{words} : S S -> S . ops end a : -> S .\n"
        f"  eq {words}({words}) = end .\n  eq g{words}(X{words}:S, end) = {words}(X{words}) .\n}}\n"
        f"red in A : {words}({words}) .\nred in A : g{words}(a, {words}({words})) .\n"
    )
    assert [problem.render() for problem in outcome.errors] == []
    assert [command.result for command in outcome.commands] == ["end", f"{words}(a)"]


SPY = """
import decimal, difflib, fractions, json, sys
from pathlib import Path
from otsrw.proofs import Session, Settings
from otsrw.syntax.source import Source
b"x".decode("utf-8-sig")
Session().run_source(Source("warm", "red in NAT : 1 + 1 . red in QID : 'a . red in STRING : \\"a\\" ."))
Session().run_source(Source("warm", "choose top .\\nset trace off\\nshow term\\nset-output w"))
seen = []
def spy(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        seen.append(["open", str(arguments[0])])
    elif event == "compile" and arguments[0] is not None:
        source = arguments[0]
        seen.append(["compile", source.decode("utf-8", "replace") if isinstance(source, bytes) else str(source)])
    elif event.startswith(("os.", "subprocess.", "socket.", "shutil.", "ctypes.dlopen", "import")) and event not in (
        "os.listdir", "os.scandir"
    ):
        seen.append([event, str(arguments[0]) if arguments else ""])
sys.addaudithook(spy)
session = Session(Settings(max_rewrites=20_000, timeout=5))
session.run_file(Path(sys.argv[1]))
found = list(seen)
print(json.dumps({"seen": found, "errors": [e.code for e in session.outcome.errors],
                  "results": [c.result for c in session.outcome.commands]}))
"""


@dataclass(frozen=True)
class Watched:
    events: list[tuple[str, str]]
    results: list[str | None]


def watched(path: Path) -> Watched:
    """Run a file in another process that notes every file it opens and every text it compiles."""
    command = [sys.executable, "-c", SPY, path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return Watched([(event, argument) for event, argument in found["seen"]], found["results"])


def test_only_named_files_are_opened(tmp_path: Path) -> None:
    for name in ("one.cafe", "two.mod", "three.cafe", "four.cafe", "secret.cafe"):
        (tmp_path / name).write_text("mod! M-" + name[:3] + " { }\n", "utf-8")
    (tmp_path / "t.cafe").write_text(
        'in one\ninput two\nrequire three\nload four .\nlisp (load "secret.cafe")\n! cat secret.cafe\n'
        "save secret.cafe\nrestore secret.cafe\ncd /\nls secret.cafe\npwd\nset-output secret.cafe\nset libpath .\n"
        "autoload SECRET secret.cafe\nprovide secret\nmod! A { pr(SECRET) }\nopen secret .\nred in secret : true .\n"
        'red in STRING : "secret.cafe" .\n',
        "utf-8",
    )
    watch = watched(tmp_path / "t.cafe")
    opened = {Path(name).name for event, name in watch.events if event == "open"}
    assert opened == {"t.cafe", "one.cafe", "two.mod", "three.cafe", "four.cafe"}
    assert [event for event, _ in watch.events if event.startswith(("os.", "subprocess.", "socket.", "shutil."))] == []


def test_no_text_of_the_user_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "t.cafe").write_text(
        "mod! zqmod { pr(STRING) pr(QID) pr(NAT) [ zqsort ] op zqconst : -> zqsort .\n"
        "  op zqf : zqsort String -> zqsort . op zqg : Nat Qid -> zqsort . op zqm : zqsort -> Bool {memo} .\n"
        "  op _zqin_ : zqsort zqsort -> zqsort {assoc comm} .\n"
        '  eq [zqlabel] : zqf(zqX:zqsort, "zqstring\'\\"") = zqX .\n  eq zqg(777123, \'zqid) = zqconst .\n'
        "  ceq zqX:zqsort zqin zqY:zqsort = zqX if zqm(zqY) .\n  eq zqm(zqconst) = true .\n"
        "  trans [zqtrans] : zqf(zqX:zqsort, zqS:String) => zqX .\n}\n"
        'open zqmod .\nop zqlocal : -> zqsort .\neq zqlocal = zqconst .\nred zqf(zqlocal, "zqstring\'\\"") .\n'
        'red zqlocal zqin zqconst zqin zqconst .\nred zqg(777123, \'zqid) .\nexec zqf(zqconst, "zq") .\nclose\n',
        "utf-8",
    )
    watch = watched(tmp_path / "t.cafe")
    sources = [source for event, source in watch.events if event == "compile"]
    assert sources
    assert [source for source in sources if "zq" in source or "777123" in source] == []
    assert watch.results[0] == "zqconst"


# --- appetite


@dataclass(frozen=True)
class Greedy:
    """A small text that asks for much; `codes` are the exit codes that are fine."""

    id: str
    text: str
    codes: tuple[int, ...]


COUNT = "eq rep(0, X:%s) = X . eq rep(N:NzNat, X:%s) = rep(p N, %s) . }\nred in A : rep(%d, %s) .\n"
CLAUSES = " and ".join(f"(p{i} or p{i + 1} or p{i * 7 % 40})" for i in range(39))
GREEDY = [
    Greedy("100 000 parentheses", "red in NAT : " + "(" * 100_000 + "1" + ")" * 100_000 + " .\n", (0, 75, 150)),
    Greedy("100 000 open parentheses", "red in NAT : " + "(" * 100_000 + " .\n", (150,)),
    Greedy("100 000 braces", "mod! A " + "{ signature " * 100_000, (150,)),
    Greedy("100 000 nested module expressions", "open " + "(" * 100_000 + "NAT" + ")" * 100_000 + " .\n", (0, 75, 150)),
    Greedy("5 000 qualified operators", "mod! A { [ S ] op a : -> S . op f : S -> S . }\nred in A : "
           + "f.A(" * 5000 + "a" + ")" * 5000 + " .\n", (0, 75, 150)),
    Greedy("a word of a million letters", "red in NAT : " + "x" * 1_000_000 + " .\n", (150,)),
    Greedy("a numeral of a million digits", "red in NAT : 1 + " + "9" * 1_000_000 + " .\n", (0, 3, 75, 150)),
    Greedy("a precedence of 5 000 digits", "mod! A { [ S ] op _+_ : S S -> S {prec: " + "9" * 5000 + "} . }\n", (150,)),
    Greedy("a huge precedence", "mod! A { [ S ] op _+_ : S S -> S {prec: 99999999999999} . }\n", (150,)),
    Greedy("a character of 5 000 digits", "red in CHARACTER : '\\" + "9" * 5000 + "' .\n", (0, 150)),
    Greedy("repeated squaring", "mod! A { pr(NAT) op rep : Nat Nat -> Nat . "
           + COUNT % ("Nat", "Nat", "X * X", 60, "3"), (3, 75)),
    Greedy("repeated doubling of a string", "mod! A { pr(NAT) pr(STRING) op rep : Nat String -> String . "
           + COUNT % ("String", "String", "X ++ X", 60, '"ab"'), (3, 75)),
    Greedy("repeated doubling of a term", "mod! A { pr(NAT) [ S ] op z : -> S . op g : S S -> S . "
           "op rep : Nat S -> S . " + COUNT % ("S", "S", "g(X, X)", 60, "z"), (0, 3, 75)),
    Greedy("repeated doubling of a bag", "mod! A { pr(NAT) [ S ] op z : -> S . op _;_ : S S -> S {assoc comm} . "
           "op rep : Nat S -> S . " + COUNT % ("S", "S", "(X ; X)", 60, "z"), (3, 75)),
    Greedy("an exponential normal form of BOOL", "mod! A { ops " + " ".join(f"p{i}" for i in range(40))
           + " : -> Bool . }\nred in A : " + CLAUSES + " .\n", (0, 3, 75)),
    Greedy("a term that grows for ever", "mod! A { [ S ] op z : -> S . ops g h : S -> S . eq h(X:S) = g(h(g(X))) . }\n"
           "red in A : h(z) .\n", (3, 75)),
    Greedy("unbounded search", "mod! A { pr(NAT) [ S ] op st : Nat -> S . trans st(N:Nat) => st(N + 1) . "
           "trans st(N:Nat) => st(N * 2) . }\nred in A : st(1) =(*,*)=>* st(0) .\n", (3, 75)),
    Greedy("matching a bag in many ways", "mod! A { [ E < M ] op _;_ : M M -> M {assoc comm} . ops "
           + " ".join(f"e{i}" for i in range(24)) + " : -> E . op p : M -> Bool . ceq p(A:M ; B:M ; C:M ; D:M) = true "
           "if A == B . }\nred in A : p(" + " ; ".join(f"e{i}" for i in range(24)) + ") .\n", (0, 3, 75)),
    Greedy("90 operands without associativity", "mod! A { [ E ] op e : -> E . ops (_+_) (_*_) (__) : E E -> E . "
           "op _+_+_ : E E E -> E . }\nred in A : " + "e + e * e e " * 30 + "e .\n", (150,)),
    Greedy("a tower of renamings", "mod! M0 { [ S0 ] op a : -> S0 . }\n" + "".join(
        f"mod! M{i} {{ pr(M{i - 1}) pr(M{i - 1} * {{ sort S{i - 1} -> S{i} }}) }}\n" for i in range(1, 15)
    ), (0, 3, 75, 150)),
    Greedy("10 000 errors", "foo .\nred in NAT : x .\n" * 10_000, (150,)),
    Greedy("10 000 passages", "mod! A { [ S ] op a : -> S . }\n" + "open A .\nred a .\nclose\n" * 10_000, (0,)),
]  # fmt: skip


@pytest.mark.parametrize("case", [pytest.param(g, id=g.id) for g in GREEDY])
def test_a_small_text_cannot_take_all_time_or_memory(case: Greedy, tmp_path: Path) -> None:
    (tmp_path / "t.cafe").write_text(case.text, "utf-8")
    command = [sys.executable, "-m", "otsrw", "run", "-q", "--timeout", "5", "--max-rewrites", "20000", "t.cafe"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS_OF_A_PROCESS,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )
    assert done.returncode in case.codes, (done.returncode, done.stderr[:500])
    assert len(done.stdout) < 100_000
    assert max(map(len, done.stderr.splitlines()), default=0) < 100_000
