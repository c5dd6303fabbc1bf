"""`/api/v1/openapi.json`: the description of the API, made from what the routes state when it is first asked for."""

from flask import Blueprint, Response, current_app
from flask.typing import ResponseReturnValue

from tock_web.describe.openapi import ApiDocument, document_of
from tock_web.gate import endpoint

KEPT_AS = "tock.openapi"
description = Blueprint("description", __name__, url_prefix="/api/v1")


@description.get("/openapi.json")
@endpoint(answer=ApiDocument)
def openapi() -> ResponseReturnValue:
    """This description, in OpenAPI 3.1."""
    kept = current_app.extensions
    if KEPT_AS not in kept:
        # Nearly a second of computing, for the few who ever ask.
        kept[KEPT_AS] = current_app.json.dumps(document_of(current_app))
    return Response(kept[KEPT_AS], mimetype="application/json")
