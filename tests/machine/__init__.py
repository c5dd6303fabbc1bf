"""The superuser's work for the host: Wi-Fi and packages, and the memory card of a new table."""
