"""A table over reed switches alone, and over reeds and a camera together."""

from dataclasses import replace

import pytest

from tests.support.boards import pawns
from tests.support.observations import Reeds
from tests.support.tables import ClockedTable
from tock_companion.core.requests import Role
from tock_companion.events.facts import MoveAccepted, PawnMissing, ViolationFound
from tock_companion.observation import SourceCondition, SourceReport
from tock_companion.referee.tracking.trust import Trials, Trust
from tock_companion.views.snapshot import dispute_notes
from tock_rules import Hole, Seat

BEFORE = pawns("P0 T20, P1 T26, P2 T40")


class ClockedReedTable(ClockedTable):
    """Feels lifts and puts; looks again when a deadline has passed, as the running table does."""

    def __init__(self, card: str | None = None) -> None:
        super().__init__(BEFORE)
        self.reeds = Reeds(BEFORE)
        self.t_ms = 1000
        self.events += self.core.take(self.reeds.snapshot(self.t_ms))
        if card is not None:
            assert self.ask("play_card", card=card).ok

    def feel(self, *edges: str) -> None:
        for observation in self.reeds.feel(self.t_ms + 300, edges):
            self.t_ms = observation.t_ms
            self.events += self.core.take(observation)

    def rest(self, for_ms: int) -> None:
        end_ms = self.t_ms + for_ms
        while self.core.deadline_ms is not None and self.core.deadline_ms <= end_ms:
            before = self.core.deadline_ms
            self.events += self.core.tick(before)
            if self.core.deadline_ms == before:
                break
        self.t_ms = end_ms

    def feel_nothing(self, for_ms: int) -> None:
        """Let the board's heartbeat go on, once a second."""
        for beat_ms in range(self.t_ms + 500, self.t_ms + for_ms + 1, 1000):
            self.events += self.core.take(self.reeds.snapshot(beat_ms))
        self.rest(for_ms)

    def moves(self) -> list[str]:
        return [event.fact.move for event in self.events if isinstance(event.fact, MoveAccepted)]


@pytest.mark.parametrize(
    ("card", "edges", "move", "within_ms"),
    [
        ("9H", "-T20 +T24 -T24 +T29", "P0:T20>T29", 350),
        ("JH", "-T20 -T26 +T26 +T20", "P0:T20<>P1:T26", 400),
        ("6H", "-T26 -T20 +T26 +P1-C4", "P0:T20>T26", 400),
    ],
    ids=["walk", "swap", "taken pawn last"],
)
def test_a_move_felt_by_reeds_is_recorded_at_once(card: str, edges: str, move: str, within_ms: int) -> None:
    clocked = ClockedReedTable(card)
    clocked.feel(*edges.split())
    clocked.rest(within_ms)
    assert clocked.moves() == [move]


def test_a_wrong_move_felt_by_reeds_is_named_with_its_colour() -> None:
    clocked = ClockedReedTable("9H")
    clocked.feel("-T20", "+T30")
    clocked.rest(1500)
    warning = clocked.core.game.warning
    assert isinstance(warning, ViolationFound)
    assert warning.seen == {"T20": "empty", "T30": "P0"}


def test_a_missing_pawn_is_named_within_two_seconds() -> None:
    clocked = ClockedReedTable()
    clocked.feel("-T40")
    clocked.rest(2000)
    warning = clocked.core.game.warning
    assert isinstance(warning, PawnMissing)
    assert (warning.seat, warning.last_seen) == ("P2", ["T40"])


def test_the_next_player_s_lift_does_not_hold_up_the_turn_before() -> None:
    clocked = ClockedReedTable("9H")
    clocked.feel("-T20", "+T29")
    for observation in clocked.reeds.feel(clocked.t_ms + 100, ["-T26"]):
        clocked.events += clocked.core.take(observation)
    clocked.rest(400)
    assert clocked.moves() == ["P0:T20>T29"]


def test_a_weak_magnet_does_not_break_the_game_where_a_camera_sees_the_pawn() -> None:
    clocked = ClockedReedTable("9H")
    clocked.see(BEFORE, 500)
    clocked.feel("-T20")
    clocked.see(pawns("P0 T29, P1 T26, P2 T40"), 3000)
    assert clocked.moves() == ["P0:T20>T29"]


def test_a_switch_that_closes_without_a_touch_while_a_pawn_is_lifted_is_no_place_for_that_pawn() -> None:
    clocked = ClockedReedTable("9H")
    state = clocked.core.state
    fusion = replace(state.fusion, trust=Trust({Hole.parse("T34"): Trials(of_empty=200)}))
    clocked.core.state = replace(state, fusion=fusion)
    clocked.see(BEFORE, 500)
    clocked.reeds.closed.add(Hole.parse("T34"))
    clocked.feel("-T20", "+T29")
    clocked.see(pawns("P0 T29, P1 T26, P2 T40"), 1500)
    assert clocked.moves() == ["P0:T20>T29"]


