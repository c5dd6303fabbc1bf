"""From corners to cards: the two corners of a card are joined, equal cards apart stay two."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import exp, hypot

import numpy as np

from tock_rules import Card, Suit
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corner_pairs import fits, may_be_of_one_card, opposite
from tock_vision.cards.corners import LABELS, Corner, is_joker
from tock_vision.cards.outlines import Outline
from tock_vision.cards.pips import Face

TWIN_CHANCE = 0.9
"""A corner this certain is one of which another is no misread part or twin."""
WEAK_CHANCE, EVEN_CHANCE = 0.8, 0.5
CONFIRMED, WELL_CONFIRMED = 0.8, 2.0
"""Further views that must agree for a reading to speak against an outline, and for two of them to do so anywhere in
it, or to be another index close to a surer one."""
VERY_SURE, HARDLY_CONFIRMED = 0.95, 0.5
"""One this sure is a second card of its name, and speaks against an outline with fewer views: two cards held side by
side have one outline."""
LONE_LOSS, LONE_VIEWS = 0.35, 1.5
"""The loss of a reading by one view alone, and how fast it fades with the views that agree."""
CLEAR_CORNER = 0.98
"""One corner of a card is this sure and the other less so, where blur hides which of two like suits that one shows."""
SHARED_ALIKE, SHARED = 0.02, 0.05
"""Chances, added up, that two readings give each other's card, from which they are two corners of one: where
only a suit of the same colour differs, and otherwise, as two different cards hardly ever do."""
RIVAL_CHANCE = 0.55
"""Sureness from which the other corner of a card makes it doubtful."""
SEEN_TWICE = 1.0
"""Further views from which an index is no misread other corner of another card."""
ALIKE_SIZES, FAN_SIZES, CONFIRMED_SIZES = 1.6, 1.5, 1.8
"""Indices of cards that lie together differ in height by less than the first factor, of neighbours in a fan by less
than the second, or the third where many looks read both."""
MIN_CONFIRMED_GAP_HEIGHTS, MIN_GAP_HEIGHTS, MIN_PART_GAP_HEIGHTS = 0.25, 0.4, 0.9
"""Two indices closer than this, in heights of the larger, cannot both be one: where many looks read both of them, where
few did, and where one may be a part of the other."""


MIN_OTHERS, SIDE_BY_SIDE_TURN, FAN_STEPS = 2, 0.6, 1.6
"""Other cards from which the step of a hand is known, the turn of cards side by side at most (radians), and the gap of
two equal cards, in the least step of others."""


@dataclass
class PhysicalCard:
    """One physical card: the readings of its indices, most certain first."""

    indices: list[IndexReading] = field(default_factory=list)
    outline: Outline | None = None
    """Its edges, where all four were seen."""
    face: Face | None = None
    """The print between its indices, read where they are not clear and it is."""

    @property
    def best(self) -> IndexReading:
        """The most certain reading."""
        return self.indices[0]

    @property
    def label(self) -> int:
        """Index of the card in `LABELS`."""
        return likeliest(self.best)

    @property
    def card(self) -> Card:
        """The card."""
        return LABELS[self.label]

    def chance(self) -> float:
        """Chance of the card before calibration: two corners that agree add up."""
        label, miss = self.label, 1.0
        for index in self.indices[:2]:
            miss *= 1 - sureness(index, label)
        return 1 - miss


def likeliest(index: IndexReading) -> int:
    """Index in `LABELS` of the card that a corner most likely shows."""
    return int(np.argmax(index.chances))


def sureness(index: IndexReading, label: int | None = None) -> float:
    """Chance that a corner is an index of its likeliest card, or of a certain one."""
    return index.valid * float(index.chances[likeliest(index) if label is None else label])


def standing(index: IndexReading) -> float:
    """How much a corner counts against another that it overlaps: one view alone is often surely wrong."""
    return sureness(index) - LONE_LOSS * exp(-LONE_VIEWS * index.agreed)


def is_lone_joker(index: IndexReading) -> bool:
    """Whether one view takes a corner for the mark of a joker, and no other does: any slanted letter looks like one."""
    return index.agreed < SEEN_TWICE and is_joker(LABELS[likeliest(index)])


def cards_of(indices: list[IndexReading], packs: int, outlines: Sequence[Outline] = ()) -> list[PhysicalCard]:
    """Join readings to physical cards; at most `packs` of each.

    One outline is one card, and print in its middle is no index.
    """
    seen: list[PhysicalCard] = []
    surest = without_fragments(sorted(indices, key=standing, reverse=True))
    for index in _outlined(surest, outlines, seen):
        label = likeliest(index)
        same = [card for card in seen if card.label == label]
        partners = [
            card for card in same if _may_hold(card, index.corner) and not _are_two(card, index, surest)
        ]
        if partners:
            partners[0].indices.append(index)
        elif not same:
            rival = _with_rival_corner(index, seen)
            if rival is not None:
                _weigh(rival, index)
            elif not _is_other_corner(index, seen):
                seen.append(PhysicalCard([index]))
        elif len(same) < packs and sureness(index) >= VERY_SURE:
            seen.append(PhysicalCard([index]))
    return _without_letters_for_jokers(seen)


def _outlined(
    indices: list[IndexReading], outlines: Sequence[Outline], seen: list[PhysicalCard]
) -> list[IndexReading]:
    """Add the cards that show their outlines to those seen; returns the indices that lie in none."""
    left = indices
    for outline in outlines:
        inside = [index for index in left if outline.holds(index.corner.x, index.corner.y)]
        corners = [index for index in inside if outline.has_in_corner(index.corner.x, index.corner.y)]
        if not corners:
            continue
        label = _label_of(corners)
        alike = [index for index in corners if likeliest(index) == label]
        both_corners = len(alike) > 1 and sureness(alike[1]) >= WEAK_CHANCE
        sure = [index for index in inside if _is_confirmed(index) and likeliest(index) != label]
        beside = any(not both_corners or any(index is one for one in corners) for index in sure)
        if beside or _is_of_another(sure, alike[0]):
            # Not one card but some side by side, or one upon another.
            continue
        seen.append(PhysicalCard(alike, outline))
        left = [index for index in left if all(index is not one for one in inside)]
    return left


def _label_of(corners: list[IndexReading]) -> int:
    """The label that the corners of one card agree on; a joker only where none of them may well be another card."""
    plain = [index for index in corners if not is_joker(LABELS[likeliest(index)])]
    counted = plain if any(sureness(index) >= EVEN_CHANCE for index in plain) else corners
    labels = {likeliest(index) for index in counted}
    return max(labels, key=lambda label: sum(sureness(index, label) for index in counted))


def _is_of_another(sure: list[IndexReading], corner: IndexReading) -> bool:
    """Whether two of the sure readings are those of another card, about as large as this one."""
    clear = [
        likeliest(index)
        for index in sure
        if index.agreed >= WELL_CONFIRMED
        and sureness(index) >= TWIN_CHANCE
        and 1 / ALIKE_SIZES < index.corner.height_px / corner.corner.height_px < ALIKE_SIZES
    ]
    return len(clear) > len(set(clear))


def _is_confirmed(index: IndexReading) -> bool:
    needed = HARDLY_CONFIRMED if sureness(index) >= VERY_SURE else CONFIRMED
    return sureness(index) >= WEAK_CHANCE and index.agreed >= needed


def without_fragments(indices: list[IndexReading]) -> list[IndexReading]:
    """Leave out readings of a mere part of an index, or of one read already; most certain first."""
    kept: list[IndexReading] = []
    for index in indices:
        if not any(overlap(index, other) for other in kept):
            kept.append(index)
    return kept


def overlap(index: IndexReading, surer: IndexReading) -> bool:
    """Whether two readings cannot both be indices: too close, the more so where one is turned or of another size.

    Indices of a tight fan are half their height apart. The letter of an index alone, turned by a quarter, looks like
    the corner mark of a joker.
    """
    right, down, turn = index.corner.seen_from(surer.corner)
    size = index.corner.height_px / surer.corner.height_px
    distance = hypot(right, down) / max(size, 1.0)
    if distance >= MIN_PART_GAP_HEIGHTS:
        return False
    confirmed = min(index.agreed, surer.agreed) >= WELL_CONFIRMED and likeliest(index) != likeliest(surer)
    most = CONFIRMED_SIZES if confirmed else FAN_SIZES
    alike = abs(turn) < 0.7 and 1 / most < size < most and not is_joker(LABELS[likeliest(index)])
    return not alike or distance < (MIN_CONFIRMED_GAP_HEIGHTS if confirmed else MIN_GAP_HEIGHTS)


def _may_hold(card: PhysicalCard, corner: Corner) -> bool:
    """Whether a corner can belong to a card of which other corners were read."""
    return any(may_be_of_one_card(corner, index.corner) for index in card.indices)


def _are_two(card: PhysicalCard, index: IndexReading, surest: Sequence[IndexReading]) -> bool:
    """Whether two upright indices of one name are those of equal cards side by side, as in a hand of two packs.

    Another index lies between them, or they are as near as the indices of other cards are; of a deck with four indices
    a card, others show two as well.
    """
    gaps = [(gap, own) for own in card.indices if (gap := _upright_gap(own, index)) is not None]
    if not gaps:
        return False
    gap, own = min(gaps, key=lambda pair: pair[0])
    row = [one for one in surest if sureness(one) >= TWIN_CHANCE and likeliest(one) != card.label]
    near = [(_upright_gap(one, own), _upright_gap(one, index)) for one in row]
    if any(first is not None and second is not None and max(first, second) < gap for first, second in near):
        return True
    pairs = [(likeliest(one) == likeliest(two), _upright_gap(one, two)) for one, two in combinations(row, 2)]
    if len(row) < MIN_OTHERS or any(alike and step is not None for alike, step in pairs):
        return False
    steps = [
        step for step in (*(step for both in near for step in both), *(step for _, step in pairs)) if step
    ]
    return bool(steps) and gap < FAN_STEPS * min(steps)


def _upright_gap(one: IndexReading, other: IndexReading) -> float | None:
    """How far two upright indices of a size lie beside each other, in heights; None of others."""
    right, down, turn = other.corner.seen_from(one.corner)
    size = other.corner.height_px / one.corner.height_px
    in_a_row = (
        abs(turn) < SIDE_BY_SIDE_TURN and abs(down) < abs(right) and 1 / ALIKE_SIZES < size < ALIKE_SIZES
    )
    return hypot(right, down) if in_a_row else None


def _with_rival_corner(index: IndexReading, seen: Sequence[PhysicalCard]) -> PhysicalCard | None:
    """The card of which a reading is the other corner, read as another card that it may well be."""
    if sureness(index) >= CLEAR_CORNER:
        return None
    fitting = [card for card in seen if card.outline is None and _may_hold(card, index.corner)]
    return next((card for card in fitting if _may_be_either(card.best, index)), None)


def _may_be_either(one: IndexReading, other: IndexReading) -> bool:
    """Whether two readings allow each other's card, more than those of two different cards ever do."""
    label, rival = likeliest(one), likeliest(other)
    alike = _is_of_other_suit(LABELS[label], LABELS[rival])
    shared = float(one.chances[rival] + other.chances[label])
    return not is_joker(LABELS[rival]) and shared >= (SHARED_ALIKE if alike else SHARED)


