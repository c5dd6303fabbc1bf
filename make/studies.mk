# Studies and measurements; `tock bench list` names those without a target:

.PHONY: referee-bench
referee-bench: $(STAMP) ## the referee on 36,000 noisy turns (half an hour; docs/measurements/referee.md)
	$(BENCH) referee --samples 10000

FUZZ_MINUTES := 60
.PHONY: fuzz
fuzz: $(DEV_STAMP) ## gives wrong files and requests to everything that reads any (FUZZ_MINUTES=60)
	$(BENCH) fuzz --minutes $(FUZZ_MINUTES)

RELEASE := next
.PHONY: pictures old-folder webkit compiled-test
pictures: $(DEV_STAMP) ## takes the pictures of the documents for users into docs/guide/images
	$(BENCH) pictures
	$(BENCH) club-hall

old-folder: $(DEV_STAMP) ## writes a data folder with this version for the tests (RELEASE=…)
	$(BENCH) old-folders $(RELEASE) $(if $(TOCK),--tock $(TOCK))

webkit: $(DEV_STAMP) ## plays a move in WebKit, the engine of iPhones (installs large Debian packages)
	@sh tools/need.sh webkit
	@$(BIN)/pip install --quiet selenium
	$(BIN)/pytest -m slow tests/web/test_webkit.py

compiled-test: $(DEV_STAMP) ## tests of rules and referee on the compiled engine, built into build/compiled
	sh tools/build-compiled.sh build/compiled $(BIN)/python
	$(BIN)/pip install --quiet --no-deps --target build/compiled/lib build/compiled/*.whl
	PYTHONPATH=build/compiled/lib $(BIN)/python -c "from tock_rules.engine import is_compiled; assert is_compiled()"
	PYTHONPATH=build/compiled/lib $(BIN)/pytest tests/rules tests/referee tests/hints -m "not slow"