def test_reeds_see_through_the_hand_what_the_camera_cannot() -> None:
    clocked = ClockedReedTable("9H")
    clocked.see(BEFORE, 500)
    hand = [f"T{number}" for number in range(18, 34)]
    clocked.feel("-T20", "+T29")
    clocked.see(pawns("P0 T29, P1 T26, P2 T40"), 400, occluded=hand)
    assert clocked.moves() == ["P0:T20>T29"]


def test_when_one_source_is_lost_the_other_goes_on_alone() -> None:
    clocked = ClockedReedTable("9H")
    clocked.see(BEFORE, 500)
    lost = SourceReport(clocked.t_ms, "camera", SourceCondition.LOST, "camera/unplugged")
    clocked.events += clocked.core.take(lost)
    clocked.feel("-T20", "+T29")
    clocked.rest(400)
    assert clocked.moves() == ["P0:T20>T29"]


def test_a_move_made_while_the_reeds_were_lost_is_found_when_they_are_back() -> None:
    clocked = ClockedReedTable("9H")
    lost = SourceReport(clocked.t_ms, "reed", SourceCondition.LOST, "reed/unplugged")
    clocked.events += clocked.core.take(lost)
    clocked.reeds = Reeds(pawns("P0 T29, P1 T26, P2 T40"))
    clocked.t_ms += 5000
    clocked.events += clocked.core.take(clocked.reeds.snapshot(clocked.t_ms))
    clocked.rest(400)
    assert clocked.moves() == ["P0:T20>T29"]


def test_a_turn_that_was_missed_is_recovered_when_the_next_one_is_made() -> None:
    clocked = ClockedTable(BEFORE)
    clocked.see(BEFORE, 500)
    clocked.ask("play_card", card="9H")
    both = pawns("P0 T29, P1 T32, P2 T40")
    clocked.see(both, 1500)
    assert [e.fact.move for e in clocked.events if isinstance(e.fact, MoveAccepted)] == ["P0:T20>T29"]
    assert clocked.core.position.to_move.name == "P1"


def test_a_card_on_a_hole_for_ever_does_not_silence_a_missing_pawn() -> None:
    clocked = ClockedTable(BEFORE)
    clocked.see(BEFORE, 500)
    clocked.see(BEFORE, 6000, occluded=["T60"])
    clocked.see(pawns("P0 T20, P1 T26") | {"P2": ["camp"] * 3}, 2000, occluded=["T60"])
    assert clocked.core.game.warning is not None
    assert clocked.core.game.warning.KIND == "pawn_missing"


def codes(clocked: ClockedTable) -> list[tuple[str, str | None]]:
    return [(note.code, note.hole) for note in dispute_notes(clocked.core.state)]


def test_a_pawn_that_its_switch_does_not_feel_is_a_matter_of_health() -> None:
    clocked = ClockedReedTable("9H")
    clocked.see(BEFORE, 500)
    clocked.feel("-T20")
    after = pawns("P0 T29, P1 T26, P2 T40")
    clocked.see(after, 1000)
    assert codes(clocked) == []
    clocked.see(after, 3000)
    assert codes(clocked) == [("weak_magnet", "T29")]
    clocked.feel("+T29")
    clocked.see(after, 500)
    assert codes(clocked) == []


def test_two_sources_that_contradict_each_other_for_minutes_are_reported_at_once() -> None:
    clocked = ClockedReedTable()
    clocked.see(pawns("P3 T3 T5 T7 T9, P1 T26"), 2000)
    clocked.see(pawns("P3 T3 T5 T7 T9, P1 T26"), 62_000, every_ms=1000)
    assert codes(clocked) == [("sources_differ", None)]


def test_a_swap_that_reeds_alone_cannot_know_is_decided_by_touch() -> None:
    clocked = ClockedReedTable("JH")
    assert clocked.ask("move", text="P0:T20<>P1:T26").ok
    assert clocked.moves() == ["P0:T20<>P1:T26"]


def test_moves_that_reeds_can_sense_are_made_on_the_board() -> None:
    clocked = ClockedReedTable("9H")
    assert clocked.ask("move", text="P0:T20>T29").code == "on_the_board"


def unfelt_move() -> ClockedReedTable:
    """An evening on which Anna's pawn goes to T29, where its switch does not feel it."""
    clocked = ClockedReedTable("9H")
    clocked.feel("-T20")
    clocked.rest(2000)
    return clocked


