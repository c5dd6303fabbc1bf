"""A table at which people err and sources see badly: who plays there, what goes wrong, what the referee makes of it."""
