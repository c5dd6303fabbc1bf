"""Finds the part of a picture in which cards are too far away to be read in the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tock_vision.arrays import Frame
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corners import LABELS, is_joker
from tock_vision.cards.physical import likeliest, standing, sureness
from tock_vision.cards.views import View, all_views

MIN_PICTURE_PX, FINE_PX = 1000, 1280
"""Longer side of a picture from which a part of it shows more than the whole does, and of the size in which small finds
are sought where the usual ones show nothing."""
SMALL = 0.024
"""Indices are small up to this height, as a share of the longer side of the picture."""
HINTED, HINTED_BESIDE, CLEAR = 0.25, 0.6, 0.9
"""Sureness from which a small find is worth a look, and beside large clear indices; and from which none is needed."""
NEAR_HEIGHTS, MARGIN_HEIGHTS = 14.0, 8.0
"""Cards that lie or are held together are nearer than the first; a card reaches about the second from its index."""
MAX_SHARE = 0.6
"""Longer side of a part, as a share of that of the picture: print fills a picture, cards far away do not."""


@dataclass(frozen=True, slots=True)
class Part:
    """An upright part of a picture."""

    left: int
    top: int
    image: Frame

    def views(self) -> Iterator[View]:
        """Yield all views of the part alone, with their way back to the whole picture."""
        shift = np.array([[1.0, 0.0, self.left], [0.0, 1.0, self.top], [0.0, 0.0, 1.0]])
        for view in all_views(self.image):
            yield replace(view, back=shift @ view.back)


def fine_view(image: Frame, readings: Sequence[IndexReading]) -> View | None:
    """The picture to be searched finer, where it is large and nothing in it is even hinted at."""
    if max(image.shape[:2]) < MIN_PICTURE_PX or any(sureness(one) >= HINTED for one in readings):
        return None
    return View(image, np.eye(3), FINE_PX, alike=True)


def part_with_small_cards(image: Frame, readings: Sequence[IndexReading]) -> Part | None:
    """The part around the small finds of a picture that are not clear, None where there is none or no small part.

    What looks like the mark of a joker, as many things do, is no hint.
    """
    height, width = image.shape[:2]
    longest = max(height, width)
    large = [one for one in readings if one.corner.height_px >= SMALL * longest and standing(one) >= CLEAR]
    worth = HINTED_BESIDE if large else HINTED
    hinted = [
        one
        for one in readings
        if one.corner.height_px < SMALL * longest
        and sureness(one) >= HINTED
        and not is_joker(LABELS[likeliest(one)])
    ]
    if longest < MIN_PICTURE_PX or not any(
        worth <= sureness(one) and standing(one) < CLEAR for one in hinted
    ):
        return None
    cluster = _together(max(hinted, key=sureness), hinted)
    margin = MARGIN_HEIGHTS * max(one.corner.height_px for one in cluster)
    left, top = (
        max(0, int(min(at) - margin)) for at in zip(*((c.corner.x, c.corner.y) for c in cluster), strict=True)
    )
    right = min(width, int(max(one.corner.x for one in cluster) + margin))
    bottom = min(height, int(max(one.corner.y for one in cluster) + margin))
    if max(right - left, bottom - top) > MAX_SHARE * longest:
        return None
    return Part(left, top, image[top:bottom, left:right])


def _together(first: IndexReading, others: Sequence[IndexReading]) -> list[IndexReading]:
    """Those that lie near the first, or near one that does."""
    kept, left = [first], [one for one in others if one is not first]
    while True:
        near = [one for one in left if any(_are_near(one, other) for other in kept)]
        if not near:
            return kept
        kept += near
        left = [one for one in left if all(one is not other for other in near)]


def _are_near(one: IndexReading, other: IndexReading) -> bool:
    reach = NEAR_HEIGHTS * max(one.corner.height_px, other.corner.height_px)
    return one.corner.distance_px(other.corner) < reach
