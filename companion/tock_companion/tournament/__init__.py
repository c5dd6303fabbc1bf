"""A tournament as a value: people, rounds, results and standings follow from its facts, and from nothing else."""
