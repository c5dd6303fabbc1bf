"""Images of a board in, observations out: registration, reading of holes, the camera and its stand-ins."""
