"""No warning while a move is under way: its rest is shown, and nothing is recorded."""

from typing import Any

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.observations import Reeds, observed
from tests.support.tables import NO_BOARD, ClockedTable
from tock_companion.core.requests import Role
from tock_companion.events.facts import MoveAccepted, ViolationFound
from tock_companion.language import Text
from tock_companion.observation import UNSEEN, HoleReading, HoleState, LoosePawn
from tock_companion.views.board_warnings import guidance_words
from tock_companion.views.moves import Chronicle
from tock_companion.views.names import Names
from tock_companion.views.snapshot import Surroundings, snapshot
from tock_companion.views.table import public_view
from tock_rules import Hole, Seat

AWAY_MS = 10_000
"""Time for which the hand is away in the middle of a move."""
ALARMS = {"violation", "pawn_missing"}


def in_the_air(board: Pawns, seat: str) -> dict[str, list[str]]:
    """The board without one pawn of a seat that `board` has in camp."""
    return {**{name: list(places) for name, places in board.items()}, seat: list(board[seat])[1:]}


def laid(board: Pawns, card: str) -> ClockedTable:
    """A table on which a card has just been laid."""
    clocked = ClockedTable(board)
    clocked.see(board, 500)
    assert clocked.ask("play_card", card=card).ok
    return clocked


def guided(clocked: ClockedTable) -> tuple[str, tuple[Hole, ...]]:
    """The code and the places of the guidance."""
    guidance = clocked.core.state.guidance
    assert guidance is not None
    return guidance.code, guidance.places


def sentence(clocked: ClockedTable) -> Text:
    """The sentence of the guidance."""
    guidance = clocked.core.state.guidance
    assert guidance is not None
    return guidance_words(guidance, Names.of(clocked.core.state.roster))


def warned(clocked: ClockedTable) -> Any:
    """The warning that everybody reads."""
    warning = public_view(snapshot(clocked.core.state, Surroundings(), NO_BOARD, 1), Chronicle())["warning"]
    assert warning is not None
    return warning


CAPTURE, SWAP, SEVEN = pawns("P0 T20, P1 T26"), pawns("P0 T20, P1 T40"), pawns("P0 T20 T40")
UNDER_WAY = [
    (CAPTURE, "6H", in_the_air(pawns("P0 T26"), "P1"), "unfinished/capture", ("P1-C1",)),
    (CAPTURE, "6H", pawns("P0 T20"), "unfinished/put", ("T26",)),
    (CAPTURE, "6H", in_the_air(pawns("P0 T20"), "P1"), "unfinished/capture", ("P1-C1",)),
    (CAPTURE, "9H", in_the_air(pawns("P1 T26"), "P0"), "unfinished/put", ("T29",)),
    (SWAP, "JH", in_the_air(pawns("P0 T40"), "P1"), "unfinished/put", ("T20",)),
    (SWAP, "JH", in_the_air(pawns("P1 T20"), "P0"), "unfinished/put", ("T40",)),
    (SEVEN, "7H", pawns("P0 T23 T40"), "unfinished/seven", ()),
    (pawns("P0 T20"), "7H", pawns("P0 T23"), "unfinished/seven", ()),
]


@pytest.mark.parametrize(("before", "card", "half", "code", "places"), UNDER_WAY)
def test_a_move_under_way_alarms_nobody_and_says_what_is_left(
    before: Pawns, card: str, half: Pawns, code: str, places: tuple[str, ...]
) -> None:
    clocked = laid(before, card)
    clocked.see(half, AWAY_MS)
    assert guided(clocked) == (code, places)
    assert not ALARMS & set(clocked.kinds())


def test_the_holes_of_a_seven_that_are_left_are_counted() -> None:
    clocked = laid(SEVEN, "7H")
    clocked.see(pawns("P0 T23 T40"), AWAY_MS)
    assert sentence(clocked)["fr"] == "Encore 4 cases."
    clocked.see(pawns("P0 T23 T44"), 1000)
    assert clocked.core.state.guidance is None
    assert clocked.last(MoveAccepted).move == "P0:T20>T23 + P0:T40>T44"


