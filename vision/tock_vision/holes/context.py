"""Judges a hole beside the other holes of the picture: by how its kind looks here, and the holes of its seat.

A hole painted in a seat's colour looks like a pawn until one sees that all holes of all seats are painted so. Holes
are judged in two passes: the second knows how the likely pawns of the picture look.
"""

from dataclasses import dataclass

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_rules import Seat
from tock_vision.arrays import Bools, Ints, Singles
from tock_vision.holes.network import COLORS, FEATURES, STATES, PatchNetwork

KINDS = 5
"""Plain track hole, start hole, camp, home, centre."""


def painted_owners(board: BoardFile) -> tuple[Seat | None, ...]:
    """The seat in whose colour each hole may be painted: camps, homes and start holes have one."""
    return tuple(board.owner(hole) for hole in board.holes)


def own_columns(board: BoardFile) -> Ints:
    """The column of the only seat whose pawns go into each hole, a camp's or home's; -1 for all other holes."""
    seats = board.seats
    return np.array([-1 if hole.seat is None else seats.index(hole.seat) for hole in board.holes])


def place_encoding(board: BoardFile) -> Singles:
    """One-hot encoding of the kind of each hole and its owner's colour (shape: [n, KINDS + colours])."""
    out = np.zeros((len(board.holes), KINDS + len(COLORS)), dtype=np.float32)
    for number, (hole, owner) in enumerate(zip(board.holes, painted_owners(board), strict=True)):
        kind = {HoleKind.TRACK: 0, HoleKind.CAMP: 2, HoleKind.HOME: 3, HoleKind.CENTRE: 4}[hole.kind]
        out[number, 1 if kind == 0 and owner is not None else kind] = 1.0
        if owner is not None:
            out[number, KINDS + COLORS.index(board.colors[owner])] = 1.0
    return out


@dataclass(frozen=True)
class HoleFeatures:
    """The first network's features of the holes in a picture."""

    features: Singles
    """Shape: [n, FEATURES]."""
    in_frame: Bools
    twice: Bools | None = None
    """Holes for which `mirrored` has features of the mirrored patch too."""
    mirrored: Singles | None = None


def _averaged(network: PatchNetwork, stacked: Singles, seen: HoleFeatures) -> Singles:
    """Outputs of the network, averaged with those for the mirrored patch where there is one."""
    logits, twice = network.logits(stacked), seen.twice
    if twice is not None and seen.mirrored is not None and twice.any():
        again = stacked[twice]
        again[:, :FEATURES] = seen.mirrored[twice]
        logits[twice] = (logits[twice] + network.logits(again)) / 2
    return logits


def _with_pawns(stacked: Singles, pawns: Singles) -> Singles:
    """Fill in the mean features of the likely pawns."""
    out = stacked.copy()
    out[:, -FEATURES:] = pawns
    return out


class Context:
    """Judges each hole of one board in the context of the others."""

    def __init__(self, board: BoardFile) -> None:
        owned = painted_owners(board)
        members = [[owner is None for owner in owned], [owner is not None for owner in owned]]
        members += [[owner == seat for owner in owned] for seat in board.seats]
        self._members = np.array(members, dtype=np.float32)
        self._own = np.array([0 if owner is None else 2 + board.seats.index(owner) for owner in owned])
        self._places = place_encoding(board)

    def logits(self, network: PatchNetwork, seen: HoleFeatures) -> Singles:
        """Outputs of the network for all holes (shape: [n, 3 + colours])."""
        stacked = self._of_holes(seen.features, self._means(seen.features, seen.in_frame))
        return _averaged(network, _with_pawns(stacked, self._pawns(network, stacked, seen)), seen)

    def logits_beside(self, network: PatchNetwork, seen: HoleFeatures, others: Singles) -> Singles:
        """The same for spots beside the holes, whose features are `others`."""
        means = self._means(seen.features, seen.in_frame)
        pawns = self._pawns(network, self._of_holes(seen.features, means), seen)
        around = np.repeat(means[[0, 1, 0]].reshape(1, -1), len(others), axis=0)
        nowhere = np.zeros((len(others), self._places.shape[1] + FEATURES))
        stacked = np.concatenate([others, around, nowhere], axis=1).astype(np.float32)
        return network.logits(_with_pawns(stacked, pawns))

    def _of_holes(self, features: Singles, means: Singles) -> Singles:
        """Stack features, means of groups, place, and nothing yet for the pawns (shape: [n, 5 * features + places])."""
        count = len(features)
        plain, owned = (np.broadcast_to(means[n], (count, means.shape[1])) for n in (0, 1))
        nothing = np.zeros((count, FEATURES))
        stacked: Singles = np.concatenate(
            [features, plain, owned, means[self._own], self._places, nothing], axis=1
        )
        return stacked.astype(np.float32)

    def _pawns(self, network: PatchNetwork, stacked: Singles, seen: HoleFeatures) -> Singles:
        """Mean features of the likely pawns, after a first pass (shape: [features])."""
        logits = _averaged(network, stacked, seen)
        states = np.exp(logits[:, :STATES] - logits[:, :STATES].max(axis=1, keepdims=True))
        chance = states[:, 1] / states.sum(axis=1) * seen.in_frame
        mean: Singles = chance @ seen.features / max(float(chance.sum()), 1.0)
        return mean

    def _means(self, features: Singles, seen: Bools) -> Singles:
        weight = self._members * seen
        means: Singles = weight @ features / np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
        return means
