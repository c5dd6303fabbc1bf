"""The commands: the one place where parts are put together."""
