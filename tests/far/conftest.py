"""Fixtures of homes that others join from far away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table in the middle of a game."""
    setup = GameSetup(position=pawns("P0 T4 T20, P1 T26, P3 T60"))
    running = Table(generate(4, 440), Store(tmp_path), setup=setup)
    running.start()
    yield running
    running.stop()
