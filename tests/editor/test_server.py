"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))

pytest.importorskip("pygls")

from editor_answers import long_score
from lsprotocol import types
from scripted_editor import ScriptedEditor, in_editor

from otsrw.editor.tokens import LEGEND

TAS = ROOT / "specs" / "tas.cafe"
WHOLE = types.Range(types.Position(0, 0), types.Position(10_000, 0))

LOCK = """\
mod! LABEL {
  [Label]
  ops rs cs : -> Label {constr} eq (rs = cs) = false .
}
mod* LOCK {
  pr(LABEL)
  *[Sys]*
  [Pid]
  op init : -> Sys
  bop pc : Sys Pid -> Label
  bop locked : Sys -> Bool
  bop enter : Sys Pid -> Sys
  op c-enter : Sys Pid -> Bool
  op mutex : Sys Pid Pid -> Bool
  var S : Sys
  vars I J : Pid
  eq pc(init, I) = rs .
  eq locked(init) = false .
  eq c-enter(S, J) = pc(S, J) = rs .
  ceq pc(enter(S, J), I) = (if I = J then cs else pc(S, I) fi) if c-enter(S, J) .
  ceq enter(S, J) = S if not c-enter(S, J) .
  eq mutex(S, I, J) = ((pc(S, I) = cs) and (pc(S, J) = cs)) implies (I = J) .
}
open LOCK .
  ops i j : -> Pid .
  red pc(enter(init, i), i) .
  red mutex(init, i, j) .
close
"""

STACKS = """\
mod* ELEMENT { [Elt] op less : Elt Elt -> Bool }
mod! STACK (X :: ELEMENT) {
  [Stack]
  op empty : -> Stack {constr}
  op push : Elt Stack -> Stack {constr}
  op top : Stack -> Elt
  var E : Elt
  var S : Stack
  eq top(push(E, S)) = E .
}
view NUMBERS from ELEMENT to NAT { sort Elt -> Nat, op less -> _<_ }
mod! USE {
  pr(STACK(NUMBERS) * { sort Stack -> Pile, op top -> peak })
  op one : -> Pile
  eq one = push(1, empty) .
  op first : -> Nat
  eq first = peak(one) .
}
select USE .
red peak(one) .
"""


