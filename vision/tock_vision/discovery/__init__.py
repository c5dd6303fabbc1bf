"""Making a board file from photographs of a board that nobody has measured."""
