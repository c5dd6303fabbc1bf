"""A second companion enters the link of a home: its board follows the game, through cuts and restarts of either."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.far import FarGuest, GuestLineInMemory, LineInMemory, far_home
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD, RIGHT, wait_for
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.errors import BadInputError
from tock_companion.far.link import FarLink, RoomKeys
from tock_companion.far.second_board import SecondBoard
from tock_companion.far.tunnel import Tunnel
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.far.phone import KINDS

AFTER_BOB = pawns("P0 T29, P1 T32")


class Guest:
    """The second companion: a table of its own, and the home that it follows."""

    def __init__(self, folder: Path, line: LineInMemory) -> None:
        self._folder, self._line = folder, line
        self.open()
        self.board.start()

    def open(self) -> None:
        """Start the table without the line."""
        self.source = HandSource()
        self.table = Table(generate(4, 520), Store(self._folder), [self.source])
        self.board = SecondBoard(self.table, self._folder, self._make_line)
        self.table.start()

    def _make_line(
        self,
        _link: FarLink,
        keys: RoomKeys,
        received: Callable[[bytes], None],
        changed: Callable[[bool], None],
    ) -> GuestLineInMemory:
        return GuestLineInMemory(self._line, keys.room, received, changed)

    def stop(self) -> None:
        self.board.stop()
        self.table.stop()

    def restart(self) -> None:
        self.stop()
        self.open()
        self.board.start()


class TwoHomes:
    def __init__(
        self, tunnel: Tunnel, line: LineInMemory, home: Table, source: HandSource, guest: Guest
    ) -> None:
        self.tunnel, self.line, self.home, self.source, self.guest = tunnel, line, home, source, guest

    def joined(self) -> None:
        self.guest.table.people.join("Bob", Seat.P1)
        self.guest.board.follow(self.tunnel.invite(None).link)
        wait_for(self.home, lambda view: bool(view["far"] and "P1" in view["far"]["seats"]))
        self.source.show(BEFORE, 4)
        self.guest.source.show(BEFORE, 4)

    def anna_moves(self) -> None:
        assert self.home.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)).ok
        self.source.show(RIGHT, 12)
        wait_for(self.home, lambda view: view["to_move"] == "P1")

    def same(self) -> None:
        until(lambda: self.guest.table.position == self.home.position)


@pytest.fixture
def two(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TwoHomes]:
    source = HandSource()
    setup = GameSetup(getattr(request, "param", "mjc"), position=BEFORE)
    home = Table(BOARD, Store(tmp_path), [source], setup=setup)
    home.start()
    home.people.join("Anna", Seat.P0)
    with far_home(home, create_app(home), tmp_path) as (tunnel, line):
        guest = Guest(tmp_path / "guest", line)
        yield TwoHomes(tunnel, line, home, source, guest)
        guest.stop()
    home.stop()


def test_a_second_board_joins_by_the_link_and_its_people_sit_at_home(two: TwoHomes) -> None:
    two.joined()
    assert two.home.people.names() == {Seat.P0: "Anna", Seat.P1: "Bob"}
    two.same()
    assert two.guest.board.followed.state == "here"
    two.anna_moves()
    two.same()
    two.guest.source.show(RIGHT, 12)
    assert two.guest.table.request(parse_request("play_card", {"card": "6C"}, Role.SEAT, Seat.P1)).ok
    two.guest.source.show(AFTER_BOB, 12)
    wait_for(two.home, lambda view: view["planned"] is not None and view["planned"]["text"] == "P1:T26>T32")
    two.source.show(AFTER_BOB, 12)
    wait_for(two.home, lambda view: view["to_move"] == "P2")
    two.same()


def test_moves_of_a_cut_or_of_a_restart_arrive_once(two: TwoHomes) -> None:
    two.joined()
    two.same()
    number = two.guest.table.number
    two.line.cut()
    two.guest.restart()
    two.anna_moves()
    two.line.mend()
    two.same()
    assert two.guest.table.number == number
    assert len(two.guest.table.facts()[1]) == len(two.home.facts()[1])


def test_a_board_that_was_started_again_records_nothing_by_itself(two: TwoHomes) -> None:
    """What its camera sees before home answers is no move: both logs would hold it, with other evidence."""
    two.joined()
    two.same()
    two.line.cut()
    two.guest.stop()
    two.guest.open()
    two.guest.source.show(BEFORE, 4)
    reply = two.guest.table.request(parse_request("play_card", {"card": "6C"}, Role.SEAT, Seat.P1))
    assert reply.code == "home_away"
    two.guest.source.show(RIGHT, 12)
    assert two.guest.table.following is not None
    assert two.guest.table.facts()[1] == []
    two.guest.board.start()
    two.anna_moves()
    two.line.mend()
    two.same()
    moves = [fact for _, fact in two.home.facts()[1]]
    assert [fact for _, fact in two.guest.table.facts()[1]] == moves
    two.guest.board.leave()
    assert two.guest.table.following is None


def test_a_board_that_is_sent_away_knows_it_and_its_seats_are_free(two: TwoHomes) -> None:
    two.joined()
    (invited,) = two.tunnel.guests()
    two.tunnel.revoke(invited.room)
    until(lambda: two.guest.board.followed.state == "ended")
    assert two.home.people.names() == {Seat.P0: "Anna"}
    two.guest.board.leave()
    assert two.guest.board.followed.state == "off"


def test_a_link_of_a_board_that_was_tapped_on_a_phone_is_still_the_boards(two: TwoHomes) -> None:
    invited = two.tunnel.invite(None)
    phone = FarGuest(two.line, invited.link)
    assert phone.hello() is None
    assert phone.call("GET", "session") == (404, {"board": True})
    assert [guest.state for guest in two.tunnel.guests()] == ["waiting"]
    two.guest.table.people.join("Bob", Seat.P1)
    two.guest.board.follow(invited.link)
    wait_for(two.home, lambda view: bool(view["far"] and "P1" in view["far"]["seats"]))
    refused = FarGuest(two.line, invited.link).hello()
    assert refused is not None
    assert refused.refused == "device"


def test_a_link_entered_again_is_still_this_boards_also_after_leaving(two: TwoHomes) -> None:
    two.guest.table.people.join("Bob", Seat.P1)
    link = two.tunnel.invite(None).link
    for leaves in (False, True, False):
        two.guest.board.follow(link)
        until(lambda: two.guest.board.followed.state == "here")
        if leaves:
            two.guest.board.leave()
            assert two.guest.board.followed.state == "off"


def test_a_board_asks_for_its_own_seats_alone(two: TwoHomes) -> None:
    two.joined()
    two.same()
    forward = two.guest.table.forward
    assert forward is not None
    reply = forward(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    assert reply.code == "seat_lost"
    assert two.home.facts()[1] == []


def give(table: Table, seat: Seat, card: str | None, how: str = "named") -> str:
    return table.request(parse_request("give", {"card": card, "how": how}, Role.SEAT, seat)).code


def held(table: Table, seat: Seat) -> list[str]:
    return [entry["card"] for entry in table.view(Role.SEAT, seat)["hand"]["cards"]]


@pytest.mark.parametrize("two", ["toc"], indirect=True)
def test_partners_in_two_homes_give_each_other_a_card(two: TwoHomes) -> None:
    home, away = two.home, two.guest.table
    away.people.join("Dan", Seat.P3)
    away.people.join("Cleo", Seat.P2)
    home.people.join("Ben", Seat.P1)
    two.guest.board.follow(two.tunnel.invite(None).link)
    wait_for(home, lambda view: bool(view["far"] and {"P2", "P3"} <= set(view["far"]["seats"])))
    assert home.request(parse_request("deal", {}, Role.SEAT, Seat.P0)).ok
    until(lambda: len(away.facts()[1]) == len(home.facts()[1]) > 0)
    hands = {Seat.P0: "AS 2S 3S 5S 6S", Seat.P2: "KD 2D 3D 5D 6D", Seat.P3: "KC 2C 3C 5C 6C"}
    for seat, cards in hands.items():
        table = home if seat is Seat.P0 else away
        assert table.request(parse_request("hand_set", {"cards": cards.split()}, Role.SEAT, seat)).ok
    assert give(home, Seat.P0, "AS") == "ok"
    until(lambda: "P0" not in away.view(Role.WATCH)["givers"])
    assert give(away, Seat.P2, "AH") == "not_held"
    assert give(away, Seat.P2, "KD") == "ok"
    until(lambda: "KD" not in held(away, Seat.P2))
    assert give(away, Seat.P2, None, "withdrawn") == "ok"
    until(lambda: sorted(held(away, Seat.P2)) == sorted(hands[Seat.P2].split()))
    assert give(away, Seat.P2, "2D") == "ok"
    assert give(home, Seat.P1, "9H") == "ok"
    laid = parse_request("play_card", {"card": "2S"}, Role.SEAT, Seat.P0)
    assert home.request(laid).code == "give_first"
    assert "AS" not in held(away, Seat.P2)
    assert give(away, Seat.P3, "KC") == "ok"
    until(lambda: not home.view(Role.WATCH)["givers"])
    assert sorted(held(home, Seat.P0)) == sorted(["2D", "2S", "3S", "5S", "6S"])
    until(lambda: "AS" in held(away, Seat.P2))
    assert sorted(held(away, Seat.P2)) == sorted(["AS", "KD", "3D", "5D", "6D"])
    assert sorted(held(away, Seat.P3)) == sorted(["9H", "2C", "3C", "5C", "6C"])
    assert away.view(Role.SEAT, Seat.P3)["hand"]["received"] == "9H"
    kept = [str(card) for cards in home.gifts().values() for card in cards]
    assert not {"3D", "5D", "2C", "3C"} & set(kept)
    assert home.request(laid).ok


def test_a_board_takes_no_seat_that_another_guest_was_promised(two: TwoHomes) -> None:
    odette = FarGuest(two.line, two.tunnel.invite(Seat.P3, "Odette").link)
    two.guest.table.people.join("Zoé", Seat.P3)
    two.joined()
    two.same()
    assert two.home.people.names() == {Seat.P0: "Anna", Seat.P1: "Bob"}
    assert odette.hello() is None
    status, _answer = odette.call("POST", "join", body={"name": "Odette", "lang": "fr"})
    assert status == 200
    assert two.home.people.names()[Seat.P3] == "Odette"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("deal", {"count": 5}),
        ("correct", {"changes": [{"seat": "P1", "from": "T26", "to": "T30"}]}),
        ("override", {}),
        ("accept_board", {}),
        ("decide_now", {}),
        ("pause", {}),
        ("new_game", {}),
        ("hand_set", {"cards": ["9H"]}),
        ("set_computer", {"seat": "P2", "strength": "easy"}),
    ],
)
def test_a_board_asks_for_nothing_that_a_far_phone_may_not(
    two: TwoHomes, kind: str, data: dict[str, object]
) -> None:
    two.joined()
    two.same()
    forward = two.guest.table.forward
    assert forward is not None
    assert kind not in KINDS
    assert forward(parse_request(kind, data, Role.SEAT, Seat.P1)).code == "not_allowed"
    assert two.home.facts()[1] == []
    assert not two.home.game.paused


def test_two_boards_with_the_same_name_are_two_boards(two: TwoHomes, tmp_path: Path) -> None:
    two.joined()
    other = Guest(tmp_path / "other", two.line)
    try:
        other.table.people.join("Bob", Seat.P3)
        other.board.follow(two.tunnel.invite(None).link)
        wait_for(two.home, lambda view: bool(view["far"] and "P3" in view["far"]["seats"]))
        assert two.home.people.names() == {Seat.P0: "Anna", Seat.P1: "Bob", Seat.P3: "Bob 2"}
        other.board.leave()
        wait_for(two.home, lambda view: view["far"]["seats"]["P3"]["state"] == "away")
        assert two.tunnel.guests()[0].state == "here"
    finally:
        other.stop()


def test_both_homes_see_each_others_signs(two: TwoHomes) -> None:
    two.joined()
    assert two.tunnel.sign(Seat.P0, "clap")
    shown = wait_for(two.guest.table, lambda view: bool(view["far"] and view["far"]["sign"]))
    assert shown["far"]["sign"]["seat"] == "P0"
    until(lambda: two.guest.board.sign(Seat.P1, "tea"))
    wait_for(two.home, lambda view: view["far"]["sign"] and view["far"]["sign"]["sign"] == "tea")


def test_people_at_the_second_board_read_how_the_line_to_the_other_home_is(two: TwoHomes) -> None:
    two.joined()
    wait_for(two.guest.table, lambda view: bool(view["far"] and view["far"]["home"]["state"] == "here"))
    # The people of the other home come a moment after the line.
    wait_for(two.guest.table, lambda view: "Anna" in view["far"]["home"]["sentence"]["fr"])
    two.line.cut()
    away = wait_for(two.guest.table, lambda view: view["far"]["home"]["state"] == "away")
    assert "coupée" in away["far"]["home"]["sentence"]["fr"]
    two.line.mend()
    wait_for(two.guest.table, lambda view: view["far"]["home"]["state"] == "here")
    two.guest.board.leave()
    wait_for(two.guest.table, lambda view: view["far"] is None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("hello", "no_link"), ("https://tock.example/far#1.AAAA", "cut_off"), ("", "no_link")],
)
def test_an_incomplete_link_is_refused_in_one_line(two: TwoHomes, text: str, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        two.guest.board.follow(text)
    assert two.guest.board.followed.state == "off"
