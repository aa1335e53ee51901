// Starts `otsrw lsp` and gives its answers a place in Visual Studio Code.
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
let panel;

function program() {
  return vscode.workspace.getConfiguration("otsrw").get("path") || "otsrw";
}

async function start() {
  const run = { command: program(), args: ["lsp"] };
  client = new LanguageClient("otsrw", "otsrw", run, {
    documentSelector: [{ language: "cafeobj" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{cafe,cafeobj,mod}") },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `otsrw lsp does not start (${error.message}). Install it by pip install 'otsrw[lsp]', or set otsrw.path.`
    );
  }
}

// The invariant that the cursor is on, or one that the user chooses: the lenses of the text say which there are.
async function invariant() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
    return undefined;
  }
  const uri = editor.document.uri.toString();
  const lenses = (await client.sendRequest("textDocument/codeLens", { textDocument: { uri } })) || [];
  const found = lenses.filter((lens) => lens.command.command === "otsrw.igf");
  const line = editor.selection.active.line;
  const word = editor.document.getText(editor.document.getWordRangeAtPosition(editor.selection.active));
  const here = found.filter((lens) => lens.range.start.line === line || lens.command.arguments[2] === word);
  if (here.length) {
    return here[0].command.arguments;
  }
  const names = found.map((lens) => ({ label: lens.command.arguments[2], given: lens.command.arguments }));
  if (!names.length) {
    vscode.window.showInformationMessage("There is no invariant in this text.");
  }
  const chosen = names.length > 1 ? await vscode.window.showQuickPick(names) : names[0];
  return chosen && chosen.given;
}

async function ask(command, title) {
  const given = await invariant();
  if (!given) {
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: `otsrw ${title} ${given[2]}` };
  const answer = await vscode.window.withProgress(options, () =>
    client.sendRequest("workspace/executeCommand", { command, arguments: given })
  );
  if (answer.verdict) {
    vscode.window.showInformationMessage(`${given[2]}: ${answer.verdict}`);
  }
}

// The page of the command has its own style and script, and loads nothing: so it may run in a view without a network.
async function showTrace(context) {
  const given = await invariant();
  if (!given) {
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: `otsrw igf ${given[2]}` };
  const answer = await vscode.window.withProgress(options, () =>
    client.sendRequest("workspace/executeCommand", { command: "otsrw.trace", arguments: [...given, "igf"] })
  );
  if (!answer.html) {
    return;
  }
  if (!panel) {
    panel = vscode.window.createWebviewPanel("otsrw.trace", "otsrw", vscode.ViewColumn.Beside, { enableScripts: true });
    panel.onDidDispose(() => (panel = undefined), undefined, context.subscriptions);
  }
  panel.title = `otsrw: ${given[2]}`;
  panel.webview.html = answer.html;
}

async function runAll() {
  const editor = vscode.window.activeTextEditor;
  if (editor && client) {
    const given = [editor.document.uri.toString()];
    await client.sendRequest("workspace/executeCommand", { command: "otsrw.runAll", arguments: given });
  }
}

function explore() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const file = editor.document.uri.fsPath;
  const terminal = vscode.window.createTerminal({
    name: "otsrw explore",
    cwd: path.dirname(file),
    shellPath: program(),
    shellArgs: ["explore", file],
  });
  terminal.show();
}

async function activate(context) {
  const commands = {
    "otsrw.decideHere": () => ask("otsrw.igf", "igf"),
    "otsrw.searchHere": () => ask("otsrw.search", "search"),
    "otsrw.traceHere": () => showTrace(context),
    "otsrw.runAllHere": runAll,
    "otsrw.explore": explore,
    "otsrw.restart": async () => {
      await deactivate();
      await start();
    },
  };
  for (const [name, work] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  }
  await start();
}

async function deactivate() {
  const old = client;
  client = undefined;
  if (old) {
    await old.stop();
  }
}

module.exports = { activate, deactivate };
