"""Cuts, builds, signs and checks a release; for maintainers, part of no package."""
