"""From the network's outputs to readings: which seat's colour, how sure, and when to say unknown."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import UNSEEN, HoleReading, HoleState
from tock_companion.rules.geometry import PAWNS_PER_SEAT, Seat
from tock_vision.arrays import Bools, Singles
from tock_vision.learned import Learned
from tock_vision.network import COLORS, STATES

TEMPERATURE = 1.3
"""The network is a little surer than it is right; measured on boards it was not trained on."""
COLOR_TEMPERATURE = 1.5
LEAST_CONFIDENCE = 0.6
"""A hole read with less than this is said to be unknown."""
DOUBTFUL = 0.93
"""A fifth pawn of one colour, seen with less than this, is more likely a painted hole."""
FOREIGN = 0.08
"""A pawn whose colour is with less chance than this among the seats' colours belongs to no seat."""
FEATURE_SIGMA = np.array([0.16, 0.16, 0.16, 0.45], dtype=np.float32)
"""Spread of the colour features of equal pawns over the board: the light changes more than the hue."""


@dataclass(frozen=True)
class Chances:
    """Chances of every hole (shape: [n] each, colours [n, seats])."""

    empty: Singles
    pawn: Singles
    hidden: Singles
    seats: Singles
    """Chance of each seat's colour, given that there is a pawn."""
    foreign: Singles
    """Chance that a pawn has a colour of no seat."""


def chances(logits: Singles, board: BoardFile, features: Singles | None, learned: Learned | None) -> Chances:
    """Turn outputs of the network into chances; `features` (shape: [n, 4]) are compared with learned pawns."""
    state = _softmax(logits[:, :STATES] / TEMPERATURE)
    columns = [COLORS.index(board.colors[seat]) for seat in board.seats]
    colors = logits[:, STATES:] / COLOR_TEMPERATURE
    everything = _softmax(colors)
    own = np.log(_softmax(colors[:, columns]) + 1e-4)
    if learned is not None and features is not None and learned.colors:
        own += _likeness(features, board, learned.colors)
    return Chances(
        state[:, 0], state[:, 1], state[:, 2], _softmax(own), 1.0 - everything[:, columns].sum(axis=1)
    )


def _likeness(features: Singles, board: BoardFile, colors: Mapping[Seat, Singles]) -> Singles:
    """Return log likelihoods of the seats' learned colours (shape: [n, seats])."""
    out = np.zeros((len(features), len(board.seats)), dtype=np.float32)
    for column, seat in enumerate(board.seats):
        samples = colors.get(seat)
        if samples is None:
            continue
        off = (features[:, None] - samples[None]) / FEATURE_SIGMA
        # Heavy tails: a highlight or a swirl must not overrule everything.
        distance = np.median((off**2).sum(axis=2), axis=1)
        out[:, column] = -2.0 * np.log1p(distance / 4.0)
    return out


def readings(board: BoardFile, chance: Chances, in_frame: Bools) -> dict[str, HoleReading]:
    """Return what is said of every hole."""
    out = {}
    for number, hole in enumerate(board.holes):
        if not in_frame[number] or chance.hidden[number] >= 0.5:
            out[hole.id] = UNSEEN
            continue
        empty, pawn = float(chance.empty[number]), float(chance.pawn[number])
        best = int(chance.seats[number].argmax())
        seat = board.seats[best]
        with_seat = pawn * float(chance.seats[number, best])
        if empty >= LEAST_CONFIDENCE:
            out[hole.id] = HoleReading(HoleState.EMPTY, None, round(empty, 4))
        elif pawn >= LEAST_CONFIDENCE and chance.foreign[number] > 1.0 - FOREIGN:
            out[hole.id] = HoleReading(HoleState.PAWN, None, round(pawn, 4))
        elif with_seat >= LEAST_CONFIDENCE:
            out[hole.id] = HoleReading(HoleState.PAWN, seat, round(with_seat, 4))
        else:
            out[hole.id] = UNSEEN
    _doubt_extra(out)
    return out


def _doubt_extra(holes: dict[str, HoleReading]) -> None:
    """Make unknown what would be more pawns of a colour than there are, unless it is seen clearly."""
    standing: dict[Seat, list[tuple[float, str]]] = {}
    for hole_id, said in holes.items():
        if said.seat is not None:
            standing.setdefault(said.seat, []).append((said.confidence, hole_id))
    for own in standing.values():
        for confidence, hole_id in sorted(own, reverse=True)[PAWNS_PER_SEAT:]:
            if confidence < DOUBTFUL:
                holes[hole_id] = UNSEEN


def _softmax(values: Singles) -> Singles:
    shifted = np.exp(values - values.max(axis=1, keepdims=True))
    result: Singles = (shifted / shifted.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
