"""What CITP prints, in a form in which CafeOBJ and otsrw can be compared.

Left out: how long it took, what was loaded, blank lines, errors and warnings, which each tool words in its own way.
Sentences are compared as collections of words: line breaks and the order of commutative arguments mean nothing.
"""

from __future__ import annotations

import re

_NOISE = re.compile(
    r"\(consumed |processing input|-- (defining|loading|reading|done|opening)|\[Leaving|== |\*\* Exiting"
    r"|\(\d+\.\d+ sec|\[Warning\]|    (LHS|RHS|This will)|\.\.\. ignored|Please use|\[Error\]"
)
_PROMPT = re.compile(r"(?m)^(?:CafeOBJ|[A-Z#%][A-Za-z0-9#-]*)> ")
_SENTENCE = re.compile(r"( *)(b?c?eq|c?trans)\b")
_GARBAGE = re.compile(r"\[\d{12,}\]")
"""`:show proof` of CafeOBJ prints a number in place of `nf`, another one in every session."""
_MIXED = re.compile(r"\[Warning\]: RHS of the axiom[^\n]*\n[^\n]*\n( +if .*?) +if [^\n]*, ignored as rewrite rule\.")
"""A warning that CafeOBJ prints in the middle of a sentence."""
_LATE = re.compile(r"(Beginning a new proof in \S+?)TRIVerr2PID")
"""The name of a view, which CafeOBJ prints when it sets the module up."""
_GLUED = re.compile(r"(?<=[^>\s])(>root|root\*?|\[Leaving CafeOBJ\])$")


def comparable(text: str) -> list[str]:
    """The lines that say something, each sentence as one line with its words in order."""
    return _with_sentences([line for line in _plain_lines(text) if line.strip() and not _NOISE.match(line)])


def _plain_lines(text: str) -> list[str]:
    text = _LATE.sub(r"\1", text)
    answers = _PROMPT.split(_MIXED.sub(r"\1", _GARBAGE.sub("[nf]", text)))
    if len(answers) > 1:
        text = "\n".join(answer for answer in answers[1:] if "[Error]" not in answer and "** Caught" not in answer)
    lines = []
    for line in text.splitlines():
        plain = re.sub(r"( done\.)+", "", line).rstrip()
        if not plain.startswith((">root", "root")):
            plain = _GLUED.sub(r"\n\1", plain.removesuffix("[Leaving CafeOBJ]"))
        lines += plain.splitlines()
    return lines


def _with_sentences(lines: list[str]) -> list[str]:
    found: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        sentence = _SENTENCE.match(line)
        if sentence is None:
            found.append(line)
            continue
        indent = len(sentence.group(1))
        while index < len(lines) and _continues(lines[index], indent):
            line += " " + lines[index]
            index += 1
        words = re.findall(r"[^\s(),]+", line.removesuffix("[Leaving CafeOBJ]"))
        found.append(" " * indent + " ".join(sorted(words)))
    return found


def _continues(line: str, indent: int) -> bool:
    inner = line.lstrip()
    return len(line) - len(inner) > indent and not _SENTENCE.match(line) and not inner.startswith("--")
