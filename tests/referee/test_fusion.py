"""All sources together: camera and reed switches become one picture of the board."""

from collections.abc import Iterable

from tests.support.boards import pawns
from tests.support.observations import Reeds, observed
from tock_companion.observation import HoleReading, HoleState, Observation
from tock_companion.referee.diagnosis.disputes import Dispute, disputes
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.fusion import SensorFusion
from tock_rules import Board, BoardShape, Hole, Seat

SHAPE = BoardShape(4)


def expectation(text: str) -> Expectation:
    return Expectation.of(Board.from_pawns(SHAPE, pawns(text)), SHAPE.seats)


def fused(base: str, observations: Iterable[Observation]) -> SensorFusion:
    fusion = SensorFusion(expectation(base))
    for observation in observations:
        fusion = fusion.update(observation)
    return fusion


def test_a_switch_says_that_a_pawn_is_there_and_the_camera_whose() -> None:
    reeds = Reeds(pawns("P0 T20"))
    blue = {"T29": HoleReading(HoleState.PAWN, Seat.P2, 0.95)}
    fusion = fused(
        "P0 T20",
        [
            reeds.snapshot(0),
            observed(pawns("P0 T20"), 0),
            *reeds.feel(500, ["-T20", "+T29"]),
            observed(pawns(""), 1000, misread=blue),
        ],
    )
    assert fusion.fused.hole(Hole.parse("T29")).belief.state is HoleState.PAWN
    assert fusion.fused.pawn_at(Hole.parse("T29")) is Seat.P2


def test_without_a_camera_a_pawn_is_the_one_that_was_lifted() -> None:
    reeds = Reeds(pawns("P0 T20, P1 T40"))
    fusion = fused("P0 T20, P1 T40", [reeds.snapshot(0), *reeds.feel(500, ["-T40", "+T45"])])
    assert fusion.switch_sources == {"reed"}
    assert fusion.fused.pawn_at(Hole.parse("T45")) is Seat.P1


def test_changes_during_a_break_of_the_link_count_as_lifted_and_put() -> None:
    before, after = Reeds(pawns("P0 T20")), Reeds(pawns("P0 T29"))
    lost = Observation(1000, "reed", {})
    fusion = fused("P0 T20", [before.snapshot(0), lost, after.snapshot(5000)])
    assert fusion.fused.pawn_at(Hole.parse("T29")) is Seat.P0


def test_only_what_was_felt_after_the_accepted_move_belongs_to_the_next_turn() -> None:
    reeds = Reeds(pawns("P0 T20, P1 T40"))
    observations = [reeds.snapshot(0), *reeds.feel(500, ["-T20", "+T29", "-T40"], step_ms=300)]
    fusion = fused("P0 T20, P1 T40", observations).rebase(expectation("P0 T29, P1 T40"), since_ms=800)
    assert fusion.fused.tracker is not None
    assert [edge.hole for edge in fusion.fused.tracker.edges] == ["T40"]


def test_a_switch_that_players_overrule_is_doubted_until_it_says_something_else() -> None:
    stuck = Reeds(pawns("P0 T20"))
    stuck.closed.add(Hole.parse("T50"))
    fusion = fused("P0 T20", [stuck.snapshot(0)]).overrule(expectation("P0 T20"))
    assert disputes(fusion) == (Dispute("felt_wrongly", Hole.parse("T50")),)
    assert fusion.update(stuck.snapshot(1000)).fused.hole(Hole.parse("T50")).belief.log_odds < 1
    opened = fusion
    for observation in stuck.feel(2000, ["-T50"]):
        opened = opened.update(observation)
    assert opened.overruled == frozenset()
    assert opened.fused.hole(Hole.parse("T50")).belief.log_odds > 1


def test_a_switch_learns_from_every_settled_turn_but_not_in_a_camp_that_nobody_sees() -> None:
    weak = Reeds(pawns("P1 T40"))
    fusion = fused("P0 T20, P1 T40", [weak.snapshot(0), weak.snapshot(1000)])
    for _ in range(10):
        fusion = fusion.learn(expectation("P0 T20, P1 T40"))
    assert fusion.trust.of(Hole.parse("T20")).missed == 10
    assert (fusion.trust.of(Hole.parse("T40")).missed, fusion.trust.of(Hole.parse("T40")).of_pawns) == (0, 10)
    assert fusion.trust.of(Hole.parse("P0-C1")).of_pawns == 0