def _weigh(card: PhysicalCard, rival: IndexReading) -> None:
    """Weigh both corners of a card together, where its own is not clear."""
    best = card.best
    first, second = sureness(best), sureness(rival)
    if first >= VERY_SURE or second < RIVAL_CHANCE:
        return
    chances = (first * best.chances + second * rival.chances) / (first + second)
    card.indices[0] = replace(best, chances=np.asarray(chances, np.float32))


def split_pairs(cards: list[PhysicalCard], missing: int, packs: int) -> list[PhysicalCard]:
    """Split as many cards as are missing into two equal ones, those whose corners fit worst first."""
    if packs < 2:
        return cards
    labels = [card.label for card in cards]
    pairs = [
        card
        for card in cards
        if len(card.indices) == 2
        and labels.count(card.label) == 1
        and sureness(card.indices[1], card.label) >= TWIN_CHANCE
    ]
    chosen = sorted(pairs, key=_misfit, reverse=True)[:missing]
    kept = [card for card in cards if not any(card is one for one in chosen)]
    return kept + [PhysicalCard([index]) for card in chosen for index in card.indices]


def _misfit(card: PhysicalCard) -> float:
    """Deviation of the two corners of a card from equal size and from lying straight."""
    first, second = (index.corner for index in card.indices)
    turn = abs(second.seen_from(first)[2])
    return float(min(turn, np.pi - turn) + abs(np.log(second.height_px / first.height_px)))


