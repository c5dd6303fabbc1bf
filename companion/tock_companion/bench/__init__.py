"""Measures the companion on fixed, seeded inputs; nothing in a running companion imports this."""
