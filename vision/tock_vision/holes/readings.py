"""From the network's outputs to readings: which seat's colour, how certain, and when to say unknown."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import UNSEEN, HoleReading, HoleState
from tock_rules import PAWNS_PER_SEAT, Hole, Seat
from tock_vision.arrays import Bools, Singles, softmax
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.confidence import USUAL, Lines, in_shares
from tock_vision.holes.network import COLORS, STATES

TEMPERATURE = 0.8
"""The network is less confident than it is accurate.

On 40 ray-traced pictures of boards that no training saw the calibration error is 0.011; with 0.6 it is 0.006, with 1
it is 0.018.
"""
COLOR_TEMPERATURE = 1.0
OCCLUDED_DOUBT = 0.4
"""Times the chance that a hole is occluded, this is added to the confidence with which it must be read.

On 220 path-traced pictures in play 52 holes are wrong and 1,183 unknown; without it, and with every hole unknown that
is occluded with a chance of 0.2, 56 and 1,180.
"""
MAX_OCCLUDED_PAWN = 0.2
"""With a higher chance of being occluded no pawn is shown: a pawn between two holes covers a part of both."""
MIN_CONFIDENCE = 0.87
"""A hole read with less confidence is unknown; confidence says how often such a reading is right (`confidence.py`).

On 415 path-traced pictures that no training saw, 95 of them painted, 0.85 makes 0.6 % fewer holes unknown and a tenth
more wrong, 0.9 makes 1.1 % more unknown and a sixth fewer wrong.
"""
MIN_CONFIDENCE_OTHER_GAME = 0.85
"""The same for a board of another game, whose readings no referee doubts or asks about.

On 240 pictures of hand-painted boards 1,511 instead of 1,668 of 27,260 holes are unknown and 254 instead of 227 wrong.
"""
LIKE_EMPTY_LOG_ODDS = 16.0
"""Log odds in favour of empty for a hole that looks exactly as it did when empty; capped at half of that.

Of 370 pawns in the recordings none looked more than 0.17 of the way from the learned pawns to that.
"""
ASSUMED_PAWN_LIKENESS, MAX_PAWN_LIKENESS = 0.7, 0.95
"""Between these lies the highest likeness of a pawn to its empty hole where no pawn was learned.

That of the clear pawns in the picture is taken. On photographs of other games pawns reached 0.83, drawn ones in wide
bowls 0.85, and empty holes 0.99.
"""
CLEAR_PAWN = 0.98
FOUR_PAWNS_ROUNDS, FOUR_PAWNS_STEP = 12, 1.5
"""With a step of 0.7 twelve rounds end too early: 1 to 3 % more holes stay unknown and no fewer are wrong."""
STRONGEST_GAIN, STRONGEST_LOSS = 2.5, 3.0
"""Most log odds that a pawn gains or loses because its seat has exactly four.

On nine boards with at most four holes occluded a seat showed four pawns 485 times, three 18 times, five never.
"""
STRONGEST_GAIN_OCCLUDED, MANY_OCCLUDED_HOLES = 1.0, 4.5
"""The gain where more holes than this are occluded: there four pawns were seen 80 times, three 33 times."""
SEAT_UNSEEN, SEAT_SEEN = 0.7, 0.95
"""A seat none of whose pawns is likelier than the first lacks none: the seat may be empty. From the second on it plays.

On 24 hand-painted empty boards this left 309 instead of 433 of 2,807 holes unknown and 17 instead of 22 wrong; on 23 in
play 269 instead of 276 and 47 as before.
"""
STANDING_OUT_LOG_ODDS = 5.0
"""A painted hole gains all of that when it stands out so far from the usual one, their median.

Camps, homes and starts that all look alike are painted so, and no pawn is missing there.
"""
COLORLESS_CONFIDENCE = 0.985
"""A pawn as clear as this is said to stand there even where its colour is doubtful: clear glass, glaring light.