def _is_other_corner(index: IndexReading, seen: list[PhysicalCard]) -> bool:
    """Whether an unsure reading is the misread other corner of a card already seen: rank or colour agrees.

    A surer one is, where the rank and the colour agree and it lies diagonally.
    """
    card, unsure = LABELS[likeliest(index)], sureness(index) < TWIN_CHANCE and index.agreed < SEEN_TWICE
    return any(
        (_is_alike(card, one.card) if unsure else _is_of_other_suit(card, one.card))
        and sureness(one.best) > (TWIN_CHANCE if unsure else CLEAR_CORNER)
        and sureness(index) < CLEAR_CORNER
        and len(one.indices) == 1
        and abs(index.corner.seen_from(one.best.corner)[2]) > 2.7
        and fits(index.corner, one.best.corner)
        for one in seen
    )


def _is_alike(card: Card, other: Card) -> bool:
    return card.rank is other.rank or _is_red(card) == _is_red(other)


def _is_of_other_suit(card: Card, other: Card) -> bool:
    """Whether two cards differ in nothing but a suit of the same colour, which blur hides first."""
    return card.rank is other.rank and card.suit is not other.suit and _is_red(card) == _is_red(other)


def _is_red(card: Card) -> bool:
    return card.suit in (Suit.HEARTS, Suit.DIAMONDS)