def document(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


def placed(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


async def lens_titles(editor: ScriptedEditor, uri: str) -> list[str]:
    found = await editor.client.text_document_code_lens_async(types.CodeLensParams(document(uri)))
    return [f"{lens.range.start.line + 1}: {lens.command.title if lens.command else ''}" for lens in found or ()]


async def actions(editor: ScriptedEditor, uri: str, mark: str) -> dict[str, types.CodeAction]:
    place = editor.at(uri, mark)["position"]
    params = types.CodeActionParams(document(uri), types.Range(place, place), types.CodeActionContext([]))
    found = await editor.client.text_document_code_action_async(params)
    return {action.title: action for action in found or () if isinstance(action, types.CodeAction)}


def edits_of(action: types.CodeAction) -> list[str]:
    assert action.edit is not None and action.edit.changes is not None
    return [edit.new_text for edits in action.edit.changes.values() for edit in edits]


def test_problems_come_while_somebody_types(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "lock.cafe", LOCK))
        assert await editor.problems(uri) == ["12: E507 enter does not define locked"]
        editor.replace(uri, "bop locked : Sys -> Bool", "bop locked : Sy -> Bool")
        assert await editor.problems(uri) == ["11: E201 no such sort: 'Sy'"]
        editor.replace(uri, "bop locked : Sy -> Bool", "bop locked : Sys -> Bool")
        editor.replace(uri, "red mutex(init, i, j) .", "red mutx(init, i, j) .")
        assert "27: E111 unknown operator or variable: 'mutx'" in await editor.problems(uri)
        found = await actions(editor, uri, "mutx")
        assert edits_of(found["write 'mutex'"]) == ["mutex"]
        editor.replace(uri, "mutx", "mutex")
        editor.replace(uri, "}\nmod* LOCK", "\nmod* LOCK")
        assert "1: E104 this module is not closed before the next 'mod*'" in await editor.problems(uri)
        assert "add the missing '}' before line 5" in editor.told[uri][0].message
        editor.close(uri)
        assert await editor.problems(uri) == []

    in_editor(work)


def test_a_passage_without_end_and_a_frame_without_transitions_are_told(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        text = LOCK.replace("mod! LABEL", "-- @ frame\nmod! LABEL").replace("close\n", "")
        uri = editor.open(placed(tmp_path / "lock.cafe", text))
        assert await editor.problems(uri) == [
            "1: W508 '-- @ frame' does nothing here: LABEL is no observational transition system",
            "25: W304 this passage is never closed",
            "13: E507 enter does not define locked",
        ]
        editor.replace(uri, "-- @ frame\nmod! LABEL", "mod! LABEL")
        editor.replace(uri, "open LOCK .", "open LOCK .\nclose\nopen LOCK .")
        assert "26: W304 this passage is never closed" in await editor.problems(uri)
        editor.replace(uri, "red mutex(init, i, j) .\n", "red mutex(init, i, j) .\nclose\n")
        assert await editor.problems(uri) == ["12: E507 enter does not define locked"]

    in_editor(work)


def test_hover_tells_ranks_equations_roles_and_values(tmp_path: Path) -> None:
    async def hovered(editor: ScriptedEditor, uri: str, mark: str) -> str:
        found = await editor.client.text_document_hover_async(types.HoverParams(**editor.at(uri, mark)))
        assert found is not None
        contents: Any = found.contents
        return str(contents.value)

    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "lock.cafe", LOCK))
        operator = await hovered(editor, uri, "pc(S, J) = rs")
        assert "bop pc : Sys Pid -> Label ." in operator
        assert "observer of LOCK" in operator
        assert "eq pc(init,I) = rs ." in operator
        assert "transition of LOCK" in await hovered(editor, uri, "enter(S, J), I)")
        assert "op rs : -> Label { constr } ." in await hovered(editor, uri, "Label\n")
        assert "var S : Sys ." in await hovered(editor, uri, "S, J) = pc")
        assert "transitions enter; invariants mutex" in await hovered(editor, uri, "LOCK .")
        assert "(cs):Label" in await hovered(editor, uri, "red pc")
        editor.replace(uri, "then cs else", "then rs else")
        assert "(rs):Label" in await hovered(editor, uri, "red pc")

    in_editor(work)


def test_definitions_and_references_go_through_modules_views_and_renamings(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        client = editor.client
        uri = editor.open(placed(tmp_path / "stacks.cafe", STACKS))
        assert await editor.problems(uri) == []

        async def definition(mark: str, inside: int = 0) -> list[str]:
            return editor.shown(
                await client.text_document_definition_async(types.DefinitionParams(**editor.at(uri, mark, inside)))
            )

        async def references(mark: str, inside: int = 0) -> list[str]:
            params = types.ReferenceParams(types.ReferenceContext(True), **editor.at(uri, mark, inside))
            return editor.shown(await client.text_document_references_async(params))

        assert await definition("peak(one)") == ["stacks.cafe:6: top"]
        assert await definition("push(1") == ["stacks.cafe:5: push"]
        assert await definition("less -> _<_") == ["stacks.cafe:1: less"]
        assert await definition("Pile\n") == ["stacks.cafe:13: Pile"]
        assert await definition("NUMBERS) *") == ["stacks.cafe:11: NUMBERS"]
        assert await definition("ELEMENT) {") == ["stacks.cafe:1: ELEMENT"]
        assert await definition("E, S)") == ["stacks.cafe:7: E"]
        (built_in,) = await definition("Nat, op")
        assert built_in.startswith("prelude.cafe:")
        assert await references("top : Stack") == [
            "stacks.cafe:6: top",
            "stacks.cafe:9: top",
            "stacks.cafe:13: top",
            "stacks.cafe:13: peak",
            "stacks.cafe:17: peak",
            "stacks.cafe:20: peak",
        ]
        assert await references("Stack]") == [f"stacks.cafe:{line}: Stack" for line in (3, 4, 5, 5, 6, 8, 13)]
        spec = editor.open(TAS)
        found = await client.text_document_definition_async(types.DefinitionParams(**editor.at(spec, "Pid -> Label")))
        assert editor.shown(found) == ["pid.cafe:6: Pid"]
        found = await client.text_document_definition_async(types.DefinitionParams(**editor.at(spec, "data/pid")))
        assert editor.shown(found) == ["pid.cafe:1: "]

    in_editor(work)


async def text_with(editor: ScriptedEditor, uri: str, asked: types.RenameParams) -> str:
    """The text with a name changed as the server says."""
    found = await editor.client.text_document_rename_async(asked)
    assert found is not None and found.changes is not None
    lines = editor.texts[uri].splitlines(keepends=True)
    for edit in reversed(list(found.changes[uri])):
        line, start, end = edit.range.start.line, edit.range.start.character, edit.range.end.character
        lines[line] = lines[line][:start] + edit.new_text + lines[line][end:]
    return "".join(lines)


def test_a_name_is_changed_everywhere_or_not_at_all(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "stacks.cafe", STACKS))

        async def renamed(mark: str, new: str) -> str:
            return await text_with(editor, uri, types.RenameParams(new_name=new, **editor.at(uri, mark)))

        assert await renamed("top : Stack", "head") == STACKS.replace("top", "head")
        assert await renamed("peak(one)", "head") == STACKS.replace("peak", "head")
        assert await renamed("Stack]", "Heap") == STACKS.replace("Stack", "Heap")
        assert await renamed("E : Elt\n", "F") == STACKS.replace("var E", "var F").replace(
            "push(E, S)) = E", "push(F, S)) = F"
        )
        assert await renamed("USE {", "MAIN") == STACKS.replace("USE", "MAIN")
        for mark, new in (("top : Stack", "push"), ("top : Stack", "a b"), ("Nat, op", "N")):
            with pytest.raises(Exception, match=r"already something called|not a plain name|is built in"):
                await renamed(mark, new)

    in_editor(work)


