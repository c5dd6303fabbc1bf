"""Which legal move explains the tracked table, and when it is time to say so."""
