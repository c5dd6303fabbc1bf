"""Circuits: the sector boards, how they are chained, and the panel."""
