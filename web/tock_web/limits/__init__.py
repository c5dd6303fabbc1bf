"""Limits on requests, attempts and bodies."""
