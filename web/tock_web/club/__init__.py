"""A club at its tables and its desk: pages, API, and the membership of a table."""