def test_ending_the_turn_after_half_a_move_shows_the_rule() -> None:
    clocked = laid(SEVEN, "7H")
    clocked.see(pawns("P0 T23 T40"), 3000)
    assert clocked.ask("decide_now").ok
    assert clocked.last(ViolationFound).code == "move/seven_not_used_up"
    clocked.see(pawns("P0 T23 T40"), 5000)
    assert clocked.core.game.warning is not None
    clocked.see(pawns("P0 T23 T44"), 1000)
    assert clocked.core.game.warning is None


def test_a_warning_ends_when_the_board_becomes_half_a_move() -> None:
    clocked = laid(SEVEN, "7H")
    clocked.see(pawns("P0 T23 T45"), 2000)
    assert clocked.last(ViolationFound).code == "move/seven_too_far"
    clocked.see(pawns("P0 T23 T40"), 3000)
    assert clocked.core.game.warning is None
    assert clocked.core.state.guidance is not None


def test_a_recorder_says_nothing() -> None:
    clocked = ClockedTable(SEVEN)
    clocked.see(SEVEN, 500)
    assert clocked.ask("set_mode", None, Role.HOST, mode="recorder").ok
    clocked.ask("play_card", card="7H")
    clocked.see(pawns("P0 T23 T40"), 3000)
    assert clocked.core.state.guidance is None


def test_a_pawn_beside_the_holes_is_named_within_three_seconds() -> None:
    clocked = laid(CAPTURE, "3H")
    lifted = in_the_air(pawns("P1 T26"), "P0")
    lying = LoosePawn(100.0, 60.0, Seat.P0, 0.99, Hole.parse("T22"), Hole.parse("T23"))
    since_ms = clocked.t_ms
    while clocked.core.state.guidance is None:
        clocked.t_ms += 100
        seen = observed(lifted, clocked.t_ms)
        clocked.core.take(type(seen)(seen.t_ms, seen.source, seen.holes, loose=(lying,)))
        assert clocked.t_ms - since_ms < 3000
    guidance = clocked.core.state.guidance
    assert guidance.code == "loose/between"
    assert [(spot.x_mm, spot.y_mm) for spot in guidance.spots] == [(100.0, 60.0)]


def test_two_holes_that_a_pawn_may_lie_between_are_named_within_three_seconds() -> None:
    clocked = laid(CAPTURE, "3H")
    lifted = in_the_air(pawns("P1 T26"), "P0")
    clocked.see(lifted, 3000, occluded=["T22", "T23"])
    assert guided(clocked) == ("hidden/between", ("T22", "T23"))
    assert sentence(clocked)["fr"].startswith("Le pion rouge semble être entre deux cases, 4 bleu et 5 bleu")


def test_a_board_that_stays_covered_is_not_met_with_silence() -> None:
    clocked = laid(CAPTURE, "9H")
    covered = [f"T{cell}" for cell in range(15, 34) if cell != 20]
    clocked.see(in_the_air(pawns("P1 T26"), "P0"), 9000, occluded=covered)
    assert guided(clocked)[0] == "hidden/many"


def test_another_card_takes_the_place_of_the_laid_one_until_a_pawn_has_moved() -> None:
    clocked = laid(CAPTURE, "6H")
    assert clocked.ask("play_card", card="9H").ok
    assert str(clocked.core.game.card) == "9H"
    clocked.see(in_the_air(pawns("P1 T26"), "P0"), 500)
    assert clocked.ask("play_card", card="6H").code == "pawn_moved"
    clocked.see(pawns("P0 T29, P1 T26"), 1000)
    assert clocked.last(MoveAccepted).move == "P0:T20>T29"


