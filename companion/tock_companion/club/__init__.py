"""The desk of a club: one tournament at a time, stored in a database, sent to tables over their broker."""
