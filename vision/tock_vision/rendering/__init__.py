"""Draws what a camera would see of a board, for the simulated table, benches and tests."""
