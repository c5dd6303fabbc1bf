"""The meeting place under load, with losses, and attacked."""
