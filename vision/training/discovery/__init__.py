"""Discovery of boards: training of its two networks, and measuring."""
