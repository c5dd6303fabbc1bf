"""Reads the holes of a registered board: empty, a pawn and its seat, or occluded."""
