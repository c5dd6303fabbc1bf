"""Board, turn, teams and rules together: the moves that are legal now and the positions after them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tock_rules.actions import BURN, KIND, PART, THROW, FlatMove, code_of, split_parts
from tock_rules.board import Board
from tock_rules.cards import Card, Rank, cards_of
from tock_rules.choices import Choices, TurnState, choices_of
from tock_rules.errors import BadInputError, quoted
from tock_rules.geometry import CAMP, BoardShape
from tock_rules.holes import Hole
from tock_rules.movegen import Engine, engine_for
from tock_rules.notation import PositionFields
from tock_rules.parts import KINDS, Kind, Part, parse_parts, part_of
from tock_rules.rulebook import Rulebook, rulebook_for, winners
from tock_rules.ruleset import Ruleset, shape_for
from tock_rules.seating import check_players, left_of, seats_for, usual_teams, zones_for
from tock_rules.seats import Seat
from tock_rules.seven_in_order import flat_in_order
from tock_rules.values import Value
from tock_rules.violations import Violation
from tock_rules.why import Case, why_not, why_not_thrown

Cards = Card | str | Iterable[Card | str]
"""One card or several: `"6S"`, `"6S KH"`, `Card.parse("6S")`, or a list of these."""


@dataclass(frozen=True)
class Outcome:
    """The end of a game: one seat, or every seat of the winning team."""

    winners: tuple[Seat, ...]
    as_team: bool

    def __str__(self) -> str:
        """The end in words: `P0 has won`, `P0 and P2 have won together`."""
        *others, last = [seat.name for seat in self.winners]
        return f"{', '.join(others)} and {last} have won together" if others else f"{last} has won"


class IllegalMoveError(BadInputError):
    """A move that the position does not allow; `violation` names the statements that forbid it."""

    def __init__(self, move: str, position: "Position", violation: Violation) -> None:
        """Keep the move's text with the position, which is unchanged."""
        forbidding = ", ".join(violation.breaks)
        super().__init__(
            f"illegal move: {move} in '{position.text}': {violation.code}, forbidden by {forbidding}"
        )
        self.move = move
        self.position = position
        self.violation = violation

    def __reduce__(self) -> tuple[object, tuple[str, "Position", Violation]]:
        """Copies and pickles are made from the move, the position and the violation."""
        return IllegalMoveError, (self.move, self.position, self.violation)


