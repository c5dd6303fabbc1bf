"""The desk of a club: one tournament at a time, kept in a database, told to tables over their broker."""
