"""Whatever is sent to the described interface, by whomever: an answer, never a fault of the server."""

from contextlib import suppress
from itertools import product
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from tests.support.page import OWN, Phone
from tock_companion.table.live import Table
from tock_companion.table.requests import Role

pytestmark = pytest.mark.whole

ENDLESS = {"/api/v1/events"}
TRIES = 4


def test_no_request_breaks_the_companion(app: Flask, table: Table) -> None:
    document = app.test_client().get("/api/v1/openapi.json").get_json()
    schema = schemathesis.openapi.from_dict(document)
    phone = Phone(app.test_client()).sit("P0")
    phone.post("host")
    tried = 0

    def check(case: schemathesis.Case[Any]) -> None:
        nonlocal tried
        tried += 1
        body = (
            case.body if isinstance(case.body, dict | list | str | int | float | bool | type(None)) else None
        )
        answer = phone.client.open(
            case.path, method=case.method, query_string=dict(case.query or {}), json=body, headers=OWN
        )
        assert answer.status_code < 500, f"{case.method} {case.path} {case.query} {body}: {answer.text}"
        answer.close()

    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == sum(1 for _ in schema.get_all_operations())
    for operation, mode in product(operations, GenerationMode):
        if operation.path in ENDLESS:
            continue
        run = given(case=operation.as_strategy(generation_mode=mode))(check)
        tries = settings(
            max_examples=TRIES,
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        # What takes no input cannot be sent anything wrong.
        with suppress(Unsatisfiable):
            tries(run)()
    assert tried > 100
    assert table.view(Role.TABLE)["revision"]
