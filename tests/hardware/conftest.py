"""The project that the folder ships, and its boards."""

from pathlib import Path

import pytest

from tock_companion.boardfile import BoardFile
from tock_hardware.project import Project, load_project

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"


@pytest.fixture(scope="session")
def project() -> Project:
    return load_project(HARDWARE / "board.toml")


@pytest.fixture(params=[4, 6, 8], scope="session")
def board(request: pytest.FixtureRequest, project: Project) -> BoardFile:
    return next(board for board in project.boards if board.zones == request.param)
