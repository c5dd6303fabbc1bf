"""The search for a board, and the searches made where nearly nothing was found: in other colours, without touches.

Constants set in `4107ae4c`; MAX_TOUCH_OFF_PITCHES in `aec89513`; PASSES_OF_MANY in `1c902529`.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tock_vision.arrays import Frame, Gray
from tock_vision.discovery import scores
from tock_vision.discovery.candidates import Bands
from tock_vision.discovery.color_channels import other_greys
from tock_vision.discovery.photo import spots_of
from tock_vision.discovery.searching import (
    PhotoSearch,
    Searched,
    is_believed,
    search_photos,
)
from tock_vision.discovery.touch_hints import Starts
from tock_vision.discovery.track import TOCK, Form

PASSES_IN_COLORS, PASSES_OF_MANY = 6, 3
"""Passes over a photograph by its colours: alone, and among others."""
MAX_TOUCH_OFF_PITCHES = 1.5
"""The farthest that the start of a layout found without the touches may lie from them, all of them together."""


def search_all(
    frames: Sequence[Frame],
    grays: Sequence[Gray],
    radials: Sequence[float | None],
    counts: Sequence[int],
    starts: Starts | None,
    on_progress: Callable[[float], None],
    form: Form = TOCK,
) -> Searched:
    """Find the board that several photographs show, as `search_photos` does.

    `grays` are the photographs in their usual grey, and `counts` the zones it may have.
    """
    in_gray = [Bands(gray) for gray in grays]
    searched = search_photos(in_gray, radials, counts, starts, on_progress, form=form)
    if _best(searched) < scores.BELIEVED and not any(one.other_ring for one in searched.searches):
        # In grey a dark hole in blue paint is as dark as the paint. Where grey shows the board it shows it better: of
        # 60 photographs five were found by all colours alone, and three by grey alone.
        in_colors = [_in_colors(frame, gray) for frame, gray in zip(frames, in_gray, strict=True)]
        show_more = any(more.shows_more_than(gray) for more, gray in zip(in_colors, in_gray, strict=True))
        if show_more or any(_shows_ring_of_tock(one) for one in searched.searches):
            colored = search_photos(
                in_colors, radials, counts, starts, lambda _: on_progress(1.0),
                PASSES_IN_COLORS if len(frames) == 1 else PASSES_OF_MANY, form,
            )  # fmt: skip
            searched = max(searched, colored, key=_best)
    return (
        searched
        if starts is None
        else _without_touches(in_gray, radials, searched, starts, on_progress, form)
    )


def _in_colors(frame: Frame, gray: Bands) -> Bands:
    """A photograph by its usual grey and by whichever of its brightest and darkest colours differ from it."""
    others = [other for other in other_greys(frame) if not np.array_equal(other, gray.gray)]
    return Bands.together([gray, *(Bands(other) for other in others)])


def _shows_ring_of_tock(search: PhotoSearch) -> bool:
    """Whether holes lie in a ring of Tock though no board was believed: other spots may put it right."""
    ring = None if search.most_even is None else search.ring_of(search.most_even)
    return ring is not None and ring.is_tock and ring.is_sure


def _best(searched: Searched) -> float:
    return max((one.layout.score for one in searched.sightings if one is not None), default=0.0)


def _without_touches(
    in_gray: Sequence[Bands],
    radials: Sequence[float | None],
    searched: Searched,
    starts: Starts,
    on_progress: Callable[[float], None],
    form: Form,
) -> Searched:
    """The same search or, where nearly nothing was found by the touches, one without them that agrees with them."""
    first = searched.sightings[0]
    if 0 in searched.aligned or (first is not None and first.layout.score >= scores.TOUCHED):
        return searched
    again = search_photos(in_gray, radials, (starts.zones,), None, lambda _: on_progress(1.0), form=form)
    first = again.sightings[0]
    if first is None or not is_believed(first):
        return searched
    place = spots_of(first.orbits).table[first.layout.track[0][0]]
    off = float(np.abs(place - starts.start(first.pose)).min())
    return again if off < MAX_TOUCH_OFF_PITCHES else searched
