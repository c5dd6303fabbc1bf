"""Kept games go by the names of those who played them: against whom, who won, and after a restart too."""

from pathlib import Path

from tests.support.ending import nearly_won, win
from tests.support.tables import send
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.language import Text
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.game_people import KEPT_AS
from tock_rules import Seat


def opened(folder: Path, setup: GameSetup) -> Table:
    table = Table(generate(4, 440), Store(folder), setup=setup)
    table.start()
    return table


def people(table: Table) -> dict[int, Text]:
    return {int(str(game["number"])): game["people"] for game in table.archive.games()}  # type: ignore[misc]


def test_partners_stand_together_and_a_computer_is_called_so(tmp_path: Path) -> None:
    table = opened(tmp_path, GameSetup())
    for seat, name in ((Seat.P0, "Léa"), (Seat.P1, "Mamie"), (Seat.P2, "Tom")):
        table.people.join(name, seat)
    assert send(table.request, "set_computer", {"seat": "P3", "strength": "easy"}, Role.HOST).ok
    assert people(table)[1]["fr"] == "Léa et Tom contre Mamie et Vert (ordinateur)"
    table.stop()


def test_a_game_keeps_its_people_while_the_next_has_its_own(tmp_path: Path) -> None:
    table = opened(tmp_path, nearly_won())
    table.people.join("Léa", Seat.P0)
    table.people.join("Tom", Seat.P2)
    win(table)
    newest = table.archive.games()[0]
    assert newest["won"] == {"fr": "Léa a gagné", "en": "Léa won"}
    assert send(table.request, "free_seat", {"seat": "P2"}, Role.HOST).ok
    table.people.join("Guy", Seat.P2)
    assert send(table.request, "rematch", {}, Role.HOST).ok
    assert {number: text["en"] for number, text in people(table).items()} == {
        1: "Léa against Tom",
        2: "Léa against Guy",
    }
    table.stop()
    again = opened(tmp_path, nearly_won())
    assert people(again)[1]["en"] == "Léa against Tom"
    again.stop()


def test_a_player_who_leaves_after_the_first_move_still_played_the_game(tmp_path: Path) -> None:
    table = opened(tmp_path, nearly_won())
    table.people.join("Léa", Seat.P0)
    table.people.join("Tom", Seat.P2)
    assert send(table.request, "play_card", {"card": "AH"}, Role.SEAT, Seat.P0).ok
    move = table.position.legal_moves("AH")[0].text
    assert send(table.request, "move", {"text": move}, Role.SEAT, Seat.P0).ok
    assert send(table.request, "free_seat", {"seat": "P2"}, Role.HOST).ok
    assert people(table)[1]["fr"] == "Léa contre Tom"
    table.stop()


def test_people_kept_in_another_form_are_left_out(tmp_path: Path) -> None:
    opened(tmp_path, nearly_won()).stop()
    store = Store(tmp_path)
    store.choices.keep(KEPT_AS, {"1": {"P0": "Léa", "P9": "Tom"}, "x": {}, "2": "rubbish"})
    store.close()
    again = opened(tmp_path, nearly_won())
    assert people(again)[1]["fr"] == "Rouge contre Jaune", "nobody has moved: who sits there now counts"
    again.stop()
