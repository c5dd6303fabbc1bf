"""The figures of one finished game, seat by seat, counted from its log."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tock_companion.events.facts import (
    CardPlayed,
    Event,
    MoveAccepted,
    MoveTakenBack,
    Resumed,
    TurnEnded,
)
from tock_companion.events.game import Game, Played, fold
from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.marches import holes_gone, ways_of
from tock_rules import Rank, Seat
from tock_rules.engine import State

MAX_THINKING_MS = 300_000
"""A longer pause before a card is no thinking: somebody was called to the kitchen."""
MIN_SPREAD = 0.005
"""Moves of a card that differ by less in the chance to win are equally good: they rate nobody."""


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """The game of one seat; durations in ms, chances between 0 and 1."""

    seat: Seat
    side: int
    """The same number for partners."""
    won: bool
    moves: int
    holes: int
    """Holes gone forward, those of a shared seven included."""
    taken: int
    """Pawns taken from other sides."""
    lost: int
    home: int
    """Pawns at home in the end."""
    longest_march: int
    swept: int
    """Pawns that kings took on their way, before the hole where they stopped."""
    sevens_saved: int
    """Pawns that a seven brought home with a pursuer in reach."""
    thinking_ms: int
    thoughts: int
    """Cards whose thinking time is known."""
    luck: float
    """Chance to win that the cards offered, more than the average of the table's."""
    played_away: float
    """Chance to win that better moves of the same cards would have kept."""
    rated: int
    """Moves of cards that allowed better and worse."""
    quality: float
    """Sum over the rated moves: 1 for the best move of the card, 0 for the worst."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A finished game."""

    ruleset: str
    started_at: str | None
    length_ms: int
    seats: tuple[SeatFigures, ...]
    captures: Mapping[tuple[Seat, Seat], int]
    """Pawns taken from other sides: by whom, whose."""


def figures_of(events: Sequence[Event]) -> GameFigures | None:
    """Count a game, None where nobody has won; raises BadInputError for a log that contradicts itself."""
    game = fold(events)
    winners = {Seat.parse(name) for name in (game.ended.winner if game.ended is not None else None) or ()}
    if not winners:
        return None
    ways = ways_of(played.move for played in game.moves)
    captures = Counter((capture.by, capture.seat) for capture in ways.captures if not capture.friendly)
    lost = Counter(capture.seat for capture in ways.captures)
    longest: Counter[Seat] = Counter()
    for march in ways.marches:
        longest[march.seat] = max(longest[march.seat], march.holes)
    sevens = {number for number, played in enumerate(game.moves, 1) if played.card.rank is Rank.SEVEN}
    saved = Counter(escape.seat for escape in ways.escapes if escape.number in sevens)
    chances = _Chances()
    for played in game.moves:
        chances.add(played)
    thinking = _thinking(events, game)
    sides = _sides(game)
    average_luck = sum(chances.luck.values()) / len(game.position.seats)
    seats = tuple(
        SeatFigures(
            seat=seat,
            side=sides[seat],
            won=seat in winners,
            moves=sum(played.seat is seat for played in game.moves),
            holes=_holes(game, seat),
            taken=sum(count for (by, _), count in captures.items() if by is seat),
            lost=lost[seat],
            home=game.position.board.home_count(seat),
            longest_march=longest[seat],
            swept=sum(_swept(played) for played in game.moves if played.seat is seat),
            sevens_saved=saved[seat],
            thinking_ms=sum(thinking[seat]),
            thoughts=len(thinking[seat]),
            luck=chances.luck[seat] - average_luck,
            played_away=chances.played_away[seat],
            rated=chances.rated[seat],
            quality=chances.quality[seat],
        )
        for seat in game.position.seats
    )  # fmt: skip
    return GameFigures(game.started.ruleset, game.started.started_at, game.t_ms, seats, captures)


def _sides(game: Game) -> Mapping[Seat, int]:
    return {seat: min(game.position.team_of(seat)) for seat in game.position.seats}


def _holes(game: Game, seat: Seat) -> int:
    return sum(
        max(0, holes_gone(played.move.before.shape, part))
        for played in game.moves
        if played.seat is seat
        for part in played.move.parts
    )


def _swept(played: Played) -> int:
    if played.card.rank is not Rank.KING:
        return 0
    shape = played.move.before.shape
    stops = {shape.hole_id(part.to_cell) for part in played.move.parts}
    return sum(hole not in stops for _, hole in played.move.captures)


class _Chances:
    """Luck and play by seat: each move against the other moves of its card, by the estimate of the board alone."""

    def __init__(self) -> None:
        self.luck: defaultdict[Seat, float] = defaultdict(float)
        self.played_away: defaultdict[Seat, float] = defaultdict(float)
        self.rated: Counter[Seat] = Counter()
        self.quality: defaultdict[Seat, float] = defaultdict(float)

    def add(self, played: Played) -> None:
        """Rate a move, and the card that it was made with."""
        position, seat = played.move.position, played.seat
        estimate, stored = estimate_for(position.engine), list(position.stored_moves)
        then = int(position.next_seat)

        def chance(state: State, to_move: int) -> float:
            return estimate.chance(state, int(seat), to_move, [], stored)

        before = chance(position.board.state, int(seat))
        now = chance(played.move.result.state, then)
        all_moves = [chance(move.result.state, then) for move in position.legal_moves((played.card,))]
        best, worst = max(all_moves, default=now), min(all_moves, default=now)
        self.luck[seat] += best - before
        self.played_away[seat] += max(0.0, best - now)
        if best - worst >= MIN_SPREAD:
            self.rated[seat] += 1
            self.quality[seat] += (now - worst) / (best - worst)


def _thinking(events: Sequence[Event], game: Game) -> Mapping[Seat, list[int]]:
    """By seat, the time from the beginning of a turn to its card, or to its move where no card was laid."""
    counted = {played.seq for played in game.moves}
    times: defaultdict[Seat, list[int]] = defaultdict(list)
    began, laid = events[0].t_ms, None
    for event in events:
        match event.fact:
            case CardPlayed():
                laid = event.t_ms
            case MoveAccepted() as fact:
                took = (event.t_ms if laid is None else laid) - began
                if event.seq in counted and 0 <= took <= MAX_THINKING_MS:
                    times[Seat.parse(fact.seat)].append(took)
                began, laid = event.t_ms, None
            case TurnEnded() | MoveTakenBack() | Resumed():
                began, laid = event.t_ms, None
    return times
