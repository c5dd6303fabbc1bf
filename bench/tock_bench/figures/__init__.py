"""The figures of `tock bench NAME`: each module named in the contract, with what it alone needs."""
