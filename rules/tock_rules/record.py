"""A whole game as text that a person can follow with a board and a program can read back.

A head of `name: value` lines, then one numbered line per action: `12. P0 plays 6H P0:T20>T26`, `13. P1 discards 3C`,
`14. P2 lays down 3C 4D`, `15. P3 throws 2C 3C 6D 8H P3:camp>T58`, `16. P0 plays again 6H P0:T0*>T6`.
`17. P1 sets P0:T20 P1:H1` is a board put right by hand, `18. P0 agrees 2S P0:T60 P1:H1` one after a two of spades that
was played by agreement, `19. P2 passes` a turn that was passed over. Lines that begin with `#` are for the reader.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tock_rules.board import Board
from tock_rules.cards import Card
from tock_rules.errors import BadInputError, quoted
from tock_rules.parts import Kind
from tock_rules.position import IllegalMoveError, Move, Position
from tock_rules.ruleset import Ruleset, shape_for
from tock_rules.seating import left_of, parse_teams, teams_text
from tock_rules.seats import Seat

TITLE = "Tock game"
BOARD_EVERY = 10
"""The record shows the board after every ten actions."""
DOINGS = ("plays again", "plays", "discards", "lays down", "throws", "sets", "agrees", "passes")
_LINE = re.compile(rf"\d+\. (P[0-7]) ({'|'.join(DOINGS)})(?: (.+))?")


@dataclass(frozen=True)
class Entry:
    """One action of one seat."""

    seat: Seat
    doing: str
    cards: tuple[Card, ...]
    move: str | None = None
    """Text of the move, for cards played and hands thrown."""

    @classmethod
    def of(cls, move: Move) -> "Entry":
        """The entry of a card played, or of a hand thrown."""
        thrown = move.parts[0].kind is Kind.THROW and len(move.cards) > 1
        doing = "throws" if thrown else "plays again" if move.position.cards_played else "plays"
        return cls(move.position.to_move, doing, move.cards, move.text)

    def text(self) -> str:
        """The line without its number."""
        words = [self.seat.name, self.doing, *map(str, self.cards), *([self.move] if self.move else [])]
        return " ".join(words)


@dataclass(frozen=True)
class GameRecord:
    """The table and everything that was played."""

    ruleset: Ruleset
    zones: int
    seats: tuple[Seat, ...]
    teams: tuple[tuple[Seat, ...], ...]
    dealer: Seat
    entries: tuple[Entry, ...] = ()
    board: Board | None = None
    """The board before the first action, when the pawns were not all in camp."""

    @classmethod
    def of(cls, position: Position, entries: Iterable[Entry] = ()) -> "GameRecord":
        """The record of a game that began with this position; raise `BadInputError` in the middle of a turn."""
        seats, board = position.seats, position.board
        dealer = seats[seats.index(position.to_move) - 1]
        in_camps = Board.empty(position.shape, seats) == board
        record = cls(
            position.ruleset,
            position.shape.zones,
            seats,
            position.teams,
            dealer,
            tuple(entries),
            None if in_camps else board,
        )
        if record.start() != position:
            raise BadInputError(
                f"a record begins where no card has been played yet, not with {position.text}"
            )
        return record

    def start(self) -> Position:
        """The position before the first action."""
        first = left_of(self.seats, self.dealer)
        position = Position.start(self.ruleset, self.zones, self.seats, self.teams, first)
        return position if self.board is None else replace(position, board=self.board)

    def positions(self) -> Iterator[Position]:
        """Yield the position after every action; raise `BadInputError` at the first that the rules do not allow."""
        position, before = self.start(), None
        for number, entry in enumerate(self.entries, 1):
            position, before = self._after(position, number, entry, before), entry
            yield position

    def _after(self, position: Position, number: int, entry: Entry, before: Entry | None) -> Position:
        if entry.seat not in position.seats:
            raise BadInputError(f"action {number}: {entry.seat.name} does not play")
        # Who still has cards, and so can owe one, is in no record.
        position = replace(position, owes_discard=frozenset())
        if entry.doing == "sets":
            return replace(position, board=Board.parse(position.shape, entry.move or ""))
        if entry.doing != "plays again":
            position = self._turn_of(position, number, entry, before)
        if entry.doing == "agrees":
            return replace(position, board=Board.parse(position.shape, entry.move or "")).end_turn()
        if entry.move is None:
            return position.end_turn()
        try:
            move = Move.parse(" ".join([*map(str, entry.cards), entry.move]), position)
        except IllegalMoveError as error:
            forbidding = ", ".join(error.violation.breaks)
            raise BadInputError(f"action {number}: {entry.text()} is not legal ({forbidding})") from error
        # "Again" only helps the reader; after a board put right by hand the second card may be the first of the record.
        if (Entry.of(move).doing == "throws") != (entry.doing == "throws"):
            raise BadInputError(f"action {number}: {entry.text()}: write {Entry.of(move).text()}")
        return position.play(move)

    def _turn_of(self, position: Position, number: int, entry: Entry, before: Entry | None) -> Position:
        """The position at the beginning of that entry's turn.

        Where a stock is drawn from, nobody is ever without cards, so each seat has its turn (R004-09, R001-06).
        Elsewhere seats without cards are passed over. A board put right by hand may give the turn to anybody, and a
        hand laid down may be written card by card.
        """
        following = position.end_turn() if position.cards_played else position
        if entry.seat is following.to_move:
            return following
        discards, last = entry.doing == "discards", None if before is None else (before.doing, before.seat)
        if discards and entry.seat is position.to_move and position.must_play_more:
            return position
        goes_on = discards and last == ("discards", entry.seat) and position.rulebook.lays_hand_down
        is_free = goes_on or (last is not None and last[0] == "sets")
        if self.ruleset.draw_after_card and not is_free:
            turn = following.to_move.name
            raise BadInputError(
                f"action {number}: {entry.text()}: it is the turn of {turn}; "
                f"write {number}. {turn} passes where it was passed over"
            )
        return replace(position.end_turn(), to_move=entry.seat)

    def __str__(self) -> str:
        """The record as text."""
        return self.text()

    def text(self) -> str:
        """The record as text, with the board every few actions."""
        lines = [
            TITLE,
            f"ruleset: {self.ruleset}",
            f"zones: {self.zones}",
            f"seats: {' '.join(seat.name for seat in self.seats)}",
            f"teams: {teams_text(self.teams)}",
            f"dealer: {self.dealer.name}",
            *([] if self.board is None else [f"board: {self.board}"]),
            "",
        ]
        position = self.start()
        for number, (entry, after) in enumerate(zip(self.entries, self.positions(), strict=True), 1):
            lines.append(f"{number}. {entry.text()}")
            position = after
            if number % BOARD_EVERY == 0:
                lines.append(f"# {position.board}")
        lines.append(f"# {position.board}")
        outcome = position.outcome()
        lines.append(
            "# won by " + " ".join(seat.name for seat in outcome.winners) if outcome else "# not finished"
        )
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "GameRecord":
        """The record of its text; raise `BadInputError` with the line that is wrong."""
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        if not lines or lines[0] != TITLE:
            raise BadInputError(f"no game record: the first line is not {TITLE!r}")
        count = next((place for place, line in enumerate(lines[1:], 1) if line[0].isdigit()), len(lines))
        head = dict(line.split(": ", 1) for line in lines[1:count] if ": " in line)
        missing = [name for name in ("ruleset", "zones", "seats", "teams", "dealer") if name not in head]
        if missing or not re.fullmatch("[2-8]", head["zones"]):
            raise BadInputError(f"no game record: the head needs {', '.join(missing) or 'a number of zones'}")
        seats = tuple(Seat.parse(name) for name in head["seats"].split())
        teams = tuple(tuple(team) for team in parse_teams(head["teams"]))
        dealer = Seat.parse(head["dealer"])
        if dealer not in seats:
            raise BadInputError(f"no game record: dealer {dealer.name} does not play")
        if list(seats) != sorted(set(seats)):
            raise BadInputError("no game record: name each seat once, clockwise from P0")
        entries = tuple(_entry(line) for line in lines[count:])
        rules, zones = Ruleset.parse(head["ruleset"]), int(head["zones"])
        board = Board.parse(shape_for(rules, zones), head["board"]) if "board" in head else None
        return cls(rules, zones, seats, teams, dealer, entries, board)


def _entry(line: str) -> Entry:
    found = _LINE.fullmatch(line)
    if not found:
        raise BadInputError(f"no action: {quoted(line)}; write 12. P0 plays 6H P0:T20>T26")
    words = (found[3] or "").split()
    count = next((place for place, word in enumerate(words) if ":" in word), len(words))
    move = " ".join(words[count:]) or None
    needs_move = found[2] in ("plays", "plays again", "throws", "sets", "agrees")
    needs_cards = found[2] not in ("sets", "passes")
    if needs_move != (move is not None):
        wrong = "a move is missing" if needs_move else "there is a move too many"
        raise BadInputError(f"no action: {quoted(line)}; {wrong}")
    if needs_cards != bool(count):
        wrong = "write the card" if needs_cards else "there is a card too many"
        raise BadInputError(f"no action: {quoted(line)}; {wrong}")
    return Entry(Seat[found[1]], found[2], tuple(Card.parse(word) for word in words[:count]), move)
