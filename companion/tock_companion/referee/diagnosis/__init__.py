"""Diagnoses a table that no legal move explains: the mistake, the repair, and sources that disagree."""
