"""The configuration file: its keys, and what they mean to the companion."""
