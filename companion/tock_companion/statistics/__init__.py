"""Figures of people over all their games, counted from the logs and from nothing else."""
