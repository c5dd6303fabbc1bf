"""One module for each step, oldest first."""
