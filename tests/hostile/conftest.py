"""Pages to attack: the table and the app of the page's own tests, behind a server of little patience."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.web.conftest import app, client, other_phone, phone, table
from tock_web import PageServer, serve
from tock_web.serving.guard import Limits

__all__ = ["app", "client", "other_phone", "phone", "table"]

IMPATIENT = Limits(
    connections=60, connections_per_address=40, grace_s=1.0, idle_s=2.0, unsent_bytes=2_000_000
)
"""The limits of a companion, scaled down so that few attackers reach them in little time."""


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    """The port of a page whose server has little patience."""
    app.config["LIMITS"] = IMPATIENT
    with serve(app, "127.0.0.1", 0) as running:
        yield running.port


@pytest.fixture
def server(app: Flask) -> Iterator[PageServer]:
    """A page with a companion's own limits."""
    with serve(app, "127.0.0.1", 0) as running:
        yield running
