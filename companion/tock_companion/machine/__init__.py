"""What only the superuser may do to this machine, its Wi-Fi and its package: a helper with a fixed list of verbs."""
