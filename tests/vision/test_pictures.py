"""Photorealistic boards with ground truth, and pictures without a board, which are refused."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tock_companion.boardfile import BoardFile, load
from tock_companion.observation import HoleState
from tock_vision.images import load_image
from tock_vision.learning import calibration_from_recording
from tock_vision.reader import BoardReader
from vision.training.pictures import without_board


def frames_of(folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    log = [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]
    truth = json.loads((folder / "truth.json").read_text())["frames"]
    return list(zip(log, truth, strict=True))


@pytest.mark.whole
@needs_pictures
@pytest.mark.parametrize("name", each_recording())
def test_every_hole_of_a_still_frame_is_right_after_calibration(name: str) -> None:
    folder = FOLDER / name
    board = load(folder / "board.json")
    recording = json.loads((folder / "recording.json").read_text())
    reader = BoardReader(board, calibration_from_recording(board, recording["calibration"], folder))
    wrong = []
    # The first and the last frames are still; one with the hand over the board lies between.
    frames = frames_of(folder)
    for entry, true in (frames[0], frames[len(frames) // 2], frames[-1]):
        reading = reader.read_frame(load_image(folder / entry["file"]), entry["t_ms"])
        assert reading.registered
        for hole in board.holes:
            found = reading.holes[hole.id]
            if hole.id in true["hidden"] or (true["hand"] and found.state is HoleState.UNKNOWN):
                continue
            color = board.colors[found.seat] if found.seat is not None else None
            if color != true["pawns"].get(hole.id) or found.state is HoleState.UNKNOWN:
                wrong.append((entry["file"], hole.id, found))
    assert wrong == []


@pytest.mark.whole
@needs_pictures
@pytest.mark.slow
@pytest.mark.parametrize("name", each_recording())
def test_hidden_holes_are_hardly_ever_called_with_confidence(name: str) -> None:
    folder = FOLDER / name
    board = load(folder / "board.json")
    reader = BoardReader(board)
    hidden = called = 0
    for entry, true in frames_of(folder):
        reading = reader.read_frame(load_image(folder / entry["file"]), entry["t_ms"])
        for hole_id in true["hidden"]:
            found = reading.holes[hole_id]
            right = found.seat is not None and board.colors[found.seat] == true["pawns"].get(hole_id)
            right |= found.state is HoleState.EMPTY and hole_id not in true["pawns"]
            hidden += 1
            called += found.state is not HoleState.UNKNOWN and found.confidence > 0.8 and not right
    assert called <= max(2, 0.02 * hidden)


@pytest.mark.whole
def test_dots_in_rows_and_a_go_board_are_no_board(board: BoardFile) -> None:
    pictures = {
        "dots": without_board.dots(30, 8, shifted=False),
        "stones": without_board.stones(np.random.default_rng(1)),
    }
    for name, picture in pictures.items():
        reading = BoardReader(board).read_frame(cv2.resize(picture, (640, 480)), 0)
        assert not reading.registered, name
        assert reading.sentence


@pytest.mark.whole
@pytest.mark.slow
def test_all_kinds_of_pictures_without_a_board_are_refused(board: BoardFile) -> None:
    taken = [
        name
        for name, picture in without_board.pictures_without_board()
        if BoardReader(board).read_frame(picture, 0).registered
    ]
    assert taken == []
