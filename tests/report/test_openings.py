"""An open case is readable: few facts on a line, a lemma that can be pasted, everything on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run

FLAGS = [f"f{number}" for number in range(14)]


def crowd() -> str:
    """A system whose open case says something about many observers."""
    observers = "\n".join(f"  bop {flag} : Sys Pid -> Bool" for flag in FLAGS)
    initially = "\n".join(f"  eq {flag}(init, I) = false ." for flag in FLAGS)
    unchanged = "\n".join(f"  eq {flag}(go(S, J), I) = {flag}(S, I) ." for flag in FLAGS)
    guard = " and ".join(f"{flag}(S, J)" for flag in FLAGS)
    return f"""
mod* PID {{ [Pid] }}
mod* CROWD {{ pr(PID) *[Sys]*
  op init : -> Sys
  bop hot : Sys Pid -> Bool
{observers}
  bop go : Sys Pid -> Sys
  op cold : Sys Pid -> Bool
  op c-go : Sys Pid -> Bool
  var S : Sys  vars I J : Pid
  eq hot(init, I) = false .
{initially}
  eq c-go(S, J) = {guard} .
  ceq hot(go(S, J), I) = (if I = J then true else hot(S, I) fi) if c-go(S, J) .
{unchanged}
  ceq go(S, J) = S if not c-go(S, J) .
  eq cold(S, I) = not hot(S, I) .
}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "crowd.cafe"
    file.write_text(crowd(), encoding="utf-8")
    return file


def skeleton(out: str) -> list[str]:
    """The lines of the lemma, up to its period."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    op lemma-1 : "))
    end = next(number for number in range(start, len(lines)) if lines[number].endswith(" ."))
    return lines[start : end + 1]


def test_a_long_case_shows_a_short_lemma_that_can_be_pasted(file: Path) -> None:
    code, out, _ = run("prove", str(file), "--inv", "cold")
    assert code == 3
    assert re.search(r"One for this case alone has \d+ literals \(--html F shows it\); one that says more:", out)
    lemma = skeleton(out)
    assert len(lemma) <= 12 and max(map(len, lemma)) <= 160
    pasted = file.read_text(encoding="utf-8") + "mod* PASTED { pr(CROWD)\n" + "\n".join(lemma) + "\n}\n"
    file.write_text(pasted, encoding="utf-8")
    _, out, _ = run("prove", str(file), "--inv", "cold", "--lemma", "lemma-1")
    assert "lemma-1 (lemma) │ verified" in out and "cold            │ verified" in out


def test_facts_that_do_not_fit_are_counted(file: Path) -> None:
    lines = run("prove", str(file), "--inv", "cold")[1].splitlines()
    facts = [line for line in lines if line.startswith(("  state: ", "  where: "))]
    assert facts and all(len(line) < 520 for line in facts)


def test_the_page_shows_every_literal_on_a_line_of_its_own(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("prove", str(file), "--inv", "cold", "--html", str(page))[0] == 3
    text = page.read_text(encoding="utf-8")
    question = text[text.index('<pre class="question"') : text.index("</pre>", text.index('<pre class="question"'))]
    for flag in FLAGS:
        assert re.search(rf"^ +(and |or |\()*\(*{flag}\(S,", question, re.MULTILINE), flag
    assert "more" not in question.split("Can this state")[0]


SWITCH = """
mod! LAMP {{ [Lamp] ops left right : -> Lamp{constr}  {more} eq (left = right) = false . }}
mod* SWITCH {{ pr(LAMP) *[Sys]*
  op init : -> Sys
  bop lit : Sys Lamp -> Bool
  bop press : Sys Lamp -> Sys
  op dark : Sys Lamp -> Bool
  var S : Sys  vars L M : Lamp
  eq lit(init, L) = false .
  eq lit(press(S, L), M) = (if (L = left) or (L = right) then lit(S, M) else true fi) .
  eq dark(S, L) = not lit(S, L) .
}}
"""


@pytest.mark.parametrize(
    ("constr", "more", "hint"),
    [
        ("", "", "Lamp: this is a value other than left and right; declare them {constr} if there are no others"),
        ("", "op third : -> Lamp .", None),  # the case does not say that it is not the third one
        (" {constr}", "op next : Lamp -> Lamp {constr} .", None),
    ],
)
def test_a_value_besides_the_constants_of_a_tight_module_is_explained(
    tmp_path: Path, constr: str, more: str, hint: str | None
) -> None:
    file = tmp_path / "switch.cafe"
    file.write_text(SWITCH.format(constr=constr, more=more), encoding="utf-8")
    code, out, _ = run("prove", str(file), "--inv", "dark")
    hints = [line.strip() for line in out.splitlines() if "this is a value other than" in line]
    assert code == 3
    assert [line.split(": op ")[0] for line in hints] == ([] if hint is None else [hint])
