"""The meeting place of homes that are far from each other."""
