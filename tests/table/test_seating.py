"""Seating is a value: each change makes a new one, and cards stay with the person who entered them."""

from dataclasses import replace

import pytest

from tock_companion.events.hand import Hand
from tock_companion.events.hands import Hands
from tock_companion.storage import SeatHolder
from tock_companion.table.seats.hand_owners import COMPUTER, PlayedGame
from tock_companion.table.seats.seating import Seating
from tock_rules import Card, Seat, load_preset

HANDS = Hands(load_preset("mjc"), tuple(Seat)[:4], Seat.P0)
GAME = PlayedGame(3, tuple(Seat)[:4], HANDS)


def with_hand(seat: Seat, at: int = 5) -> PlayedGame:
    """The game in which a seat's cards were named by event `at`."""
    return replace(GAME, hands=replace(HANDS, held={seat: Hand((Card.parse("6H"),), entered_at=at)}))


def holder(seat: Seat, name: str) -> SeatHolder:
    return SeatHolder(seat, name, "fr", f"hash of {name}'s token", f"{name}'s phone")


@pytest.fixture
def seated() -> Seating:
    """Anna sits on P0."""
    return Seating().sat_down(holder(Seat.P0, "Anna"), GAME)


def test_a_change_leaves_the_seating_before_as_it_was(seated: Seating) -> None:
    moved = seated.sat_down(holder(Seat.P1, "Anna"), GAME, left=Seat.P0)
    assert (seated.names(), moved.names()) == ({Seat.P0: "Anna"}, {Seat.P1: "Anna"})
    assert moved.stood_up(Seat.P1, GAME).names() == {}
    assert moved.names() == {Seat.P1: "Anna"}


def test_the_longest_seated_comes_first_also_after_people_change_places(seated: Seating) -> None:
    both = seated.sat_down(holder(Seat.P2, "Bob"), GAME)
    assert both.sitting() == [Seat.P0, Seat.P2]
    turned = both.reseated({Seat.P0: Seat.P2, Seat.P2: Seat.P0})
    assert turned.sitting() == [Seat.P2, Seat.P0]
    assert turned.names() == {Seat.P2: "Anna", Seat.P0: "Bob"}


def test_cards_are_withheld_from_a_newcomer_until_their_owner_shows_them(seated: Seating) -> None:
    game = with_hand(Seat.P0)
    taken_over = seated.stood_up(Seat.P0, game).sat_down(holder(Seat.P0, "Zoé"), game)
    (kept,) = taken_over.withheld(game).values()
    assert (kept.name, kept.owner) == ("Anna", "Anna's phone")
    (asked,) = taken_over.cards_requests(game, "Anna's phone")
    assert (asked.seat, asked.name) == (Seat.P0, "Zoé")
    refused = taken_over.answered(kept, yes=False)
    assert refused.withheld(game)
    assert not refused.cards_requests(game, "Anna's phone")
    assert not taken_over.answered(kept, yes=True).withheld(game)


def test_a_player_back_at_their_own_cards_sees_them(seated: Seating) -> None:
    game = with_hand(Seat.P0)
    back = seated.stood_up(Seat.P0, game).sat_down(holder(Seat.P0, "Anna"), game)
    assert not back.withheld(game)


def test_a_person_takes_over_from_a_computer_but_not_its_cards() -> None:
    computers = Seating().with_computer(Seat.P1, "easy", GAME)
    game = with_hand(Seat.P1)
    stronger = computers.with_computer(Seat.P1, "strong", game)
    assert (stronger.computers, stronger.custody) == ({Seat.P1: "strong"}, ())
    seated = stronger.sat_down(holder(Seat.P1, "Bob"), game)
    assert seated.computers == {}
    assert seated.withheld(game)[Seat.P1].owner == COMPUTER
