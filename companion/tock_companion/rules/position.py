"""Board, turn, teams and rules together: what may be played now and what comes of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tock_companion.errors import BadInputError
from tock_companion.rules.actions import PART, THROW, FlatMove, code_of
from tock_companion.rules.board import Board
from tock_companion.rules.cards import Card, Rank
from tock_companion.rules.geometry import CAMP, BoardShape, Seat
from tock_companion.rules.movegen import Engine, engine_for
from tock_companion.rules.moves import Move, Part, part_of
from tock_companion.rules.ruleset import Ruleset
from tock_companion.rules.seven_in_order import flat_in_order


@dataclass(frozen=True)
class Outcome:
    """The end of a game: one seat, or every seat of the winning team."""

    winners: tuple[Seat, ...]
    as_team: bool


@dataclass(frozen=True)
class Position:
    """A moment of a game. `play` and `end_turn` return a new one; nothing is changed in place."""

    ruleset: Ruleset
    board: Board
    teams: tuple[tuple[Seat, ...], ...]
    """Empty when everybody plays alone."""
    to_move: Seat
    stored_moves: tuple[int, ...]
    """Second moves that each zone's seat has kept from its jokers (R000-45)."""
    cards_played: int = 0
    """Cards that the seat has played in this turn."""
    arrived: int = 0
    """Set of the cells that pawns reached in this turn: they may not leave by a dotted line yet (R000-36)."""
    dealt_starter: frozenset[Seat] = frozenset()
    """Seats that were dealt a starter in this hand: they may not throw their cards away (R002-30)."""
    hand_dealt: int = 0
    """Cards that each seat was dealt in this hand; 0 when that is not known."""

    @classmethod
    def of(
        cls, ruleset: Ruleset, board: Board, to_move: Seat, teams: Iterable[Iterable[Seat]] | None = None
    ) -> "Position":
        """Return a position on that board; raise `BadInputError` when seats and teams do not fit it."""
        sides = tuple(tuple(sorted(team)) for team in teams or ())
        members = [seat for team in sides for seat in team]
        if to_move not in board.seats:
            raise BadInputError(f"{to_move.name} is to move but does not play")
        if len(set(members)) != len(members) or any(seat not in board.seats for seat in members):
            raise BadInputError(
                f"teams must name seats that play, each once: {[[s.name for s in t] for t in sides]}"
            )
        if sides and len(members) != len(board.seats):
            raise BadInputError("every seat that plays must be in a team")
        return cls(ruleset, board, sides, to_move, (0,) * board.shape.zones)

    @classmethod
    def start(
        cls,
        ruleset: Ruleset,
        zones: int,
        seats: Sequence[Seat] | None = None,
        teams: Iterable[Iterable[Seat]] | None = None,
        to_move: Seat | None = None,
    ) -> "Position":
        """Return the position before the first card: every pawn in camp."""
        shape = shape_for(ruleset, zones)
        board = Board.empty(shape, shape.seats if seats is None else seats)
        return cls.of(ruleset, board, board.seats[0] if to_move is None else to_move, teams)

    @property
    def shape(self) -> BoardShape:
        """The board's holes."""
        return self.board.shape

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that play, clockwise."""
        return self.board.seats

    @cached_property
    def engine(self) -> Engine:
        """The engine of this table."""
        return engine_for(self.shape, self.ruleset, self.seats, self.teams)

    def team_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seat and its mates."""
        return next((team for team in self.teams if seat in team), (seat,))

    def played_seats(self, seat: Seat | None = None) -> tuple[Seat, ...]:
        """Return whose pawns the seat moves: its own, or its mates' once it is finished (R004-40)."""
        return tuple(map(Seat, self.engine.control(self.board.state, self.to_move if seat is None else seat)))

    def legal_moves(self, card: Card) -> tuple[Move, ...]:
        """Return every legal move of the card, each result once, in a stable order."""
        flats = self.engine.moves(self.board.state, self.to_move, code_of(card), self.arrived)
        return tuple(self._move(card, flat) for flat in flats)

    def _move(self, card: Card, flat: FlatMove) -> Move:
        return Move(card, flat, self.board, self.engine)

    def find_parts(self, card: Card, parts: Sequence[Part]) -> Move | None:
        """The legal move of these parts in this order, None when it is not legal.

        The parts of a seven may come in any order that is legal as played, also one that `legal_moves` does not list.
        """
        if len(parts) == 1:
            for flat in self.engine.moves(self.board.state, self.to_move, code_of(card), self.arrived):
                if len(flat) == PART and part_of(flat).key() == parts[0].key():
                    return self._move(card, flat)
        if card.rank is Rank.SEVEN:
            found = flat_in_order(self.engine, self.board.state, self.to_move, parts, self.arrived)
            if found is not None:
                return self._move(card, found)
        return None

    def play(self, move: Move) -> "Position":
        """Return the position after a legal move of this position; the same seat is still to move."""
        stored = list(self.stored_moves)
        if self.cards_played and stored[self.to_move]:
            stored[self.to_move] -= 1
        if self.gives_second_move(move):
            stored[self.to_move] += 1
        arrived = self.arrived
        for part in move.parts:
            arrived |= 1 << part.to_cell
        return replace(
            self,
            board=move.result,
            stored_moves=tuple(stored),
            cards_played=self.cards_played + 1,
            arrived=arrived,
        )

    def gives_second_move(self, move: Move) -> bool:
        """Whether the move was a joker's that gives a second one (R000-44, R001-13, R003-36, R004-14)."""
        rules = self.ruleset
        if move.card.rank is not Rank.JOKER or not rules.joker_second_move:
            return False
        return rules.joker_second_when == "any_use" or move.parts[0].from_cell != CAMP

    @property
    def may_play_more(self) -> bool:
        """Whether the seat to move may lay another card in this turn."""
        return self.cards_played == 0 or self.stored_moves[self.to_move] > 0

    @property
    def must_play_more(self) -> bool:
        """Whether the seat to move must: a third second move cannot be stored (R000-46)."""
        limit = self.ruleset.joker_store_limit
        stored = self.stored_moves[self.to_move]
        if self.cards_played and stored and self.ruleset.joker_second_compulsory:
            return True
        return self.cards_played > 0 and limit > 0 and stored > limit

    def end_turn(self) -> "Position":
        """Return the position of the next seat; second moves that cannot be kept are lost (SPEC A-23)."""
        stored = list(self.stored_moves)
        limit = self.ruleset.joker_store_limit
        if self.ruleset.joker_second_compulsory:
            stored[self.to_move] = 0
        elif limit:
            stored[self.to_move] = min(stored[self.to_move], limit)
        following = self.seats[(self.seats.index(self.to_move) + 1) % len(self.seats)]
        return replace(self, to_move=following, stored_moves=tuple(stored), cards_played=0, arrived=0)

    def throw_move(self, cards: int) -> Move:
        """Return the exit by throwing that many cards (R002-30); `turn_options` says whether it is
        allowed.
        """
        seat = self.to_move
        target = self.shape.start(seat) + cards
        return self._move(Card.parse("2C"), (THROW, int(seat), CAMP, target, -1, 0))

    def outcome(self) -> Outcome | None:
        """Return who has won, None while nobody has: all pawns home, in a team those of every member
        (R004-41).
        """
        state = self.board.state
        for team in self.teams:
            if all(self.engine.finished(state, seat) for seat in team):
                return Outcome(team, True)
        if not self.teams:
            for seat in self.seats:
                if self.engine.finished(state, seat):
                    return Outcome((seat,), False)
        return None


def shape_for(ruleset: Ruleset, zones: int) -> BoardShape:
    """Return the board that the ruleset is played on."""
    return BoardShape(zones, has_centre=ruleset.centre, entrance_back=ruleset.entrance_back)
