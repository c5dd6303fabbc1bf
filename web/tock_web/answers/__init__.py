"""The JSON answers of the API that are no views; its descriptions are generated from these types."""
