# Tock Companion. `make run` starts a companion, `make test` tries everything; `make` alone lists the targets.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev

# Tests start hundreds of processes; where this is set, each would compile every module anew, and so would every start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test long unit check format clean

help: ## lists the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

install: $(STAMP) ## makes the virtual environment .venv with everything but Debian packages

run: $(STAMP) ## installs if needed, starts the companion and opens its page (ARGS="--reed sim" and the like)
	@echo "tock: where a document says tock, type $(BIN)/tock here"
	@$(BIN)/tock run --browser $(ARGS)

# A third of the time browsers, emulators and services are waited for.
WORKERS := $(shell expr $$(nproc) \* 3 / 2)
# Gates and tests run beside each other: what the ones leave of the processor the others take.
test: ## installs what tests need, Debian packages too, then every gate and every test
	@$(MAKE) --no-print-directory --jobs=2 prepare
	@$(MAKE) --no-print-directory --jobs=2 shown-gates tests

.PHONY: tests tests-loaded
# Compiles tests and libraries once; else each worker compiles all of them. Faults are shown later.
tests-loaded:
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

tests: firmware tests-loaded
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs -m "not slow"

long: ready ## the tests that `make test` leaves out: minutes each, or the same on another board, size or language (half an hour)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs -m slow

unit: $(DEV_STAMP) ## the rules, the referee and what they stand on, in seconds, for while you type
	$(BIN)/pytest -p no:xdist -m "not slow and not whole" tests/rules tests/referee tests/events tests/boardfile tests/storage

check: $(DEV_STAMP) ## what to run before a commit: every gate and fast test that needs no superuser; says what it left out
	@sh tools/check.sh

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
	@sh tools/need-lint.sh
	@$(MAKE) --no-print-directory -C firmware lint

.PHONY: page-check page-format
page-check: ## format, lint, types and unit tests of the page's scripts
	@sh tools/need-node.sh
	@cd web && npm run --silent check

page-format: ## formats scripts, styles and templates of the page
	@sh tools/need-node.sh
	@cd web && npm run --silent format

.PHONY: sentences
sentences: $(DEV_STAMP) ## lists all sentences of a game in each ruleset, French and English, for proof-reading
	@$(BIN)/python -m tock_bench.studies.sentences

.PHONY: referee-bench
referee-bench: $(STAMP) ## measures the referee on 36,000 noisy turns (half an hour of computing); the table is in docs/measurements/referee.md
	$(BIN)/tock bench referee --samples 10000

