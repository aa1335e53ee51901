"""Words, comments, statements and declarations: what the reader takes a text for, before any module is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from otsrw.proofs.files import decode
from otsrw.proofs.session import Session
from otsrw.syntax import tree
from otsrw.syntax.lexer import Words
from otsrw.syntax.reader import is_incomplete, read, read_module_expression
from otsrw.syntax.source import Source
from otsrw.theory.parsing import Scope, readings_of, scope_of
from otsrw.theory.signature import Payload
from otsrw.theory.terms import Term


def statements(text: str) -> list[tree.Statement]:
    found, problems = read(Source("t", text))
    assert [problem.render() for problem in problems] == []
    return found


def items(body: str) -> tuple[tree.Item, ...]:
    (module,) = statements("mod! A {" + body + "}")
    assert isinstance(module, tree.ModuleDeclaration)
    return module.items


def kinds(text: str) -> str:
    return " ".join(type(statement).__name__ for statement in statements(text))


def answers(text: str) -> list[str | None]:
    session = Session()
    session.run_source(Source("t", text))
    assert [problem.render() for problem in session.outcome.errors] == []
    return [command.result for command in session.outcome.commands]


# --- words


@dataclass(frozen=True)
class Cut:
    id: str
    text: str
    words: list[str]


CUTS = [
    Cut("blanks separate", "a=b a = b", ["a=b", "a", "=", "b"]),
    Cut("brackets stand alone", "f(a){b}[c]", ["f", "(", "a", ")", "{", "b", "}", "[", "c", "]"]),
    Cut("comma and semicolon stand alone", "a,b;c", ["a", ",", "b", ";", "c"]),
    Cut("a period may be part of a word", "a.b c. . d", ["a.b", "c.", ".", "d"]),
    Cut("a string is one word", '"a ( . -- ; b"', ['"a ( . -- ; b"']),
    Cut("a string may hold an escaped quote", r'"a\"b" c', [r'"a\"b"', "c"]),
    Cut("an open string ends with its word", '"a b', ['"a', "b"]),
    Cut("a block comment vanishes", "a #| b ( . \n c |# d", ["a", "d"]),
    Cut("an open block comment goes to the end", "a #| b", ["a"]),
    Cut("a dash comment is words here", "a -- b", ["a", "--", "b"]),
    Cut("tabs and form feeds are blanks", "a\tb\fc\vd", ["a", "b", "c", "d"]),
    Cut("letters of any script", "é→Ω 𝔸", ["é→Ω", "𝔸"]),
    Cut("nothing", " \n\t ", []),
]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in CUTS])
def test_words(case: Cut) -> None:
    words = Words(Source("t", case.text))
    assert words.texts == case.words
    assert [case.text[start:end] for start, end in zip(words.starts, words.ends, strict=True)] == case.words


# --- comments


@dataclass(frozen=True)
class Kinds:
    """A text, and the kinds of its statements."""

    id: str
    text: str
    kinds: str


M = "ModuleDeclaration"
COMMENTS = [
    Kinds("dashes", "-- a ( . b\nmod! A { }", M),
    Kinds("stars", "** a { b\nmod! A { }", M),
    Kinds("three stars", "*** a\nmod! A { }", M),
    Kinds("many dashes", "--------- a\n---\nmod! A { }", M),
    Kinds("glued to a word", "--a\n**b\nmod! A { }", M),
    Kinds("three stars and parentheses", "***( a\n (b) c ) mod! A { }", M),
    Kinds("a block comment", "#| mod! B {\n |# mod! A { }", M),
    Kinds("after a statement", "mod! A { } -- a\nred in A : a . ** b\n-- c", M + " TermCommand"),
    Kinds("echoed", "--> a\n**> b\nmod! A { }", "Echo Echo " + M),
    Kinds("a string between statements", '"a note"\nmod! A { }', M),
    Kinds(
        "between declarations", "mod! A { -- a\n [ S ] ** b }\n op a : -> S -- c\n eq a = a . --> d\n }", M + " Echo"
    ),
    Kinds("at the end without a newline", "mod! A { }\n-- a", M),
    Kinds("only a comment", "-- a", ""),
]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in COMMENTS])
def test_comments(case: Kinds) -> None:
    assert sorted(kinds(case.text).split()) == sorted(case.kinds.split())


def test_an_echo_keeps_its_line() -> None:
    (echo,) = statements("--> base  case: (p . q) -- \n")
    assert isinstance(echo, tree.Echo)
    assert echo.text.rstrip() == "--> base  case: (p . q) --"


def test_a_comment_word_inside_a_term_belongs_to_the_term() -> None:
    (command,) = statements("red in A : a -- b .\n")
    assert isinstance(command, tree.TermCommand)
    assert command.term.words == ["a", "--", "b"]


# --- statements


STATEMENTS = [
    Kinds(
        "a module of each kind",
        "mod A { } mod! B { } mod* C { } module D { } module! E { } module* F { }",
        " ".join([M] * 6),
    ),
    Kinds("a parameterised module", "mod* A (X :: TRIV, Y Z :: TRIV) { }", M),
    Kinds("parameters in square brackets", "mod! A [X :: TRIV] { }", M),
    Kinds("a parameter with a mode", "mod! A (pr X :: TRIV) { }", M),
    Kinds("a principal sort", "mod! A principal-sort S { [ S ] }", M),
    Kinds("make", "make A (NAT + BOOL)", M),
    Kinds("a view", "view V from A to B { sort S -> T, op a -> b, }", "ViewDeclaration"),
    Kinds("a view of 1.4", "view V of A as B { sort S -> T }", "ViewDeclaration"),
    Kinds("open with a period", "open A . red a . close", "Open TermCommand Close"),
    Kinds("open without a period", "open A\nred a .\nclose", "Open TermCommand Close"),
    Kinds("open with a mark", "open A . :id(x)\nred a .\nclose", "Open PassageMark TermCommand Close"),
    Kinds("open with a mark for a period", "open A :id(x)\nred a .\nclose", "Open PassageMark TermCommand Close"),
    Kinds("close with a period", "open A . close .", "Open Close"),
    Kinds("open a sum", "open (A + B) .", "Open"),
    Kinds("open an instance", "open A(X <= V, Y <= B { sort S -> T }) .", "Open"),
    Kinds("open a renaming", "open A * { sort S -> T, op a -> b } .", "Open"),
    Kinds(
        "declarations in a passage",
        "open A . op x : -> S . var X : S eq x = a . [ T ] red x . close",
        "Open OperatorDeclaration VariableDeclaration AxiomDeclaration SortDeclaration TermCommand Close",
    ),
    Kinds(
        "every way to reduce",
        "red a . reduce a . bred a . exec a . execute a . parse a .",
        " ".join(["TermCommand"] * 6),
    ),
    Kinds("select", "select A .\nselect B\nred a .", "Select Select TermCommand"),
    Kinds(
        "line commands",
        "set trace on\nshow A .\ndescribe op f\nin a/b.cafe\nrequire x y\nprovide x\n",
        " ".join(["LineCommand"] * 6),
    ),
    Kinds("eof ends the file", "red a .\neof\nmod! {{{ (((", "TermCommand"),
    Kinds("eof inside a line", "red a . eof )))", "TermCommand"),
    Kinds("lines ended by CR LF", "mod! A {\r\n [ S ]\r\n}\r\n-- a\r\nred a .\r\n", M + " TermCommand"),
    Kinds("tabs", "mod!\tA\t{\t[\tS\t]\t}", M),
    Kinds("lone periods", "mod! A { . [ S ] . . op a : -> S . . }\n.\n.", M),
]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in STATEMENTS])
def test_statements(case: Kinds) -> None:
    assert kinds(case.text) == case.kinds


@dataclass(frozen=True)
class Body:
    id: str
    text: str
    words: list[str]


TERMS = [
    Body("a period inside parentheses", "red (a . b) .", ["(", "a", ".", "b", ")"]),
    Body("over several lines", "red a\n  and\n\n b\n.", ["a", "and", "b"]),
    Body("a string with a period", 'red "a . b" .', ['"a . b"']),
    Body("keywords inside a line", "red op and var .", ["op", "and", "var"]),
    Body("a block comment inside", "red a #| b . |# and c .", ["a", "and", "c"]),
    Body("a colon", "red in A : (a):S .", ["(", "a", ")", ":S"]),
    Body("a context with arguments", "red in A(X <= V) * { op a -> b } : c .", ["c"]),
]


@pytest.mark.parametrize("case", [pytest.param(t, id=t.id) for t in TERMS])
def test_terms_end_at_their_period(case: Body) -> None:
    (command,) = statements(case.text)
    assert isinstance(command, tree.TermCommand)
    assert command.term.words == case.words


# --- declarations


DECLARATIONS = [
    ("pr(A)", "ImportDeclaration"),
    ("protecting(A) ex(A) extending(A) inc(A) including(A) us(A) using(A)", " ".join(["ImportDeclaration"] * 7)),
    ("pr as X (A)", "ImportDeclaration"),
    ("pr(A + B * { sort S -> T })", "ImportDeclaration"),
    ("[ S ]", "SortDeclaration"),
    ("[ S T < U < V, W ]", "SortDeclaration"),
    ("*[ H ]*", "SortDeclaration"),
    ("op a : -> S", "OperatorDeclaration"),
    ("op _+_ : S S -> S {assoc comm prec: 30}", "OperatorDeclaration"),
    ("op if_then_else_fi : B S S -> S {strat: (1 0)} .", "OperatorDeclaration"),
    ("op (_:_) : S S -> S .", "OperatorDeclaration"),
    ("op _,_ : S S -> S .", "OperatorDeclaration"),
    ("op [_] : S -> S . op {_} : S -> S .", "OperatorDeclaration OperatorDeclaration"),
    ("ops a b c : -> S", "OperatorDeclaration"),
    ("ops (up_) (dn_) : S -> S", "OperatorDeclaration"),
    ("bop a : H -> H . bops b c : H -> H .", "OperatorDeclaration OperatorDeclaration"),
    ("pred p : S . preds q r : S S . bpred s : H . pd t : S", " ".join(["OperatorDeclaration"] * 4)),
    ("pred _<_ : S S {prec: 30}", "OperatorDeclaration"),
    ("attr _+_ {assoc}", "AttributeDeclaration"),
    ("var X : S", "VariableDeclaration"),
    ("vars X Y Z : S . pvar P : S", "VariableDeclaration VariableDeclaration"),
    ("eq a = b . ceq a = b if c . cq a = b if c .", " ".join(["AxiomDeclaration"] * 3)),
    ("beq a = b . bceq a = b if c . bcq a = b if c .", " ".join(["AxiomDeclaration"] * 3)),
    ("trans a => b . ctrans a => b if c . rl a => b . crl a => b if c .", " ".join(["AxiomDeclaration"] * 4)),
    ("eq [lab] : a = b . eq [lab :nonexec] : a = b . eq[l]: a = b .", " ".join(["AxiomDeclaration"] * 3)),
    ('eq a = b {owise} . eq a = b {metadata "x . y"} .', "AxiomDeclaration AxiomDeclaration"),
    ("let x = a .", "LetDeclaration"),
    ("signature { [ S ] op a : -> S } axioms { eq a = a . }", "SortDeclaration OperatorDeclaration AxiomDeclaration"),
    (
        "imports { pr(A) pr(B) } sig { op a : -> S } axs { var X : S }",
        "ImportDeclaration ImportDeclaration OperatorDeclaration VariableDeclaration",
    ),
    (
        "op a : -> S op b : -> S var X : S eq a = b .",
        "OperatorDeclaration OperatorDeclaration VariableDeclaration AxiomDeclaration",
    ),
    ("", ""),
]


@pytest.mark.parametrize(("body", "expected"), DECLARATIONS, ids=[body[:40] for body, _ in DECLARATIONS])
def test_declarations(body: str, expected: str) -> None:
    assert " ".join(type(item).__name__ for item in items(" " + body + " ")) == expected


def test_spans_are_the_words_of_the_text() -> None:
    text = "mod! A { [ S ]\n op a : -> S .\n}\nopen A .\nred a .\n"
    module, opened, command = statements(text)
    assert [s.span.text for s in (module, opened, command)] == ["mod!", "open", "red"]
    assert [s.span.line for s in (module, opened, command)] == [1, 4, 5]


def test_a_module_expression_keeps_its_structure() -> None:
    words = Words(Source("t", "A(X <= B { sort S -> T }) + (C * { op f -> g })"))
    found = read_module_expression(words.bubble(0, len(words.texts)))
    assert isinstance(found, tree.Sum)
    instance, renaming = found.parts
    assert isinstance(instance, tree.Instantiation)
    assert isinstance(renaming, tree.Renaming)


# --- meaning of the dialects


SPEC = "mod! A { [ S ] ops a b c : -> S . op f : S -> S . op _;_ : S S -> S . "

MEANINGS: list[tuple[str, str, list[str | None]]] = [
    ("a semicolon needs no blanks", SPEC + "eq a;b = c . } red in A : a;b .", ["c"]),
    ("a string holds anything", 'red in STRING : "a . ( -- ;" .', ['"a . ( -- ;"']),
    (
        "owise comes last",
        SPEC + "eq f(X:S) = b {owise} . eq f(a) = c . } red in A : f(a) . red in A : f(b) .",
        ["c", "b"],
    ),
    ("metadata means nothing", SPEC + 'eq a = b {metadata "x"} . } red in A : a .', ["b"]),
    (":nonexec is not used", SPEC + "eq [l :nonexec] : a = b . } red in A : a .", ["a"]),
    ("a mark names a passage", SPEC + "} open A . :id(one) eq a = b . red a . close", ["b"]),
    ("an equation may use a later declaration", SPEC + "} open A . eq a = x . op x : -> S . red a . close", ["x"]),
    ("a passage ends at its close", SPEC + "} open A . eq a = b . red a . close open A . red a . close", ["b", "a"]),
    ("select stays", SPEC + "} select A .\nred a .\nred b .", ["a", "b"]),
    ("an on-the-fly variable", SPEC + "eq f(X:S) = X . } red in A : f(a) .", ["a"]),
    ("a qualified term", SPEC + "} red in A : (a):S .", ["a"]),
]


@pytest.mark.parametrize(("text", "expected"), [(t, e) for _, t, e in MEANINGS], ids=[i for i, _, _ in MEANINGS])
def test_meaning(text: str, expected: list[str | None]) -> None:
    assert answers(text) == expected


# --- files


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"\xef\xbb\xbfmod! A { }", "mod! A { }", id="a byte order mark is dropped"),
        pytest.param(b"-- caf\xe9\r\nmod! A { }", "-- café\nmod! A { }", id="Latin-1"),
        pytest.param("-- café\n".encode(), "-- café\n", id="UTF-8"),
        pytest.param(b"a\r\nb\r\n", "a\nb\n", id="CR LF"),
        pytest.param(b"", "", id="empty"),
    ],
)
def test_decoding(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_a_latin_1_file_runs(tmp_path: Path) -> None:
    (tmp_path / "a.cafe").write_bytes(
        SPEC.encode() + b"op \xe9t\xe9 : -> S . eq \xe9t\xe9 = a . }\r\nred in A : \xe9t\xe9 .\r\n"
    )
    session = Session()
    session.run_file(tmp_path / "a.cafe")
    assert session.outcome.errors == []
    assert [c.result for c in session.outcome.commands] == ["a"]


# --- the prompt


@pytest.mark.parametrize(
    ("text", "incomplete"),
    [
        ("red a", True),
        ("red a .", False),
        ("mod! A {", True),
        ("mod! A { }", False),
        ("mod! A { eq a = b .", True),
        ("red (a", True),
        ("open A .", False),
        ("foo bar", False),
        ("red (a .", False),
        ("red a\n-- and so on", False),
        ("mod! A { op f : S -> S { assoc", True),
        ("view V from A to B { sort S -> T", True),
        ("mod! A {\nred a .", False),
        ("", False),
    ],
)
def test_the_prompt_knows_when_a_statement_goes_on(text: str, incomplete: bool) -> None:
    assert is_incomplete(text) is incomplete


# --- long terms


class CountingScope(Scope):
    """Counts how often the parser asks for terms."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope.signature, scope.variables, scope.lets, scope.module)
        self.asked = 0

    def build(self, payload: Payload, args: tuple[Term, ...]) -> list[Term]:
        self.asked += 1
        return super().build(payload, args)


