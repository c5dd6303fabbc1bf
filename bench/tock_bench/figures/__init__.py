"""The figures of `tock bench NAME`."""
