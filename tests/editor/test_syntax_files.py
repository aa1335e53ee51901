"""The package for Visual Studio Code, its grammar and snippets, the files for Vim, and the Pygments lexer."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name
from support import ROOT

sys.path.insert(0, str(ROOT / "editors" / "vscode"))

import package_vsix

from otsrw.application import load_specification
from otsrw.report.highlighting import CafeObjLexer
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source

EXTENSION = ROOT / "editors" / "vscode"
FILES = sorted([*(ROOT / "specs").rglob("*.cafe"), *(ROOT / "proofs").rglob("*.cafe")])
GRAMMAR = EXTENSION / "syntaxes" / "cafeobj.tmLanguage.json"


def test_the_package_has_what_its_manifest_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (EXTENSION / "dist" / "extension.js").exists():  # made by npm, which a machine may lack
        monkeypatch.setattr(package_vsix, "FILES", tuple(f for f in package_vsix.FILES if not f.startswith("dist")))
    package_vsix.write(tmp_path / "a.vsix")
    package_vsix.write(tmp_path / "b.vsix")
    assert (tmp_path / "a.vsix").read_bytes() == (tmp_path / "b.vsix").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.vsix") as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
        package = json.loads(archive.read("extension/package.json"))
    space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
    identity = manifest.find(f"{space}Metadata/{space}Identity")
    assert identity is not None
    assert (identity.get("Id"), identity.get("Version")) == (package["name"], package["version"])
    assets = [asset.get("Path") for asset in manifest.findall(f"{space}Assets/{space}Asset")]
    given = package["contributes"]
    paths = [entry["path"] for kind in ("grammars", "snippets") for entry in given[kind]]
    paths.append(given["languages"][0]["configuration"])
    assert {*assets, *(f"extension/{path.removeprefix('./')}" for path in paths)} <= names


def test_every_command_of_the_extension_has_its_code() -> None:
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    code = (EXTENSION / "src" / "extension.js").read_text("utf-8")
    for command in package["contributes"]["commands"]:
        assert f'"{command["command"]}":' in code
    server = (ROOT / "otsrw" / "editor" / "server.py").read_text("utf-8")
    server += (ROOT / "otsrw" / "editor" / "lenses.py").read_text("utf-8")
    for name in re.findall(r'"(otsrw\.(?:igf|search|trace|runAll))"', code):
        assert f'"{name}"' in server or name == "otsrw.trace"


def filled(body: list[str]) -> str:
    """A snippet with the text that it proposes."""
    text = "\n".join(body)
    proposed = dict(re.findall(r"\$\{(\d):([^}]*)\}", text))
    text = re.sub(r"\$\{(\d):[^}]*\}", lambda found: proposed[found[1]], text)
    return re.sub(r"\$(\d)", lambda found: proposed.get(found[1], ""), text) + "\n"


def test_snippets_are_correct(tmp_path: Path) -> None:
    snippets = json.loads((EXTENSION / "snippets" / "cafeobj.json").read_text("utf-8"))
    for snippet in snippets.values():
        assert read(Source("snippet", filled(snippet["body"])))[1] == []
    path = tmp_path / "system.cafe"
    path.write_text(filled(snippets["Observational transition system"]["body"]), encoding="utf-8")
    recognised = load_specification(str(path)).recognised()
    assert recognised.problems == ()
    assert [each.name for each in recognised.ots.transitions] == ["enter"]
    assert recognised.invariant().name == "mutex"


TOKENISE = """
const fs = require('fs'), { Registry, INITIAL } = require('vscode-textmate'), onig = require('vscode-oniguruma');
const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer;
const onigLib = onig.loadWASM(wasm).then(() => ({
  createOnigScanner: (p) => new onig.OnigScanner(p), createOnigString: (s) => new onig.OnigString(s) }));
