"""The best move of a game: the one with the greatest lead over the next best move of the same card.

Only cards that were played count, which everybody saw, so nothing of a hand is revealed. Most moves are about as good
as the next best; one is named only if playing both out in the same sampled games separates them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import ENDGAME_FACTOR, Search
from tock_rules import Move, Position, Seat
from tock_rules.engine import PLAY

LOOKED_AT = 4
"""Number of moves, the most promising by the estimate, that are played out."""
RIVALS = 3
GAMES = 96
"""Sampled games in which a move and its rivals are played out for a round of the table."""
MIN_GAIN = 0.03
"""Smallest lead that is worth naming."""
SURE_ERRORS = 3.0
"""Standard errors by which the move must lead; the best of several reaches two by luck."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """A move and its lead."""

    seat: Seat
    move: Move
    gain: float
    """By how much the chance to win was higher than after the next best move of the same card, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    seat: Seat
    move: Move
    search: Search
    played: int
    """Index of the action that was taken."""
    others: tuple[int, ...]

    def gap_at_first_sight(self) -> float:
        """By how much the estimate puts the move ahead of the next best."""
        priors = self.search.priors
        return priors[self.played] - max(priors[other] for other in self.others)

    def gain(self) -> float | None:
        """The lead over the next best move once all are played out; None if it may be luck."""
        search, rivals = self.search, self._rivals()
        turns = len(search.determinizer.game.seats) * (ENDGAME_FACTOR if search.ends_soon else 1)
        for _ in range(GAMES):
            # All moves play the same sampled games to the end: a lead of four games proves nothing.
            sample = search.determinizer.sample()
            for index in (self.played, *rivals):
                search.sums[index].append(search.play_out(sample, search.actions[index], turns))
        lead, error = min(search.lead(self.played, rival) for rival in rivals)
        return lead if lead >= max(MIN_GAIN, SURE_ERRORS * error) else None

    def _rivals(self) -> list[int]:
        """The best of the other moves at first sight."""
        return nlargest(RIVALS, self.others, key=self.search.priors.__getitem__)


def best_move(moves: Iterable[tuple[Position, Move]]) -> BestMove | None:
    """The best of the moves made, each given with the position before it; None if none stands out."""
    candidates = nlargest(LOOKED_AT, _candidates(moves), key=_Candidate.gap_at_first_sight)
    found = [
        BestMove(candidate.seat, candidate.move, gain)
        for candidate in candidates
        if candidate.gap_at_first_sight() > 0 and (gain := candidate.gain()) is not None
    ]
    return max(found, key=lambda best: best.gain, default=None)


def _candidates(moves: Iterable[tuple[Position, Move]]) -> Iterator[_Candidate]:
    """The moves of cards that allowed something else as well."""
    for position, move in moves:
        search = Search(Knowledge(position, (move.card,)), laid=move.card)
        results = {
            index: position.move_of((move.card,), flat).result
            for index, (kind, _, flat) in enumerate(search.actions)
            if kind == PLAY
        }
        played = next((index for index, result in results.items() if result == move.result), None)
        others = tuple(index for index, result in results.items() if result != move.result)
        if played is not None and others:
            yield _Candidate(position.to_move, move, search, played, others)
