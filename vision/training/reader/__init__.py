"""The board reader: patches of holes, training of its two networks, and measuring."""
