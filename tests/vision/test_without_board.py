"""Pictures that do not show the board are refused, all."""

import cv2
import numpy as np
import pytest

from tock_companion.boardfile import BoardFile
from tock_vision.reader import BoardReader
from vision.training.pictures import without_board

pytestmark = pytest.mark.whole


def test_dots_in_rows_and_a_go_board_are_no_board(board: BoardFile) -> None:
    pictures = {
        "dots": without_board.dots(30, 8, shifted=False),
        "stones": without_board.stones(np.random.default_rng(1)),
    }
    for name, picture in pictures.items():
        reading = BoardReader(board).read_frame(cv2.resize(picture, (640, 480)), 0)
        assert not reading.registered, name
        assert reading.sentence


@pytest.mark.slow
def test_all_kinds_of_pictures_without_a_board_are_refused(board: BoardFile) -> None:
    taken = [
        name
        for name, picture in without_board.pictures_without_board()
        if BoardReader(board).read_frame(picture, 0).registered
    ]
    assert taken == []
