"""Somebody far away: links, sealed sessions, the meeting place."""