def test_two_pawns_swapped_wrongly_are_swapped_back_in_one_gesture() -> None:
    clocked = laid(CAPTURE, "3H")
    clocked.see(pawns("P0 T26, P1 T20"), 2000)
    warning = warned(clocked)
    (step,) = warning["repair"]
    assert step["sentence"]["fr"] == "Échange le pion bleu (2 bleu) et le pion rouge (8 bleu)."


def test_a_seven_counted_one_too_far_is_mended_by_one_step_and_not_by_two() -> None:
    clocked = laid(SEVEN, "7H")
    clocked.see(pawns("P0 T23 T45"), 2000)
    warning = warned(clocked)
    assert warning["code"] == "move/seven_too_far"
    assert warning["leads_on"]
    (step,) = warning["repair"]
    assert (step["from_hole"], step["to_hole"]) in {("T45", "T44"), ("T23", "T22")}
    assert [other["to_hole"] for other in warning["otherwise"]] == ["T20", "T40"]
    clocked.see(pawns("P0 T23 T44"), 1000)
    assert clocked.last(MoveAccepted).move == "P0:T20>T23 + P0:T40>T44"


def test_a_way_through_the_centre_is_named_as_the_nearest_legal_move() -> None:
    before = pawns("P0 T7")
    clocked = ClockedTable(before, ruleset="gladius")
    clocked.see(before, 500)
    assert clocked.ask("play_card", card="KH").ok
    clocked.see(pawns("P0 T21"), 2000)
    warning = warned(clocked)
    assert "Le pion rouge\u00a0: 7 rouge → centre" in [move["label"]["fr"] for move in warning["nearest"]]