MIXFIX = """\
mod! BOX {
  [Item Box]
  op empty : -> Box {constr}
  op put_into_ : Item Box -> Box {constr}
  op take _ out of _ : Item Box -> Box
  op _in_ : Item Box -> Bool
  op _;_ : Box Box -> Box
  op twice_twice_ : Box Box -> Box
  vars I J : Item
  var B : Box
  eq take I out of empty = empty .
  eq take I out of (put J into B) = if I = J then B else put J into (take I out of B) fi .
  eq I in empty = false .
  eq I in (put J into B) = (I = J) or (I in B) .
}
mod! CRATE { pr(BOX * { op put_into_ -> stow_inside_ }) op c : Item -> Box eq c(I:Item) = stow I inside empty . }
open BOX .
  op lift_over_ : Item Box -> Box .
  op i : -> Item .
  red take i out of (put i into empty) .
  red lift i over empty .
close
"""


def test_a_word_of_a_mixfix_operator_is_changed_everywhere(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "box.cafe", MIXFIX))
        assert await editor.problems(uri) == []

        async def renamed(mark: str, inside: int, new: str) -> str:
            return await text_with(editor, uri, types.RenameParams(new_name=new, **editor.at(uri, mark, inside)))

        assert await renamed("into B) = if", 1, "onto") == MIXFIX.replace("into", "onto")
        assert await renamed("put_into_ : Item", 6, "onto") == MIXFIX.replace("into", "onto")
        assert await renamed("put J into B", 1, "place") == MIXFIX.replace("put", "place")
        assert await renamed("out of empty", 1, "from") == MIXFIX.replace("out", "from")
        assert await renamed("take _ out", 0, "get") == MIXFIX.replace("take", "get")
        assert await renamed("stow I", 1, "lay") == MIXFIX.replace("stow", "lay")
        assert await renamed("lift i", 1, "raise") == MIXFIX.replace("lift", "raise")
        assert await renamed("in empty", 1, "within") == MIXFIX.replace("_in_", "_within_").replace(" in ", " within ")
        place = editor.at(uri, "put_into_ : Item", 6)
        found: Any = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
        assert (found.placeholder, found.range.start.character, found.range.end.character) == ("into", 9, 13)
        for mark, inside, new, why in (
            ("put J into B", 1, "take", "already something called"),
            ("_;_ :", 1, "join", "may stand without blanks"),
            ("twice_twice_", 1, "two", "more than once"),
        ):
            with pytest.raises(Exception, match=why):
                await renamed(mark, inside, new)
        editor.replace(uri, "op _;_ : Box Box", "op move_into_ : Box Box")
        with pytest.raises(Exception, match="a word of another operator, too"):
            await renamed("put J into B", 8, "onto")
        assert "place_into_" in await renamed("put J into B", 1, "place")

    in_editor(work)


