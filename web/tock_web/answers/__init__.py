"""JSON answers of the API other than views; the API description is generated from these types."""
