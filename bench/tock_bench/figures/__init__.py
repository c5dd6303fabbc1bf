"""The figures of `tock bench NAME`: a module for each NAME, with what it alone needs."""
