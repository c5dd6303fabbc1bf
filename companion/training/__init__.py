"""Training of the weights of hints, run from the checkout: `python -m companion.training.NAME`."""
