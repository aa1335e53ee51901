#!/bin/sh
# Installs Visual Studio Code as a server (code-server, from npm) and runs suite.js in it, with the packaged extension.
# run.sh FILE.vsix OTSRW [PICTURE.png]
# Needs npm, Node.js 20 with its headers, a C++ compiler and Chromium. No script of a package is run, since some of
# them load programs from elsewhere; the three native modules that the server cannot do without are compiled here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vscode=$here/node_modules/code-server/lib/vscode
if [ ! -e "$here/node_modules/.ready" ]; then
  (cd "$here" && npm install --ignore-scripts --no-package-lock --no-audit --no-fund)
  (cd "$vscode" && npm install --omit=dev --ignore-scripts --no-audit --no-fund && ln -sfn node_modules node_modules.asar)
  (cd "$vscode/extensions" && npm install --omit=dev --ignore-scripts --no-audit --no-fund)
  gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
  prefix=$(node -p 'path.dirname(path.dirname(process.execPath))')
  for module in node-pty @vscode/spdlog native-watchdog; do
    (cd "$vscode/node_modules/$module" && node "$gyp" rebuild --nodedir="$prefix")
  done
  touch "$here/node_modules/.ready"
fi
exec node "$here/host.js" "$@"
