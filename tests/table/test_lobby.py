"""Before a game: who sits plays, the host chooses the rest, and whoever leaves on their turn holds nobody up."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.tables import send
from tock_companion.boardfile import generate
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Role
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import View
from tock_rules import Seat, seats_keeping

OpenTable = Callable[..., Table]


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[OpenTable]:
    """Open a table in the same folder, as a companion does that is started again."""
    opened: list[Table] = []

    def open_table(zones: int = 4, lobby: Lobby | None = None, setup: GameSetup | None = None) -> Table:
        for before in opened:
            before.stop()
        opened[:] = [Table(generate(zones, 440), Store(tmp_path), setup=setup, lobby=lobby or Lobby())]
        opened[0].start()
        return opened[0]

    yield open_table
    opened[0].stop()


def host(table: Table, kind: str, **data: object) -> Reply:
    return send(table.request, kind, data, Role.HOST, None)


def player(table: Table, by: Seat, kind: str, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT, by)


def view(table: Table) -> View:
    return table.view(Role.TABLE)


def playing(table: Table) -> list[str]:
    return [entry["seat"] for entry in view(table)["seats"]]


def test_people_play_from_their_seats_when_the_host_begins(open_table: OpenTable) -> None:
    table = open_table()
    for seat, name in ((Seat.P0, "Léa"), (Seat.P1, "Mamie")):
        assert table.people.join(name, seat).reply.ok
    lobby = view(table)["lobby"]
    assert lobby is not None
    assert (lobby["players"], lobby["counts"], lobby["chosen"]) == (2, (2, 4), None)
    assert host(table, "begin").ok
    assert view(table)["lobby"] is None
    assert playing(table) == ["P0", "P1"]
    assert host(table, "begin").code == "begun_already"


@pytest.mark.parametrize(
    ("sitting", "players", "zones", "seats"),
    [
        ((), 2, 4, "P0 P2"),
        ((Seat.P0, Seat.P1), 2, 4, "P0 P1"),
        ((Seat.P1,), 2, 4, "P1 P3"),
        ((Seat.P3, Seat.P0), 3, 6, "P0 P2 P3"),
        ((Seat.P1, Seat.P4), 4, 8, "P0 P1 P4 P6"),
    ],
)
def test_seats_are_spread_round_those_who_sit(
    sitting: tuple[Seat, ...], players: int, zones: int, seats: str
) -> None:
    found = seats_keeping(sitting, players, zones)
    assert set(sitting) <= set(found)
    assert len(found) == players
    if not sitting or len(sitting) == players:
        assert " ".join(seat.name for seat in found) == seats


def test_a_smaller_number_of_players_expels_nobody(open_table: OpenTable) -> None:
    table = open_table()
    for seat in (Seat.P0, Seat.P1, Seat.P3):
        table.people.join(f"Player {seat}", seat)
    before = playing(table)
    for kind in ("prepare", "new_game"):
        refused = host(table, kind, ruleset="diagonale", players=2)
        assert (refused.ok, refused.code) == (False, "too_many_sit")
        assert playing(table) == before
    assert host(table, "new_game", ruleset="diagonale", players=3).ok
    assert playing(table) == ["P0", "P1", "P3"]


def test_rules_and_numbers_are_chosen_before_the_game_and_outlive_a_restart(open_table: OpenTable) -> None:
    table = open_table(zones=6, setup=GameSetup("diagonale"))
    table.people.join("Léa", Seat.P5)
    assert host(table, "prepare", ruleset="gladius", players=3, computers="easy").ok
    assert "P5" in playing(table)
    table = open_table(zones=6)
    lobby = view(table)["lobby"]
    assert lobby is not None
    assert (lobby["chosen"], lobby["computers"], view(table)["game"]["ruleset"]) == (3, "easy", "gladius")
    assert host(table, "begin").ok
    computers = [entry["computer"] for entry in view(table)["seats"] if not entry["taken"]]
    assert computers == ["easy", "easy"]
    assert view(open_table(zones=6))["lobby"] is None


def test_laying_a_card_begins_the_game(open_table: OpenTable) -> None:
    table = open_table()
    table.people.join("Léa", Seat.P0)
    assert player(table, Seat.P0, "play_card", card="KH").ok
    assert view(table)["lobby"] is None
    assert playing(table) == ["P0", "P1", "P2", "P3"]
    assert view(open_table())["lobby"] is None


def test_the_first_card_begins_the_game_that_the_lobby_shows(open_table: OpenTable) -> None:
    table = open_table()
    for seat, name in ((Seat.P0, "Léa"), (Seat.P1, "Mamie")):
        assert table.people.join(name, seat).reply.ok
    assert player(table, Seat.P1, "play_card", card="KS", begins=True).code == "not_your_turn"
    assert view(table)["lobby"] is not None
    assert player(table, Seat.P0, "play_card", card="KH", begins=True).ok
    assert playing(table) == ["P0", "P1"]
    assert (view(table)["lobby"], view(table)["card"]) == (None, "KH")
    assert host(table, "free_seat", seat="P1").ok
    assert host(table, "prepare", players=4, computers="easy").ok
    assert player(table, Seat.P0, "play_card", card="KH", begins=True).ok
    assert [entry["computer"] for entry in view(table)["seats"]] == [None, "easy", "easy", "easy"]


def test_computers_wait_in_the_lobby_until_somebody_begins(open_table: OpenTable) -> None:
    table = open_table()
    assert host(table, "prepare", players=2, computers="easy").ok
    assert host(table, "set_computer", seat="P2", strength="easy").ok
    computers = Computers(table, seed=1, pace_s=0.0)
    computers.act()
    assert view(table)["seats"][0]["cards"] is None
    assert host(table, "begin").ok
    computers.act()
    assert view(table)["seats"][0]["cards"] is not None


def test_a_computer_on_the_seat_that_begins_begins(open_table: OpenTable) -> None:
    table = open_table()
    assert host(table, "set_computer", seat="P0", strength="easy").ok
    assert view(table)["lobby"] is None


def test_prepared_games_that_nobody_played_are_in_no_list(open_table: OpenTable) -> None:
    table = open_table()
    assert host(table, "prepare", ruleset="parteu").ok
    assert host(table, "prepare", ruleset="gladius").ok
    assert [game["ruleset"] for game in table.archive.games()] == ["gladius"]


def test_the_first_who_sits_has_the_hosts_rights_until_they_hand_them_on(open_table: OpenTable) -> None:
    table = open_table()
    for seat, name in ((Seat.P2, "Léa"), (Seat.P0, "Mamie"), (Seat.P1, "Papi")):
        table.people.join(name, seat)
        table.hand_host(seat, only_first=True)
    assert view(table)["host"] == "P2"
    assert not host(table, "hand_host", seat="P3").ok
    assert host(table, "hand_host", seat="P1").ok
    assert view(open_table())["host"] == "P1"


def test_the_rights_of_a_host_who_leaves_go_to_whoever_has_sat_longest(open_table: OpenTable) -> None:
    table = open_table()
    tickets = {}
    for seat in (Seat.P2, Seat.P0, Seat.P1):
        tickets[seat] = table.people.join(seat.name, seat).ticket
        table.hand_host(seat, only_first=True)
    ticket = tickets[Seat.P2]
    assert ticket is not None
    assert table.people.leave(ticket.token).ok
    assert view(table)["host"] == "P0"


@pytest.fixture
def deserted(open_table: OpenTable) -> Table:
    """A game whose next player has just left."""
    table = open_table()
    ticket = table.people.join("Vert", Seat.P0).ticket
    table.people.join("Léa", Seat.P1)
    assert host(table, "begin").ok
    assert ticket is not None
    assert table.people.leave(ticket.token).ok
    return table


def test_everybody_is_asked_what_happens_on_the_turn_of_somebody_who_left(deserted: Table) -> None:
    assert view(deserted)["absent"] == {"seat": "P0", "name": "Vert"}
    assert player(deserted, Seat.P1, "answer_absent", seat="P1", choice="skip").code == "no_question"
    assert player(deserted, Seat.P1, "answer_absent", seat="P0", choice="skip").ok
    assert (view(deserted)["to_move"], view(deserted)["absent"]) == ("P1", None)


def test_the_others_may_wait_for_somebody_who_left(deserted: Table) -> None:
    assert player(deserted, Seat.P1, "answer_absent", seat="P0", choice="wait").ok
    assert (view(deserted)["to_move"], view(deserted)["absent"]) == ("P0", None)
    deserted.people.join("Tom", Seat.P0)
    assert view(deserted)["absent"] is None


def test_a_computer_may_play_on_for_somebody_who_left(deserted: Table) -> None:
    assert player(deserted, Seat.P1, "answer_absent", seat="P0", choice="computer").ok
    assert view(deserted)["seats"][0]["computer"] == "medium"
    assert view(deserted)["absent"] is None


def test_partners_are_made_by_naming_two_and_the_first_keeps_their_seat(open_table: OpenTable) -> None:
    table = open_table()
    for seat, name in zip((Seat.P0, Seat.P1, Seat.P2, Seat.P3), ("Léa", "Mamie", "Tom", "Guy"), strict=True):
        assert table.people.join(name, seat).reply.ok
    table.hand_host(Seat.P1)
    assert player(table, Seat.P0, "pair", first="P0", second="P1").code == "not_allowed"
    assert host(table, "pair", first="P0", second="P1").ok
    assert [entry["name"] for entry in view(table)["seats"]] == ["Léa", "Tom", "Mamie", "Guy"]
    assert table.host_seat is Seat.P2, "the host's rights go with their holder"
    assert host(table, "pair", first="P2", second="P0").ok
    assert [entry["name"] for entry in view(table)["seats"]] == ["Léa", "Tom", "Mamie", "Guy"], "they are"
    assert host(table, "pair", first="P0", second="P0").code == "no_partners"
    assert host(table, "begin").ok
    assert host(table, "pair", first="P0", second="P1").code == "begun_already"


def test_there_are_no_partners_where_everybody_plays_alone(open_table: OpenTable) -> None:
    table = open_table()
    assert host(table, "prepare", ruleset="joker-individuel", players=4).ok
    assert host(table, "pair", first="P0", second="P1").code == "no_partners"


def test_the_last_players_are_offered_their_seats_again(open_table: OpenTable) -> None:
    table = open_table()
    for seat, name, lang in ((Seat.P0, "Léa", "fr"), (Seat.P1, "Mamie", "en")):
        assert table.people.join(name, seat, lang).reply.ok
    assert host(table, "begin").ok
    assert last(table) is None, "somebody plays"
    first = table.position.to_move
    assert player(table, first, "play_card", card="KS").ok
    assert player(table, first, "move", text=table.position.legal_moves(table.game.card)[0].text).ok  # type: ignore[arg-type]
    for left in ("P0", "P1"):
        assert host(table, "free_seat", seat=left).ok
    assert host(table, "prepare").ok
    assert last(open_table()) == [("P0", "Léa", "fr"), ("P1", "Mamie", "en")], "also after a restart"
    table = open_table()
    assert table.people.join("léa", Seat.P2).reply.ok
    assert last(table) == [("P1", "Mamie", "en")], "she sits already"
    assert table.people.join("Guy", Seat.P1).reply.ok
    assert last(table) == [], "the seat is another's"


def last(table: Table) -> list[tuple[str, str, str]] | None:
    lobby = view(table)["lobby"]
    return [(one["seat"], one["name"], one["lang"]) for one in lobby["last"]] if lobby is not None else None


@pytest.mark.parametrize(
    ("players", "size", "teams"),
    [
        (6, 2, "0 1 2 0 1 2"),
        (6, 3, "0 1 0 1 0 1"),
        (6, 1, "None " * 6),
        (4, 2, "0 1 0 1"),
        (3, 1, "None " * 3),
    ],
)
def test_the_host_chooses_teams_as_the_text_has_them(
    open_table: OpenTable, players: int, size: int, teams: str
) -> None:
    table = open_table(6)
    assert host(table, "prepare", ruleset="gladius", players=players, team_size=size).ok
    lobby = view(table)["lobby"]
    assert lobby is not None
    assert (lobby["team_size"], size in lobby["team_sizes"]) == (size, True)
    assert host(table, "begin").ok
    assert " ".join(str(entry["team"]) for entry in view(table)["seats"]) == teams.strip()


def test_the_choice_of_teams_holds_for_as_many_as_sit_and_through_a_restart(open_table: OpenTable) -> None:
    table = open_table(6)
    assert host(table, "prepare", ruleset="gladius", team_size=2).ok
    table = open_table(6)
    for seat in (Seat.P0, Seat.P1, Seat.P3, Seat.P4):
        assert table.people.join(seat.name, seat).reply.ok
    lobby = view(table)["lobby"]
    assert lobby is not None
    assert (lobby["players"], lobby["team_sizes"], lobby["team_size"]) == (4, (1, 2), 2)
    assert host(table, "begin").ok
    assert {entry["seat"]: entry["team"] for entry in view(table)["seats"]} == {
        "P0": 0,
        "P1": 1,
        "P3": 0,
        "P4": 1,
    }


def test_a_game_with_teams_that_the_rules_do_not_have_is_refused(open_table: OpenTable) -> None:
    table = open_table(6)
    assert host(table, "new_game", ruleset="gladius", players=6, team_size=4).code == "bad_request"
    assert host(table, "new_game", ruleset="joker-individuel", players=4, team_size=2).code == "bad_request"
    assert host(table, "new_game", ruleset="gladius", players=6, team_size=9).code == "bad_request"
    assert host(table, "new_game", ruleset="gladius", players=6, team_size=3).ok
    assert [entry["team"] for entry in view(table)["seats"]] == [0, 1, 0, 1, 0, 1]