@dataclass(frozen=True)
class Long:
    id: str
    module: str
    term: str
    steps: int


LISTS = "mod! A { [ E < L ] op nil : -> L . op e : -> E . %s }"
CHAIN = " ".join(["p"] + ["and p"] * 1999)
LONG = [
    Long("60 cons cells", LISTS % "op __ : E L -> L .", "e " * 60 + "nil", 3600),
    Long("600 elements, associative", LISTS % "op __ : L L -> L {assoc} .", "e " * 600 + "nil", 5000),
    Long("600 elements, r-assoc", LISTS % "op _;_ : E L -> L {r-assoc} .", "e ; " * 600 + "nil", 5000),
    Long("600 elements, l-assoc", LISTS % "op _;_ : L E -> L {l-assoc} .", "nil" + " ; e" * 600, 5000),
    Long("2000 conjuncts", "mod! A { op p : -> Bool . }", CHAIN, 20_000),
    Long(
        "2000 mixed connectives", "mod! A { op p : -> Bool . }", CHAIN.replace("and p and p", "and p or not p"), 40_000
    ),
    Long("2000 sums in parentheses", "mod! A { pr(NAT) }", "(1 + " * 2000 + "1" + ")" * 2000, 20_000),
    Long(
        "2000 nested applications",
        "mod! A { [ S ] op a : -> S . op f : S -> S . }",
        "f(" * 2000 + "a" + ")" * 2000,
        20_000,
    ),
    Long("40 nested conditionals", "mod! A { op p : -> Bool . }", "if p then p else " * 40 + "p" + " fi" * 40, 2000),
]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in LONG])
def test_long_terms_are_read_in_few_steps(case: Long) -> None:
    session = Session()
    session.run_source(Source("t", case.module))
    scope = CountingScope(scope_of(session.library.modules["A"]))
    words = Words(Source("t", case.term))
    readings, _ = readings_of(words.bubble(0, len(words.texts)), scope)
    assert len(readings) == 1
    assert scope.asked <= case.steps


def test_a_hopeless_ambiguity_is_given_up_early() -> None:
    session = Session()
    text = LISTS % "op __ : L L -> L . op _+_ : L L -> L . op _+_+_ : L L L -> L ."
    session.run_source(Source("t", text + "\nred in A : " + "e + e e " * 60 + "nil .\n"))
    assert [problem.code for problem in session.outcome.errors] == ["E112"]


_OLD = {
    "a colon next to a name": ("op f_: S -> S op _+_: S S -> S eq f X:S = a .", "f (a + a)", "a"),
    "a period before if": ("op _._ : S S -> S op f : S -> S cq f(X:S) = a . X if X == b .", "f(b)", "a . b"),
}


@pytest.mark.parametrize("case", _OLD)
def test_layouts_of_old_files(case: str) -> None:
    declared, term, result = _OLD[case]
    found = answers(f"mod! C {{ [S] ops a b : -> S {declared} }} red in C : {term} .")
    assert str(found[0]).strip("()") == result


def test_operators_may_be_called_as_keywords_are() -> None:
    text = "mod! C { [S] ops a b : -> S op sort : S -> S eq sort(a) = b . } mod! D { pr(C * {op sort -> up}) }"
    assert answers(f"{text} red in D : up(a) .") == ["b"]
