"""Seating is a value: cards stay with their people, and comings and goings give one view a second."""

from dataclasses import replace

import pytest

from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.events.hand import Hand
from tock_companion.events.hands import Hands
from tock_companion.storage import SeatHolder
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.presence import SHOWN_EVERY_S, Presence
from tock_companion.table.seats.chairs import places_on
from tock_companion.table.seats.hand_owners import COMPUTER, PlayedGame
from tock_companion.table.seats.seating import Seating
from tock_companion.views.state import FarHome, FarPeople
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
    turned = both.reseated({Seat.P0: Seat.P2, Seat.P2: Seat.P0}, frozenset(Seat))
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


def test_the_newest_change_of_each_kind_is_shown_once_a_second() -> None:
    now_s, shown = [0.0], list[str]()
    presence = Presence(lambda: now_s[0])
    for tick in range(100):
        now_s[0] = tick * 0.05
        presence.put("watching", lambda tick=tick: shown.append(f"watching {tick}"))  # type: ignore[misc]
        if tick % 7 == 0:
            presence.put("far", lambda tick=tick: shown.append(f"far {tick}"))  # type: ignore[misc]
        for change in presence.take():
            change()
    assert [text for text in shown if text.startswith("watching")] == [
        f"watching {n}" for n in range(0, 100, 20)
    ]
    assert presence.due_s == pytest.approx(SHOWN_EVERY_S - 19 * 0.05)
    now_s[0] += SHOWN_EVERY_S
    assert len(presence.take()) == 2
    assert presence.due_s is None


@pytest.mark.parametrize("kind", ["watching", "far", "home"])
def test_a_hundred_comings_and_goings_give_two_views_at_most(table: Table, kind: str) -> None:
    table.show_watching(1)
    before = table.view(Role.WATCH)["revision"]
    for number in range(100):
        if kind == "watching":
            table.show_watching(2 + number % 3)
        elif kind == "far":
            table.show_far(FarPeople({}, None, watching=("Odette",) if number % 2 else ()))
        else:
            table.show_home(FarHome("here" if number % 2 else "away"))
    last = {
        "watching": lambda: "'others': 2" in str(table.view(Role.WATCH)["far"]),
        "far": lambda: "Odette" in str(table.view(Role.WATCH)["far"]),
        "home": lambda: "home" in str(table.view(Role.WATCH)["far"]),
    }
    until(last[kind], within_s=5.0)
    assert table.view(Role.WATCH)["revision"] <= before + 2


def test_comings_and_goings_that_end_as_they_began_show_nothing(table: Table) -> None:
    table.show_watching(1)
    until(lambda: table.view(Role.WATCH)["far"] is not None)
    before = table.view(Role.WATCH)["revision"]
    for _ in range(50):
        table.show_watching(2)
        table.show_watching(1)
    table.show_far(FarPeople({}, None, watching=("Odette",)))
    until(lambda: "Odette" in str(table.view(Role.WATCH)["far"]), within_s=5.0)
    assert table.view(Role.WATCH)["revision"] == before + 1


@pytest.mark.parametrize(
    ("people", "chairs", "known", "expected"),
    [
        ("Léa Tom Mamie Guy", "0134", "", "0 1 3 4"),
        ("Léa Tom Mamie Guy", "0246", "", "0 2 4 6"),
        ("Léa - Mamie", "0134", "", "0 3"),
        ("Léa - - - Guy", "01", "", "0 1"),
        ("Léa Tom Mamie", "04", "", "0 4 -"),
        ("Léa Tom Mamie Guy", "0123", "Mamie Guy Léa Tom", "2 3 0 1"),
        ("Lea TOM Zoé", "0123", "Tom Bob Léa", "2 0 1"),
        ("Léa Tom Mamie", "03", "Mamie - - Léa", "3 - 0"),
        ("Léa Tom", "03", "", "0 3"),
    ],
)
def test_everybody_goes_to_a_chair_by_name_or_in_order(
    people: str, chairs: str, known: str, expected: str
) -> None:
    """Fault 1 and fault 6: another board, and a kept game, with as few changes as can be and partners kept."""

    def sitting(names: str) -> dict[Seat, str]:
        return {Seat(at): name for at, name in enumerate(names.split()) if name != "-"}

    places = places_on([Seat(int(chair)) for chair in chairs], sitting(people), sitting(known))
    assert ["-" if to is None else str(int(to)) for to in places.values()] == expected.split()
