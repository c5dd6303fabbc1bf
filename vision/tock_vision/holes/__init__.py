"""What stands in the holes of a registered board: empty, a pawn and whose, or occluded."""