def _without_letters_for_jokers(seen: list[PhysicalCard]) -> list[PhysicalCard]:
    """Leave out jokers that are really a letter of another card: on its side there, or at its other corner.

    Jokers are rare and court cards are not, so the other card need only be as good as even.
    """
    plain = [card for card in seen if not is_joker(card.card) and card.chance() >= EVEN_CHANCE]
    return [
        card
        for card in seen
        if not is_joker(card.card)
        or card.outline is not None
        or not any(_is_letter_of(card, other) for other in plain)
    ]


def _is_letter_of(joker: PhysicalCard, card: PhysicalCard) -> bool:
    """Whether the seeming mark of a joker can be a letter of a card: turned by a quarter, or diagonal."""
    for index in joker.indices:
        right, down, turn = index.corner.seen_from(card.best.corner)
        if abs(right) < 8.0 and -1.5 < down < 13.0 and 0.9 < abs(turn) < 2.2:
            return True
    corner, other = joker.best.corner, card.best.corner
    alone = len(joker.indices) == len(card.indices) == 1
    return alone and abs(np.log(corner.height_px / other.height_px)) < 0.3 and opposite(corner, other)


def in_reading_order(places: list[tuple[float, float, float]]) -> list[int]:
    """Order cards line by line, left to right; `places` are centres and heights of an index."""
    left = sorted(range(len(places)), key=lambda n: places[n][1])
    order: list[int] = []
    while left:
        _, top, height = places[left[0]]
        line = [n for n in left if places[n][1] < top + 3.0 * height]
        order += sorted(line, key=lambda n: places[n][0])
        left = [n for n in left if n not in line]
    return order


def middle_of(card: PhysicalCard) -> tuple[float, float, float]:
    """Approximate centre of a card, and the height of its index."""
    corner = card.best.corner
    if len(card.indices) > 1 and abs(card.indices[1].corner.seen_from(corner)[2]) > 2.4:
        other = card.indices[1].corner
        return (corner.x + other.x) / 2, (corner.y + other.y) / 2, corner.height_px
    inner = corner.moved(1.6, 2.6, 0.0, 0.0)
    return inner.x, inner.y, corner.height_px
