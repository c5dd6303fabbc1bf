"""The story of a game in a few lines: what turned it, who took whom, who walked furthest, how close it was.

Everything is read from the moves that all players saw; a moment is valued by the estimate of the board alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tock_companion.events.game import Game, Played
from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.marches import NEARLY_HOME_HOLES, Ways, ways_of
from tock_companion.language import Text, catalog
from tock_companion.views.names import Names
from tock_companion.views.phrases import filled, listed
from tock_rules import CAMP, Card, Kind, Position, Seat

MAX_LINES = 6
LATE_MOVE = 8
"""A first pawn that comes out this late had to wait."""
MIN_MOVES = 10
"""A shorter game has no course worth telling."""
MIN_SWING = 0.08
"""A smaller change of the chances turns no game."""
CAUSE_FACTOR = 1.5
"""A capture or a pawn that comes home makes a better story than a walk that counts a little more."""
BEHIND = 0.6
"""A side with less than this part of its equal share was behind."""
EARLY, SOON = 0.1, 0.6
"""Parts of a game: who is behind so early is only unlucky, who leads from so soon on has led it."""
IMPORTANCE = ("turning", "rivals", "comeback", "short", "march", "cruel", "escape", "opening")
"""Topics in order of importance: the last is left out first when there are too many lines."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of the story; `code` picks the sentence."""

    code: str
    topic: str
    number: int = 0
    """Of the move, from 1; 0 for what belongs to no move."""
    seat: Seat | None = None
    other: Seat | None = None
    side: tuple[Seat, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    what: "Moment | None" = None
    card: Card | None = None

    def text(self, names: Names) -> Text:
        """The sentence in every language."""
        params: dict[str, str | Text] = {name: str(number) for name, number in self.numbers.items()}
        params["nth"] = names.ordinal(self.number)
        if self.seat is not None:
            params["seat"] = names.seat(self.seat)
        if self.other is not None:
            params["other"] = names.seat(self.other)
        if self.side:
            params["side"] = listed([names.seat(seat) for seat in self.side])
        if self.what is not None:
            params["what"] = self.what.text(names)
        if self.card is not None:
            params["card"] = names.card(self.card)
        return filled(catalog("hints")[f"story.{self.code}"], **params)


@dataclass(frozen=True, slots=True)
class Story:
    """The lines of a game's story, and which of its moves they are about."""

    moments: tuple[Moment, ...] = ()
    turning: int = 0
    """The `seq` of the move that turned the game; 0 where none stands out."""

    def lines(self, names: Names) -> list[Text]:
        """The story in words."""
        return [moment.text(names) for moment in self.moments]


def story_of(game: Game) -> Story:
    """Tell a finished game; an empty story for any other."""
    winners = tuple(
        Seat.parse(name) for name in (game.ended.winner if game.ended is not None else None) or ()
    )
    if not winners or not game.moves:
        return Story()
    before = {turn.seq: turn.before for turn in game.turns}
    positions = [before[played.seq] for played in game.moves]
    sides = _sides(positions[0])
    won = next(index for index, side in enumerate(sides) if winners[0] in side)
    chances = [_chances(position, sides)[won] for position in positions] + [1.0]
    ways = ways_of(played.move for played in game.moves)
    turning = _turning(game.moves, chances, _put_right(game.moves, positions))
    candidates = [
        *_opening(ways, game),
        *_course(chances, sides[won], len(sides)),
        *([turning] if turning is not None else []),
        *_captures(ways),
        *_marches(ways),
        *_close_calls(ways),
        *_shortfall(game.position, sides, won),
    ]
    kept = sorted(candidates, key=lambda moment: IMPORTANCE.index(moment.topic))[:MAX_LINES]
    seq = game.moves[turning.number - 1].seq if turning is not None else 0
    return Story(tuple(moment for moment in candidates if moment in kept), seq)


def _sides(position: Position) -> list[tuple[Seat, ...]]:
    return list(dict.fromkeys(tuple(sorted(position.team_of(seat))) for seat in position.seats))


def _chances(position: Position, sides: Sequence[tuple[Seat, ...]]) -> list[float]:
    """The chance of each side to win, judged by the board without any hand; they add up to 1."""
    estimate, state = estimate_for(position.engine), position.board.state
    stored = list(position.stored_moves)
    raw = [
        sum(estimate.chance(state, int(seat), int(position.to_move), [], stored) for seat in side) / len(side)
        for side in sides
    ]
    return [chance / sum(raw) for chance in raw]


def _hundredths(chance: float) -> int:
    return min(99, max(1, round(100 * chance)))


def _opening(ways: Ways, game: Game) -> Iterator[Moment]:
    if all(set(game.started.position[seat]) == {"camp"} for seat in game.started.seats) and ways.first_out:
        (first, _), (last, late) = ways.first_out[0], ways.first_out[-1]
        if late >= LATE_MOVE and last is not first:
            yield Moment("first_out", "opening", late, first, last)
            return
    capture = next((one for one in ways.captures if not one.friendly), None)
    if capture is not None:
        yield Moment("first_capture", "opening", capture.number, capture.by, capture.seat)


def _course(chances: Sequence[float], side: tuple[Seat, ...], sides: int) -> Iterator[Moment]:
    """Whether the winners came from behind, or led from early on."""
    low = chances.index(min(chances))
    if low > EARLY * len(chances) and chances[low] < BEHIND / sides:
        yield Moment("comeback", "comeback", low, side=side, numbers={"n": _hundredths(chances[low])})
        return
    ahead = next(at for at in range(len(chances)) if min(chances[at:]) > 1 / sides)
    if len(chances) > MIN_MOVES and ahead < SOON * len(chances):
        yield Moment("lead_many" if len(side) > 1 else "lead", "comeback", max(1, ahead), side=side)


def _put_right(moves: Sequence[Played], positions: Sequence[Position]) -> frozenset[int]:
    """Indices of the moves after which somebody put pawns elsewhere."""
    return frozenset(
        at
        for at, (played, after) in enumerate(zip(moves, positions[1:], strict=False))
        if played.move.result.to_pawns() != after.board.to_pawns()
    )


def _turning(moves: Sequence[Played], chances: Sequence[float], put_right: frozenset[int]) -> Moment | None:
    """The move after which the chances of the winners rose most."""
    swings = [
        0.0 if at in put_right else after - before for at, (before, after) in enumerate(pairwise(chances))
    ]
    # Gains before the low were lost again, and the last move only ends a decided game.
    for first in (chances.index(min(chances)), 0):
        inner = range(first, len(swings) - 1)
        best = max(
            inner,
            key=lambda at: swings[at] * (1 if what_happened(moves[at]).code == "_plays" else CAUSE_FACTOR),
            default=0,
        )
        if inner and swings[best] >= MIN_SWING:
            return _turned(moves, chances, best)
    return None


def _turned(moves: Sequence[Played], chances: Sequence[float], best: int) -> Moment:
    numbers = {"before": _hundredths(chances[best]), "after": _hundredths(chances[best + 1])}
    return Moment("turning", "turning", best + 1, numbers=numbers, what=what_happened(moves[best]))


def what_happened(played: Played) -> Moment:
    """Describe a move in a few words."""
    move, seat, card = played.move, played.seat, played.card
    taken = [owner for owner, _ in move.captures]
    if len(taken) > 1:
        return Moment("_takes_more", "", seat=seat, numbers={"n": len(taken)}, card=card)
    if taken:
        code = "_takes_own" if taken[0] is seat else "_takes"
        return Moment(code, "", seat=seat, other=taken[0], card=card)
    part = move.parts[-1]
    if part.kind is Kind.SWAP:
        return Moment("_swaps", "", seat=seat, other=part.other if part.seat is seat else part.seat)
    if part.from_cell == CAMP:
        return Moment("_out", "", seat=seat, card=card)
    comes_home = any(move.before.shape.home_of(one.to_cell) is not None for one in move.parts)
    return Moment("_home" if comes_home else "_plays", "", seat=seat, card=card)


def _captures(ways: Ways) -> Iterator[Moment]:
    if not ways.captures:
        yield Moment("peace", "rivals")
        return
    pairs = Counter((capture.by, capture.seat) for capture in ways.captures if not capture.friendly)
    ((by, seat), count) = pairs.most_common(1)[0] if pairs else ((None, None), 0)
    if count > 1:
        yield Moment("rivals", "rivals", 0, by, seat, numbers={"n": count})
    else:
        yield Moment("captures", "rivals", numbers={"n": len(ways.captures)})


def _marches(ways: Ways) -> Iterator[Moment]:
    if ways.marches:
        longest = max(ways.marches, key=lambda march: march.holes)
        code = "march_taken" if longest.taken else "march"
        yield Moment(code, "march", 0, longest.seat, numbers={"n": longest.holes})


def _close_calls(ways: Ways) -> Iterator[Moment]:
    """The pawn that was taken nearest to its home, and the one that came home with a pursuer nearest behind."""
    hostile = [capture for capture in ways.captures if not capture.friendly]
    nearly = min(hostile, key=lambda capture: capture.left, default=None)
    if nearly is not None and nearly.left <= NEARLY_HOME_HOLES:
        yield Moment("cruel", "cruel", nearly.number, nearly.by, nearly.seat)
    escape = min(ways.escapes, key=lambda one: one.holes, default=None)
    if escape is not None:
        code, numbers = "escape_one" if escape.holes == 1 else "escape", {"n": escape.holes}
        yield Moment(code, "escape", escape.number, escape.seat, escape.behind, numbers=numbers)


def _shortfall(position: Position, sides: Sequence[tuple[Seat, ...]], won: int) -> Iterator[Moment]:
    """The number of pawns that the next best side still had to bring home."""
    left = {
        side: sum(position.shape.pawns_per_seat - position.board.home_count(seat) for seat in side)
        for index, side in enumerate(sides)
        if index != won
    }
    side = min(left, key=left.__getitem__)
    if left[side]:
        yield Moment(
            "short_one" if left[side] == 1 else "short", "short", side=side, numbers={"n": left[side]}
        )
