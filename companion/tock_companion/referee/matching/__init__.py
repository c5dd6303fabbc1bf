"""Finds the legal move that explains the tracked table, and the moment to say so."""
