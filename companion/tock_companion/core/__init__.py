"""The table as a value: requests and their handlers, the lobby, the state, and the `step` to the next one. Pure."""
