"""One browser for each worker, whichever folder asks for it: Playwright runs once in a process."""

pytest_plugins = ["tests.support.browsing"]
