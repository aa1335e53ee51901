"""Commands: every keyword has an extent and at most one family; what no family has does nothing or is refused."""

from __future__ import annotations

import pytest
from support import events_of, run

from otsrw.proofs.events import Echoed
from otsrw.proofs.families import FAMILIES, CommandFamily, CommandHandler, Commands
from otsrw.proofs.workspace import Settings, Workspace
from otsrw.syntax import tree
from otsrw.syntax.commands import EXTENTS, UNSUPPORTED, Extent
from otsrw.syntax.lexer import KEYWORDS
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source

KEYWORDS_OF_FAMILIES = [keyword for family in FAMILIES for keyword in family.keywords]


def test_every_keyword_of_a_family_has_an_extent() -> None:
    assert [keyword for keyword in KEYWORDS_OF_FAMILIES if keyword not in EXTENTS] == []


def test_no_keyword_has_two_families_and_no_unsupported_one_has_any() -> None:
    assert len(KEYWORDS_OF_FAMILIES) == len(set(KEYWORDS_OF_FAMILIES))
    assert UNSUPPORTED.isdisjoint(EXTENTS)


def test_commands_whose_extent_is_a_term_all_do_something() -> None:
    terms = {keyword for keyword, extent in EXTENTS.items() if extent in (Extent.TERM, Extent.STEP)}
    assert terms <= set(KEYWORDS_OF_FAMILIES)


@pytest.mark.parametrize("keyword", sorted(EXTENTS))
def test_the_reader_makes_the_command_that_the_extent_says(keyword: str) -> None:
    expected = "TERM_COMMAND" if EXTENTS[keyword] is Extent.TERM else "STEP_COMMAND"
    line = EXTENTS[keyword] not in (Extent.TERM, Extent.STEP)
    assert KEYWORDS[keyword] == ("LINE_COMMAND" if line else expected)


@pytest.mark.parametrize(
    ("text", "codes"),
    [("regularize M", ["W106"]), (":unheard of (\n it )", ["E106"])],
)
def test_what_no_family_has(text: str, codes: list[str]) -> None:
    outcome = run(f"{text}\nred in BOOL : true .")
    assert [problem.code for problem in outcome.problems] == codes
    assert [command.result for command in outcome.commands] == ["true"]


def test_a_family_starts_once_in_a_session_at_its_first_command() -> None:
    started: list[Workspace] = []
    ran: list[str] = []

    def start(workspace: Workspace) -> CommandHandler:
        started.append(workspace)
        return lambda command: ran.append(command.keyword)

    workspace = Workspace(Settings(), lambda event: None, lambda source: None)
    commands = Commands(workspace, (CommandFamily(("look", "names"), start),))
    assert started == []
    for statement in read(Source("t", "look here\nnames there\nlook again"))[0]:
        assert isinstance(statement, tree.LineCommand)
        commands.run(statement)
    assert (started, ran) == ([workspace], ["look", "names", "look"])


def test_a_session_knows_nothing_of_another() -> None:
    text = "provide one\nrequire one\n--> done"
    assert [type(event) for event in events_of(text)] == [Echoed]
    assert [problem.code for problem in run("require one").problems] == ["E303"]
