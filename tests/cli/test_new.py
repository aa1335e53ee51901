"""`otsrw new` writes a specification that every command accepts, and so does CafeOBJ; completion scripts complete."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from commands import checked, run

LAST = {
    "run": "ran clean; 2 reductions",
    "search": "holds: mutex is true in every reachable state",
    "igf": "verified: mutex is an invariant",
    "ots": "MY-LOCK: 2 observers, 2 transitions, 1 invariant",
}


@pytest.fixture
def skeleton(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("new", "my-lock")
    assert code == 0
    assert out.splitlines()[-1].startswith("written: my-lock.cafe")
    return tmp_path / "my-lock.cafe"


@pytest.mark.parametrize("command", LAST)
def test_a_new_specification_runs_at_once(skeleton: Path, command: str) -> None:
    code, out, err = run(command, str(skeleton))
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith(LAST[command])


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("cafeobj") is None, reason="cafeobj is not installed")
def test_cafeobj_accepts_a_new_specification(skeleton: Path) -> None:
    done = subprocess.run(["cafeobj", "-q", "-batch", skeleton], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.count("(true):Bool") == 2
    assert "rror" not in done.stdout


def test_a_file_that_exists_is_kept(skeleton: Path) -> None:
    skeleton.write_text("mine")
    code, _, err = run("new", "my-lock.cafe")
    assert (code, skeleton.read_text()) == (2, "mine")
    assert "exists already" in err


@pytest.mark.parametrize("name", ["9lives", "a b", "label", "../x/y/z"])
def test_a_name_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("new", name)
    assert code == 2
    assert err.startswith("otsrw: ")
    assert list(tmp_path.iterdir()) == []


def test_new_document(tmp_path: Path) -> None:
    _, out, _ = run("new", str(tmp_path / "x.cafe"), "--json")
    assert checked("new", out)["module"] == "X"


def bash_completes(folder: Path, *words: str) -> list[str]:
    (folder / "completion.sh").write_text(run("completion", "bash")[1])
    given = " ".join(f"'{word}'" for word in ("otsrw", *words))
    script = (
        f'. ./completion.sh; COMP_WORDS=({given}); COMP_CWORD={len(words)}; _otsrw; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=20, check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("se",), ["search"]),
        (("igf", "my.cafe", "--pol"), ["--policy"]),
        (("igf", "--policy", "g"), ["goal-first"]),
        (("igf", "my"), ["my.cafe"]),
        (("igf", "x.cafe", "--proof", "my"), ["my.cafe"]),
        (("completion", "z"), ["zsh"]),
    ],
    ids=" ".join,
)
def test_bash_completes(tmp_path: Path, words: tuple[str, ...], expected: list[str]) -> None:
    (tmp_path / "my.cafe").touch()
    assert bash_completes(tmp_path, *words) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_completion_script_is_valid(tmp_path: Path, shell: str) -> None:
    text = run("completion", shell)[1]
    assert "igf" in text and "goal-first" in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: only looked at the text")
    (tmp_path / "script").write_text(text)
    subprocess.run([shell, "-n", tmp_path / "script"], check=True, timeout=20)
