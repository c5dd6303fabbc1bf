# Reading boards and cards: reports on pictures that no clone has, and training:

# Pictures beside the checkout that may not be handed on with it; this answers where they are missing.
BOARD_PICTURES := ../shared/data/board
CARD_PICTURES := ../shared/data/cards ../shared/data/cards_more
../shared/data/%:
	@echo "$@ is missing: its pictures may not be handed on with the sources, so only their keepers measure on them" >&2
	@exit 1

EVERY := 1
.PHONY: vision-report
vision-report: $(STAMP) | $(BOARD_PICTURES) ## measures the board reader, every EVERY-th still [NETWORK=FOLDER BOARDS=]
	$(BIN)/python -m vision.training.reader.report $(BOARD_PICTURES) --every $(EVERY) \
		$(if $(NETWORK),--network $(NETWORK)) $(if $(BOARDS),--boards $(BOARDS))

EACH := 1
.PHONY: discover-report
discover-report: $(STAMP) | $(BOARD_PICTURES) ## measures the discovery of boards [BOARDS=]
	$(BIN)/python -m vision.training.discovery.report $(BOARD_PICTURES) --each $(EACH) $(if $(BOARDS),--boards $(BOARDS))

.PHONY: training-tests
training-tests: $(DEV_STAMP) ## the tests that need PyTorch, which it installs (gigabytes)
	@$(BIN)/pip install --quiet --editable ".[training]"
	$(BIN)/pytest tests/vision/test_trainer.py

.PHONY: cards-report
cards-report: $(STAMP) | $(CARD_PICTURES) ## measures card reading; the table goes to docs/measurements/cards.md
	$(BIN)/python -m vision.training.cards.report $(CARD_PICTURES) --write

# Trainings on a GPU take as long as they are given; docs/training.md says what they need.
SECONDS := 440
CORES := $(shell nproc)
.PHONY: reader-networks discover-networks cards-networks cards-finder
reader-networks: $(STAMP) | $(BOARD_PICTURES) ## trains the board reader on a GPU: OUT=FOLDER [WITHOUT=BOARDS] (PyTorch)
	$(BIN)/python -m vision.training.reader.train_on_gpu $(OUT) --stills $(BOARD_PICTURES) \
		$(if $(WITHOUT),--without $(WITHOUT)) --seconds $(SECONDS) --workers $(CORES)

discover-networks: $(STAMP) | $(BOARD_PICTURES) ## trains discovery on a GPU: OUT=FOLDER [WITHOUT=BOARDS] (PyTorch)
	$(BIN)/python -m vision.training.discovery.train_on_gpu $(OUT) --stills $(BOARD_PICTURES) \
		$(if $(WITHOUT),--without $(WITHOUT)) --seconds $(SECONDS) --workers $(CORES)

cards-networks: $(STAMP) ## trains both card classifiers of stills on a GPU: ART=FOLDER OUT=FOLDER
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	$(BIN)/python -m vision.training.cards.train_on_gpu $(ART) $(OUT) --seconds $(SECONDS) --workers $(CORES)

cards-finder: $(STAMP) ## trains the finder of card corners on a GPU: ART=FOLDER OUT=FILE
	test -d $(ART)/decks || $(BIN)/python -m vision.training.cards.art $(ART)
	$(BIN)/python -m vision.training.cards.train_finder $(ART) $(OUT) --seconds $(SECONDS) --workers $(CORES)
