"""A pawn laid aside goes where the move takes it, and nobody is blamed for another player's pawn."""

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.tables import NO_BOARD, ClockedTable
from tests.table.test_calm import ALARMS, AWAY_MS, CAPTURE, SWAP, in_the_air, see_with
from tock_companion.observation import LoosePawn
from tock_companion.views.board_warnings import guidance_words
from tock_companion.views.moves import Chronicle
from tock_companion.views.names import Names
from tock_companion.views.snapshot import Surroundings, snapshot
from tock_companion.views.table import public_view
from tock_rules import Hole, Seat

LAID_ASIDE = [
    # Beside a hole, between two, and off the track, as a source reports it.
    LoosePawn(100.0, 60.0, Seat.P1, 0.99, Hole.parse("T30")),
    LoosePawn(100.0, 60.0, Seat.P1, 0.99, Hole.parse("T30"), Hole.parse("T31")),
    LoosePawn(5.0, 5.0, Seat.P1, 0.99, Hole.parse("P2-C1")),
]


@pytest.mark.parametrize("lies", LAID_ASIDE)
@pytest.mark.parametrize(
    ("before", "card", "half", "says"),
    [
        (CAPTURE, "6H", "P0 T26", "Le pion bleu est pris\u00a0: mets-le dans son camp."),
        (SWAP, "JH", "P0 T40", "Pose maintenant le pion bleu"),
        (CAPTURE, None, "P0 T20", "Alors, dans son camp."),
    ],
    ids=["taken", "swapped", "before any card"],
)
def test_a_pawn_laid_aside_goes_where_the_move_takes_it_wherever_it_lies(
    before: Pawns, card: str | None, half: str, says: str, lies: LoosePawn
) -> None:
    clocked = ClockedTable(before)
    clocked.see(before, 500)
    assert card is None or clocked.ask("play_card", card=card).ok
    see_with(clocked, in_the_air(pawns(half), "P1"), AWAY_MS if card else 3000, (lies,))
    guidance = clocked.core.state.guidance
    assert guidance is not None
    assert says in guidance_words(guidance, Names.of(clocked.core.state.roster))["fr"]
    assert len(guidance.spots) == 1
    assert card is None or not ALARMS & set(clocked.kinds())


def test_the_warning_of_a_move_out_of_turn_says_so_and_the_heading_blames_nobody() -> None:
    names = {Seat.P0: "Mamie", Seat.P1: "Éloi"}
    clocked = ClockedTable(CAPTURE, players=names)
    clocked.see(CAPTURE, 500)
    clocked.see(pawns("P0 T20, P1 T21"), 3000)
    view = public_view(snapshot(clocked.core.state, Surroundings(), NO_BOARD, 1), Chronicle())
    warning = view["warning"]
    assert warning is not None
    assert warning["others"]["fr"] == "C’est à Mamie de jouer, et le pion d’Éloi a reculé de 5 cases."
    assert warning["others"]["en"] == "It is Mamie’s turn, and Éloi’s pawn went back 5 holes."
    assert view["sentence"]["fr"] == "Un pion n’est pas à sa place."
