"""The configuration file and its keys."""
