"""Somebody far away: links, sealed sessions, the relay."""
