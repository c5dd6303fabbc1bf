"""The fuzzer: valid files and requests, slightly wrong, given to everything that reads them. `make fuzz` runs it."""
