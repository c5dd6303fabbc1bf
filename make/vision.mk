# Reading boards and cards: reports on pictures that no clone has, and training:

# Pictures beside the checkout that may not be handed on with it; this answers where they are missing.
BOARD_PICTURES := ../shared/data/board
CARD_PICTURES := ../shared/data/cards ../shared/data/cards_more
../shared/data/%:
	@echo "$@ is missing: its pictures may not be handed on with the sources, so only their keepers measure on them" >&2
	@exit 1

EVERY := 1
.PHONY: vision-report
vision-report: $(STAMP) | $(BOARD_PICTURES) ## measures the board reader, every EVERY-th still
	$(BIN)/python -m vision.training.reader.report $(BOARD_PICTURES) --every $(EVERY)

.PHONY: paint-report
paint-report: $(STAMP) ## measures the reader on hand-painted boards: ART=FOLDER (numba)
	test -f $(ART)/stills.jsonl || $(BIN)/python -m vision.training.pictures.painted_scenes $(ART) --first $(or $(FIRST),200) \
		--count $(or $(COUNT),36)
	$(BIN)/python -m vision.training.reader.hard_report $(ART)
	$(BIN)/python -m vision.training.reader.hard_report $(ART) --learned

EACH := 1
.PHONY: discover-report
discover-report: $(STAMP) | $(BOARD_PICTURES) ## measures the discovery of boards, each by networks that never saw it
	$(BIN)/python -m vision.training.discovery.report $(BOARD_PICTURES) --each $(EACH)

OTHERS := 200
TRUE := 60
.PHONY: other-boards-report
other-boards-report: $(STAMP) ## measures answers to other games: FIRST=SEED [LINES=FILE]
	$(BIN)/python -m vision.training.discovery.other_boards_report --first $(FIRST) --others $(OTHERS) --true $(TRUE) \
		$(if $(LINES),--lines $(LINES))

.PHONY: training-tests
training-tests: $(DEV_STAMP) ## the tests that need PyTorch, which it installs (gigabytes)
	@$(BIN)/pip install --quiet --editable ".[training]"
	$(BIN)/pytest tests/vision/test_trainer.py tests/vision/test_onnx_files.py tests/vision/test_training_cards_together.py

.PHONY: cards-report
cards-report: $(STAMP) | $(CARD_PICTURES) ## measures card reading; the table goes to docs/measurements/cards.md
	$(BIN)/python -m vision.training.cards.report $(CARD_PICTURES) --write $(if $(ART),--art $(ART))

.PHONY: cards-consistency
cards-consistency: $(STAMP) | $(CARD_PICTURES) ## reads the same photographs turned, resized, darker (hours; EVERY=10 STEP=60)
	$(BIN)/python -m vision.training.cards.consistency $(CARD_PICTURES) \
		--every $(or $(EVERY),1) --step $(or $(STEP),15)

NEAR_SEED := 11
PART := count
.PHONY: cards-near
cards-near: $(STAMP) ## reads drawn cards held close, and other games: ART=FOLDER FRESH=FOLDER [PART=last]
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	test -d $(FRESH)/$(PART)/decks || $(BIN)/python -m vision.training.cards.fresh $(ART) $(FRESH)
	test -d $(FRESH)/near-$(NEAR_SEED) || $(BIN)/python -m vision.training.cards.near $(FRESH)/$(PART) \
		$(FRESH)/near-$(NEAR_SEED) --count 117 --seed $(NEAR_SEED)
	$(BIN)/python -m vision.training.cards.report $(FRESH)/near-$(NEAR_SEED)

# Where it was ended, the same command goes on; START= begins from nothing.
SHIPPED_FINDER = vision/tock_vision/data/card_finder.onnx
.PHONY: cards-finder
cards-finder: $(STAMP) ## trains the finder: ART=FOLDER OUT=FILE [STEPS=] [START=] (hours, PyTorch)
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	test -d $(ART)/scenes || $(BIN)/python -m vision.training.cards.scenes $(ART) $(ART)/scenes --files 16 --count 1000 \
		--seed 701 --hard 0.3 --least 44
	$(BIN)/python -m vision.training.cards.train_finder $(ART)/scenes $(OUT) --steps $(or $(STEPS),20000) --rate 1.5e-3 \
		$(if $(filter undefined,$(origin START)),--start $(SHIPPED_FINDER),$(if $(START),--start $(START)))

MADE_WITHOUT = --hard 0.3 --held without
CLOSEUPS = --shown 0.55 --other-games 0.14 --nothing 0.25 --hard 0.2 --held without
.PHONY: cards-classifier
cards-classifier: $(STAMP) ## trains a large classifier: ART=FOLDER OUT=FILE [STEPS=] (hours, PyTorch)
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	test -d $(ART)/plain || $(BIN)/python -m vision.training.cards.scenes $(ART) $(ART)/plain --files 3 --count 1000 \
		--seed 811 $(MADE_WITHOUT)
	mkdir -p $(ART)/patches
	test -f $(ART)/patches/hard.npz || $(BIN)/python -m vision.training.cards.patches $(ART)/plain \
		$(ART)/patches/hard.npz --finder $(SHIPPED_FINDER)
	test -f $(ART)/held.npz || $(BIN)/python -m vision.training.cards.closeups $(ART) $(ART)/held.npz --count 1200 \
		--seed 77 --shown 0.55 --hard 0.2 --other-games 0.14 --held only
	test -f $(ART)/patches/closeups-102-29.npz || $(BIN)/python -m vision.training.cards.closeups $(ART) $(ART)/patches \
		--files 30 --count 3000 --seed 102 $(CLOSEUPS)
	$(BIN)/python -m vision.training.cards.train_classifier $(OUT) $(ART)/patches --large --askew 1.3 --rate 3e-3 \
		--steps $(or $(STEPS),20000) --held $(ART)/held.npz $(if $(BFLOAT),--bfloat)

# Trainings on a GPU take as long as they are given; docs/training.md says what they need.
SECONDS := 440
CORES := $(shell nproc)
.PHONY: reader-networks discover-networks cards-networks
reader-networks: $(STAMP) | $(BOARD_PICTURES) ## trains the board reader on a GPU: OUT=FOLDER [MADE=FOLDERS] (PyTorch)
	$(BIN)/python -m vision.training.reader.train_on_gpu $(OUT) --stills $(BOARD_PICTURES) --made $(MADE) \
		--seconds $(SECONDS) --workers $(CORES)

discover-networks: $(STAMP) | $(BOARD_PICTURES) ## trains discovery on a GPU: OUT=FOLDER [MADE=FOLDERS] (PyTorch)
	$(BIN)/python -m vision.training.discovery.train_on_gpu $(OUT) --stills $(BOARD_PICTURES) --made $(MADE) \
		--seconds $(SECONDS) --workers $(CORES)

cards-networks: $(STAMP) ## trains both card classifiers of stills on a GPU: ART=FOLDER OUT=FOLDER
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	$(BIN)/python -m vision.training.cards.train_on_gpu $(ART) $(OUT) --seconds $(SECONDS) --workers $(CORES)
