"""Follows the sources over time: beliefs about holes, trust in switches, hypotheses, and all sources fused."""
