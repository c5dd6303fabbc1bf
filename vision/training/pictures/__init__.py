"""Boards that nobody owns, drawn or ray-traced, with the truth of every hole."""
