"""Boards that nobody has measured: photographed, found, checked with pawns, and a game on them refereed.

The game has a turn of each kind of the given recordings: a move, a capture, a swap, a wrong six, a seven into the home.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.odd_boards import bent, blossom, drilled_off
from tests.support.tables import send
from tests.support.waiting import until
from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.step import begin_game
from tock_companion.events.facts import MoveAccepted, Repaired, ViolationFound
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.views.names import Names
from tock_rules import BoardShape, Hole, Seat, camp_holes_of
from tock_vision.arrays import Frame
from tock_vision.calibration_file import load_calibration, rate
from tock_vision.mending.maker import BoardMaker
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer

pytestmark = pytest.mark.whole
PATIENCE_S = 120.0
FRAME_MS = 333
Standing = Mapping[Hole, Seat]


class Wood:
    """A real board before a camera: it knows its own holes, and no file that others make of them."""

    def __init__(self, board: BoardFile) -> None:
        self.board = board
        self._grain = np.random.default_rng(5).normal(0, 1.5, (960, 1280, 3)).astype(np.float32)
        self.appearance = Appearance(size_px=(1280, 960), seed=5)
        self._renderer = Renderer(board, self.appearance)

    def film(self, standing: Standing, frames: int) -> Iterator[Frame]:
        """The same view again and again, each time with other grain."""
        frame = self.photo(standing)
        for number in range(1, frames + 1):
            yield np.clip(frame + np.roll(self._grain, 97 * number), 0, 255).astype(np.uint8)

    def photo(self, standing: Standing) -> Frame:
        pawns = []
        for hole_id, seat in standing.items():
            hole = self.board.hole(hole_id)
            pawns.append(DrawnPawn(hole.x_mm, hole.y_mm, named_color(self.board.colors[seat]), int(seat)))
        return self._renderer.frame(pawns, None, None)


def jpeg(frame: Frame) -> bytes:
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def camps(board: BoardFile) -> dict[Hole, Seat]:
    return {hole: seat for seat in board.seats for hole in camp_holes_of(seat)}


def made(wood: Wood, state: Path) -> BoardFile:
    """The board file that a host makes: an empty board photographed, then all pawns in their camps."""
    maker = BoardMaker()
    maker.add_photo(jpeg(wood.photo({})))
    maker.find(None, ())
    until(lambda: maker.state()["phase"] != "finding", within_s=PATIENCE_S)
    assert maker.state()["phase"] == "found", maker.state()["message"]
    assert_drawn_on_holes(maker, wood)
    maker.check(jpeg(wood.photo(camps(wood.board))), PATIENCE_S)
    checked = maker.state()["checked"]
    assert isinstance(checked, dict)
    assert (checked["count"], checked["of"]) == (16, 16), checked
    board = maker.board("Ours")
    assert maker.learn(board, state)
    return board


def assert_drawn_on_holes(maker: BoardMaker, wood: Wood) -> None:
    """The found holes are drawn over holes of the photograph, and nowhere else."""
    board = maker.state()["board"]
    assert isinstance(board, dict)
    drawn = np.array([hole["places"][0] for hole in board["holes"]]) * wood.appearance.size_px
    holes = np.array([(hole.x_mm, hole.y_mm) for hole in wood.board.holes])
    true = pose_of(wood.board, wood.appearance).project(holes)
    pitch_px = wood.board.pitch_mm * float(pose_of(wood.board, wood.appearance).scale(holes).mean())
    assert np.linalg.norm(drawn[:, None] - true[None], axis=2).min(axis=1).max() < 0.25 * pitch_px


def true_names(board: BoardFile, wood: BoardFile) -> dict[Hole, Hole]:
    """The hole of the wood for each hole of the file, which may begin with another zone; colours tell which."""
    turns = next(int(seat) for seat, color in wood.colors.items() if color == board.colors[Seat.P0])
    track = [f"T{index}" for index in range(18 * wood.zones)]
    its = np.array([(wood.hole(name).x_mm, wood.hole(name).y_mm) for name in track])
    # Up to a homography: only a board that is alike in all zones shows in a photograph how its plane is stretched.
    plane, _ = cv2.findHomography(
        np.array([(board.hole(name).x_mm, board.hole(name).y_mm) for name in track]),
        np.roll(its, -18 * turns, axis=0),
    )
    names = [hole.id for hole in board.holes if hole.id in wood.by_id]
    mine = np.array([(board.hole(name).x_mm, board.hole(name).y_mm) for name in names])
    places = np.array([(hole.x_mm, hole.y_mm) for hole in wood.holes])
    moved = cv2.perspectiveTransform(mine[None], plane)[0]
    gap = np.linalg.norm(moved[:, None] - places[None], axis=2)
    assert gap.min(axis=1).max() < 0.25 * wood.pitch_mm
    found = {name: wood.holes[int(near)].id for name, near in zip(names, gap.argmin(axis=1), strict=True)}
    assert len(set(found.values())) == len(names)
    return found


class Filmed:
    """A game on the wood, read from pictures with the file that was made of it."""

    def __init__(self, wood: Wood, board: BoardFile, state: Path, pawns: Mapping[str, list[str]]) -> None:
        self.wood, self.board = wood, board
        self.names = true_names(board, wood.board)
        self.reader = BoardReader(board, load_calibration(state, board))
        names = Names(BoardShape(4), board.colors, {})
        begun = begin_game(names, game_started(GameSetup(position=pawns), board), 0)
        self.core, self.events = DryTable(begun), list(begun.events)
        self.t_ms = 0

    def see(self, standing: Standing, frames: int) -> None:
        seat_of = {seat: self.seat_of(seat) for seat in self.board.seats}
        pawns = {self.names[hole]: seat_of[seat] for hole, seat in standing.items()}
        for frame in self.wood.film(pawns, frames):
            self.t_ms += FRAME_MS
            reading = self.reader.read_frame(frame, self.t_ms)
            assert reading.registered, reading.sentence
            self.events += self.core.take(reading.observation("camera"))

    def seat_of(self, seat: Seat) -> Seat:
        """The seat of the wood whose pawns a seat of the file has: the colour tells."""
        color = self.board.colors[seat]
        return next(own for own, named in self.wood.board.colors.items() if named == color)

    def standing(self, seat_places: Mapping[str, list[str]]) -> dict[Hole, Seat]:
        found = {}
        for name, places in seat_places.items():
            free = list(camp_holes_of(Seat[name]))
            for place in places:
                found[Hole.at_place(Seat[name], place) or free.pop(0)] = Seat[name]
        return found

    def answer(self, request: Request) -> Reply:
        reply, events = self.core.ask(request, self.t_ms)
        self.events += events
        return reply

    def turn(self, seat: str, card: str, *boards: Mapping[str, list[str]]) -> None:
        """Lay a card, then show the board as it is changed step by step."""
        assert send(self.answer, "play_card", {"card": card}, Role.SEAT, Seat[seat]).ok
        for pawns in boards:
            self.see(self.standing(pawns), 9)

    def accepted(self) -> list[str]:
        return [event.fact.move for event in self.events if isinstance(event.fact, MoveAccepted)]

    def kinds(self) -> list[type]:
        return [type(event.fact) for event in self.events]


START = {
    "P0": ["T20", "T68", "camp", "camp"],
    "P1": ["T34", "camp", "camp", "camp"],
    "P2": ["T44", "T22", "camp", "camp"],
    "P3": ["T60", "camp", "camp", "camp"],
}
MOVED = {**START, "P0": ["T29", "T68", "camp", "camp"]}
CAPTURED = {**MOVED, "P1": ["T44", "camp", "camp", "camp"], "P2": ["camp", "T22", "camp", "camp"]}
SWAPPED = {**CAPTURED, "P2": ["camp", "T60", "camp", "camp"], "P3": ["T22", "camp", "camp", "camp"]}
WRONG = {**SWAPPED, "P3": ["T30", "camp", "camp", "camp"]}
MENDED = {**SWAPPED, "P3": ["T28", "camp", "camp", "camp"]}
HALF = {**MENDED, "P0": ["T29", "H2", "camp", "camp"]}
HOME = {**MENDED, "P0": ["T32", "H2", "camp", "camp"]}


@pytest.mark.parametrize(
    "wood",
    [
        pytest.param(drilled_off(generate(4, 440), 0.1), id="drilled by hand", marks=pytest.mark.slow),
        pytest.param(blossom(), id="of no known shape"),
        pytest.param(bent(generate(4, 440)), id="alike in no two zones", marks=pytest.mark.slow),
    ],
)
def test_a_game_on_a_board_that_nobody_has_measured(wood: BoardFile, tmp_path: Path) -> None:
    table = Wood(wood)
    state = tmp_path / "camera.npz"
    board = made(table, state)
    calibration = load_calibration(state, board)
    assert calibration.empty is not None, "the photo of the empty board gives every hole's own empty look"
    _, weak = rate(board, calibration)
    assert not {"never_empty", "no_pawn", "few_pawns"} & {point.code for point in weak}
    game = Filmed(table, board, state, START)
    game.see(game.standing(START), 6)
    game.turn("P0", "9H", MOVED)
    game.turn("P1", "10S", CAPTURED)
    game.turn("P2", "JD", SWAPPED)
    game.turn("P3", "6C", WRONG, MENDED)
    game.turn("P0", "7H", HALF, HOME)
    assert game.accepted() == [
        "P0:T20>T29",
        "P1:T34>T44",
        "P2:T22<>P3:T60",
        "P3:T22>T28",
        "P0:T68>H2 + P0:T29>T32",
    ]
    assert game.kinds().count(ViolationFound) == 1
    assert game.kinds().count(Repaired) == 1
