"""A game's event log as a record that a person can follow with a board."""

from collections.abc import Iterable

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    BY_AGREEMENT,
    CardPlayed,
    Correction,
    Event,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
)
from tock_rules import Board, Card, Entry, GameRecord, Seat, load_preset, shape_for


def record_of(events: Iterable[Event]) -> GameRecord:
    """The record of the last game in the log, without the moves that were taken back."""
    started: GameStarted | None = None
    played: dict[int, Entry] = {}
    seats: list[str] = []
    laid: CardPlayed | None = None
    for event in events:
        fact = event.fact
        if isinstance(fact, GameStarted):
            started, played, seats = fact, {}, sorted(fact.seats)
        elif isinstance(fact, MoveAccepted):
            again = bool(played) and _goes_on(list(played.values())[-1], fact)
            doing = "plays again" if again else "plays"
            played[event.seq] = Entry(Seat.parse(fact.seat), doing, (Card.parse(fact.card),), fact.move)
        elif isinstance(fact, CardPlayed):
            laid = fact
            if fact.use == "discard":
                played[event.seq] = Entry(Seat.parse(fact.seat), "discards", (Card.parse(fact.card),))
        elif isinstance(fact, MoveTakenBack):
            played = {seq: entry for seq, entry in played.items() if seq < fact.undoes}
        elif isinstance(fact, Correction) and fact.result is not None and started is not None:
            shape = shape_for(load_preset(started.ruleset).with_options(started.options), started.zones)
            board = str(Board.from_pawns(shape, fact.result))
            if fact.why == BY_AGREEMENT and laid is not None:
                played[event.seq] = Entry(Seat.parse(laid.seat), "agrees", (Card.parse(laid.card),), board)
            else:
                by = Seat.parse(fact.to_move or started.to_move)
                played[event.seq] = Entry(by, "sets", (), board)
    if started is None:
        raise BadInputError("the log holds no game: there is no game_started event in it")
    return _record(started, tuple(map(Seat.parse, seats)), tuple(played.values()))


def _goes_on(before: Entry, fact: MoveAccepted) -> bool:
    """Whether a move is the second one of the same turn, won by a joker."""
    return before.seat.name == fact.seat and before.doing in ("plays", "plays again")


def _record(started: GameStarted, seats: tuple[Seat, ...], entries: tuple[Entry, ...]) -> GameRecord:
    rules = load_preset(started.ruleset).with_options(started.options)
    teams = tuple(tuple(Seat.parse(name) for name in team) for team in started.teams or ())
    board = Board.from_pawns(shape_for(rules, started.zones), started.position)
    dealer = seats[seats.index(Seat.parse(started.to_move)) - 1]
    at_start = all(board.camp_count(seat) == 4 for seat in seats)
    return GameRecord(rules, started.zones, seats, teams, dealer, entries, None if at_start else board)
