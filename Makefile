# Two commands do everything on a machine with Python 3.11+, git and make:
#   make demo    set up, then find the attack on NSPK by induction-guided falsification
#   make test    set up, then all checks and tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test setup tables reference pages docs vscode vscode-test lint types rooms unit conformance bench soundness clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev,lsp,notebook,tui,web,z3,cluster]"
	$(BIN)/python -m compileall -q otsrw
	touch $@

setup: $(VENV)/.ready

demo: setup
	$(BIN)/otsrw demo

test: lint types rooms unit

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

rooms: setup
	$(BIN)/lint-imports

tables: setup
	$(BIN)/python -c 'from otsrw.syntax.grammar import store; store()'

reference: setup
	$(BIN)/python docs/make_reference.py

pages: setup
	$(BIN)/python docs/run_page.py README.md $(addprefix docs/,tutorial.md check.md search.md igf.md neighbourhoods.md classification.md exploration.md temporal.md)
	$(BIN)/python docs/make_pictures.py

docs: setup
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	$(BIN)/mkdocs build --strict

# The extension for Visual Studio Code; npm brings the client of the protocol and the bundler.
vscode: setup
	@command -v npm >/dev/null || { echo "make vscode needs npm (Node.js 18 or later)"; exit 1; }
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run -s bundle
	$(BIN)/python editors/vscode/package_vsix.py

# The extension in a real Visual Studio Code, brought by npm (200 MB); editors/vscode/test/run.sh says what it needs.
vscode-test: vscode
	editors/vscode/test/run.sh $(abspath editors/vscode/otsrw.vsix) $(abspath $(BIN)/otsrw) $(PICTURE)

unit: setup
	$(BIN)/python -m pytest -n 2

conformance: setup
	$(BIN)/python -m pytest -m slow -n 2

bench: setup
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/python bench/everything.py

# Random systems against an independent oracle: make soundness N=20000 [SEED=0] [JOBS=2]
N ?= 200
SEED ?= 0
JOBS ?= 2
soundness: setup
	$(BIN)/python bench/random_soundness.py $(N) --seed $(SEED) --jobs $(JOBS)

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache site
