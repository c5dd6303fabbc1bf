"""Hands of people: entered or photographed, judged by pack and played cards, and kept private."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.tables import send
from tock_companion.boardfile import generate
from tock_companion.core.bodies import CardReading
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.photographed_hand import judge
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_json
from tock_companion.sources.recording import open_recording
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.replaying import replay
from tock_rules import Card, Seat, pack

BOARD = generate(4, 440)
SETUP = GameSetup("gladius", position=pawns("P0 T4 T20, P1 T26"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path / "data"), setup=SETUP)
    running.start()
    yield running
    running.stop()


def ask(table: Table, kind: str, seat: Seat | None = Seat.P0, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT if seat is not None else Role.HOST, seat)


def cards_of(table: Table, seat: Seat = Seat.P0) -> list[str]:
    return [entry["card"] for entry in table.view(Role.SEAT, seat)["hand"]["cards"]]


def test_only_cards_of_the_entered_hand_may_be_laid(table: Table) -> None:
    assert len(table.view(Role.SEAT, Seat.P0)["cards"]) == 54
    assert ask(table, "hand_set", cards=["6H", "6H", "9S", "2D"]).code == "bad_request"
    assert ask(table, "hand_set", cards=["6H", "9S", "2D", "JOK_B"]).ok
    assert table.view(Role.SEAT, Seat.P0)["cards"] == ["6H", "9S", "2D", "JOK_B"]
    assert [seat["cards"] for seat in table.view(Role.TABLE)["seats"]] == [4, None, None, None]


def test_each_card_says_how_many_moves_it_has(table: Table) -> None:
    ask(table, "hand_set", cards=["6H", "KS"])
    hand = table.view(Role.SEAT, Seat.P0)["hand"]
    counts = {entry["card"]: entry["moves"] for entry in hand["cards"]}
    assert ask(table, "play_card", card="6H").ok
    assert len(table.view(Role.SEAT, Seat.P0)["legal_moves"]) == counts["6H"] > 0
    assert counts["KS"] > 0


def test_a_hand_survives_a_restart(table: Table, tmp_path: Path) -> None:
    ask(table, "hand_set", cards=["6H", "9S", "2D"])
    ask(table, "play_card", card="6H")
    ask(table, "move", text="P0:T4>T10")
    table.stop()
    again = Table(BOARD, Store(tmp_path / "data"), setup=SETUP)
    assert cards_of(again) == ["9S", "2D"]
    again.stop()


def test_a_move_taken_back_gives_the_card_back(table: Table) -> None:
    ask(table, "hand_set", cards=["6H", "9S", "2D"])
    ask(table, "play_card", card="6H")
    assert cards_of(table) == ["9S", "2D"]
    ask(table, "move", text="P0:T4>T10")
    ask(table, "undo")
    assert cards_of(table) == ["6H", "9S", "2D"]


def test_a_new_deal_forgets_all_hands_and_counts_by_the_rules(table: Table) -> None:
    ask(table, "hand_set", cards=["6H"])
    assert ask(table, "deal", seat=Seat.P1).ok
    assert cards_of(table) == []
    assert [seat["cards"] for seat in table.view(Role.TABLE)["seats"]] == [4, 4, 4, 4]


def test_a_card_is_thrown_away_only_when_the_known_hand_has_no_move(table: Table) -> None:
    ask(table, "play_card", card="AS")
    ask(table, "withdraw_card")
    ask(table, "hand_set", cards=["4H", "KS"])
    assert not ask(table, "discard", card="4H").ok
    assert ask(table, "new_game", seat=None, ruleset="gladius", players=4).ok
    ask(table, "hand_set", cards=["9H", "KS"])
    ask(table, "play_card", card="9H")
    assert table.view(Role.SEAT, Seat.P0)["can_discard"] is False
    assert ask(table, "discard").code == "hand_playable", "the king brings a pawn out"
    ask(table, "withdraw_card")
    ask(table, "hand_set", cards=["9H", "8S"])
    ask(table, "play_card", card="9H")
    assert table.view(Role.SEAT, Seat.P0)["can_discard"] is True
    assert ask(table, "discard").ok


@pytest.mark.parametrize(
    "data",
    [
        {"cards": ["11H"]},
        {"cards": "6H"},
        {"cards": [], "count": 99},
        {"cards": ["6H"], "count": 0},
        {"count": "2"},
        {"cards": ["6H"] * 40},
        {"count": 40},
    ],
)
def test_nonsense_is_no_hand(table: Table, data: dict[str, Any]) -> None:
    assert ask(table, "hand_set", **data).code == "bad_request"


def test_forty_cards_are_dealt_and_laid_down_by_nobody(table: Table) -> None:
    for kind, data in (
        ("deal", {"count": 40}),
        ("discard", {"cards": ["6H"] * 40}),
        ("throw_hand", {"cards": ["6H"] * 40}),
    ):
        assert ask(table, kind, **data).code == "bad_request"


def test_only_the_own_hand_can_be_entered(table: Table) -> None:
    assert ask(table, "hand_set", seat=None, cards=["6H"]).code == "not_allowed"
    assert table.request(parse_request("hand_set", {"cards": ["6H"]}, Role.WATCH)).code == "not_allowed"


def test_no_file_but_the_private_part_of_the_store_has_the_cards(table: Table, tmp_path: Path) -> None:
    table.record_to(Recorder(tmp_path / "film", BOARD))
    ask(table, "hand_set", cards=["JOK_C", "JOK_B", "QD"])
    ask(table, "play_card", card="6H")
    table.stop()
    with closing(Store(tmp_path / "data")) as store:
        log = [event_to_json(event) for event in store.game(1).events]
    assert log[-2]["event"] == "cards_dealt"
    assert log[-2]["counts"] == {"P0": 3}
    assert "JOK_" not in json.dumps(log)
    for path in (tmp_path / "film").rglob("*.json*"):
        assert "JOK_" not in path.read_text(), path
        assert "QD" not in path.read_text(), path
    replayed = [event.fact.KIND for event in replay(open_recording(tmp_path / "film"), lambda *_: iter(()))]
    assert replayed == [row["event"] for row in log]


def readings(*names: str, confidence: float = 0.97) -> list[dict[str, object]]:
    return [{"likely": [name], "confidence": confidence} for name in names]


def checked(table: Table, *names: str) -> Any:
    """The table's answer to a photo that shows these cards."""
    return ask(table, "hand_check", readings=readings(*names)).data["cards"]