def test_a_pawn_that_no_switch_feels_is_in_the_air_first_and_asked_for_then() -> None:
    clocked = unfelt_move()
    guidance = clocked.core.state.guidance
    assert guidance is not None
    assert (guidance.code, guidance.places) == ("unfinished/put", ("T29",))
    clocked.feel_nothing(1500)
    question = clocked.core.game.question
    assert question is not None
    assert (question.about, question.choices) == ("move", ["P0:T20>T29"])


def test_a_pawn_that_somebody_says_is_there_is_missed_no_more_and_its_switch_is_named() -> None:
    clocked = unfelt_move()
    clocked.feel_nothing(1500)
    assert clocked.ask("answer", choice="P0:T20>T29").ok
    clocked.feel_nothing(5000)
    assert clocked.moves() == ["P0:T20>T29"]
    assert (clocked.core.game.warning, clocked.core.game.question) == (None, None)
    assert [(note.code, note.hole) for note in dispute_notes(clocked.core.state)] == [("unfelt_pawn", "T29")]


def test_a_taken_pawn_that_somebody_says_is_in_its_camp_is_missed_no_more() -> None:
    clocked = ClockedReedTable("6H")
    clocked.feel("-T26", "-T20", "+T26")
    clocked.feel_nothing(4000)
    assert clocked.ask("answer", choice="P0:T20>T26").ok
    clocked.feel_nothing(5000)
    assert (clocked.core.game.warning, clocked.core.game.question) == (None, None)
    assert {note.code for note in dispute_notes(clocked.core.state)} == {"unfelt_pawn"}
    assert clocked.ask("play_card", Seat.P1, card="KH").ok
    clocked.feel("-P1-C2", "+T18")
    clocked.rest(400)
    assert clocked.moves() == ["P0:T20>T26", "P1:camp>T18*"]
    assert not {"pawn_missing", "violation"} & set(clocked.kinds())


def test_an_unfelt_pawn_goes_on_without_help() -> None:
    clocked = unfelt_move()
    assert clocked.ask("decide_now").ok
    for seat, card in ((Seat.P1, "2H"), (Seat.P2, "2S"), (Seat.P3, "3S")):
        assert clocked.ask("play_card" if card != "3S" else "discard", seat, card=card).ok
        if card == "2H":
            clocked.feel("-T26", "+T28")
        elif card == "2S":
            clocked.feel("-T40", "+T42")
        clocked.rest(400)
    assert clocked.ask("play_card", card="6H").ok
    clocked.feel("+T35")
    clocked.rest(400)
    assert clocked.moves()[-1] == "P0:T29>T35"
    assert dispute_notes(clocked.core.state) == ()


def test_the_turn_button_or_the_next_card_says_that_an_unfelt_pawn_is_down() -> None:
    clocked = unfelt_move()
    assert clocked.ask("decide_now").ok
    assert clocked.moves() == ["P0:T20>T29"]
    clocked = unfelt_move()
    clocked.feel_nothing(1500)
    assert clocked.ask("play_card", Seat.P1, card="2H").ok
    assert clocked.moves() == ["P0:T20>T29"]


def test_a_swap_with_a_pawn_that_was_not_felt_is_felt() -> None:
    clocked = unfelt_move()
    assert clocked.ask("decide_now").ok
    assert clocked.ask("play_card", Seat.P1, card="JH").ok
    clocked.feel("-T26", "+T29", "+T26")
    clocked.rest(400)
    assert clocked.moves()[-1] == "P1:T26<>P0:T29"


def test_a_switch_that_bounces_all_the_time_is_named() -> None:
    clocked = ClockedReedTable()
    for _ in range(5):
        for observation in clocked.reeds.feel(
            clocked.t_ms + 300, ["-T40", "+T40", "-T40", "+T40"], step_ms=15
        ):
            clocked.events += clocked.core.take(observation)
        clocked.t_ms += 1000
    assert [(note.code, note.hole) for note in dispute_notes(clocked.core.state)] == [("loose_switch", "T40")]
    assert clocked.core.game.warning is None


def test_a_move_taken_back_on_a_phone_stays_wrong_until_the_pawns_are_back() -> None:
    clocked = ClockedReedTable("9H")
    clocked.feel("-T20", "+T29")
    clocked.rest(400)
    assert clocked.ask("undo", role=Role.HOST).ok
    clocked.feel_nothing(3000)
    assert clocked.core.game.warning is not None
    clocked.feel("-T29", "+T20")
    clocked.rest(400)
    assert clocked.core.game.warning is None


def test_pawns_moved_back_take_the_move_back() -> None:
    clocked = ClockedReedTable("9H")
    clocked.feel("-T20", "+T29")
    clocked.rest(400)
    clocked.feel("-T29", "+T20")
    clocked.rest(1500)
    assert clocked.kinds()[-1] == "move_taken_back"
    assert clocked.core.state.watch.pawn_at(Hole.parse("T20")) is Seat.P0
    assert clocked.core.game.warning is None
