"""A Pygments lexer for CafeOBJ, found by its entry point: documents and terminals colour specifications."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

_BEFORE = r"(?<![^\s()\[\]{},;])"
_AFTER = r"(?![^\s()\[\]{},;])"
_WORD = r"[^\s()\[\]{},;]+"


def _words(words: str) -> str:
    return f"{_BEFORE}(?:{words}){_AFTER}"


class CafeObjLexer(RegexLexer):
    """Words of CafeOBJ: what a signature would tell of them is not known here."""

    name = "CafeOBJ"
    aliases: ClassVar[list[str]] = ["cafeobj", "cafe"]
    filenames: ClassVar[list[str]] = ["*.cafe", "*.cafeobj"]
    mimetypes: ClassVar[list[str]] = ["text/x-cafeobj"]
    url = "https://cafeobj.org"

    tokens: ClassVar[dict[str, list[tuple[object, ...]]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"#\|(?:.|\n)*?(?:\|#|\Z)", Comment.Multiline),
            (_BEFORE + r"(?:--|\*\*)>?[ \t]*@[^\n]*", Comment.Special),
            (_BEFORE + r"(?:--|\*\*)(?:[ \t>*-][^\n]*)?$", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (
                _BEFORE + rf"((?:sys:)?mod(?:ule)?[!*]?|view|make|open|select)([ \t]+)({_WORD})",
                bygroups(Keyword.Declaration, Whitespace, Name.Namespace),
            ),
            (
                _BEFORE + rf"(b?op|b?pred|b?pd)([ \t]+)({_WORD})",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (_words("b?ops|b?preds|b?pds"), Keyword.Declaration, "names"),
            (_words("p?vars?"), Keyword.Declaration),
            (_BEFORE + r"(?:protecting|extending|including|using|pr|ex|inc|us)(?=[ \t]*\()", Keyword.Namespace),
            (
                _BEFORE + r"(in|input|load|require)([ \t]+)(\S+)(?=[ \t]*\.?[ \t]*$)",
                bygroups(Keyword.Namespace, Whitespace, String),
            ),
            (_words(r"b?c?eq|cq|b?c?trans|b?c?tr|b?c?rule|b?c?rl|ax|bax|goal|let|attr"), Keyword),
            (_words(r"close|b?red|b?reduce|exec!?|execute|parse|start|apply|choose"), Keyword),
            (_words(r"show|describe|set|quit|eof"), Keyword),
            (_words(r"if|then|else|fi|from|to|sort|hsort|signature|axioms|imports"), Keyword),
            (_words(r"assoc|comm|idem|idr?:|constr|ctor|prec:|strat:|l-assoc|r-assoc|memo"), Keyword.Pseudo),
            (_words(r"true|false"), Keyword.Constant),
            (_words(r"and|or|not|xor|implies|iff|and-also|or-else"), Operator.Word),
            (_words(r"=|==|=/=|=>|=\*=|->|:|<|\.|\*|\+"), Operator),
            (_words(r"-?[0-9]+(?:[./][0-9]+)?"), Number),
            (_BEFORE + rf"({_WORD}?)(:)([A-Z?][^\s()\[\]{{}},;:]*)", bygroups(Name.Variable, Punctuation, Name.Class)),
            (_BEFORE + r":[a-z][A-Za-z-]*", Keyword),
            (_BEFORE + rf"{_WORD}(?=\()", Name.Function),
            (r"[()\[\]{},;]", Punctuation),
            (_WORD, Text),
        ],
        "names": [
            (r"\s+", Whitespace),
            (r":(?=\s)", Operator, "#pop"),
            (r"[()]", Punctuation),
            (r"[^\s()\[\]{}]+", Name.Function),
            (r"(?=[\[\]{}])", Text, "#pop"),
        ],
    }  # fmt: skip