def test_outline_completion_and_tokens(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        client = editor.client
        uri = editor.open(placed(tmp_path / "lock.cafe", LOCK))
        symbols: Any = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document(uri)))
        assert [symbol.name for symbol in symbols] == ["LABEL", "LOCK", "open LOCK"]
        kinds = {child.name: child.kind.name for child in symbols[1].children}
        assert (kinds["pc"], kinds["enter"], kinds["mutex"], kinds["Pid"]) == ("Property", "Method", "Event", "Class")

        async def offered(mark: str, inside: int) -> set[str]:
            found: Any = await client.text_document_completion_async(
                types.CompletionParams(**editor.at(uri, mark, inside))
            )
            return {item.label for item in found}

        assert {"pc", "enter", "S", "I", "rs", "mutex"} <= await offered("= pc(S, J) = rs", 3)
        assert {"Sys", "Pid", "Label"} <= await offered("bop pc : Sys", 10)
        assert {"LABEL", "LOCK", "NAT"} <= await offered("open LOCK", 7)
        assert "i" in await offered("red pc(enter(init, i)", 5)
        editor.replace(uri, "eq locked(init) = false .", "eq locked(init) = ")
        assert {"pc", "enter", "S", "I", "rs"} <= await offered("eq locked(init) = ", 18)
        editor.replace(uri, "eq locked(init) = ", "eq locked(init) = false .")
        full = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document(uri)))
        assert full is not None
        colours = coloured(editor.texts[uri], list(full.data))
        wanted = {"pc": "property", "enter": "method", "mutex": "event", "rs": "enumMember", "S": "variable"}
        assert {word: colours[word] for word in wanted} == {word: {kind} for word, kind in wanted.items()}
        assert colours["c-enter"] == {"function"} and colours["Sys"] == {"type"} and colours["LABEL"] == {"namespace"}
        editor.replace(uri, "red mutex(init, i, j) .", "red mutex(init, j, i) . red pc(init, i) .")
        delta = await client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(document(uri), full.result_id or "")
        )
        assert isinstance(delta, types.SemanticTokensDelta)
        data = list(full.data)
        for edit in delta.edits:
            data[edit.start : edit.start + edit.delete_count] = edit.data or []
        again = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document(uri)))
        assert again is not None and data == list(again.data)

    in_editor(work)


def coloured(text: str, data: list[int]) -> dict[str, set[str]]:
    lines = text.splitlines()
    found: dict[str, set[str]] = {}
    line = character = 0
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, character = line + down, right if down else character + right
        found.setdefault(lines[line][character : character + length], set()).add(LEGEND[kind])
    return found


def test_what_is_run_shows_its_result_in_place(tmp_path: Path) -> None:
    async def work(editor: ScriptedEditor) -> None:
        client = editor.client
        uri = editor.open(placed(tmp_path / "lock.cafe", LOCK))
        assert await lens_titles(editor, uri) == ["14: search", "14: igf", "26: run", "27: run"]

        async def command(name: str, *arguments: object) -> Any:
            params = types.ExecuteCommandParams(name, arguments=[uri, *arguments])
            return await client.workspace_execute_command_async(params)

        assert (await command("otsrw.run", 25))["values"] == 2
        assert (await lens_titles(editor, uri))[2:] == ["26: = cs", "27: = true"]
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document(uri), WHOLE))
        assert [(hint.position.line, hint.label) for hint in hints or ()] == [(25, "= cs"), (26, "= true")]
        refused = await command("otsrw.igf", "LOCK", "mutex")
        assert "E507" in refused["error"]
        editor.replace(uri, "  eq mutex", "  eq locked(enter(S, J)) = locked(S) .\n  eq mutex")
        assert (await lens_titles(editor, uri))[2:] == ["27: run", "28: run"]
        answer, hover = await asyncio.gather(
            command("otsrw.igf", "LOCK", "mutex"),
            client.text_document_hover_async(types.HoverParams(**editor.at(uri, "pc(S, J) = rs"))),
        )
        assert hover is not None
        assert answer["verdict"] == "falsified in 2 steps"
        assert (await lens_titles(editor, uri))[:2] == ["14: search", "14: igf: falsified in 2 steps"]
        (bad,) = editor.told[uri]
        assert "mutex is falsified in 2 steps" in bad.message and "enter(" in bad.message
        page = await command("otsrw.trace", "LOCK", "mutex", "igf")
        assert "<html" in page["html"] and "enter" in page["html"]

    in_editor(work)


