"""Circuits of the board: what is on the sector boards, how they hang together, what is in the panel."""
