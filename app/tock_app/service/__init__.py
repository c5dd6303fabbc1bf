"""Services that `tock run` keeps alive beside the table: the control line, upkeep, supervision, diagnosis."""
