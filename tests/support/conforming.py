"""Holds every answer that a test gets against the document that describes it."""

import json
from functools import cache
from typing import Any

import jsonschema_rs
from werkzeug.test import TestResponse

from tock_web.describe.openapi import document_of
from tock_web.generate import described_app


@cache
def document() -> Any:
    """The OpenAPI document of an app with every route."""
    return document_of(described_app())


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.validator_for({**json.loads(schema), "components": document()["components"]})


def faults(schema: Any, data: object) -> list[str]:
    """The faults of data by a schema of the document."""
    found = _validator(json.dumps(schema)).iter_errors(data)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in found]


def conforming(answer: TestResponse) -> TestResponse:
    """The same answer, once it is as the document says."""
    request = answer.request
    operation = document()["paths"].get(request.path, {}).get(request.method.lower())
    if operation is None:
        return answer
    stated = operation["responses"].get(str(answer.status_code), operation["responses"]["default"])
    content = stated.get("content", {})
    assert answer.mimetype in content or not content, f"{request.path}: {answer.status} {answer.mimetype}"
    if answer.is_json:
        wrong = faults(content["application/json"]["schema"], answer.get_json())
        assert wrong == [], f"{request.method} {request.path} {answer.status}: {answer.text[:500]}"
    return answer
