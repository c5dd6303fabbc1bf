"""The relay of homes that are far from each other."""
