"""The board workshop: a board file from photographs."""
