"""The project that the folder ships, and its boards."""

from pathlib import Path

import pytest

from tock_companion.boardfile import BoardFile
from tock_hardware.project import Project, load_project

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"


@pytest.fixture(scope="session")
def project() -> Project:
    return load_project(HARDWARE / "board.toml")


@pytest.fixture(params=[4, 6, 8, "keezen", "pegs-jokers"], scope="session")
def board(
    request: pytest.FixtureRequest, project: Project, tmp_path_factory: pytest.TempPathFactory
) -> BoardFile:
    """The boards of the project, and the board of four zones as it is made for other games."""
    if isinstance(request.param, int):
        return next(board for board in project.boards if board.zones == request.param)
    written = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("games") / "board.toml"
    path.write_text(written.replace("[boards.4]", f'[boards.4]\ngame = "{request.param}"'), encoding="utf-8")
    return load_project(path).boards[0]
