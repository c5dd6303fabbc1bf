"""Cards of another game under the live camera: none is named, and the player reads a true sentence."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import START
from tests.support.drawn_cards import face
from tock_companion.boardfile import BoardFile, generate, parse, to_json
from tock_companion.observation import CardSighting, SourceMessage, SourceReport
from tock_rules import Card
from tock_vision.arrays import Frame
from tock_vision.capture import CARD_UNREADABLE, CaptureLoop
from tock_vision.cards.pile import PileWatcher
from tock_vision.grabbers import Grabber
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

SIDES_PX = 184, 256
FONT = cv2.FONT_HERSHEY_DUPLEX


def _blank(colour: tuple[int, int, int] = (248, 248, 248)) -> Frame:
    return np.full((SIDES_PX[1], SIDES_PX[0], 3), colour, np.uint8)


def _in_corners(card: Frame, text: str, ink: tuple[int, int, int]) -> Frame:
    """Write a text into two opposite corners."""
    for _ in range(2):
        cv2.putText(card, text, (10, 40), FONT, 1.1, ink, 2, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def estimate(value: str) -> Frame:
    """A card of planning poker: the number in the middle, and small in two corners above a dot."""
    card = _blank()
    cv2.putText(card, value, (40, 150), FONT, 2.6, (150, 80, 20), 5, cv2.LINE_AA)
    for x, y in ((22, 56), (SIDES_PX[0] - 22, SIDES_PX[1] - 56)):
        cv2.circle(card, (x, y), 9, (25, 25, 25), -1, cv2.LINE_AA)
    return _in_corners(card, value, (25, 25, 25))


def coloured(value: str) -> Frame:
    """A card of the colour game: a white rim, a slanted oval, the number three times."""
    card = _blank()
    cv2.rectangle(card, (9, 9), (SIDES_PX[0] - 10, SIDES_PX[1] - 10), (40, 40, 200), -1)
    cv2.ellipse(card, (92, 128), (58, 100), 25, 0, 360, (248, 248, 248), -1, cv2.LINE_AA)
    cv2.putText(card, value, (62, 158), FONT, 2.8, (40, 40, 200), 6, cv2.LINE_AA)
    return _in_corners(card, value, (248, 248, 248))


def tarot(number: str, name: str) -> Frame:
    """A card of tarot: a framed picture, a number above it and a name below."""
    card = _blank((225, 240, 245))
    cv2.rectangle(card, (16, 40), (168, 214), (60, 90, 60), 2)
    cv2.ellipse(card, (92, 150), (44, 60), 0, 180, 360, (60, 60, 170), -1, cv2.LINE_AA)
    cv2.circle(card, (92, 80), 24, (140, 180, 220), -1, cv2.LINE_AA)
    cv2.putText(card, number, (70, 32), FONT, 0.8, (25, 25, 25), 1, cv2.LINE_AA)
    cv2.putText(card, name, (30, 242), FONT, 0.7, (25, 25, 25), 1, cv2.LINE_AA)
    return card


NEAR = Appearance(size_px=(1280, 960), fill=0.9, noise=2.0)
CARD_MM = 63.0, 88.0
PILE_MM = {"x": 455.0, "y": 200.0, "w": 90.0, "h": 110.0}
STILL_FRAMES = 14


class Table(Grabber):
    """A board with pawns and a pile, before a camera that sees a frame as it is now."""

    def __init__(self, board: BoardFile) -> None:
        placed = [(board.hole(hole), board.colors[seat]) for hole, seat in START.items()]
        pawns = [DrawnPawn(hole.x_mm, hole.y_mm, named_color(color)) for hole, color in placed]
        self.frame = Renderer(board, NEAR).frame(pawns, None)
        self.reader = BoardReader(board)
        self.loop = CaptureLoop("camera", self, self.reader, fps=10, pile=PileWatcher.of(board))
        self.messages: list[SourceMessage] = []
        self.t_ms = 0
        self.loop.prepare(self.messages.append)

    def open(self) -> None: ...

    def grab(self) -> Frame:
        return self.frame

    def close(self) -> None: ...

    def wait(self) -> None:
        """Let the camera look until the pile has been still."""
        for _ in range(STILL_FRAMES):
            self.loop.step(self.t_ms)
            self.t_ms += 100

    def lay(self, card: Frame) -> None:
        """Lay a card onto the pile, a little turned."""
        pose = self.reader.read_frame(self.frame, self.t_ms).pose
        assert pose is not None
        turn = np.array([[np.cos(0.2), np.sin(0.2)], [-np.sin(0.2), np.cos(0.2)]])
        sides = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
        seen = pose.project(sides @ turn + (PILE_MM["x"], PILE_MM["y"])).astype(np.float32)
        width, height = SIDES_PX
        card_px = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(card_px, seen)
        self.frame = self.frame.copy()
        cv2.warpPerspective(
            card, matrix, NEAR.size_px, self.frame, cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )

    def reported(self) -> list[Any]:
        return [
            one.card if isinstance(one, CardSighting) else one.code
            for one in self.messages
            if isinstance(one, CardSighting | SourceReport)
        ]


@pytest.fixture
def pile() -> Table:
    made = Table(parse(to_json(generate(4, 400)) | {"pile": PILE_MM}))
    made.wait()
    made.messages.clear()
    return made


def test_cards_of_another_game_are_reported_without_a_name_and_the_next_card_with_its_own(
    pile: Table,
) -> None:
    for card in (estimate("8"), coloured("7"), tarot("XII", "LE ROI")):
        pile.lay(card)
        pile.wait()
        assert pile.reported() == [CARD_UNREADABLE]
    pile.lay(face("7S"))
    pile.wait()
    assert pile.reported() == [CARD_UNREADABLE, "", Card.parse("7S")]
