"""Ranks the legal moves of one seat from what that seat may know, and says why."""
