"""Interprets the pawns on the table: `tracking` follows them, `matching` finds the move, `diagnosis` the mistake.

Pure: the time is an argument, and every value is frozen.
"""
