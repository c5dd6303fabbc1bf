"""A game's event log as a record that a person can follow with a board."""

from collections.abc import Iterable, Iterator

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    BY_AGREEMENT,
    CardPlayed,
    Correction,
    Event,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
    TurnEnded,
)
from tock_rules import Board, Card, Entry, GameRecord, Ruleset, Seat, load_preset, shape_for


def record_of(events: Iterable[Event]) -> GameRecord:
    """The record of the last game in the log, without the moves that were taken back."""
    started: GameStarted | None = None
    played: dict[int, Entry] = {}
    seats: list[str] = []
    laid: CardPlayed | None = None
    ended = True
    for event in events:
        fact = event.fact
        if isinstance(fact, GameStarted):
            started, played, seats = fact, {}, sorted(fact.seats)
        elif isinstance(fact, MoveAccepted):
            again = not ended and bool(played) and _goes_on(list(played.values())[-1], fact)
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
        if isinstance(fact, MoveAccepted | TurnEnded | MoveTakenBack):
            ended = isinstance(fact, TurnEnded)
    if started is None:
        raise BadInputError("the log holds no game: there is no game_started event in it")
    return _record(started, tuple(map(Seat.parse, seats)), tuple(played.values()))


def _goes_on(before: Entry, fact: MoveAccepted) -> bool:
    """Whether a move is the second one of the same turn, won by a joker."""
    return before.seat.name == fact.seat and before.doing in ("plays", "plays again")


def _with_passes(entries: Iterable[Entry], seats: tuple[Seat, ...], rules: Ruleset) -> Iterator[Entry]:
    """The entries, with those of seats that were passed over; where no stock is drawn from, they may have no cards."""
    last: Entry | None = None
    for entry in entries:
        if last is not None and rules.draw_after_card and not _same_turn(last, entry, rules):
            after = seats.index(last.seat) + 1
            skipped = (seats.index(entry.seat) - after) % len(seats)
            yield from (Entry(seats[(after + place) % len(seats)], "passes", ()) for place in range(skipped))
        last = None if entry.doing == "sets" else entry
        yield entry


def _same_turn(last: Entry, entry: Entry, rules: Ruleset) -> bool:
    """Whether an entry goes on with the turn of the last one, or says nothing of whose turn it is."""
    if entry.doing in ("sets", "plays again"):
        return True
    if entry.seat is not last.seat or entry.doing != "discards":
        return False
    # A whole hand, card by card, or the card for a second move that must be played and cannot.
    must_play = rules.joker_second_compulsory or rules.joker_store_limit > 0
    return last.doing == "discards" or (must_play and last.doing in ("plays", "plays again"))


def _record(started: GameStarted, seats: tuple[Seat, ...], entries: tuple[Entry, ...]) -> GameRecord:
    rules = load_preset(started.ruleset).with_options(started.options)
    teams = tuple(tuple(Seat.parse(name) for name in team) for team in started.teams or ())
    board = Board.from_pawns(shape_for(rules, started.zones), started.position)
    dealer = seats[seats.index(Seat.parse(started.to_move)) - 1]
    entries = tuple(_with_passes(entries, seats, rules))
    at_start = all(board.camp_count(seat) == board.shape.pawns_per_seat for seat in seats)
    return GameRecord(rules, started.zones, seats, teams, dealer, entries, None if at_start else board)
