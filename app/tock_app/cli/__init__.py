"""The commands, which put the parts together."""