const registry = new Registry({ onigLib, loadGrammar: async () => JSON.parse(fs.readFileSync(process.argv[1])) });
registry.loadGrammar('source.cafeobj').then((grammar) => {
  const found = {};
  for (const file of process.argv.slice(2)) {
    let stack = INITIAL;
    const all = [];
    for (const line of fs.readFileSync(file, 'utf8').split('\\n')) {
      const result = grammar.tokenizeLine(line, stack);
      stack = result.ruleStack;
      for (const t of result.tokens) all.push([line.slice(t.startIndex, t.endIndex), t.scopes[t.scopes.length - 1]]);
    }
    found[file] = { depth: stack.depth, tokens: all };
  }
  console.log(JSON.stringify(found));
});
"""


@pytest.mark.skipif(
    shutil.which("node") is None or not (EXTENSION / "node_modules" / "vscode-textmate").exists(),
    reason="the engine of Visual Studio Code is brought by npm: make vscode",
)
def test_the_grammar_colours_specifications_in_the_engine_of_the_editor() -> None:
    command = ["node", "-e", TOKENISE, str(GRAMMAR), *map(str, FILES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=EXTENSION, timeout=60)
    found = json.loads(done.stdout)
    for path in FILES:
        assert found[str(path)]["depth"] == 1, f"{path}: a region is never closed"
    tokens = [(text.strip(), scope) for text, scope in found[str(ROOT / "specs" / "tas.cafe")]["tokens"]]
    for wanted in (
        ("mod*", "storage.type.module.cafeobj"),
        ("TAS", "entity.name.namespace.cafeobj"),
        ("bop", "storage.type.operator.cafeobj"),
        ("pc", "entity.name.function.cafeobj"),
        ("Pid", "entity.name.type.cafeobj"),
        ("constr", "storage.modifier.cafeobj"),
        ("ceq", "keyword.other.axiom.cafeobj"),
        ("invariant", "keyword.other.hint.cafeobj"),
        ("false", "constant.language.cafeobj"),
    ):
        assert wanted in tokens
    score = [(text.strip(), scope) for text, scope in found[str(ROOT / "proofs" / "tas-mutex.cafe")]["tokens"]]
    assert ("red", "keyword.control.reduce.cafeobj") in score


def test_the_expressions_of_the_grammar_are_correct() -> None:
    def expressions(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [str(node[key]) for key in ("match", "begin", "end") if isinstance(node.get(key), str)]
            return own + [found for value in node.values() for found in expressions(value)]
        return [found for value in node for found in expressions(value)] if isinstance(node, list) else []

    found = expressions(json.loads(GRAMMAR.read_text("utf-8")))
    assert len(found) > 25
    for expression in found:
        re.compile(expression)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pygments_reads_every_specification(path: Path) -> None:
    text = path.read_text("utf-8")
    tokens = list(CafeObjLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert all(kind is not Error for kind, _ in tokens)
    lines = [line for line in text.splitlines() if line.startswith("-- ")]
    comments = {value for kind, value in tokens if kind in Comment}
    assert set(lines) <= comments


def test_pygments_finds_the_language_by_its_name() -> None:
    lexer = get_lexer_by_name("cafeobj")
    tokens = {value: kind for kind, value in lexer.get_tokens("mod! TAS { op pc : Sys -> Label }\n")}
    assert tokens["mod!"] is Keyword.Declaration
    assert tokens["TAS"] is Name.Namespace
    assert tokens["pc"] is Name.Function


@pytest.mark.skipif(shutil.which("vim") is None, reason="needs vim")
def test_vim_reads_its_files_without_an_error(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f"redir! > {log} | syntax on | runtime ftdetect/cafeobj.vim | edit {ROOT / 'specs' / 'tas.cafe'}"
    look = "echo 'type=' . &filetype | call search('^mod\\*')"
    look += " | echo 'group=' . synIDattr(synID(line('.'), col('.'), 1), 'name')"
    command = ["vim", "-u", "NONE", "-es", "-c", f"set rtp^={ROOT / 'editors' / 'vim'}", "-c", "filetype plugin on"]
    subprocess.run([*command, "-c", script, "-c", look, "-c", "redir END | qa!"], timeout=20, check=False)
    said = log.read_text("utf-8")
    assert "type=cafeobj" in said and "group=cafeDeclaration" in said
    assert "Error" not in said
