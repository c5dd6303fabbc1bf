"""The names of holes: every id of every board reads back, everything else is refused."""

import copy
import json
import pickle

import pytest

from tock_companion.errors import BadInputError
from tock_rules import CAMP, BoardShape, Hole, HoleKind, Seat, place_of


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
    "text", ["", "T", "T160", "T020", "T-1", "P0-C6", "P0-H0", "P8-C1", "p0-C1", "c", "T٣", None, 3]
)
def test_a_bad_hole_is_refused(text: object) -> None:
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


def test_a_hole_stays_one_when_it_is_copied_pickled_or_written_to_json() -> None:
    hole = Hole.parse("P0-H1")
    for other in (copy.deepcopy(hole), pickle.loads(pickle.dumps(hole))):
        assert (other, other.kind, other.seat, other.number) == (hole, HoleKind.HOME, Seat.P0, 1)
    assert json.dumps({hole: [hole]}) == '{"P0-H1": ["P0-H1"]}'


def test_a_hole_never_changes() -> None:
    with pytest.raises(AttributeError, match="never changes"):
        Hole.parse("T20").number = 21


@pytest.mark.parametrize(
    ("seat", "place", "hole"),
    [
        (Seat.P1, "T20", "T20"),
        (Seat.P0, "T0*", "T0"),
        (Seat.P1, "H3", "P1-H3"),
        (Seat.P1, "C", "C"),
        (Seat.P1, "P0-H3", "P0-H3"),
    ],
)
def test_the_place_of_a_move_is_a_hole_and_back(seat: Seat, place: str, hole: str) -> None:
    found = Hole.at_place(seat, place)
    assert found == hole
    assert found is not None
    assert found.as_place(seat) == place.replace("*", "")
    assert found.as_place(Seat.P7) == hole


def test_the_camp_of_a_move_is_no_single_hole() -> None:
    assert Hole.at_place(Seat.P0, "camp") is None
    with pytest.raises(BadInputError, match="camp"):
        BoardShape(4).hole_id(CAMP)


@pytest.mark.parametrize("place", ["", "H6", "H1*", "P8-H1", "T200", "T1**", "C1", "Camp"])
def test_a_bad_place_of_a_move_is_refused(place: str) -> None:
    with pytest.raises(BadInputError, match="no such"):
        Hole.at_place(Seat.P0, place)


@pytest.mark.parametrize(
    ("hole", "turns", "turned"),
    [("T70", 1, "T16"), ("P3-H2", 1, "P0-H2"), ("P0-C4", -1, "P3-C4"), ("C", 2, "C")],
)
def test_a_hole_turns_with_the_board(hole: str, turns: int, turned: str) -> None:
    assert Hole.parse(hole).turned(turns, 4) == turned


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("P0-C2", "camp"),
        ("camp", "camp"),
        ("P0-H1", "H1"),
        ("T0*", "T0*"),
        ("T20", "T20"),
        ("P1-H1", "P1-H1"),
    ],
)
def test_a_hole_or_a_place_is_written_as_moves_write_it(text: str, place: str) -> None:
    assert place_of(Seat.P0, text) == place
