"""The five rulesets as data files."""
