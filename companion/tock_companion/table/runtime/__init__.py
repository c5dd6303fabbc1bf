"""The table with its effects: the writing thread, the disk, publishing, recording and resuming."""