def see_with(
    clocked: ClockedTable,
    board: Pawns,
    for_ms: int,
    loose: tuple[LoosePawn, ...] = (),
    /,
    **holes: HoleReading,
) -> None:
    """Ten frames a second of a board in which some holes are read otherwise, and pawns lie beside others."""
    for _ in range(for_ms // 100):
        clocked.t_ms += 100
        seen = observed(board, clocked.t_ms)
        misread = {Hole.parse(hole): reading for hole, reading in holes.items()}
        clocked.core.take(type(seen)(seen.t_ms, seen.source, {**seen.holes, **misread}, loose=loose))


def test_ending_the_turn_shows_a_pawn_beside_the_holes_at_once() -> None:
    clocked = laid(CAPTURE, "3H")
    lies = (LoosePawn(100.0, 60.0, Seat.P0, 0.99, Hole.parse("T22"), Hole.parse("T23")),)
    see_with(clocked, in_the_air(pawns("P1 T26"), "P0"), 200, lies)
    clocked.ask("decide_now")
    assert guided(clocked)[0] == "loose/between"


def test_a_pawn_seen_doubtfully_elsewhere_is_not_the_one_in_the_hand() -> None:
    clocked = ClockedTable(SWAP)
    clocked.see(SWAP, 500)
    clocked.ask("play_card", card="JH")
    half = in_the_air(pawns("P0 T40"), "P1")
    see_with(clocked, half, AWAY_MS, T28=HoleReading(HoleState.PAWN, Seat.P1, 0.72))
    assert not ALARMS & set(clocked.kinds())
    assert guided(clocked)[1] == ("T20",)


@pytest.mark.parametrize("state", [HoleState.EMPTY, HoleState.PAWN])
def test_a_pawn_that_is_only_doubtfully_gone_is_not_missed_while_another_is_in_the_hand(
    state: HoleState,
) -> None:
    others = "P0 T30, P2 T56"
    clocked = laid(pawns(f"P1 T36, {others}"), "6H")
    half = in_the_air(pawns(others), "P1")
    # Empty, or of the colour of the pawn in the hand.
    see_with(
        clocked, half, AWAY_MS, T56=HoleReading(state, Seat.P1 if state is HoleState.PAWN else None, 0.89)
    )
    assert not ALARMS & set(clocked.kinds())
    assert guided(clocked)[0] == "unfinished/capture"


def test_a_hole_out_of_sight_for_one_frame_has_no_pawn_in_it_again() -> None:
    others = "P1 T7 T35, P2 T36"
    before = pawns(f"P0 T42 T49, {others}")
    clocked = ClockedTable(before, ruleset="parteu")
    clocked.see(before, 500)
    clocked.ask("play_card", card="7S")
    half = in_the_air(pawns(f"P0 T45, {others}"), "P0")
    see_with(clocked, half, 3000)
    see_with(clocked, half, 100, T42=UNSEEN)
    see_with(clocked, half, 3000)
    assert not ALARMS & set(clocked.kinds())
    assert clocked.core.state.guidance is not None


def test_a_camp_hole_out_of_sight_for_one_frame_has_no_taken_pawn_in_it() -> None:
    before = pawns("P0 T2 T9 T67, P2 T7 T36")
    clocked = ClockedTable(before, ruleset="diagonale", seats=(Seat.P0, Seat.P2), first=Seat.P2)
    clocked.see(before, 500)
    clocked.ask("play_card", Seat.P2, card="KS")
    after = pawns("P0 T2 T67, P2 T20 T36")
    half = in_the_air(after, "P0")
    see_with(clocked, half, 4000)
    see_with(clocked, half, 100, **{"P0-C2": UNSEEN})
    see_with(clocked, half, 5000)
    assert clocked.kinds() == ["card_played"]
    assert clocked.core.state.guidance is not None
    see_with(clocked, after, 500)
    assert clocked.core.game.moves[-1].move.text == "P2:T7>T20"


def test_a_pawn_whose_hole_is_seen_weakly_to_be_empty_is_missed_between_two_others() -> None:
    clocked = ClockedTable(pawns("P0 T0"), first=Seat.P1)
    clocked.see(pawns("P0 T0"), 500)
    lifted = in_the_air(pawns(), "P0")
    weakly = HoleReading(HoleState.EMPTY, None, 0.8)
    see_with(clocked, lifted, 3500, T0=weakly, T1=UNSEEN, T2=UNSEEN)
    assert guided(clocked) == ("hidden/between", ("T1", "T2"))


def test_a_pawn_beside_a_hole_that_is_seen_weakly_to_be_empty_is_named() -> None:
    clocked = ClockedTable(pawns("P0 T0"), first=Seat.P1)
    clocked.see(pawns("P0 T0"), 500)
    lifted = in_the_air(pawns(), "P0")
    lies = (LoosePawn(12.0, 34.0, Seat.P0, 0.99, Hole.parse("T0"), Hole.parse("T1")),)
    see_with(clocked, lifted, 3000, lies, T0=HoleReading(HoleState.EMPTY, None, 0.8))
    assert guided(clocked)[0] == "loose/between"


def test_with_reeds_too_a_pawn_over_two_holes_is_named_though_no_switch_feels_it() -> None:
    clocked, reeds = ClockedTable(pawns("P0 T0"), first=Seat.P1), Reeds(pawns("P0 T0"))
    clocked.core.take(reeds.snapshot(0))
    clocked.see(pawns("P0 T0"), 500)
    (lift,) = reeds.feel(clocked.t_ms, ["-T0"])
    clocked.core.take(lift)
    clocked.see(in_the_air(pawns(), "P0"), 3000, occluded=["T1", "T2"])
    assert guided(clocked) == ("hidden/between", ("T1", "T2"))
    warning = warned(clocked)
    assert warning["message"] == sentence(clocked)


def test_a_pawn_beside_a_hole_does_not_stand_in_one_that_is_seen_weakly_to_be_empty() -> None:
    clocked, weakly = ClockedTable(pawns("P0 T0")), HoleReading(HoleState.EMPTY, None, 0.92)
    see_with(clocked, pawns("P0 T0"), 500, T6=weakly)
    lies = (LoosePawn(12.0, 34.0, Seat.P0, 0.99, Hole.parse("T1"), Hole.parse("T2")),)
    see_with(clocked, in_the_air(pawns(), "P0"), 3000, lies, T6=weakly)
    assert guided(clocked)[0] == "loose/between"


def test_a_loose_pawn_that_hides_the_hole_it_has_left_is_named_within_three_seconds() -> None:
    clocked = ClockedTable(pawns("P0 T0"))
    clocked.see(pawns("P0 T0"), 4000)
    lies = (LoosePawn(12.0, 34.0, Seat.P0, 0.99, Hole.parse("T1"), Hole.parse("T2")),)
    see_with(clocked, in_the_air(pawns(), "P0"), 3000, lies, T0=UNSEEN)
    assert guided(clocked)[0] == "loose/between"
    assert not {"violation", "move_accepted"} & set(clocked.kinds())


def test_a_pawn_beside_a_hole_does_not_stand_in_it_because_it_is_seen_there_doubtfully() -> None:
    clocked = ClockedTable(pawns("P0 T0, P1 T26"))
    clocked.see(pawns("P0 T0, P1 T26"), 500)
    lies = (LoosePawn(12.0, 34.0, Seat.P1, 0.99, Hole.parse("T30")),)
    doubtful = HoleReading(HoleState.PAWN, Seat.P1, 0.81)
    see_with(clocked, in_the_air(pawns("P0 T0"), "P1"), 3000, lies, T30=doubtful)
    assert guided(clocked)[0] == "loose/beside"
    assert "violation" not in clocked.kinds()


def test_a_fifth_pawn_of_a_colour_that_is_seen_weakly_all_the_time_alarms_nobody() -> None:
    before = pawns("P0 T20 T37 T50, P1 T40")
    clocked = laid(before, "JH")
    half = in_the_air(pawns("P0 T20 T37 T50"), "P1")
    see_with(clocked, half, AWAY_MS, T70=HoleReading(HoleState.PAWN, Seat.P0, 0.9))
    assert guided(clocked)[0] == "unfinished/swap"
    assert not ALARMS & set(clocked.kinds())


def test_a_capture_of_ones_own_pawn_is_not_whole_while_its_hole_is_out_of_sight_for_one_frame() -> None:
    clocked = laid(pawns("P0 T20 T26, P1 T40"), "6H")
    half = in_the_air(pawns("P1 T40"), "P0")
    clocked.see(half, 2000)
    clocked.see(half, 100, occluded=("T26",))
    clocked.see(half, 4000)
    assert clocked.core.state.guidance is not None
    assert not (ALARMS | {"move_accepted"}) & set(clocked.kinds())


def test_a_pawn_in_the_hand_was_not_put_down_and_taken_further_by_the_next_seat() -> None:
    clocked = laid(pawns("P0 T20 T26, P1 T40"), "6H")
    half = in_the_air(pawns("P1 T40"), "P0")
    # Where a five of the next seat would take it.
    see_with(clocked, half, 6000, T31=HoleReading(HoleState.EMPTY, None, 0.85))
    assert clocked.core.state.guidance is not None
    assert not (ALARMS | {"move_accepted"}) & set(clocked.kinds())


def test_a_pawn_that_left_its_hole_under_the_hand_is_not_one_too_many() -> None:
    clocked = laid(pawns("P0 T10 T20 T40 T60"), "7H")
    clocked.see(pawns("P0 T10 T24 T40 T60"), 2400, occluded=("T19", "T20", "T21"))
    assert not ALARMS & set(clocked.kinds())


def test_a_pawn_in_the_hand_was_not_taken_on_over_one_of_its_own_by_the_next_seat() -> None:
    clocked = laid(pawns("P0 T20, P1 T44 T16"), "JH")
    half = in_the_air(pawns("P0 T44, P1 T16"), "P1")
    # A four would take it from the hole of the swap to T16, and the pawn there to a camp that is seen badly.
    see_with(clocked, half, 4000, **{"P1-C3": HoleReading(HoleState.EMPTY, None, 0.85)})
    assert clocked.core.state.guidance is not None
    assert not (ALARMS | {"move_accepted"}) & set(clocked.kinds())