.PHONY: compiled
compiled: $(STAMP) ## compiles the rules engine (needs a C compiler) and installs the wheel; `make install` goes back
	sh tools/build-compiled.sh dist $(BIN)/python
	$(BIN)/pip install --quiet --force-reinstall --no-deps dist/*.whl
	@echo $(CURDIR)/bench >"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tock_bench.pth" # no wheel has it
	@rm -f $(STAMP) $(DEV_STAMP)

.PHONY: compiled-test
compiled-test: $(DEV_STAMP) ## tests of the rules and the referee on the compiled engine, built aside into build/compiled
	sh tools/build-compiled.sh build/compiled $(BIN)/python
	$(BIN)/pip install --quiet --no-deps --target build/compiled/lib build/compiled/*.whl
	PYTHONPATH=build/compiled/lib $(BIN)/python -c "from tock_companion.rules.engine import is_compiled; assert is_compiled()"
	PYTHONPATH=build/compiled/lib $(BIN)/pytest tests/rules tests/referee tests/hints -m "not slow"

.PHONY: rules-study
rules-study: $(DEV_STAMP) ## 100,000 positions against a slow reading of the rules, 20,000 whole games (an hour); goes on where it was stopped
	$(BIN)/python -m tock_bench.studies.rules_study

.PHONY: calm-study
calm-study: $(DEV_STAMP) ## makes 1,000 slow moves before each source (ten minutes of a quiet core); goes on where it was stopped; the table is in docs/measurements/evening.md
	$(BIN)/python -m tock_bench.studies.calm

.PHONY: leak-study
leak-study: $(DEV_STAMP) ## looks for other people's cards in all answers of 200 games; the table is in docs/measurements/hostile-leaks.md
	$(BIN)/python -m tock_bench.studies.hand_leaks > docs/measurements/hostile-leaks.md

.PHONY: webkit
webkit: $(DEV_STAMP) ## plays a move in WebKit, the engine of iPhones (installs large Debian packages)
	@sh tools/need-webkit.sh
	@$(BIN)/pip install --quiet selenium
	$(BIN)/pytest -m slow tests/web/test_webkit.py

.PHONY: rules-mutants
rules-mutants: $(DEV_STAMP) ## tries 300 small faults in the rules and says how many the tests notice (hours)
	$(BIN)/python -m tock_bench.studies.rules_mutants 300

# Pictures beside the checkout that may not be handed on with it; this answers where they are missing.
BOARD_PICTURES := ../shared/data/board
CARD_PICTURES := ../shared/data/cards ../shared/data/cards_more
../shared/data/%:
	@echo "$@ is missing: its pictures may not be handed on with the sources, so only their keepers measure on them" >&2
	@exit 1

EVERY := 1
.PHONY: vision-report
vision-report: $(STAMP) | $(BOARD_PICTURES) ## measures the reader on pictures that no clone has, every EVERY-th still; the tables are in docs/measurements/board-reading.md
	$(BIN)/python -m vision.training.report $(BOARD_PICTURES) --every $(EVERY)

.PHONY: pictures
pictures: $(DEV_STAMP) ## takes the pictures of the documents for users, French and English, into docs/guide/images
	$(BIN)/python -m tock_bench.studies.pictures
	$(BIN)/python -m tock_bench.studies.club_hall

.PHONY: screenshots
screenshots: $(DEV_STAMP) ## takes pictures of every screen in every size, language and colour into build/screenshots
	$(BIN)/python -m tock_bench.studies.screenshots

EACH := 1
.PHONY: discover-report
discover-report: $(STAMP) | $(BOARD_PICTURES) ## measures the discovery of boards on pictures that no clone has, each by networks that never saw it; the table is in docs/measurements/board-discovery.md
	$(BIN)/python -m vision.training.discovery_report $(BOARD_PICTURES) --each $(EACH)

.PHONY: api
api: $(DEV_STAMP) ## writes the page's types and the reference of the API anew from the Python types
	$(BIN)/python -m tock_web.generate

.PHONY: rule-pages
rule-pages: $(DEV_STAMP) ## writes docs/rules: every statement of the five texts, its switches, its tests
	$(BIN)/python -m tock_bench.studies.rule_pages

.PHONY: docs
docs: $(DEV_STAMP) rule-pages ## builds the site of the documents into build/site
	$(BIN)/mkdocs build --strict --quiet

MINUTES := 120
.PHONY: soak
soak: $(DEV_STAMP) broker ## plays a long evening with streams, a broker and power cuts (MINUTES=120)
	$(BIN)/python -m tock_bench.studies.soak --minutes $(MINUTES)

.PHONY: kill-study
kill-study: $(DEV_STAMP) ## kills a whole companion during 1,000 requests of every kind (an hour); goes on where it was stopped
	$(BIN)/python -m tock_bench.studies.service_kills

.PHONY: disk-study
disk-study: $(DEV_STAMP) ## games on full and failing disks, 1,000 power cuts (half an hour, as root); the table is in docs/measurements/disk.md
	nice $(BIN)/python -m tock_bench.studies.disk

RELEASE := next
.PHONY: old-folder migration-study
old-folder: $(DEV_STAMP) ## has this version write a family's data folder for the tests (RELEASE=0.3.0 once it is out, TOCK=its command)
	$(BIN)/python -m tock_bench.studies.old_folders $(RELEASE) $(if $(TOCK),--tock $(TOCK))

migration-study: $(DEV_STAMP) ## power cuts and full disks while old folders are brought up to date (as root); the table is in docs/measurements/migrations.md
	nice $(BIN)/python -m tock_bench.studies.migrations

FUZZ_MINUTES := 60
.PHONY: fuzz
fuzz: $(DEV_STAMP) ## gives wrong files and requests to everything that reads any (FUZZ_MINUTES=60); goes on where it was stopped
	$(BIN)/python -m tock_bench.fuzz --minutes $(FUZZ_MINUTES)

.PHONY: deb
deb: $(STAMP) ## builds a Debian package into dist/, for ARCH=arm64 or ARCH=amd64 on any machine
	@sh tools/make-deb.sh $(CURDIR)/$(BIN)/python $(ARCH)

# Packages of this version, made where they are missing; the first for this kind of machine.
DEB_VERSION = $$($(BIN)/python -m tools.release.versions)
DEB = dist/tock-companion_$(DEB_VERSION)_$$(dpkg --print-architecture).deb
ARM64_DEB = dist/tock-companion_$(DEB_VERSION)_arm64.deb
.PHONY: arm64
arm64: $(DEV_STAMP) ## tries the arm64 package on emulated Debian 12 and 13 (hours, as root, 2 GB in /var/tmp); goes on where it was stopped
	@[ -e $(ARM64_DEB) ] || $(MAKE) --no-print-directory deb ARCH=arm64
	$(BIN)/python -m tock_bench.studies.arm64

.PHONY: try-package try-update try-card
try-package: $(DEV_STAMP) ## takes the package through its life, and a game over from the last release, in a booted container (as root, 2 GB in /var/tmp)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@sh tools/try-booted.sh package $(DEB)
	@$(MAKE) --no-print-directory try-update

# LAST=FILE.deb takes the last release from a file instead of building it of its commit.
try-update: $(DEV_STAMP) ## the second half of try-package: a game goes on after updates by apt and by the page, and back (LAST=FILE.deb)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@rm -rf build/trial
	@$(BIN)/python -m tools.release.trial build/trial $(DEB) $(LAST)
	@sh tools/try-booted.sh update build/trial

try-card: $(STAMP) ## boots a container from a new card's files up to the page, without network (as root, 1 GB in /var/tmp)
	@[ -e $(DEB) ] || $(MAKE) --no-print-directory deb
	@sh tools/try-booted.sh card $(DEB) $(BIN)/tock

COUNTRY := CA
.PHONY: image-files
image-files: $(STAMP) ## writes what goes onto a new card's boot partition (COUNTRY=FR ARGS="--house OurWiFi --language en")
	@[ -e $(ARM64_DEB) ] || $(MAKE) --no-print-directory deb ARCH=arm64
	@$(BIN)/tock image-files --country $(COUNTRY) $(ARGS)

KEY := $(or $(TOCK_SIGNING_KEY),../tock-signing-key.pem)
.PHONY: signing-key
signing-key: $(STAMP) ## makes a key to sign packages with, outside the checkout (KEY=FILE; docs/threat-model-updates.md)
	@$(BIN)/tock update keygen $(KEY)

.PHONY: release release-cut release-next
release: $(DEV_STAMP) ## builds and signs both packages with checksums and notes into dist/, or says why not (KEY=FILE; docs/releasing.md)
	@$(BIN)/python -m tools.release build --key $(KEY)

release-cut: $(DEV_STAMP) ## commits the release that the version under way becomes: its number, and the date in the changelog
	@$(BIN)/python -m tools.release cut

release-next: $(DEV_STAMP) ## commits the start of the version after the release that HEAD is
	@$(BIN)/python -m tools.release next

.PHONY: deb-wheels
deb-wheels: $(STAMP) ## takes the newest wheels into the package's lists, packaging/deb/wheels
	@$(BIN)/pip install --quiet packaging
	$(BIN)/python tools/lock_wheels.py

.PHONY: firmware firmware-tools
firmware: firmware-tools ## builds the reed board's firmware and the emulator that runs it without a board
	@$(MAKE) --no-print-directory -C firmware all host sim bootloader

firmware-tools:
	@sh tools/need-firmware.sh

.PHONY: firmware-rp2040
firmware-rp2040: $(DEV_STAMP) ## builds the reed board's firmware for a Raspberry Pi Pico and tries it on an emulator
	@sh tools/need-rp2040.sh build/firmware-rp2040
	@$(MAKE) --no-print-directory -C firmware/port/rp2040 all lint
	$(BIN)/pytest -m slow tests/firmware/test_rp2040.py

.PHONY: hardware
hardware: $(DEV_STAMP) ## makes all drawings, parts and lists for builders anew from hardware/board.toml
	$(BIN)/tock hardware build

.PHONY: cards-report
cards-report: $(STAMP) | $(CARD_PICTURES) ## measures card reading on photographs that no clone has; the table goes to docs/measurements/cards.md
	$(BIN)/python -m vision.training.cards_report $(CARD_PICTURES) --write $(if $(ART),--art $(ART))

.PHONY: cards-consistency
cards-consistency: $(STAMP) | $(CARD_PICTURES) ## reads the same photographs turned, resized and darker; hours, fewer with EVERY=10 STEP=60
	$(BIN)/python -m vision.training.cards_consistency $(CARD_PICTURES) \
		--every $(or $(EVERY),1) --step $(or $(STEP),15)

# Where it was ended, the same command goes on; START= begins from nothing.
SHIPPED_FINDER = vision/tock_vision/data/card_finder.onnx
.PHONY: cards-finder
cards-finder: $(STAMP) ## trains the finder of card corners: ART=FOLDER OUT=FILE.onnx [STEPS=…] [START=…]; hours, needs PyTorch
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards_art $(ART)
	test -d $(ART)/scenes || $(BIN)/python -m vision.training.cards_scenes $(ART) $(ART)/scenes --files 16 --count 1000 \
		--seed 701 --hard 0.3 --least 44
	$(BIN)/python -m vision.training.cards_train_finder $(ART)/scenes $(OUT) --steps $(or $(STEPS),20000) --rate 1.5e-3 \
		$(if $(filter undefined,$(origin START)),--start $(SHIPPED_FINDER),$(if $(START),--start $(START)))

MADE_WITHOUT = --hard 0.3 --held without
CLOSEUPS = --shown 0.55 --foreign 0.14 --nothing 0.25 --hard 0.2 --held without
.PHONY: cards-classifier
cards-classifier: $(STAMP) ## trains a large classifier of card corners: ART=FOLDER OUT=FILE.onnx [STEPS=…]; hours, needs PyTorch
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards_art $(ART)
	test -d $(ART)/plain || $(BIN)/python -m vision.training.cards_scenes $(ART) $(ART)/plain --files 3 --count 1000 \
		--seed 811 $(MADE_WITHOUT)
	mkdir -p $(ART)/patches
	test -f $(ART)/patches/hard.npz || $(BIN)/python -m vision.training.cards_patches $(ART)/plain \
		$(ART)/patches/hard.npz --finder $(SHIPPED_FINDER)
	test -f $(ART)/held.npz || $(BIN)/python -m vision.training.cards_closeups $(ART) $(ART)/held.npz --count 1200 \
		--seed 77 --shown 0.55 --hard 0.2 --foreign 0.14 --held only
	test -f $(ART)/patches/closeups-102-29.npz || $(BIN)/python -m vision.training.cards_closeups $(ART) $(ART)/patches \
		--files 30 --count 3000 --seed 102 $(CLOSEUPS)
	$(BIN)/python -m vision.training.cards_train_classifier $(OUT) $(ART)/patches --large --askew 1.3 --rate 3e-3 \
		--steps $(or $(STEPS),20000) --held $(ART)/held.npz $(if $(BFLOAT),--bfloat)

format: $(DEV_STAMP) ## formats the Python code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

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
	@sh tools/need-tests.sh
broker:
	@sh tools/need-broker.sh
