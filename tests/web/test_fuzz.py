"""Anything sent to the described interface, by anybody: an answer, never a fault of the server."""

from collections import Counter
from collections.abc import Callable
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

from tests.support.page import OWN, Phone, machine_code, no_cards
from tock_companion.core.requests import Role
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.services import PageServices

pytestmark = pytest.mark.whole

ENDLESS = {"/api/v1/events"}
TRIES = {False: 1, True: 10}
"""By whether the run is a long one."""
MAX_TRIES = 20
"""For requests to the table, of which there are many kinds."""


def seated_host(table: Table) -> Phone:
    """A phone that is the host and sits on P0, after any earlier requests: its own app knows no PIN."""
    app = create_app(table, PageServices(read_cards=no_cards))
    phone = Phone(app.test_client())
    phone.post("host", pin=machine_code(app))
    phone.post("request", kind="free_seat", role="host", data={"seat": "P0"})
    phone.sit("P0")
    return phone


@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_request_breaks_the_companion(app: Flask, table: Table, is_long: bool) -> None:
    document = app.test_client().get("/api/v1/openapi.json").get_json()
    schema = schemathesis.openapi.from_dict(document)
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) == sum(1 for _ in schema.get_all_operations())
    statuses = {mode: Counter[int]() for mode in GenerationMode}
    phone = seated_host(table)
    for operation, mode in product(operations, GenerationMode):
        if operation.path in ENDLESS:
            continue
        if operation.path.endswith(("/request", "/hint", "/hand/photo")):
            phone = seated_host(table)
        check = checked_with(phone, statuses[mode])
        run = given(case=operation.as_strategy(generation_mode=mode))(check)
        tries = settings(
            max_examples=MAX_TRIES if operation.path.endswith("/request") else TRIES[is_long],
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        # What takes no input cannot be sent anything wrong.
        with suppress(Unsatisfiable):
            tries(run)()
    sound = statuses[GenerationMode.POSITIVE]
    assert sound[200] + sound[409] > sound[400], "most documented requests get past the gate"
    assert table.view(Role.TABLE)["revision"]


def checked_with(phone: Phone, statuses: Counter[int]) -> Callable[[schemathesis.Case[Any]], None]:
    """Send a case from a phone and count the status of its answer, which is no fault of the server."""

    def check(case: schemathesis.Case[Any]) -> None:
        body = (
            case.body if isinstance(case.body, dict | list | str | int | float | bool | type(None)) else None
        )
        answer = phone.client.open(
            case.path, method=case.method, query_string=dict(case.query or {}), json=body, headers=OWN
        )
        assert answer.status_code < 500, f"{case.method} {case.path} {case.query} {body}: {answer.text}"
        statuses[answer.status_code] += 1
        answer.close()

    return check
