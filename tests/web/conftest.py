"""Fixtures of the page: a real table over a simulated scene, the app before it, and clients."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.boards import pawns
from tests.support.browsing import HOST
from tests.support.page import Phone, no_cards
from tests.support.sources import PerfectEye
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import PageServer, create_app, serve
from tock_web.services import PageServices

START = pawns("P0 T4 T20, P1 T26, P3 T60")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table with a simulated scene and an eye that never errs, in the middle of a game."""
    board = generate(4, 440)
    scene = Scene(board)
    running = Table(board, Store(tmp_path), [PerfectEye(scene)], scene=scene, setup=GameSetup(position=START))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table, PageServices(read_cards=no_cards))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app.test_client())


@pytest.fixture
def other_phone(app: Flask) -> Phone:
    return Phone(app.test_client())


@pytest.fixture
def server(app: Flask) -> Iterator[PageServer]:
    with serve(app, "127.0.0.1", 0) as running:
        yield running


@pytest.fixture
def site(server: PageServer) -> str:
    """The address of the page, under a name as phones use it."""
    return f"http://{HOST}:{server.port}"


@pytest.fixture
def blind_table(tmp_path: Path) -> Iterator[Table]:
    """A table that nothing sees: moves are played by touch."""
    running = Table(generate(4, 440), Store(tmp_path), setup=GameSetup(position=START))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def blind_site(blind_table: Table) -> Iterator[str]:
    with serve(create_app(blind_table), "127.0.0.1", 0) as running:
        yield f"http://{HOST}:{running.port}"
