"""The table with its effects: the writing thread, the disk, what is published, recorded and taken up again."""
