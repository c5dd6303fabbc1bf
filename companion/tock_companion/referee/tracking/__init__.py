"""What the sources show, followed over time: beliefs about holes, switch trust, hypotheses, and all sources fused."""