def test_slips_are_mended(tmp_path: Path) -> None:
    text = LOCK.replace("  ceq enter(S, J)", "  eq enter(S, J)")

    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "lock.cafe", text))
        found = await actions(editor, uri, "eq enter(S, J)")
        assert edits_of(found["write 'ceq' for 'eq'"]) == ["ceq"]
        editor.replace(uri, "  eq enter(S, J)", "  ceq enter(S, J)")
        found = await actions(editor, uri, "bop locked")
        assert edits_of(found["add the missing frame equations of LOCK"]) == ["  eq locked(enter(S,J)) = locked(S) .\n"]
        editor.replace(uri, " eq (rs = cs) = false .", "")
        found = await actions(editor, uri, "ops rs cs")
        assert edits_of(found["add that the constructors of LABEL differ"]) == ["  eq (rs = cs) = false .\n"]
        params = types.DocumentFormattingParams(document(uri), types.FormattingOptions(2, True))
        assert not await editor.client.text_document_formatting_async(params)
        editor.replace(uri, "close\n", "close   \n\n\n")
        edits = await editor.client.text_document_formatting_async(params)
        assert [edit.new_text for edit in edits or ()] == ["close\n"]

    in_editor(work)


def test_files_that_are_loaded_are_followed_as_they_change(tmp_path: Path) -> None:
    placed(tmp_path / "base.cafe", "mod! BASE { [S] op a : -> S }\n")

    async def work(editor: ScriptedEditor) -> None:
        main = editor.open(placed(tmp_path / "main.cafe", "in base\nopen BASE .\nred a .\nclose\n"))
        assert await editor.problems(main) == []
        base = editor.open(tmp_path / "base.cafe")
        assert await editor.problems(main) == []
        editor.replace(base, "op a", "op b")
        assert await editor.problems(main) == ["3: E111 unknown operator or variable: 'a'"]
        editor.replace(base, "op b : -> S", "op a : -> T")
        assert "1: E201 base.cafe:1:27: no such sort: 'T'" in await editor.problems(main)

    in_editor(work)


def test_a_text_with_frames_has_the_equations_it_asks_for(tmp_path: Path) -> None:
    text = LOCK.replace("mod* LOCK", "-- @ frame\nmod* LOCK").replace(
        "red mutex(init, i, j)", "red locked(enter(init, i))"
    )

    async def work(editor: ScriptedEditor) -> None:
        uri = editor.open(placed(tmp_path / "lock.cafe", text))
        assert await editor.problems(uri) == []
        found: Any = await editor.client.text_document_hover_async(types.HoverParams(**editor.at(uri, "red locked")))
        assert "(false):Bool" in found.contents.value

    in_editor(work)


def test_a_proof_score_of_28_000_lines_is_answered_while_it_is_typed() -> None:
    text = long_score(28_000)

    async def work(editor: ScriptedEditor) -> None:
        client = editor.client
        uri = editor.open(ROOT / "proofs" / "long.cafe", text)
        assert await editor.problems(uri) == []
        editor.replace(uri, "eq m2-50 = x .", "eq m3-50 = x .")
        line = text[: text.index("eq m2-50 = x .")].count("\n") + 1
        assert await editor.problems(uri) == [f"{line}: E111 unknown operator or variable: 'm3-50'"]
        found = await client.text_document_definition_async(
            types.DefinitionParams(**editor.at(uri, "m1-70, m2-70, nw0-70) .\n"))
        )
        (place,) = editor.shown(found)
        assert place.endswith(": m1-70")

    in_editor(work)
