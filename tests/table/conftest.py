"""A running table with two pawns on its way round and one source that the test moves by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD
from tock_companion.core.game_setup import GameSetup
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table


@pytest.fixture
def source() -> HandSource:
    return HandSource()


@pytest.fixture
def table(tmp_path: Path, source: HandSource) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), [source], setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()
