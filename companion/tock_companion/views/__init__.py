"""The views of each role, built by adding what it may know, never by deleting."""
