"""Draws a board as a camera would see it, for the simulated table, benches and tests."""
