"""Far players at this table: links, sealed sessions and messages that only the two ends can read."""
