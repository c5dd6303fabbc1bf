"""Draws a board as the page does, and the film of a game on it: a short animated picture to share."""
