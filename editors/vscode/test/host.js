// Starts Visual Studio Code as a server with the packaged extension, shows it in a browser, and has it run suite.js.
// `host.js FILE.vsix OTSRW [PICTURE.png]`: prints one line a check; the exit code is 1 if one fails.
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [, , vsix, otsrw, picture] = process.argv;
const SERVER = [
  "-r",
  path.join(__dirname, "no-argon2.js"),
  path.join(__dirname, "node_modules", "code-server", "out", "node", "entry.js"),
];
const BROWSER = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((each) => each && fs.existsSync(each));
const PORT = 18999;

function workspace() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "otsrw-vscode-"));
  for (const name of ["user/User", "extensions", "folder", "suite"]) {
    fs.mkdirSync(path.join(root, name), { recursive: true });
  }
  const settings = {
    "otsrw.path": otsrw,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
  };
  fs.writeFileSync(path.join(root, "user/User/settings.json"), JSON.stringify(settings));
  fs.copyFileSync(path.join(__dirname, "lock.cafe"), path.join(root, "folder/lock.cafe"));
  const specs = path.resolve(__dirname, "../../../specs");
  fs.cpSync(path.join(specs, "data"), path.join(root, "folder/data"), { recursive: true });
  fs.copyFileSync(path.join(specs, "tas.cafe"), path.join(root, "folder/tas.cafe"));
  // The editor wants an extension beside the tests; it is empty, so what is tested is the one that was installed.
  const empty = { name: "suite", publisher: "otsrw", version: "0.0.1", engines: { vscode: "^1.82.0" } };
  fs.writeFileSync(path.join(root, "suite/package.json"), JSON.stringify(empty));
  fs.copyFileSync(path.join(__dirname, "suite.js"), path.join(root, "suite/suite.js"));
  return root;
}

async function waitFor(file, seconds) {
  for (let tried = 0; tried < seconds * 2; tried += 1) {
    if (fs.existsSync(file)) {
      return JSON.parse(fs.readFileSync(file, "utf8"));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`the editor has not ended its checks after ${seconds} s`);
}

async function shown(root) {
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  const page = await browser.newPage({ viewport: { width: 1300, height: 850 } });
  const remote = (name) => `vscode-remote://127.0.0.1:${PORT}${path.join(root, name)}`;
  const payload = [
    ["extensionDevelopmentPath", remote("suite")],
    ["extensionTestsPath", remote("suite/suite.js")],
  ];
  const query = new URLSearchParams({ folder: path.join(root, "folder"), payload: JSON.stringify(payload) });
  await page.goto(`http://127.0.0.1:${PORT}/?${query}`, { waitUntil: "domcontentloaded" });
  return { browser, page };
}

async function answering() {
  for (let tried = 0; tried < 60; tried += 1) {
    try {
      return await fetch(`http://127.0.0.1:${PORT}/healthz`);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  throw new Error("the editor does not start");
}

async function main() {
  const root = workspace();
  const folders = ["--user-data-dir", path.join(root, "user"), "--extensions-dir", path.join(root, "extensions")];
  const config = ["--config", path.join(root, "config.yaml")];
  const installed = spawnSync("node", [...SERVER, ...config, ...folders, "--install-extension", vsix], { encoding: "utf8" });
  if (installed.status !== 0 || !installed.stdout.includes("was successfully installed")) {
    throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);
  }
  const results = path.join(root, "results.json");
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry", "--disable-update-check"];
  const log = fs.openSync(path.join(root, "server.log"), "w");
  const server = spawn("node", [...SERVER, ...config, ...folders, ...options, path.join(root, "folder")], {
    env: { ...process.env, OTSRW_TEST_FOLDER: path.join(root, "folder"), OTSRW_TEST_RESULTS: results },
    stdio: ["ignore", log, log],
  });
  let browser;
  try {
    await answering();
    const view = await shown(root);
    browser = view.browser;
    const found = await waitFor(results, 300);
    if (picture) {
      await view.page.screenshot({ path: picture });
    }
    for (const check of found.checks) {
      console.log(`${check.passed ? "passed" : "FAILED"}: ${check.name}${check.passed ? "" : `\n${check.why}`}`);
    }
    const failed = found.checks.filter((check) => !check.passed).length;
    console.log(`Visual Studio Code ${found.version}: ${found.checks.length} checks, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
  } finally {
    await browser?.close();
    server.kill();
    await new Promise((resolve) => server.once("exit", resolve));
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
