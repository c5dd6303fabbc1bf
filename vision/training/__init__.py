"""Training and measuring of the networks, run from the checkout: `python -m vision.training.NAME`."""
