# Everything anyone memorises: make run, test, check, format. Needs Python 3.11 or newer, nothing else.
# A stamp in .venv remembers what was installed, so only a changed pyproject.toml or pin installs again.

HOST ?= 127.0.0.1
PORT ?= 8000
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
PINS := pyproject.toml constraints.txt

# The first Python that is new enough; PYTHON=... names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

# Python keeps what it compiled, the tests with their assertions too, also where the shell says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run quick test test-slow coverage exam check format wheel bench clean
.DEFAULT_GOAL := run

run: $(VENV)/.run
	@exec $(BIN)/smoldesk serve --host $(HOST) --port $(PORT)

# What starts no process, server or browser: seconds, for between two edits. tests/support/quick.py chooses and guards.
quick: $(VENV)/.dev
	@$(BIN)/python -m pytest --quick --numprocesses 2 --dist worksteal

# Four processes, also on two processors: much of a test is waiting, for a server, a browser or a child.
test: $(VENV)/.dev
	@$(BIN)/python -m tests.browser_support
	@$(BIN)/python -m tests.node_support
	@$(BIN)/python -m tests.axe_support
	@$(BIN)/python -m pytest -m "not slow" --numprocesses 4 --dist loadfile

test-slow: $(VENV)/.dev
	@$(PIP) --constraint constraints.txt --editable '.[slow]'
	@$(BIN)/python -m tests.browser_support
	@$(BIN)/python -m tests.node_support
	@$(BIN)/python -m tests.axe_support
	@$(BIN)/python -m pytest -m slow

# Lines of the server that the tests run through, those without a browser; it fails below the floor of pyproject.toml.
coverage: $(VENV)/.dev
	@$(BIN)/python -m pytest -m "not slow and not browser" --numprocesses 4 --dist loadfile --ignore tests/exams --ignore tests/analyst --cov --cov-report=term

# All of the built-in analyst's exams: questions over real tables. make test plays a sample of them.
exam: $(VENV)/.dev
	@$(BIN)/pip install -q -c constraints.txt -e '.[exam]'
	@$(BIN)/python -m tests.exams

check: $(VENV)/.dev
	@$(BIN)/python scripts/check.py

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python scripts/message_types.py
	@$(BIN)/python scripts/check.py --write

# With the page's bundle in it, which esbuild makes: spec/reference/page_loading.md.
wheel: $(VENV)/.dev
	@$(BIN)/python -m hatchling build -t wheel -d dist

# `make bench wires` measures that part alone: names behind it are parts, no targets. `make bench guard` compares about
# fifteen ratios with bench/history.jsonl, in under six minutes.
ifeq (bench,$(firstword $(MAKECMDGOALS)))
PARTS := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
.PHONY: $(PARTS)
$(eval $(PARTS):;@:)
endif

bench: $(VENV)/.bench
	@$(BIN)/python -m bench $(PARTS)

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .hypothesis .cache tests/*/*/node_modules

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "smoldesk needs Python 3.11 or newer; name one with make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "smoldesk needs Python 3.11 or newer, this one is " + sys.version)'
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "No virtual environment: on Debian, install python3-venv" >&2; exit 1; }

# Each stamp is written last, so an install that broke off starts again.
$(VENV)/.run: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk (a minute or two, once)"
	@$(PIP) --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk and what its tests need (a few minutes, once)"
	@$(PIP) --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.bench: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk and what it is measured against (a few minutes, once)"
	@$(PIP) --constraint constraints.txt --editable '.[dev,bench]'
	@touch $@ $(VENV)/.dev $(VENV)/.run
