"""HTTPS for phones that are cameras, and its certificate."""
