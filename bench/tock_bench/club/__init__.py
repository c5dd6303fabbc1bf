"""A whole club evening: the desk as a process, tables that report to it, and what may fail meanwhile."""