On 20 stills whose boards the networks never saw (touched) this says 8 of 11 such holes, all pawns; with 0.9 two of 11
are empty holes, at 0.974 and 0.979.
"""
FIFTH_PAWN_CONFIDENCE = 0.93
"""A fifth pawn of one colour, read with less confidence, is more likely a painted hole."""
MAX_HOLES_CLAIMED = 6
"""Holes with one colour from which the colour is paint taken for pawns: at most four of them are right."""
MIN_SEAT_COLOR = 0.03
"""A pawn whose colour is less likely than this to be any seat's belongs to no seat.

From 0.01 to 0.1 nothing changes on ray-traced pictures.
"""
FEATURE_SIGMA = np.array([0.16, 0.16, 0.16, 0.45], dtype=np.float32)
"""Spread of the colour features of equal pawns over the board: the light changes more than the hue."""
REFERRED_SIGMA = np.array([0.1, 0.1, 0.1, 0.2], dtype=np.float32)
"""The same where every picture has the colours of the one that was learned from (`LightReference`).

On the five given recordings the features of 228 pawns have a spread of 0.02 to 0.12 in hue and 0.05 to 0.11 in
brightness, and none of them is nearer to another seat's.
"""
STRENGTH, REFERRED_STRENGTH = 2.0, 6.0
"""Weight of the learned colours beside the network's answer."""
STATE_STRENGTH, MAX_STATE_GAIN = 2.0, 3.0
"""Weight of the same distances, and most log odds, for the question whether a pawn stands there at all."""


@dataclass(frozen=True)
class Chances:
    """Chances of every hole (shape: [n] each, colours [n, seats])."""

    empty: Singles
    pawn: Singles
    occluded: Singles
    seats: Singles
    """Chance of each seat's colour, given that there is a pawn."""
    foreign: Singles
    """Chance that a pawn has a colour of no seat."""


def chances(
    logits: Singles,
    board: BoardFile,
    features: Singles | None,
    calibration: Calibration | None,
    alike: Singles | None = None,
    bare: Singles | None = None,
) -> Chances:
    """Turn outputs of the network into chances.

    `features` (shape: [n, 4]) are compared with learned pawns, and with those that the hole has when empty (`bare`);
    `alike` (shape: [n]) says how much each hole looks like itself when empty: more than any learned pawn let it look
    speaks for empty.
    """
    states = logits[:, :STATES] / TEMPERATURE
    is_referred = calibration is not None and calibration.empty is not None
    off: dict[Seat, Singles] = {}
    if calibration is not None and features is not None:
        sigma = REFERRED_SIGMA if is_referred else FEATURE_SIGMA
        off = {seat: _distances(features, pawns, sigma) for seat, pawns in calibration.colors.items()}
        if off and bare is not None:
            states[:, 1] += _log_odds_of_pawn(off, features, bare)
    if calibration is not None and alike is not None:
        states[:, 0] += _log_odds_of_empty(calibration, alike, softmax(states)[:, 1])
    state = softmax(states)
    columns = [COLORS.index(board.colors[seat]) for seat in board.seats]
    colors = logits[:, STATES:] / COLOR_TEMPERATURE
    everything = softmax(colors)
    own = np.log(softmax(colors[:, columns]) + 1e-4)
    own += _likeness(off, board, len(own), REFERRED_STRENGTH if is_referred else STRENGTH)
    foreign = 1.0 - everything[:, columns].sum(axis=1)
    return Chances(state[:, 0], state[:, 1], state[:, 2], softmax(own), foreign)


