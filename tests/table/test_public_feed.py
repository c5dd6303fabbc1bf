"""Public events: true to the log, in its order, each once for every reader, and without a hand."""

import random
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.played import captures_of_the_lines, log_of
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_json
from tock_companion.events.facts import CardsDealt, Event, MoveAccepted, MoveTakenBack
from tock_companion.storage import Store
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.table.runtime.public_feed import START, PublicFeed
from tock_companion.views.public_events import FIELDS, Mark, PublicEvent, Translator, mark_of
from tock_rules import Seat

GAME = log_of(1)
NAMES = {Seat.P0: "Léa", Seat.P1: "", Seat.P2: "Tom"}


def translated(*events: Event) -> list[PublicEvent]:
    return list(Translator(3).events_of(events, NAMES))


def test_a_whole_game_has_the_events_of_its_log() -> None:
    found = Counter(event["kind"] for event in translated(*GAME))
    lines = Counter(str(event_to_json(event)["event"]) for event in GAME)
    assert found["move"] == lines["move_accepted"]
    assert found["card_played"] == lines["card_played"]
    assert found["turn"] == lines["turn_ended"] + 1, "the first turn, too"
    assert found["won"] == found["game_started"] == 1
    own = {"P0": "P2", "P2": "P0", "P1": "P3", "P3": "P1"}
    captures = Counter(
        (event["seat"], event["owner"])
        for event in translated(*GAME)
        if event["kind"] == "captured" and event["owner"] not in (event["seat"], own[event["seat"]])
    )
    assert captures == captures_of_the_lines(GAME)


def test_each_event_has_the_fields_of_its_kind() -> None:
    found = [event for number in range(1, 4) for event in Translator(number).events_of(log_of(number), NAMES)]
    assert {"captured", "home", "won"} <= {event["kind"] for event in found}
    for event in found:
        assert event.keys() == {"v", "id", "t_ms", "kind", "game", *FIELDS[event["kind"]]}


def test_ids_grow_and_name_players_but_no_computers() -> None:
    found = translated(*GAME)
    marks = [mark_of(event["id"]) for event in found]
    assert marks == sorted(set(marks))
    assert {event["name"] for event in found if event.get("seat") == "P0"} == {"Léa"}
    assert {event["name"] for event in found if event.get("seat") == "P1"} == {None}


def test_a_deal_makes_no_event() -> None:
    dealt = Event(2, 5, CardsDealt({"P0": 5}))
    assert [event["kind"] for event in translated(GAME[0], dealt)] == ["game_started", "turn"]


def test_a_move_taken_back_gives_the_turn_back() -> None:
    move = next(event for event in GAME if event.fact.KIND == "move_accepted")
    back = Event(move.seq + 1, 10**6, MoveTakenBack("P0", move.seq))
    assert isinstance(move.fact, MoveAccepted)
    found = translated(*GAME[: move.seq], back)
    assert [(event["kind"], event.get("seat")) for event in found[-2:]] == [
        ("taken_back", None),
        ("turn", move.fact.seat),
    ]


@pytest.mark.parametrize("wrong", ["", "1.2", "1.2.x", "1.2.3.4", "-1.2.3", "1.2.9999999999", "１.2.3"])
def test_a_wrong_id_is_refused_in_one_line(wrong: str) -> None:
    with pytest.raises(BadInputError, match="is no id of an event"):
        mark_of(wrong)


@pytest.mark.parametrize("seed", range(4))
def test_no_reader_loses_an_event_or_gets_one_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr("tock_companion.table.runtime.public_feed.MAX_AT_ONCE", 7)
    games = {number: log_of(number + 4 * seed, "duel")[:40] for number in (1, 2, 3)}
    whole = [event for number, events in games.items() for event in Translator(number).events_of(events, {})]
    with closing(Store(tmp_path)) as store:
        feed = PublicFeed(Ledger(store), lambda _: {})
        readers: dict[int, tuple[list[PublicEvent], Mark]] = {number: ([], START) for number in range(5)}
        left = [(number, event) for number, events in games.items() for event in events]
        while left or any(len(got) < len(whole) for got, _ in readers.values()):
            for _ in range(rng.randrange(9)):
                if left:
                    number, event = left.pop(0)
                    store.append(number, [event])
            if rng.random() < 0.05:
                # The companion starts again; programs keep their places.
                feed = PublicFeed(Ledger(store), lambda _: {})
            for reader in rng.sample(sorted(readers), 2):
                got, place = readers[reader]
                news = feed.after(place)
                readers[reader] = ([*got, *news], mark_of(news[-1]["id"]) if news else place)
        assert all(got == whole for got, _ in readers.values())
        assert feed.after(feed.newest()) == []


def test_a_reader_who_comes_later_begins_with_the_next_event(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        feed = PublicFeed(Ledger(store), lambda _: {})
        store.append(1, GAME[:50])
        place = feed.newest()
        assert feed.after(place) == []
        store.append(1, GAME[50:60])
        assert feed.after(place) == [
            event for event in Translator(1).events_of(GAME[:60], {}) if mark_of(event["id"])[1] > 50
        ]
