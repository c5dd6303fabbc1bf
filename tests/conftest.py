"""What any folder may ask for: one browser for each worker (Playwright runs once in a process), and brokers."""

pytest_plugins = ["tests.support.browsing", "tests.support.broker"]
