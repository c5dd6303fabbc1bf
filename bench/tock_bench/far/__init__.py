"""The relay under load, with losses, and attacked."""
