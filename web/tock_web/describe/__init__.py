"""Descriptions of the API, generated from its types: the OpenAPI document, the page's types, the reference."""
