"""Invented boards, drawn or ray-traced, with the truth of every hole."""