def _log_odds_of_empty(calibration: Calibration, alike: Singles, pawn: Singles) -> Singles:
    """Gain in log odds of each hole being empty because it looks as it does when empty (shape: [n]).

    Where no pawn was learned, those that are clear in this picture tell how alike pawns may look; where no picture of
    the empty board was seen, nothing is known.
    """
    most = calibration.pawn_likeness
    if most is None:
        if not calibration.saw_empty:
            return np.zeros(len(alike), dtype=np.float32)
        clear = float(alike[pawn > CLEAR_PAWN].max(initial=ASSUMED_PAWN_LIKENESS))
        most = min(clear, MAX_PAWN_LIKENESS)
    above = (alike - most) / max(1.0 - most, 0.05)
    gain: Singles = np.clip(LIKE_EMPTY_LOG_ODDS * above, 0.0, LIKE_EMPTY_LOG_ODDS / 2)
    return gain


def _log_odds_of_pawn(off: Mapping[Seat, Singles], features: Singles, bare: Singles) -> Singles:
    """Gain in log odds of a pawn in each hole whose colour is nearer to a learned pawn's than to the empty hole's."""
    of_pawns = np.stack(list(off.values())).min(axis=0)
    of_bare = (((features - bare) / REFERRED_SIGMA) ** 2).sum(axis=1)
    gain: Singles = STATE_STRENGTH * (np.log1p(of_bare / 4.0) - np.log1p(of_pawns / 4.0))
    return np.clip(gain, -MAX_STATE_GAIN, MAX_STATE_GAIN)


def _distances(features: Singles, learned: Singles, sigma: Singles) -> Singles:
    """Squared distance of features from those of a seat's learned pawns, the median of these (shape: [n])."""
    off = (features[:, None] - learned[None]) / sigma
    far: Singles = np.median((off**2).sum(axis=2), axis=1)
    return far


def with_all_pawns(
    chance: Chances, in_frame: Bools, painted: Bools | None = None, pawns_each: int = PAWNS_PER_SEAT
) -> Chances:
    """Reweight the chances so that each seat has about the pawns that it owns.

    A seat of which fewer are seen gets likelier in doubtful holes, one of which more are seen less likely; how much is
    bounded, so that a lost pawn is not made up. A seat of which no pawn is clear gains nothing, and of the `painted`
    holes only those that differ from most of them.
    """
    gaining = _standing_out(chance, in_frame, painted)[:, None]
    clear = np.stack([chance.empty, chance.occluded], axis=1)
    pawns = chance.pawn[:, None] * chance.seats
    pull = np.zeros(pawns.shape[1], dtype=np.float32)
    covered = float((chance.occluded * in_frame).sum()) + float((~in_frame).sum())
    clearest = (pawns * in_frame[:, None]).max(axis=0, initial=0.0)
    strongest = STRONGEST_GAIN if covered <= MANY_OCCLUDED_HOLES else STRONGEST_GAIN_OCCLUDED
    strongest = strongest * np.clip((clearest - SEAT_UNSEEN) / (SEAT_SEEN - SEAT_UNSEEN), 0.0, 1.0)
    weighed = pawns
    for _ in range(FOUR_PAWNS_ROUNDS):
        weighed = pawns * np.exp(np.where(pull > 0, pull * gaining, pull))
        total = clear.sum(axis=1) + weighed.sum(axis=1)
        counts = (weighed * (in_frame / total)[:, None]).sum(axis=0)
        pull += FOUR_PAWNS_STEP * np.log(pawns_each / np.maximum(counts, 0.05))
        pull = np.clip(pull, -STRONGEST_LOSS, strongest)
    pawn = weighed.sum(axis=1)
    total = clear.sum(axis=1) + pawn
    return Chances(
        chance.empty / total,
        pawn / total,
        chance.occluded / total,
        weighed / np.maximum(pawn, 1e-9)[:, None],
        chance.foreign,
    )


def _standing_out(chance: Chances, in_frame: Bools, painted: Bools | None) -> Singles:
    """Degree to which each hole stands out among those painted like it, 0 to 1; 1 where none is known (shape: [n])."""
    out = np.ones(len(chance.pawn), dtype=np.float32)
    compared = (
        None if painted is None else painted & in_frame & (chance.occluded < chance.empty + chance.pawn)
    )
    if compared is not None and compared.any():
        odds = np.log((chance.pawn + 1e-6) / (chance.empty + 1e-6))
        above = (odds - np.median(odds[compared])) / STANDING_OUT_LOG_ODDS
        out[painted] = np.clip(above, 0.0, 1.0)[painted]
    return out


