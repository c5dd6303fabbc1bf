"""Figures for Prometheus, where the configuration asks for them."""

from collections.abc import Callable

from flask import Blueprint, Response

TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def metrics(text: Callable[[], bytes]) -> Blueprint:
    """Return the route `/metrics`; `text` is asked for every answer."""
    blueprint = Blueprint("metrics", __name__)

    @blueprint.get("/metrics")
    def answer() -> Response:
        return Response(text(), content_type=TEXT_TYPE)

    return blueprint
