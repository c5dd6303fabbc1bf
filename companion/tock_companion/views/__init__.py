"""The views of each role, built by adding the parts that it may see, never by deleting."""
