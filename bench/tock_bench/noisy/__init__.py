"""A table with clumsy people and noisy sources, and the referee's decisions there."""