def _likeness(off: Mapping[Seat, Singles], board: BoardFile, count: int, strength: float) -> Singles:
    """Log likelihoods of the seats' learned colours, by the distance from each (shape: [n, seats])."""
    out = np.zeros((count, len(board.seats)), dtype=np.float32)
    for column, seat in enumerate(board.seats):
        if seat in off:
            # Heavy tails: a highlight or a swirl must not overrule everything.
            out[:, column] = -strength * np.log1p(off[seat] / 4.0)
    return out


def readings(
    board: BoardFile,
    chance: Chances,
    in_frame: Bools,
    painted: Bools | None = None,
    *,
    four_pawns: bool = True,
    lines: Lines = USUAL,
) -> dict[Hole, HoleReading]:
    """Give one reading per hole; with `four_pawns`, as in Tock, pawns of a seat beyond its number are doubted.

    Where it is known which holes are `painted`, confidences say by `lines` how often such a reading is right.
    """
    out = {}
    enough = MIN_CONFIDENCE if four_pawns else MIN_CONFIDENCE_OTHER_GAME
    best = chance.seats.argmax(axis=1)
    of_seat = chance.seats[np.arange(len(best)), best]
    empty, pawn, with_seat = chance.empty, chance.pawn, chance.pawn * of_seat
    if painted is not None:
        empty, pawn, with_seat = in_shares(empty, pawn, of_seat, painted, lines)
    may_stand = in_frame & (chance.occluded < MAX_OCCLUDED_PAWN)
    needed = np.where(in_frame, enough + OCCLUDED_DOUBT * chance.occluded, np.inf)
    bare, standing = needed.tolist(), np.where(may_stand, needed, np.inf).tolist()
    # Numbers of Python's own: those of NumPy take far longer one by one.
    seats, foreign, uncalibrated = best.tolist(), chance.foreign.tolist(), (chance.pawn * may_stand).tolist()
    empties, pawns, with_seats = empty.tolist(), pawn.tolist(), with_seat.tolist()
    for number, hole in enumerate(board.holes):
        if empties[number] >= bare[number]:
            out[hole.id] = HoleReading(HoleState.EMPTY, None, round(empties[number], 4))
        elif pawns[number] >= standing[number] and foreign[number] > 1.0 - MIN_SEAT_COLOR:
            out[hole.id] = HoleReading(HoleState.PAWN, None, round(pawns[number], 4))
        elif with_seats[number] >= standing[number]:
            seat = board.seats[seats[number]]
            out[hole.id] = HoleReading(HoleState.PAWN, seat, round(with_seats[number], 4))
        elif uncalibrated[number] >= COLORLESS_CONFIDENCE:
            out[hole.id] = HoleReading(HoleState.PAWN, None, round(pawns[number], 4))
        else:
            out[hole.id] = UNSEEN
    if four_pawns:
        doubt_extra(out, board.pawns_per_seat)
    return out


def doubt_extra(holes: dict[Hole, HoleReading], most: int = PAWNS_PER_SEAT) -> None:
    """Make pawns beyond the `most` of a colour unknown, unless they are seen clearly, and all where these are many."""
    claimed = most + MAX_HOLES_CLAIMED - PAWNS_PER_SEAT
    standing: dict[Seat, list[tuple[float, Hole]]] = {}
    for hole_id, reading in holes.items():
        if reading.seat is not None:
            standing.setdefault(reading.seat, []).append((reading.confidence, hole_id))
    for own in standing.values():
        doubted = sorted(own, reverse=True)[0 if len(own) >= claimed else most :]
        for confidence, hole_id in doubted:
            if confidence < FIFTH_PAWN_CONFIDENCE or len(own) >= claimed:
                holes[hole_id] = UNSEEN
