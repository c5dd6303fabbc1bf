"""Programs for long runs, started by hand or by `make`; no tests."""
