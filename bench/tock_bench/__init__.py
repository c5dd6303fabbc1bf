"""Measures the companion on fixed, seeded inputs; a development package that stands above all others."""
