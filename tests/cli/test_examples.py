"""`otsrw examples` lists what is bundled and copies it with all it needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import checked, run
from support import ROOT

BUNDLED = sorted(path.stem for path in (ROOT / "specs").glob("*.cafe"))


def test_every_bundled_specification_is_listed_with_a_sentence() -> None:
    examples = checked("examples", run("examples", "--json")[1])["examples"]
    assert [example["name"] for example in examples] == BUNDLED
    assert all(example["about"].endswith(".") and len(example["about"]) < 250 for example in examples)
    assert all(Path(example["file"]).is_file() for example in examples)


def test_the_list_names_each_and_ends_with_a_verdict() -> None:
    code, out, _ = run("examples")
    assert code == 0
    assert "ticket-atomic" in out
    assert out.splitlines()[-1].startswith(f"{len(BUNDLED)} examples in ")


def test_a_copy_works_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("examples", "nspk", "--copy", "mine")
    assert (code, out.splitlines()[-1]) == (0, "copied: 6 files to mine")
    assert {str(path.relative_to("mine")) for path in Path("mine").rglob("*.cafe")} == {
        "nspk.cafe",
        *(f"data/{name}.cafe" for name in ("bag", "nonce", "nspk", "nspk-cipher", "set")),
    }
    assert run("run", "mine/nspk.cafe")[0] == 0


def test_all_are_copied_and_copying_again_changes_nothing(tmp_path: Path) -> None:
    first = checked("examples", run("examples", "--json", "--copy", str(tmp_path))[1])["copied"]
    assert run("examples", "--copy", str(tmp_path))[0] == 0
    assert {Path(file).stem for file in first} >= set(BUNDLED)


def test_a_changed_copy_is_kept(tmp_path: Path) -> None:
    (tmp_path / "tas.cafe").write_text("mine")
    code, _, err = run("examples", "tas", "--copy", str(tmp_path))
    assert (code, (tmp_path / "tas.cafe").read_text()) == (2, "mine")
    assert "exists already and is different" in err
    assert not (tmp_path / "data").exists()


def test_one_is_explained() -> None:
    code, out, _ = run("examples", "tas")
    assert code == 0
    assert out.startswith("TAS: mutual exclusion by an atomic test-and-set.\n")


def test_a_misspelt_name_is_corrected() -> None:
    code, _, err = run("examples", "tickets")
    assert code == 2
    assert "there is no example 'tickets'" in err and "'ticket'" in err
