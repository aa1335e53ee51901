# Two commands do everything on a machine with Python 3.11+, git and make:
#   make demo    set up, then run the bundled specifications and proof passages
#   make test    set up, then all checks and tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test setup tables lint types rooms unit bench clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev,search,tui,web,z3]"
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

unit: setup
	$(BIN)/python -m pytest -n 2

bench: setup
	$(BIN)/python bench/speed.py
	$(BIN)/python bench/versus_cafeobj.py specs proofs

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
