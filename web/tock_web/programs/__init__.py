"""Programs of others: keys that the host gives them, and the public events they may read."""
