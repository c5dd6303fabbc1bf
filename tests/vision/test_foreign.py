"""Pictures that do not show the board are refused, all."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from tock_companion.boardfile import BoardFile
from tock_vision.reader import BoardReader

pytestmark = pytest.mark.whole

TRAINING = Path(__file__).parents[2] / "vision" / "training"


@pytest.fixture(scope="module")
def foreign() -> ModuleType:
    spec = importlib.util.spec_from_file_location("foreign", TRAINING / "foreign.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["foreign"] = module
    spec.loader.exec_module(module)
    return module


def test_dots_in_rows_and_a_go_board_are_no_board(board: BoardFile, foreign: ModuleType) -> None:
    pictures = {
        "dots": foreign.dots(30, 8, shifted=False),
        "stones": foreign.stones(np.random.default_rng(1)),
    }
    for name, picture in pictures.items():
        reading = BoardReader(board).read_frame(cv2.resize(picture, (640, 480)), 0)
        assert not reading.registered, name
        assert reading.sentence


@pytest.mark.slow
def test_all_kinds_of_foreign_pictures_are_refused(board: BoardFile, foreign: ModuleType) -> None:
    taken = [
        name
        for name, picture in foreign.foreign_pictures()
        if BoardReader(board).read_frame(picture, 0).registered
    ]
    assert taken == []