@dataclass(frozen=True, repr=False)
class Move(Value):
    """A legal move of one card in one position, or the exit by throwing a hand (R002-30)."""

    cards: tuple[Card, ...]
    """The card played, or the whole hand that is thrown."""
    flat: FlatMove
    """The move as the engine has it."""
    position: "Position"
    """The position in which it is played."""

    @classmethod
    def parse(cls, text: str, position: "Position") -> "Move":
        """The legal move `6S P0:T20>T26` of a position.

        Raise `IllegalMoveError` where the rules forbid it, `BadInputError` where the text is no card and move.
        """
        if not isinstance(text, str):
            raise BadInputError(f"a move is a text such as 6S P0:T20>T26, not {quoted(text)}")
        words = text.split()
        count = next((place for place, word in enumerate(words) if ":" in word), len(words))
        if not 0 < count < len(words):
            raise BadInputError(f"no move: {quoted(text)}; write the card and its move: 6S P0:T20>T26")
        cards = cards_of(words[:count])
        parts = parse_parts(position.shape, " ".join(words[count:]))
        found = position.find(cards, parts)
        if found is None:
            raise IllegalMoveError(text, position, position.explain(cards, parts))
        return found

    @property
    def card(self) -> Card:
        """The card played; of a thrown hand the first."""
        return self.cards[0]

    @property
    def before(self) -> Board:
        """The board before the move."""
        return self.position.board

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts in the order played; one for everything but a shared seven."""
        return tuple(map(part_of, split_parts(self.flat)))

    @cached_property
    def text(self) -> str:
        """The text form without the card."""
        engine, state = self.position.engine, self.before.state
        texts = []
        for part, flat in zip(self.parts, split_parts(self.flat), strict=True):
            fresh = self.before.shape.starts_of(state.fresh)
            other_fresh = part.kind is Kind.SWAP and bool(fresh >> part.to_cell & 1)
            texts.append(part.text(engine.shape, fresh, other_fresh))
            state = engine.apply(state, flat)
        return " + ".join(texts)

    @cached_property
    def result(self) -> Board:
        """The board after the move."""
        before = self.before
        return Board.of_state(before.shape, before.seats, self.position.engine.apply(before.state, self.flat))

    @cached_property
    def captures(self) -> tuple[tuple[Seat, Hole], ...]:
        """Seat and hole of every pawn that goes back to camp, in the order taken."""
        found: list[tuple[Seat, Hole]] = []
        board = self.before
        for flat in split_parts(self.flat):
            kind, _, src, dst, _, taken = flat
            cells = [cell for cell in range(board.shape.cell_count) if taken >> cell & 1]
            if KINDS[kind] is not Kind.SWAP and dst in board.owners and dst != src and dst not in cells:
                cells.append(dst)
            found += [(board.owners[cell], board.shape.hole_id(cell)) for cell in cells]
            after = self.position.engine.apply(board.state, flat)
            board = Board.of_state(board.shape, board.seats, after)
        return tuple(found)

    def __str__(self) -> str:
        """Card and move, as `parse` reads them."""
        return " ".join([*map(str, self.cards), self.text])

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Move.parse({str(self)!r}, {self.position!r})"


@dataclass(frozen=True, repr=False)
class Position(PositionFields):
    """A moment of a game. `play` and `end_turn` return a new one; nothing is changed in place."""

    @classmethod
    def start(
        cls,
        ruleset: Ruleset | str,
        zones: int | None = None,
        seats: Sequence[Seat] | None = None,
        teams: Iterable[Iterable[Seat]] | None = None,
        to_move: Seat | None = None,
        *,
        players: int | None = None,
    ) -> "Position":
        """The position before the first card: every pawn in camp.

        With `players` everything else is as usual: the smallest board that has room, seats evenly around it, and
        the ruleset's teams. Without, everybody plays alone on all `zones` unless `seats` and `teams` say otherwise.
        """
        rules = Ruleset.parse(ruleset) if isinstance(ruleset, str) else ruleset
        if zones is None:
            zones = zones_for(4 if players is None else players)
        if players is not None:
            check_players(rules, players)
            seats = seats_for(players, zones) if seats is None else seats
            teams = usual_teams(rules, seats) if teams is None else teams
        shape = shape_for(rules, zones)
        board = Board.empty(shape, shape.seats if seats is None else seats)
        return cls.of(rules, board, board.seats[0] if to_move is None else to_move, teams)

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

    @property
    def rulebook(self) -> Rulebook:
        """The rules of a turn."""
        return rulebook_for(self.ruleset)

    def team_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The seat and its mates."""
        return next((team for team in self.teams if seat in team), (seat,))

    def played_seats(self, seat: Seat | None = None) -> tuple[Seat, ...]:
        """Seats whose pawns the seat moves: its own, or its mates' once it is finished (R004-40)."""
        return tuple(map(Seat, self.engine.control(self.board.state, self.to_move if seat is None else seat)))

    # -- moves --

    def legal_moves(self, cards: Cards) -> tuple[Move, ...]:
        """Every legal move of a card, or of the cards of a hand: each result of a card once, in a stable order."""
        if not self.may_play_more:
            return ()
        different = dict.fromkeys(cards_of(cards))
        return tuple(self.move_of((card,), flat) for card in different for flat in self._flats(card))

    def find(self, cards: Cards, parts: Sequence[Part]) -> Move | None:
        """The legal move of these parts with the card, or with the hand that is thrown; None when it is not legal.

        The parts of a seven may come in any order that is legal as played, also one that `legal_moves` does not list.
        """
        played = cards_of(cards)
        if not self.may_play_more or not played:
            return None
        if [part.kind for part in parts] == [Kind.THROW] and self.rulebook.throws:
            thrown = self.throw_move(played)
            return thrown if thrown is not None and _same(thrown.parts[0], parts[0]) else None
        if len(played) > 1:
            return None
        if len(parts) == 1:
            for flat in self._flats(played[0]):
                if len(flat) == PART and _same(part_of(flat), parts[0]):
                    return self.move_of(played, flat)
        found = flat_in_order(
            self.engine, self.board.state, self.to_move, code_of(played[0]), parts, self.arrived
        )
        return None if found is None else self.move_of(played, found)

    def explain(self, cards: Cards, parts: Sequence[Part]) -> Violation:
        """The mistake in a move that `find` does not find."""
        played = cards_of(cards)
        if not parts:
            raise BadInputError("a move has at least one part")
        card = played[0] if len(played) == 1 else None
        case = Case(self.engine, self.board, self.to_move, self.arrived, card)
        if self.outcome() is not None:
            return case.blame("game/over", ("end",), parts[0])
        if self.to_move in self.owes_discard:
            return case.blame("turn/owes_discard", ("owes_discard",), parts[0])
        if not self.may_play_more:
            return case.blame("turn/over", ("turn", "whose"), parts[0])
        return why_not(case, parts) if card is not None else why_not_thrown(case, parts)

    def throw_move(self, hand: Cards) -> Move | None:
        """The exit by throwing the hand (R002-30), None when it is not allowed."""
        cards, seat = cards_of(hand), self.to_move
        if not self._choices(cards, ()).throw:
            return None
        return self.move_of(cards, (THROW, int(seat), CAMP, self.shape.start(seat) + len(cards), -1, 0))

    def choices(self, hand: Cards, *, owes_gift: bool = False) -> Choices:
        """The kinds of action that are open to the seat to move with this hand."""
        cards = cards_of(hand)
        return self._choices(
            cards, [flat for card in dict.fromkeys(cards) for flat in self._flats(card)], owes_gift
        )

    def _choices(
        self, cards: tuple[Card, ...], moves: Sequence[FlatMove], owes_gift: bool = False
    ) -> Choices:
        seat = self.to_move
        turn = TurnState(
            seat,
            len(cards),
            any(self.engine.actions[code_of(card)].start for card in cards),
            seat in self.dealt_starter,
            self.hand_dealt,
            self.cards_played,
            self.stored_moves[seat],
            owes_gift,
            seat in self.owes_discard,
            self._is_free(cards),
        )
        return choices_of(self.engine, self.rulebook, self.board.state, turn, moves)

    def _is_free(self, cards: tuple[Card, ...]) -> bool:
        """Whether every card that can be played is one that need not be."""
        if not self.rulebook.never_forced:
            return False
        return self.rulebook.may_keep([code_of(card) for card in cards if self._flats(card)], len(cards))

    def move_of(self, cards: tuple[Card, ...], flat: FlatMove) -> Move:
        """The engine's move as a `Move`, without checking that it is legal."""
        return Move(cards, flat, self)

    def can_play(self, card: Card) -> bool:
        """Whether the card has a legal move."""
        return self.may_play_more and bool(self._flats(card))

    def _flats(self, card: Card) -> list[FlatMove]:
        found = self.engine.moves(self.board.state, self.to_move, code_of(card), self.arrived)
        if self.next_seat in self.without_cards:
            return [flat for flat in found if flat[KIND] != BURN]
        return found

    @property
    def next_seat(self) -> Seat:
        """The seat to move after this one."""
        return Seat(self.engine.following[self.to_move])

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move; the same seat is still to move, until `end_turn`.

        Raise `IllegalMoveError` for a move that is not legal here, whatever position it was made for.
        """
        if isinstance(move, str):
            move = Move.parse(move, self)
        if not isinstance(move, Move):
            raise BadInputError(f"a move is a Move or a text such as 6S P0:T20>T26, not {quoted(move)}")
        legal = self._legal(move)
        if legal is None:
            raise IllegalMoveError(str(move), self, self.explain(move.cards, move.parts))
        stored = list(self.stored_moves)
        gives = self.gives_second_move(legal)
        stored[self.to_move] = self.rulebook.stored_after(stored[self.to_move], self.cards_played, gives)
        arrived = self.arrived
        for part in legal.parts:
            arrived |= 1 << part.to_cell if part.to_cell >= 0 else 0
        return replace(
            self,
            board=legal.result,
            stored_moves=tuple(stored),
            cards_played=self.cards_played + 1,
            arrived=arrived,
            owes_discard=self._debts(legal.cards, legal.flat[KIND] == BURN),
        )

    def put_away(self, cards: Cards) -> "Position":
        """The position after cards were put away instead of a turn."""
        return replace(self, owes_discard=self._debts(cards_of(cards))).end_turn()

    def _debts(self, cards: tuple[Card, ...], burned: bool = False) -> frozenset[Seat]:
        """The seats that owe a discard after these cards; a seat without cards can owe none."""
        hit = burned or any(self.engine.actions[code_of(card)].row.burns for card in cards)
        return self.owes_discard | {self.next_seat} - self.without_cards if hit else self.owes_discard

    def _legal(self, move: Move) -> Move | None:
        """The move as one of this position, None where it is not legal here."""
        if len(move.cards) == 1 and self.may_play_more and move.flat in self._flats(move.card):
            return move if move.position == self else self.move_of(move.cards, move.flat)
        # A throw, a seven in an order of its own, or a move that takes other pawns here than where it was made.
        return self.find(move.cards, move.parts)

    # -- turns --

    def gives_second_move(self, move: Move) -> bool:
        """Whether the move was a joker's that gives a second one."""
        joker = len(move.cards) == 1 and move.card.rank is Rank.JOKER
        return self.rulebook.gives_second_move(joker, move.parts[0].from_cell == CAMP)

    @property
    def may_play_more(self) -> bool:
        """Whether the seat to move may play a card, its first or another one in this turn; none after a win."""
        more = self.rulebook.may_play_more(self.stored_moves[self.to_move], self.cards_played)
        return more and self.to_move not in self.owes_discard and not winners(self.engine, self.board.state)

    @property
    def must_play_more(self) -> bool:
        """Whether the seat to move must play another card in this turn (R000-46)."""
        return self.rulebook.must_play_more(self.stored_moves[self.to_move], self.cards_played)

    def end_turn(self) -> "Position":
        """The position of the next seat; second moves that cannot be kept are lost (open point A-23)."""
        stored = list(self.stored_moves)
        stored[self.to_move] = self.rulebook.kept(stored[self.to_move])
        following = left_of(self.seats, self.to_move)
        owes = self.owes_discard - {self.to_move}
        return replace(
            self, to_move=following, stored_moves=tuple(stored), cards_played=0, arrived=0, owes_discard=owes
        )

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that win together: the teams, or everybody alone."""
        return self.teams or tuple((seat,) for seat in self.seats)

    def points(self, side: Iterable[Seat]) -> int:
        """Points of a side at the end: for its pawns at home, and for winning."""
        home = sum(cell > self.shape.centre for seat in side for cell in self.board.cells_of(seat))
        outcome = self.outcome()
        won = outcome is not None and set(side) == set(outcome.winners)
        return self.ruleset.points_pawn * home + (self.ruleset.points_win if won else 0)

    def outcome(self) -> Outcome | None:
        """The winners, None while there are none: all pawns home, in a team those of every member (R004-41)."""
        won = winners(self.engine, self.board.state)
        return Outcome(tuple(map(Seat, won)), bool(self.teams)) if won else None


def _same(one: Part, other: Part) -> bool:
    return one.key() == other.key()
