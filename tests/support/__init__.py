"""Helpers of the tests, each once: boards in a few words, observations, sources, services, browsers."""
