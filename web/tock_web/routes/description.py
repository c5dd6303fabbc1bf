"""`/api/v1/openapi.json`: the description of the API, made from what the routes state when it is first asked for."""

from functools import cache

from flask import Blueprint, Flask, Response, current_app
from flask.typing import ResponseReturnValue

from tock_web.describe.openapi import ApiDocument, document_of
from tock_web.gate import endpoint

description = Blueprint("description", __name__, url_prefix="/api/v1")


@description.get("/openapi.json")
@endpoint(answer=ApiDocument)
def openapi() -> ResponseReturnValue:
    """This description, in OpenAPI 3.1."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return Response(_text(app), mimetype="application/json")


@cache
def _text(app: Flask) -> str:
    return app.json.dumps(document_of(app))
