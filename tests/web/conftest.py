"""Fixtures of the page: a real table over a simulated scene, the app before it, and clients."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.boards import pawns
from tests.support.browsing import HOST
from tests.support.sources import PerfectEye
from tests.web.conforming import conforming
from tock_companion.boardfile import generate
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.live import Table
from tock_companion.table.requests import Role
from tock_companion.table.setup import GameSetup
from tock_web import PageServer, create_app, serve

OWN = {"X-Tock": "1"}
"""What the page's own scripts send with every change."""
PATIENCE_S = 30
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


def wait_for(table: Table, wanted: Callable[[Any], bool]) -> Any:
    """Return the first public view that is as wanted."""
    with table.subscribe(Role.TABLE) as stream:
        end_s = monotonic() + PATIENCE_S
        while monotonic() < end_s:
            view = stream.get(0.5)
            if view is not None and wanted(view):
                return view
    raise AssertionError(f"never came; last view: {table.view(Role.TABLE)}")


def put(table: Table, source: str, target: str) -> None:
    """Move the pawn that stands on a hole, as a person does."""
    scene = table.scene
    assert scene is not None
    (pawn,) = [pawn for pawn in scene.state.pawns if scene.hole_of(pawn) == source]
    (goal,) = [hole for hole in scene.board.holes if hole.id == target]
    scene.move_pawn(pawn.id, goal.x_mm, goal.y_mm)


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table, read_cards=no_cards)


def no_cards(data: bytes) -> list[dict[str, object]]:
    """A reader of photos that never sees a card."""
    return []


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@dataclass
class Phone:
    """One phone: its cookies and how its page asks; every answer is held against the description of the API."""

    client: FlaskClient

    def post(self, path: str, **data: object) -> TestResponse:
        return conforming(self.client.post(f"/api/v1/{path}", json=data, headers=OWN))

    def get(self, path: str) -> TestResponse:
        return conforming(self.client.get(f"/api/v1/{path}"))

    def sit(self, seat: str, name: str = "Anna") -> "Phone":
        answer = self.post("join", name=name, seat=seat, lang="fr")
        assert answer.status_code == 200, answer.text
        return self


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
