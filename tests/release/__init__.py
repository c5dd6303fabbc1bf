"""Releases: their numbers, what a release is refused for, and what lies in dist/ afterwards."""
