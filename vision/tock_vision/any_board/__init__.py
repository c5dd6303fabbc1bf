"""Holes of any board, also of other games: the file that lists them, and reading pictures of them."""
