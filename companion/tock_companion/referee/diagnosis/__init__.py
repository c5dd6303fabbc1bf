"""What went wrong when no legal move explains the table: the mistake, the repair, and sources that disagree."""
