"""Releases: their numbers, reasons to refuse one, and the files in dist/."""
