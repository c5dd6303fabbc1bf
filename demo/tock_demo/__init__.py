"""The demo: the companion in a browser, without a server."""
