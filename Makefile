# Everything runs from a fresh clone with only make and Python 3.11 or newer.
# Another interpreter: make test PYTHON=python3.13
# Tools are started as `python -m …` from this folder, so that a copied or moved clone runs its own sources.

PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed
RUN := $(VENV)/bin/python
LINT_IMPORTS := $(RUN) -c 'import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())'
SOURCES := $(wildcard rumsim tests experiments benchmarks)

.DEFAULT_GOAL := help
.PHONY: help venv quickstart test lint format bench results clean distclean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

venv: $(STAMP) ## create .venv and install rumsim with its test tools

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "rumsim needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)" >&2; \
	  echo "Name another interpreter like this: make $(or $(MAKECMDGOALS),venv) PYTHON=python3.13" >&2; \
	  exit 1; }
	@$(RUN) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); }
	$(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $@

quickstart: $(STAMP) ## a first answer and its chart
	$(RUN) -m experiments quickstart

test: $(STAMP) ## run all tests on all cores
	$(RUN) -m pytest -n auto --dist worksteal

lint: $(STAMP) ## check style, types and the direction of imports
	$(RUN) -m ruff check $(SOURCES)
	$(RUN) -m ruff format --check $(SOURCES)
	$(RUN) -m mypy
	$(LINT_IMPORTS)

format: $(STAMP) ## put the sources in the house format
	$(RUN) -m ruff check --fix $(SOURCES)
	$(RUN) -m ruff format $(SOURCES)

bench: $(STAMP) ## measure speed on this machine
	$(RUN) benchmarks/bench.py --write

results: $(STAMP) ## rerun every experiment and rewrite results/
	$(RUN) -m experiments

clean: ## remove caches and build leftovers, keep .venv and results
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## as clean, and remove .venv too
	rm -rf $(VENV)
