"""The picture of the discard pile that goes with an accepted move."""

from dataclasses import replace

from tests.cards.test_pile import CARD_PX, MIDDLE, PILE, SIZE, VIEW
from tests.support.drawn_cards import lay, table
from tock_companion.boardfile import generate
from tock_vision.images import decode_image
from tock_vision.recent_frames import CARD, Album


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
