"""The routes of the page and its API, by subject; each states what it takes and what it answers."""