def test_a_photo_of_the_hand_is_judged_and_nothing_is_recorded(table: Table) -> None:
    before = table.view(Role.TABLE)["revision"]
    reply = checked(table, "6H", "KD")
    assert [card["card"] for card in reply] == ["6H", "KD"]
    assert table.view(Role.TABLE)["revision"] == before
    assert ask(table, "hand_check", seat=None, readings=[]).code == "not_allowed"
    assert ask(table, "hand_check", readings=[{"likely": "6H"}]).code == "bad_request"


def test_a_card_that_was_played_is_questioned_in_the_next_photo_until_the_pack_is_shuffled(
    table: Table,
) -> None:
    ask(table, "hand_set", cards=["6H", "KS"])
    assert ask(table, "play_card", card="6H").ok
    (questioned,) = checked(table, "6H")
    assert questioned["reason"] == "played"
    assert ask(table, "withdraw_card").ok
    (fine,) = checked(table, "6H")
    assert fine["choices"] == []


DECK = Counter(pack())
NONE: Counter[Card] = Counter()


def card(name: str) -> Card:
    return Card.parse(name)


def read(confidence: float, *names: str) -> CardReading:
    return CardReading(tuple(card(name) for name in names), confidence)


def test_a_sure_and_possible_reading_is_not_asked_about() -> None:
    (one,) = judge([read(0.97, "6H", "6D")], DECK, NONE, 5)
    assert (one.card, one.choices) == (card("6H"), ())


def test_a_doubtful_reading_is_asked_with_its_two_likely_cards() -> None:
    (one,) = judge([read(0.7, "6H", "6D")], DECK, NONE, 5)
    assert one.choices == (card("6H"), card("6D"))
    assert one.reason == "unsure"


def test_a_card_that_was_played_already_gives_way_to_the_second_likeliest() -> None:
    (one,) = judge([read(0.8, "6H", "6D")], DECK, Counter([card("6H")]), 5)
    assert (one.card, one.choices, one.reason) == (card("6D"), (card("6D"), card("6H")), "played")


def test_a_certain_reading_of_a_played_card_is_questioned_and_kept() -> None:
    (one,) = judge([read(0.995, "6H", "6D")], DECK, Counter([card("6H")]), 5)
    assert (one.card, one.choices[0], one.reason) == (card("6H"), card("6H"), "played")


def test_one_pack_holds_each_card_once_and_the_surer_reading_takes_it() -> None:
    first, second = judge([read(0.8, "9S", "9C"), read(0.96, "9S", "9C")], DECK, NONE, 5)
    assert (second.card, second.choices) == (card("9S"), ())
    assert (first.card, first.reason) == (card("9C"), "played")


def test_two_packs_hold_it_twice() -> None:
    both = judge([read(0.95, "9S", "9C"), read(0.96, "9S", "9C")], Counter(pack(2)), NONE, 5)
    assert [one.card for one in both] == [card("9S")] * 2
    assert not any(one.choices for one in both)


def test_jokers_are_questioned_where_the_pack_has_none() -> None:
    (one,) = judge([read(0.95, "JOK_B", "JOK_C")], Counter(pack(jokers=False)), NONE, 5)
    assert (one.card, one.reason) == (card("JOK_B"), "not_in_pack")


def test_the_weakest_reading_beyond_the_size_of_the_hand_is_dropped_and_a_strong_one_questioned() -> None:
    three = [read(0.95, "2S"), read(0.3, "7C", "7S"), read(0.96, "KD")]
    assert [str(one.card) for one in judge(three, DECK, NONE, 2)] == ["2S", "KD"]
    three[1] = read(0.92, "7C", "7S")
    last = judge(three, DECK, NONE, 2)[1]
    assert (str(last.card), last.reason) == ("7C", "too_many")


@pytest.mark.parametrize(
    "data", [None, [], {}, {"likely": [], "confidence": 1}, {"likely": ["6X"], "confidence": 1}]
)
def test_a_malformed_reading_is_refused(data: object) -> None:
    with pytest.raises(BadInputError):
        parse_request("hand_check", {"readings": [data]}, Role.SEAT, Seat.P0)
