# Studies and measurements; `tock bench list` names those without a target:

.PHONY: referee-bench
referee-bench: $(STAMP) ## the referee on 36,000 noisy turns (half an hour; docs/measurements/referee.md)
	$(BENCH) referee --samples 10000

FUZZ_MINUTES := 60
.PHONY: fuzz
fuzz: $(DEV_STAMP) ## gives wrong files and requests to everything that reads any (FUZZ_MINUTES=60)
	$(BENCH) fuzz --minutes $(FUZZ_MINUTES)

RELEASE := next
.PHONY: pictures old-folder webkit
pictures: $(DEV_STAMP) ## takes the pictures of the documents for users into docs/guide/images
	$(BENCH) pictures

old-folder: $(DEV_STAMP) ## writes a data folder with this version for the tests (RELEASE=…)
	$(BENCH) old-folders $(RELEASE) $(if $(TOCK),--tock $(TOCK))

webkit: $(DEV_STAMP) ## plays a move in WebKit, the engine of iPhones (installs large Debian packages)
	@sh tools/need.sh webkit
	@$(BIN)/pip install --quiet selenium
	$(BIN)/pytest -m slow tests/web/test_webkit.py
