"""Searches for one board in several photographs: one pass over each in turn, until one shows it.

Constants set in `62d5e4e2`; MAX_UNSEEN_SHARE, UNSEEN_CHANCE in `550b6b82`; PASSES_BEFORE_RING in `dd32a36a`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from tock_vision.camera_pose import CameraPose
from tock_vision.discovery import scores
from tock_vision.discovery.alignment import align
from tock_vision.discovery.asymmetric_layout import is_grid
from tock_vision.discovery.asymmetric_search import find_asymmetric
from tock_vision.discovery.candidates import Bands
from tock_vision.discovery.color_channels import Shades
from tock_vision.discovery.joining import agree, clearest
from tock_vision.discovery.photo import TRIED_IN_PASS, Pass, Sighting, passes, same_plane, see_again, settle
from tock_vision.discovery.rings import Ring, find_ring
from tock_vision.discovery.symmetry import Turned
from tock_vision.discovery.touch_hints import Starts
from tock_vision.discovery.track import TOCK, ZONES, Form

MAX_PASSES, PASSES_OF_MANY, PASSES_BESIDE = 12, 6, 4
"""Passes over one photograph: alone, among others, and beside one that shows the board beyond doubt."""
PASSES_BEFORE_RING = 2
"""Passes after which it is asked whether the ring is that of another game, which needs no further search."""
UNSEEN_CHANCE, MAX_UNSEEN_SHARE = 0.3, 0.08


class PhotoSearch:
    """The search for a board in one photograph, pass by pass."""

    def __init__(
        self,
        bands: Bands,
        zones: Sequence[int] = ZONES,
        starts: Starts | None = None,
        max_passes: int = MAX_PASSES,
        radial: float | None = None,
        form: Form = TOCK,
    ) -> None:
        self.bands = bands
        self.radial = radial
        """The radial term of the lens, where straight lines show it."""
        self.most_even: Pass | None = None
        """The pass, with or without hypotheses, in which spots lie most evenly."""
        self.is_over = False
        self.is_answered = False
        """Whether a board is seen so well that no other pass is needed."""
        self._zones, self._form = zones, form
        self._starts = starts
        self._coming = islice(passes(bands, zones, starts, radial), max_passes)
        self.passes_made: list[Pass] = []
        """All passes made so far, with hypotheses or without."""
        self.other_ring: Ring | None = None
        """The ring of another game, where one is seen beyond doubt."""
        self._rings: dict[int, Ring | None] = {}
        self._taken: list[Pass] = []
        self._untried = self.passes()
        self._tried: list[tuple[Turned, Sighting]] = []
        self._best: Sighting | None = None
        self._again: Sighting | None = None

    @property
    def shades(self) -> Shades:
        """The photograph in the colours searched."""
        return self.bands.shades

    def passes(self) -> Iterator[Pass]:
        """Yield the passes with hypotheses, first those already made."""
        number = 0
        while number < len(self._taken) or self._take():
            yield self._taken[number]
            number += 1

    def ring_of(self, pass_: Pass) -> Ring | None:
        """The ring that the spots of a pass of this search make; it is sought once."""
        # By identity: passes are kept as long as the search is, and hold pictures, which do not compare.
        if id(pass_) not in self._rings:
            self._rings[id(pass_)] = find_ring(pass_)
        return self._rings[id(pass_)]

    def advance(self) -> None:
        """Make one more pass, if any is left."""
        pass_ = next(self._untried, None)
        if pass_ is not None:
            self.is_answered = self._is_answer(pass_)
        self.is_over = pass_ is None or self.is_answered
        is_open = not self.is_over and self._starts is None and self._form == TOCK
        if len(self.passes_made) == PASSES_BEFORE_RING and is_open:
            self.other_ring = self._ring_of_other_game()
            self.is_over = self.other_ring is not None

    def sighting(self) -> Sighting | None:
        """Finish the search and return its board, found again with its own pose."""
        while not self.is_over:
            self.advance()
        if self.other_ring is not None:
            return None
        if self._again is None and self._best is not None:
            self._again = see_again(self.shades, self._best, self._starts, self.radial)
        if self.most_even is not None and self._form == TOCK and _is_doubtful(self._again):
            asymmetric = find_asymmetric(self.shades, self.most_even, self._zones)
            if _score(asymmetric) > _score(self._again):
                self._again = asymmetric
        return self._again

    def hurry(self) -> None:
        """Limit the passes left to those made beside a photograph that shows the board."""
        self._coming = islice(self._coming, max(0, PASSES_BESIDE - len(self.passes_made)))

    def _ring_of_other_game(self) -> Ring | None:
        if self.most_even is None or (self._best is not None and self._best.layout.score > scores.BELIEVED):
            return None
        ring = self.ring_of(self.most_even)
        return (
            ring
            if ring is not None and ring.is_plain and not ring.is_tock and not is_grid(self.most_even.spots)
            else None
        )

    def _take(self) -> bool:
        for pass_ in self._coming:
            self.passes_made.append(pass_)
            if self.most_even is None or pass_.evenness > self.most_even.evenness:
                self.most_even = pass_
            if pass_.hypotheses:
                self._taken.append(pass_)
                return True
        return False

    def _is_answer(self, pass_: Pass) -> bool:
        for hypothesis in pass_.hypotheses[:TRIED_IN_PASS]:
            known = [seen for other, seen in self._tried if same_plane(hypothesis, other)]
            if known:
                # A second pass on the same plane would find the same holes.
                if known[0] is self._best and self._best.worth > scores.AGREED:
                    return True
                continue
            found = settle(pass_, hypothesis, self._starts, self._form)
            if found is None:
                continue
            self._tried.append((hypothesis, found))
            if self._best is None or found.worth > self._best.worth:
                self._best = found
            if self._best.is_clear:
                return True
        return False


def _is_doubtful(found: Sighting | None) -> bool:
    """Whether too many holes are missing for a board whose zones are alike."""
    if found is None or found.layout.score < scores.BELIEVED:
        return True
    copies = found.orbits.copies[[orbit for orbit, _ in found.layout.nodes()]]
    return float((copies < UNSEEN_CHANCE).mean()) > MAX_UNSEEN_SHARE


def _score(found: Sighting | None) -> float:
    if found is None:
        return -np.inf
    # A symmetric layout too poor to be a board must not beat an asymmetric one, of which every hole is seen.
    return found.layout.score if found.orbits.is_asymmetric or found.layout.score > scores.BELIEVED else 0.0


def find_board(shades: Shades, zones: Sequence[int] = ZONES, max_passes: int = MAX_PASSES) -> Sighting | None:
    """Find a board of unknown shape in one photograph; None if no layout fits."""
    return PhotoSearch(Bands(shades), zones, None, max_passes).sighting()


@dataclass(frozen=True)
class Searched:
    """The result of a search, by index of the photograph."""

    searches: tuple[PhotoSearch, ...]
    sightings: tuple[Sighting | None, ...]
    aligned: dict[int, CameraPose]
    """Poses, on the plane of the clearest sighting, of photographs without a sighting."""


def search_photos(
    pictures: Sequence[Bands],
    radials: Sequence[float | None],
    zones: Sequence[int],
    starts: Starts | None,
    on_progress: Callable[[float], None],
    max_passes: int = MAX_PASSES,
    form: Form = TOCK,
) -> Searched:
    """Find the board that several photographs show; `on_progress` is called with 0 to 1.

    `radials` are the radial terms of their lenses, where straight lines show them.
    """
    most = min(max_passes, MAX_PASSES if len(pictures) == 1 else PASSES_OF_MANY)
    zones = zones if starts is None else (starts.zones,)
    searches = tuple(
        PhotoSearch(one, zones, starts if not number else None, most, radial, form)
        for number, (one, radial) in enumerate(zip(pictures, radials, strict=True))
    )
    # Touches are made on the first photograph, so only that one knows the starts.
    leading = searches if starts is None else searches[:1]
    left = [one for _ in range(most + 1) for one in leading]
    for number, one in enumerate(left):
        on_progress(number / len(left))
        if not one.is_over:
            one.advance()
        if one.is_answered:
            break
    sightings: list[Sighting | None] = [one.sighting() if one.is_over else None for one in searches]
    aligned = _align_others(searches, sightings)
    return Searched(searches, tuple(sightings), aligned)


def is_believed(one: Sighting) -> bool:
    """Whether it is a board whose zones are alike."""
    return one.layout.score > scores.BELIEVED and not one.orbits.is_asymmetric


def is_sure(one: Sighting) -> bool:
    """Whether the photograph can show nothing else."""
    return one.is_clear and one.layout.score > scores.TWO_BOARDS and not one.orbits.is_asymmetric


def _align_others(searches: Sequence[PhotoSearch], sightings: list[Sighting | None]) -> dict[int, CameraPose]:
    """Align photographs with the clearest one; those that cannot be are searched, into `sightings`."""
    aligned: dict[int, CameraPose] = {}
    missed = set()
    for number, search in enumerate(searches):
        if search.is_over:
            continue
        first = clearest(sightings)
        best = sightings[first]
        if best is not None and best.layout.score > scores.TWO_BOARDS and not best.orbits.is_asymmetric:
            # Aligning it with a board known beyond doubt takes a third of the time of a search.
            search.hurry()
            pose = align(search.passes(), best)
            if pose is not None:
                aligned[number] = pose
                continue
            missed.add((number, first))
        sightings[number] = search.sighting()
        if clearest(sightings) != first:
            aligned = {}
    first = clearest(sightings)
    best = sightings[first]
    for number, one in enumerate(sightings):
        if (
            best is None
            or best.orbits.is_asymmetric
            or number in (first, *aligned)
            or (number, first) in missed
        ):
            continue
        if one is not None and agree(best, one):
            continue
        pose = align(searches[number].passes(), best)
        if pose is not None:
            aligned[number] = pose
    return aligned
