"""The table's step is a function of state and message; messages are typed or refused with their field."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.observations import observed
from tests.support.requests import some_request
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD
from tests.support.waiting import until
from tests.table.test_faults import FlakyStore
from tock_companion.core import bodies
from tock_companion.core.bodies import BODIES, Correct, Deal, NewGame, PawnChange, PlayCard, Undo
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.handlers import RULES
from tock_companion.core.requests import Request, Role, adapter, parse_request, request_data
from tock_companion.core.state import CoreState
from tock_companion.core.step import Message, Tick, begin_game, step
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_line, read_log
from tock_companion.events.game import fold
from tock_companion.events.hands import fold_hands
from tock_companion.observation import SourceCondition, SourceReport
from tock_companion.sources.recording import open_recording
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.replaying import replay
from tock_companion.views.names import Names
from tock_rules import BoardShape, Card, Seat

BOARDS = [BEFORE, pawns("P0 T29, P1 T26"), pawns("P0 T26, P1 T27"), pawns(""), pawns("P0 T20 T0, P1 T26")]
STEPS = 200
REQUESTS = 50
NAMES = Names(BoardShape(4), BOARD.colors, {Seat.P0: "Anna", Seat.P1: "Bob"}, {Seat.P2: "easy"})


def started() -> CoreState:
    return begin_game(NAMES, game_started(GameSetup(position=BEFORE), BOARD), 0).state


def some_message(rng: random.Random, state: CoreState, t_ms: int) -> Message:
    match rng.randrange(6):
        case 0:
            return Tick()
        case 1:
            condition = rng.choice([SourceCondition.LOST, SourceCondition.OK])
            return SourceReport(t_ms, "hand", condition, "camera/unplugged")
        case 2 | 3:
            return observed(rng.choice(BOARDS), t_ms)
    return some_request(rng, state)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_state_and_message_always_give_the_same_step(seed: int) -> None:
    rng, state, log = random.Random(seed), started(), 1
    for t_ms in range(100, 100 * STEPS, 100):
        message = some_message(rng, state, t_ms)
        before = (state.game, state.hands, state.fusion, state.sources, state.ballot, state.planned)
        taken, again = step(state, message, t_ms), step(state, message, t_ms)
        assert before == (state.game, state.hands, state.fusion, state.sources, state.ballot, state.planned)
        assert taken == again
        assert [event.seq for event in taken.events] == list(range(log + 1, log + 1 + len(taken.events)))
        if not taken.reply.ok:
            assert (taken.events, taken.secrets) == ((), {})
            assert taken.state.game is state.game
        state, log = taken.state, log + len(taken.events)
    assert log > 20


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]
)
def test_the_disk_catches_up_with_memory_after_any_refusals(tmp_path: Path, seed: int) -> None:
    rng, store, source = random.Random(seed), FlakyStore(tmp_path), HandSource()
    table = Table(BOARD, store, [source], setup=GameSetup(position=BEFORE))
    table.start()
    refused = 0

    def is_reported() -> bool:
        return "disk" in [note["code"] for note in table.view(Role.TABLE)["health"]]

    for _ in range(REQUESTS):
        log = read_log(table.archive.log(1).splitlines())
        state = CoreState.of(NAMES, fold(log), fold_hands(log, {}))
        store.refuses = rng.random() < 0.4
        if rng.random() < 0.3:
            source.show(rng.choice(BOARDS), rng.randrange(1, 12))
        reply = table.request(some_request(rng, state))
        refused += is_reported()
        # A table goes on by itself: the answer and the log may be of two moments, once.
        until(lambda: is_reported() == (len(store.game(1).events) < len(table.archive.log(1).splitlines())))
        assert reply.code not in ("disk", "fault")
    store.refuses = False
    table.request(Request(bodies.DecideNow(), Role.HOST))
    view = table.view(Role.TABLE)
    hands_shown = {
        seat: [entry["card"] for entry in table.view(Role.SEAT, seat)["hand"]["cards"]]
        for seat in state.position.seats
    }
    table.stop()
    store = FlakyStore(tmp_path)
    log, secrets = store.game(1).events, store.hands(1)
    game = fold(log)
    assert view["game"]["seq"] == game.seq
    assert view["to_move"] == game.position.to_move.name
    assert view["card"] == (str(game.card) if game.card is not None else None)
    hands = fold_hands(log, secrets)
    for seat in game.position.seats:
        hand = hands.of(seat)
        shown = hands_shown[seat]
        assert shown == [str(card) for card in hand.cards] if hand is not None else not shown
    store.close()
    assert refused
    again = Table(BOARD, Store(tmp_path))
    assert again.view(Role.TABLE)["holes"] == view["holes"]
    again.stop()


def test_every_kind_of_request_has_one_line_in_the_table_of_handlers() -> None:
    assert set(RULES) == set(BODIES.values())
    reach_further = {body.KIND for body, rule in RULES.items() if rule.handler is None}
    about_games = {"decide_now", "new_game", "prepare", "begin", "rematch"}
    about_people = {"hand_host", "answer_seat", "set_computer", "free_seat", "pair"}
    assert reach_further == about_games | about_people | {"set_indices", "practise", "end_practice"}


def no_frames(*_: object) -> Iterator[object]:
    return iter(())


def test_an_evening_with_a_computer_replays_to_the_same_log_without_its_cards(tmp_path: Path) -> None:
    """Its drawn hand used to be recorded as a seed, and a recording knew no computer that could draw or pass."""
    store = Store(tmp_path / "data")
    table = Table(BOARD, store, setup=GameSetup("gladius", position=pawns("")))
    table.start()
    table.record_to(Recorder(tmp_path / "film", BOARD))
    for body, role, seat in (
        (bodies.SetComputer(Seat.P1, "easy"), Role.HOST, None),
        (bodies.DrawHand(), Role.SEAT, Seat.P1),
        (bodies.SetHand((), 0), Role.SEAT, Seat.P0),
        (bodies.EndTurn(), Role.SEAT, Seat.P0),
    ):
        assert table.request(Request(body, role, seat)).ok
    expected = [event_to_line(event) for event in store.game(1).events]
    table.stop()
    assert [line.split('"event": "')[1].split('"')[0] for line in expected] == [
        "game_started", "cards_dealt", "cards_dealt", "turn_ended"
    ]  # fmt: skip
    replayed = replay(open_recording(tmp_path / "film"), no_frames)  # type: ignore[arg-type]
    assert [event_to_line(event) for event in replayed] == expected
    assert "seed" not in (tmp_path / "film" / "requests.jsonl").read_text()


STEP = {"seat": "P3", "from": "P3-C1", "to": "T60"}


@pytest.mark.parametrize(
    ("kind", "data", "body"),
    [
        ("play_card", {"card": "10H"}, PlayCard(Card.parse("10H"))),
        ("undo", {}, Undo()),
        ("undo", {"to": None}, Undo()),
        ("undo", {"to": 7}, Undo(7)),
        ("deal", {"count": 5}, Deal(5)),
        ("correct", {"changes": [STEP], "why": "é"}, Correct((PawnChange(Seat.P3, "P3-C1", "T60"),), "é")),
        ("new_game", {"options": {"jokers": False}, "first": "P2"}, NewGame("mjc", {"jokers": False}, None, Seat.P2)),
    ],
)  # fmt: skip
def test_a_request_is_read_into_a_typed_value(kind: str, data: object, body: object) -> None:
    request = parse_request(kind, data, Role.SEAT, Seat.P0, 12)
    assert request.body == body
    assert (request.role, request.seat, request.revision) == (Role.SEAT, Seat.P0, 12)


@pytest.mark.parametrize(
    ("kind", "data", "complaint"),
    [
        ("dance", {}, "'kind' is not one of play_card"),
        (["undo"], {}, "'kind' is not one of"),
        ("undo", [], "'data' must be a table"),
        ("undo", None, "'data' must be a table"),
        ("undo", {"until": 3}, "key 'until' is not known"),
        ("play_card", {}, "'card' is missing"),
        ("play_card", {"card": ["9H"]}, "'card': no such card"),
        ("correct", {"changes": [STEP], "why": "\ud800"}, "'why' must be well-formed text"),
        ("correct", {"changes": [STEP], "why": "a\nb"}, "'why' has a character that is not allowed (U+000A)"),
        ("correct", {"changes": [STEP], "why": "a\u202eb"}, "U+202E"),
        ("correct", {"changes": [STEP], "why": "x" * 201}, "'why' must be a text of at most 200 letters"),
        ("correct", {"changes": []}, "'changes' must be a list of at least 1 entries"),
        ("correct", {"changes": [{"seat": "P3"}]}, "'changes[0].from' is missing"),
        ("hand_set", {"cards": ["9H"] * 17}, "'cards' must be a list of at most 16 entries"),
        ("hand_set", {"count": True}, "'count' must be a whole number"),
        ("hand_check", {"readings": [{"likely": ["9H"], "confidence": float("nan")}]}, "finite"),
        ("hand_check", {"readings": [{"likely": ["9H"], "confidence": 10**400}]}, "'readings[0].confidence'"),
        ("undo", {"to": 10**30}, "'to'"),
        ("vote_back", {"number": 1, "yes": 1}, "'yes' must be true or false"),
        ("new_game", {"players": 99}, "'players'"),
        ("new_game", {"options": {"jokers": [1]}}, "'options.jokers"),
        ("move", {"text": {"de": "P0:T4>T10"}}, "'text'"),
    ],
)  # fmt: skip
def test_a_mistake_names_its_field(kind: object, data: object, complaint: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        parse_request(kind, data, Role.SEAT, Seat.P0)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("correct", {"changes": [STEP], "why": "moved by the cat"}),
        ("discard", {"cards": ["9H", "JOK_B"]}),
        ("hand_check", {"readings": [{"likely": ["9H", "6H"], "confidence": 0.5}]}),
        ("new_game", {"players": 2, "first": "P2", "position": "seen"}),
        ("pause", {}),
    ],
)
def test_the_data_of_a_request_come_back_as_they_were_sent(kind: str, data: dict[str, object]) -> None:
    assert request_data(parse_request(kind, data, Role.HOST).body) == data


def test_a_request_does_not_show_a_hand_in_its_text_form() -> None:
    assert "9H" not in repr(parse_request("hand_set", {"cards": ["9H"]}, Role.SEAT, Seat.P0))


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_every_kind_is_described_by_a_schema_that_allows_nothing_more(kind: str) -> None:
    schema = adapter(kind).json_schema()
    assert schema["additionalProperties"] is False
    assert schema["description"]
