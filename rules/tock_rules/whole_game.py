"""A whole game with its cards: dealt from a seed, played action by action, taken back, recorded.

game = Game.start("keezen", players=4, seed=7)
while game.result is None:
    game.play(game.legal_actions()[0])
print(game.result, game.record())
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from tock_rules.action_texts import Action, action_of, actions_of, read_action
from tock_rules.cardgame import Action as EngineAction
from tock_rules.cardgame import CardGame
from tock_rules.cards import Card
from tock_rules.engine import position_of
from tock_rules.errors import BadInputError, quoted
from tock_rules.numbered_cards import CARDS, shuffle_by
from tock_rules.position import Outcome, Position
from tock_rules.record import Entry, GameRecord
from tock_rules.ruleset import Ruleset
from tock_rules.seating import check_setup, left_of
from tock_rules.seats import Seat

_ENTRIES = {"discard": "discards", "hand": "lays down"}


class Game:
    """A game in progress; the same start and seed always deal the same cards."""

    def __init__(self, start: Position, seed: int = 0) -> None:
        """Deal; the seat to move begins, the one before it has dealt."""
        self.first = start
        """The position before the first card."""
        self.seed = seed
        self._done: list[EngineAction] = []
        self._deal()

    @classmethod
    def start(
        cls,
        ruleset: Ruleset | str,
        players: int | None = None,
        *,
        seed: int = 0,
        zones: int | None = None,
        seats: Sequence[Seat] | None = None,
        teams: Iterable[Iterable[Seat]] | None = None,
        dealer: Seat | None = None,
    ) -> "Game":
        """A game about to begin, of four players unless `players` or `seats` say otherwise.

        The table is that of `Position.start`; the last seat deals where no dealer is named.
        """
        if players is None and seats is None:
            players = 4
        position = Position.start(ruleset, zones, seats, teams, players=players)
        check_setup(position.ruleset, position.seats, position.teams)
        first = left_of(position.seats, position.seats[-1] if dealer is None else dealer)
        return cls(replace(position, to_move=first), seed)

    def _deal(self) -> None:
        seats = self.first.seats
        dealer = seats[seats.index(self.first.to_move) - 1]
        rng = Random(self.seed)
        self._cards = CardGame(self.first.engine, dealer, lambda cards: shuffle_by(cards, rng.random))
        for action in self._done:
            self._cards.do(action)
        self._position = position_of(self._cards)

    # -- the moment --

    @property
    def position(self) -> Position:
        """Board, teams and turn now."""
        return self._position

    @property
    def to_move(self) -> Seat:
        """The seat that acts now."""
        return self._position.to_move

    @property
    def dealer(self) -> Seat:
        """The seat that dealt this hand."""
        return Seat(self._cards.dealer)

    @property
    def hands(self) -> Mapping[Seat, tuple[Card, ...]]:
        """The cards of every seat; an honest player looks at `hand` alone."""
        return {seat: tuple(CARDS[card] for card in self._cards.hands[seat]) for seat in self.first.seats}

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat to move."""
        return self.hands[self.to_move]

    @property
    def result(self) -> Outcome | None:
        """The winners; None while the game goes on."""
        return self._position.outcome()

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the seat to move may do; nothing after the end."""
        return actions_of(self._cards, self._position)

    # -- playing --

    def play(self, action: Action | str) -> "Game":
        """Do an action and deal when all hands are empty; give the game itself, for another one.

        Raise `IllegalMoveError` with the reason for one that is not allowed now, `BadInputError` for a text that names
        none.
        """
        fits = isinstance(action, Action) and action.position == self._position
        inner = (
            action.inner
            if isinstance(action, Action) and fits
            else read_action(self._cards, self._position, str(action))
        )
        self._cards.do(inner)
        self._done.append(inner)
        self._position = position_of(self._cards)
        return self

    def undo(self, actions: int = 1) -> "Game":
        """Take back the last actions; give the game itself."""
        if not 0 <= actions <= len(self._done):
            raise BadInputError(f"{len(self._done)} actions can be taken back, not {quoted(actions)}")
        del self._done[len(self._done) - actions :]
        self._deal()
        return self

    def record(self) -> GameRecord:
        """The game so far as a record; cards given to mates and turns ended without a card are not in it."""
        entries = []
        game = Game(self.first, self.seed)
        for inner in self._done:
            action = action_of(game._cards, game._position, inner)
            if action.move is not None:
                entries.append(Entry.of(action.move))
            elif action.kind in _ENTRIES:
                entries.append(Entry(game.to_move, _ENTRIES[action.kind], action.cards))
            game.play(action)
        return GameRecord.of(self.first, entries)

    # -- a value to compare and copy --

    def __eq__(self, other: object) -> bool:
        """Whether both games began alike and went alike."""
        return isinstance(other, Game) and self._played == other._played

    __hash__ = None  # type: ignore[assignment]

    @property
    def _played(self) -> tuple[Position, int, list[EngineAction]]:
        return self.first, self.seed, self._done

    def __reduce__(self) -> tuple[object, tuple[Position, int, list[EngineAction]]]:
        """Copies and pickles hold the start, the seed and the actions."""
        return _again, (self.first, self.seed, list(self._done))

    def __repr__(self) -> str:
        """The table, the seed and the number of actions."""
        return f"<Game {self.first.text}, seed {self.seed}, {len(self._done)} actions>"

    def __str__(self) -> str:
        """The position and the hand of the seat to move."""
        return f"{self._position}\n\n{self.to_move.name} holds {' '.join(map(str, self.hand)) or 'no card'}"


def _again(start: Position, seed: int, done: list[EngineAction]) -> Game:
    game = Game(start, seed)
    game._done = list(done)
    game._deal()
    return game
