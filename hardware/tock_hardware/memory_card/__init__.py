"""Files for the boot partition of a new table's memory card, a stock Raspberry Pi OS Lite."""
