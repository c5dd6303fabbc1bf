# Hardware:

.PHONY: firmware-rp2040 rp2040-built
firmware-rp2040: $(DEV_STAMP) rp2040-built ## builds the firmware for a Raspberry Pi Pico and tries it on an emulator
	$(BIN)/pytest -m slow tests/firmware/test_rp2040.py

rp2040-built:
	@sh tools/need.sh rp2040
	@$(MAKE) --no-print-directory -C firmware/port/rp2040 all lint

.PHONY: hardware
hardware: $(DEV_STAMP) ## makes all drawings, parts and lists for builders from hardware/board.toml
	$(BIN)/tock hardware build
