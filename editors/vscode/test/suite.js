// Checks that run inside Visual Studio Code, in its extension host, with the extension as it was packaged.
// Every check asks the editor, not the server: what is found here is what a user is shown.
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const FOLDER = process.env.OTSRW_TEST_FOLDER;
const RESULTS = process.env.OTSRW_TEST_RESULTS;

const ask = (command, ...given) => vscode.commands.executeCommand(command, ...given);

// What `look` finds, as soon as `good` holds of it: the server answers a moment after an edit.
async function until(look, good) {
  let found;
  for (let tried = 0; tried < 150; tried += 1) {
    found = await look();
    if (good(found)) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.fail(`never as wanted; at last: ${JSON.stringify(found).slice(0, 400)}`);
}

async function opened(name) {
  const document = await vscode.workspace.openTextDocument(path.join(FOLDER, name));
  const editor = await vscode.window.showTextDocument(document);
  return { document, editor, uri: document.uri };
}

function placeOf(document, mark, inside = 0) {
  const at = document.getText().indexOf(mark);
  assert.ok(at >= 0, `${mark} is not in the text`);
  return document.positionAt(at + inside);
}

async function replaced(document, old, text) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(placeOf(document, old), placeOf(document, old, old.length)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

const problems = (uri) => vscode.languages.getDiagnostics(uri).map((each) => `${each.code}: ${each.message}`);
const lenses = async (uri) =>
  ((await ask("vscode.executeCodeLensProvider", uri, 50)) || []).map((each) => each.command.title);

const checks = {
  "a specification starts the extension": async () => {
    const { document } = await opened("lock.cafe");
    assert.equal(document.languageId, "cafeobj");
    const extension = vscode.extensions.getExtension("otsrw.otsrw");
    await until(async () => extension.isActive, Boolean);
  },

  "problems are underlined as they are typed": async () => {
    const { document, uri } = await opened("lock.cafe");
    await until(() => problems(uri), (found) => found.length === 1 && found[0].startsWith("E507: enter does not define locked"));
    await replaced(document, "bop locked : Sys", "bop locked : Syz");
    await until(() => problems(uri), (found) => found.some((each) => each.startsWith("E201: no such sort: 'Syz'")));
    await replaced(document, "bop locked : Syz", "bop locked : Sys");
    await until(() => problems(uri), (found) => found.length === 1 && found[0].startsWith("E507"));
  },

  "hover, definition, references": async () => {
    const { document, uri } = await opened("lock.cafe");
    const place = placeOf(document, "pc(S, J) = rs");
    const hovers = await until(() => ask("vscode.executeHoverProvider", uri, place), (found) => found.length > 0);
    assert.match(hovers[0].contents[0].value, /bop pc : Sys Pid -> Label/);
    const value = await ask("vscode.executeHoverProvider", uri, placeOf(document, "red pc"));
    assert.match(value[0].contents[0].value, /\(cs\):Label/);
    const [found] = await ask("vscode.executeDefinitionProvider", uri, place);
    assert.equal(document.lineAt((found.range || found.targetRange).start.line).text.trim(), "bop pc : Sys Pid -> Label");
    const places = await ask("vscode.executeReferenceProvider", uri, place);
    assert.ok(places.length >= 7, `${places.length} references`);
  },

  "outline, completion, snippets": async () => {
    const { document, uri } = await opened("lock.cafe");
    const symbols = await ask("vscode.executeDocumentSymbolProvider", uri);
    assert.deepEqual(symbols.map((each) => each.name), ["LABEL", "LOCK", "open LOCK"]);
    assert.ok(symbols[1].children.some((each) => each.name === "enter" && each.kind === vscode.SymbolKind.Method));
    const offered = await ask("vscode.executeCompletionItemProvider", uri, placeOf(document, "= pc(S, J) = rs", 3));
    const labels = offered.items.map((each) => (typeof each.label === "string" ? each.label : each.label.label));
    for (const wanted of ["pc", "enter", "S", "rs"]) {
      assert.ok(labels.includes(wanted), `${wanted} is not offered`);
    }
    const end = document.lineAt(document.lineCount - 1).range.end;
    const snippets = await ask("vscode.executeCompletionItemProvider", uri, end);
    assert.ok(snippets.items.some((each) => each.kind === vscode.CompletionItemKind.Snippet), "no snippet is offered");
  },

  "names are coloured by what they are": async () => {
    const { document, uri } = await opened("lock.cafe");
    const legend = await ask("vscode.provideDocumentSemanticTokensLegend", uri);
    const { data } = await ask("vscode.provideDocumentSemanticTokens", uri);
    const kinds = {};
    let line = 0;
    let column = 0;
    for (let at = 0; at < data.length; at += 5) {
      column = data[at] ? data[at + 1] : column + data[at + 1];
      line += data[at];
      kinds[document.lineAt(line).text.slice(column, column + data[at + 2])] = legend.tokenTypes[data[at + 3]];
    }
    assert.deepEqual(
      [kinds.pc, kinds.enter, kinds.mutex, kinds.rs, kinds.S],
      ["property", "method", "event", "enumMember", "variable"]
    );
  },

  "rename changes every place": async () => {
    const { document, uri } = await opened("lock.cafe");
    const edit = await ask("vscode.executeDocumentRenameProvider", uri, placeOf(document, "pc(S, J) = rs"), "place");
    const [[, edits]] = edit.entries();
    const places = await ask("vscode.executeReferenceProvider", uri, placeOf(document, "pc(S, J) = rs"));
    assert.equal(edits.length, places.length);
    assert.ok(edits.every((each) => each.newText === "place"));
  },

  "values stand behind reductions": async () => {
    const { document, uri } = await opened("lock.cafe");
    await ask("otsrw.runAllHere");
    await until(() => lenses(uri), (found) => found.includes("= cs") && found.includes("= true"));
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await ask("vscode.executeInlayHintProvider", uri, whole);
    assert.deepEqual(hints.map((each) => (typeof each.label === "string" ? each.label : each.label[0].value)), ["= cs", "= true"]);
  },

  "actions mend what is wrong": async () => {
    const { document, uri } = await opened("lock.cafe");
    const place = placeOf(document, "bop locked");
    const found = await until(
      () => ask("vscode.executeCodeActionProvider", uri, new vscode.Range(place, place)),
      (each) => each.length > 0
    );
    const action = found.find((each) => each.title === "add the missing frame equations of LOCK");
    assert.ok(action, found.map((each) => each.title).join("; "));
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    await until(() => problems(uri), (each) => each.length === 0);
    assert.match(document.getText(), /eq locked\(enter\(S,J\)\) = locked\(S\) \./);
  },

  "an invariant is decided above its line": async () => {
    const { document, editor, uri } = await opened("lock.cafe");
    const place = placeOf(document, "mutex : Sys");
    editor.selection = new vscode.Selection(place, place);
    ask("otsrw.decideHere");
    await until(() => lenses(uri), (found) => found.includes("igf: falsified in 2 steps"));
    await until(() => problems(uri), (found) => found.some((each) => each.includes("mutex is falsified in 2 steps")));
    ask("otsrw.searchHere");
    await until(() => lenses(uri), (found) => found.some((each) => each.startsWith("search: violated in 2 steps")));
  },

  "a lens does what it says": async () => {
    const { uri } = await opened("tas.cafe");
    const found = await until(
      () => ask("vscode.executeCodeLensProvider", uri, 50),
      (each) => each && each.some((lens) => lens.command.command === "otsrw.igf" && lens.command.arguments[2] === "mutex")
    );
    const lens = found.find((each) => each.command.command === "otsrw.igf" && each.command.arguments[2] === "mutex");
    await ask(lens.command.command, ...lens.command.arguments);
    await until(() => lenses(uri), (each) => each.includes("igf: verified"));
  },

  "the trace has a page beside the text": async () => {
    const { document, editor } = await opened("lock.cafe");
    const place = placeOf(document, "mutex : Sys");
    editor.selection = new vscode.Selection(place, place);
    await ask("otsrw.traceHere");
    const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
    await until(labels, (found) => found.includes("otsrw: mutex"));
  },

  "the explorer opens in a terminal": async () => {
    await opened("tas.cafe");
    await ask("otsrw.explore");
    const terminal = await until(() => vscode.window.terminals.find((each) => each.name === "otsrw explore"), Boolean);
    assert.deepEqual(terminal.creationOptions.shellArgs, ["explore", path.join(FOLDER, "tas.cafe")]);
    await until(() => terminal.processId, Boolean);
    terminal.dispose();
  },

  "format": async () => {
    const { document, uri } = await opened("lock.cafe");
    await replaced(document, "open LOCK .", "open LOCK .   \n\n\n");
    const edits = await ask("vscode.executeFormatDocumentProvider", uri, { tabSize: 2, insertSpaces: true });
    assert.ok(edits && edits.length > 0);
  },

  "the server can be started again": async () => {
    const { uri } = await opened("tas.cafe");
    await ask("otsrw.restart");
    await until(() => lenses(uri), (found) => found.includes("igf"));
  },
};

exports.run = async () => {
  const told = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      told.push({ name, passed: true });
    } catch (error) {
      told.push({ name, passed: false, why: String(error && error.stack) });
    }
  }
  fs.writeFileSync(`${RESULTS}.new`, JSON.stringify({ version: vscode.version, checks: told }, null, 2));
  fs.renameSync(`${RESULTS}.new`, RESULTS);
};
