"""The memory card of a new table: what is put onto the boot partition of a stock Raspberry Pi OS Lite."""
