"""The page's HTTP server, its limits, and the checks that every request passes."""
