"""The routes of the page and its API, by subject; each declares its input and its answers."""
