"""The names of holes: every id of every board reads back, everything else is refused."""

import pytest

from tock_companion.errors import BadInputError
from tock_companion.rules import BoardShape, Hole, HoleKind, Seat


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_every_hole_of_a_board_reads_back(zones: int) -> None:
    ids = BoardShape(zones, has_centre=True).hole_ids()
    assert ids == tuple(str(Hole.parse(hole)) for hole in ids)


def test_a_hole_says_what_it_is() -> None:
    assert Hole.parse("T20") == Hole(HoleKind.TRACK, None, 20)
    assert Hole.parse("P3-C4") == Hole(HoleKind.CAMP, Seat.P3, 4)
    assert Hole.parse("P0-H1") == Hole(HoleKind.HOME, Seat.P0, 1)
    assert Hole.parse("C") == Hole(HoleKind.CENTRE)
    assert [Hole.parse(text).in_camp for text in ("T20", "P3-C4", "P0-H1", "C")] == [
        False,
        True,
        False,
        False,
    ]


def test_repr_pastes_back() -> None:
    assert repr(Hole.parse("P0-H1")) == "Hole.parse('P0-H1')"


@pytest.mark.parametrize(
    "text", ["", "T", "T144", "T020", "T-1", "P0-C5", "P0-H0", "P8-C1", "p0-C1", "c", "T٣", None, 3]
)
def test_what_is_no_hole_is_refused(text: object) -> None:
    with pytest.raises(BadInputError, match="hole"):
        Hole.parse(text)


def test_a_hole_that_no_board_has_cannot_be_made() -> None:
    for kind, seat, index in [
        (HoleKind.TRACK, Seat.P0, 1),
        (HoleKind.HOME, None, 1),
        (HoleKind.CENTRE, None, 1),
    ]:
        with pytest.raises(BadInputError):
            Hole(kind, seat, index)
