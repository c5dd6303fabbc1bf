"""The pile of played cards: the newest card once it is still, and its picture beside an accepted move."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_cards import draw, lay, table
from tock_companion.boardfile import Pile, generate, parse, to_json
from tock_companion.errors import BadInputError
from tock_rules import Card
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.cards.pile import STILL_MS, UNREADABLE, PileWatcher, Unreadable
from tock_vision.images import decode_image
from tock_vision.recent_frames import CARD, Album

SIZE = (640, 480)
PX_PER_MM = 3.0
VIEW = CameraPose(
    np.array(
        [0.0, 0.0, 0.0, -SIZE[0] / 2 / PX_PER_MM, -SIZE[1] / 2 / PX_PER_MM, 1.0, np.log(PX_PER_MM), 0.0]
    ),
    SIZE,
)
"""A camera straight above, PX_PER_MM pixels a millimetre, the board's corner at the frame's."""
PILE = Pile(106.0, 80.0, 150.0, 140.0)
MIDDLE = (PILE.x_mm * PX_PER_MM, PILE.y_mm * PX_PER_MM)
CARD_PX = 88 * PX_PER_MM


class Table:
    """A pile that is looked at ten times a second."""

    def __init__(self) -> None:
        self.frame = table(SIZE)
        self.watcher = PileWatcher(PILE)
        self.t_ms = 0
        self.rng = np.random.default_rng(1)

    def look(self, frame: Frame | None = None) -> Card | Unreadable | None:
        self.t_ms += 100
        grain = self.rng.normal(0, 2, (*SIZE[::-1], 1))
        shown = self.frame if frame is None else frame
        return self.watcher.update((shown + grain).clip(0, 255).astype(np.uint8), VIEW, self.t_ms)

    def wait(self) -> list[Card | Unreadable]:
        """Look until the pile has been still for long enough; return the answer."""
        found = [self.look() for _ in range(STILL_MS // 100 + 3)]
        return [one for one in found if one is not None]

    def lay(self, name: str, turn: float = 0.0, dx: float = 0.0, dy: float = 0.0) -> list[Card | Unreadable]:
        """A hand lays a card: it is in the way for a moment."""
        for place in (40, 90):
            covered = self.frame.copy()
            covered[:, place * 3 : place * 3 + 160] = (120, 150, 205)
            assert self.look(covered) is None
        lay(self.frame, name, (MIDDLE[0] + dx, MIDDLE[1] + dy), CARD_PX, turn)
        return self.wait()


@pytest.fixture
def pile() -> Table:
    made = Table()
    assert made.wait() == []
    return made


def cards(*names: str) -> list[Card]:
    return [Card.parse(name) for name in names]


@pytest.mark.whole
def test_a_card_is_reported_once_when_it_lies_still(pile: Table) -> None:
    assert pile.lay("KH") == cards("KH")
    assert pile.wait() == []


@pytest.mark.whole
def test_the_newest_of_cards_that_cover_each_other_in_part_is_reported(pile: Table) -> None:
    assert pile.lay("KH") == cards("KH")
    assert pile.lay("7S", turn=0.5, dx=30, dy=20) == cards("7S")
    assert pile.lay("2H", turn=2.7, dx=-20, dy=10) == cards("2H")


@pytest.mark.whole
def test_a_card_that_lies_there_at_the_start_is_not_played() -> None:
    fresh = Table()
    lay(fresh.frame, "KH", MIDDLE, CARD_PX)
    assert fresh.wait() == []
    assert fresh.lay("7S", turn=0.3, dx=25) == cards("7S")


@pytest.mark.whole
def test_a_card_that_is_only_pushed_is_not_played_again(pile: Table) -> None:
    assert pile.lay("KH") == cards("KH")
    pile.frame = table(SIZE)
    assert pile.lay("KH", turn=0.3, dx=25) == []


@pytest.mark.whole
def test_a_card_with_its_face_down_is_reported_as_unreadable(pile: Table) -> None:
    back = np.full((256, 184, 3), 235, np.uint8)
    back[20:-20:9, 20:-20] = 190

    draw(pile.frame, back, MIDDLE, CARD_PX, 0.2)
    assert pile.wait() == [UNREADABLE]


@pytest.mark.whole
def test_an_emptied_pile_and_a_lamp_say_nothing(pile: Table) -> None:
    assert pile.lay("KH") == cards("KH")
    pile.frame = table(SIZE)
    assert pile.wait() == []
    pile.frame = (pile.frame * 0.85).astype(np.uint8)
    assert pile.wait() == []
    assert pile.lay("9H") == cards("9H")


@pytest.mark.whole
def test_a_pile_outside_the_picture_is_not_read() -> None:
    watcher = PileWatcher(Pile(900.0, 80.0, 150.0, 140.0))
    assert all(watcher.update(table(SIZE), VIEW, t_ms) is None for t_ms in range(0, 2000, 100))


@pytest.mark.whole
def test_the_board_file_names_the_pile_and_keeps_it() -> None:
    data = to_json(generate(4, 440)) | {"pile": {"x": 520, "y": 220, "w": 120, "h": 140}}
    board = parse(data)
    assert board.pile == Pile(520, 220, 120, 140)
    assert to_json(board)["pile"] == data["pile"]
    assert PileWatcher.of(board) is not None
    assert PileWatcher.of(generate(4, 440)) is None


@pytest.mark.whole
@pytest.mark.parametrize(
    "pile", [{}, {"x": 1, "y": 2, "w": 20, "h": 140}, {"x": 1, "y": 2, "w": "a", "h": 140}, 7]
)
def test_a_wrong_pile_is_one_clear_line(pile: object) -> None:
    with pytest.raises(BadInputError, match="pile"):
        parse(to_json(generate(4, 440)) | {"pile": pile})


def test_the_pile_is_shown_from_above_as_it_was() -> None:
    album = Album(replace(generate(4, 440), pile=PILE))
    album.keep(0, table(SIZE), VIEW)
    laid = table(SIZE)
    lay(laid, "9H", MIDDLE, CARD_PX, 0.0)
    album.keep(1000, laid, VIEW)
    empty, card = (decode_image(album.crops(t_ms, [CARD])[CARD], "crop") for t_ms in (500, 1000))
    assert card.shape == empty.shape == (420, 450, 3)
    assert card[150:270, 165:285].mean() > empty[150:270, 165:285].mean() + 30


def test_a_board_without_a_pile_has_no_picture_of_it() -> None:
    album = Album(generate(4, 440))
    album.keep(0, table(SIZE), VIEW)
    assert CARD not in album.crops(0, [CARD])
