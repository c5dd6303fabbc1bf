"""Finding the board in a picture: markers, touches, the pattern of holes, the last known place."""
