"""Ranks one seat's legal moves from what that seat may know, and says why."""
