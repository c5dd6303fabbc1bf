# Tock Companion. `make run` starts a companion, `make test` tries everything; `make` alone lists the everyday targets.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
BENCH = $(BIN)/tock bench

# Tests start hundreds of processes; where this is set, each would compile every module again, and so would every start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help help-all install run test long unit check format clean

help: ## lists the everyday targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 16

# Each file begins with a line that says what its targets are for.
help-all: help ## lists measuring, pictures and reading, hardware, packages and releases too
	@for part in make/*.mk; do echo; sed -n 's/^# //p;q' $$part; \
	    grep -hE '^[a-z0-9-]+:.*## ' $$part | sed 's/:.*## /\t/' | expand -t 18; done

install: $(STAMP) ## makes .venv with everything but Debian packages

run: $(STAMP) ## installs if needed, starts the companion, opens its page (ARGS="--reed sim")
	@echo "tock: where a document says tock, type $(BIN)/tock here"
	@$(BIN)/tock run --browser $(ARGS)

# Tests spend two thirds of their time waiting for browsers, emulators and services.
WORKERS := $(shell expr $$(nproc) \* 5 / 2)
# Gates and tests run beside each other: each uses the processor that the other leaves idle.
test: ## installs what tests need, Debian packages too, then passes every gate and test
	@$(MAKE) --no-print-directory --jobs=2 prepare
	@$(MAKE) --no-print-directory --jobs=2 shown-gates tests

.PHONY: tests tests-loaded
# Compiles tests and libraries once; else each worker compiles all of them. Faults are shown later.
tests-loaded:
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

tests: firmware tests-loaded
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs -m "not slow"

check: $(DEV_STAMP) ## before a commit: gates and fast tests without superuser; says what it left out
	@sh tools/check.sh

unit: $(DEV_STAMP) ## the rules, the referee and what they stand on, in seconds, for while you type
	$(BIN)/pytest -p no:xdist -m "not slow and not whole" tests/rules tests/referee tests/events tests/boardfile tests/storage

long: ready rp2040-built ## the tests that `make test` leaves out (half an hour)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs -m slow

# Downloads wait for the network and gates for the processor, so two of each run at a time; what fails is shown in one piece.
.PHONY: ready prepare gates shown-gates format-check lint types imports firmware-lint
ready:
	@$(MAKE) --no-print-directory --jobs=2 prepare
	@$(MAKE) --no-print-directory --jobs=2 shown-gates

shown-gates: firmware
	@$(MAKE) --no-print-directory --output-sync=target gates

prepare: $(DEV_STAMP) packages

gates: format-check lint imports page-check firmware-lint types ## all gates, without tests

format-check: $(DEV_STAMP)
	$(BIN)/ruff format --check .

lint: $(DEV_STAMP)
	$(BIN)/ruff check .

imports: $(DEV_STAMP)
	$(BIN)/lint-imports --no-logo

types: $(DEV_STAMP)
	$(BIN)/mypy

firmware-lint: firmware
	@sh tools/need.sh lint
	@$(MAKE) --no-print-directory -C firmware lint

.PHONY: page-check page-format
page-check: ## format, lint, types and unit tests of the page's scripts
	@sh tools/need.sh node
	@cd web && npm run --silent check

format: $(DEV_STAMP) ## formats the Python code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

page-format: ## formats scripts, styles and templates of the page
	@sh tools/need.sh node
	@cd web && npm run --silent format

.PHONY: firmware firmware-tools
firmware: firmware-tools ## builds the reed board's firmware and the emulator that runs it without a board
	@$(MAKE) --no-print-directory -C firmware all host sim bootloader

firmware-tools:
	@sh tools/need.sh firmware

.PHONY: api rule-pages docs
api: $(DEV_STAMP) ## writes the page's types and the reference of the API from the Python types
	$(BIN)/python -m tock_web.generate

rule-pages: $(DEV_STAMP) ## writes docs/rules: every statement of the five texts, its switches, its tests
	@$(BIN)/python -m tools.rule_pages

docs: $(DEV_STAMP) rule-pages ## builds the site of the documents into build/site
	$(BIN)/mkdocs build --strict --quiet

clean: ## removes what was built; games in the data folder stay
	rm -rf $(VENV) build dist web/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(BIN)/pip:
	@sh tools/make-venv.sh $(VENV)

$(STAMP): pyproject.toml | $(BIN)/pip
	@echo "tock: installing the companion into $(VENV)"
	@$(BIN)/pip install --quiet --editable '.[club,workshop]'
	@touch $@

# uv takes an eighth of the computing; where it cannot reach what pip was set up for, pip does it.
$(DEV_STAMP): pyproject.toml | $(BIN)/pip
	@echo "tock: installing the companion and what its tests need into $(VENV)"
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[dev]' || $(BIN)/pip install --quiet --editable '.[dev]'
	@touch $(STAMP) $@

.PHONY: packages broker
packages:
	@sh tools/need.sh tests
broker:
	@sh tools/need.sh broker

include make/*.mk
