"""Adapters that tell the table what happens on the board: found by name, imported on first use."""
