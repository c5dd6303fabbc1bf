"""Draws cards onto the table of a synthetic scene, and knows which card shows in each pixel: the truth of a scene."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.training.cards.camera import Camera, softened
from vision.training.cards.decks import HEIGHT, NAMES, WIDTH, Face

Array = Any
SKINS = [(150, 175, 225), (120, 150, 205), (90, 120, 175), (60, 80, 120), (45, 60, 95)]
NO_CARD, FINGER, OUTSIDE = -1, -2, -3
"""Owners of pixels that show no card; all others are numbers of cards."""


@dataclass
class Laid:
    """One card as laid in the scene: card to scene pixels."""

    face: Face | None
    picture: Array
    matrix: Array


class Canvas:
    """The square picture of a table onto which cards are laid, and the number of the card that owns each pixel."""

    def __init__(self, table: Array, camera: Camera) -> None:
        self.picture = table
        self.owner = np.full(table.shape[:2], NO_CARD, np.int16)
        self.side = len(table)
        self.camera = camera
        """Has the generator from which all chance comes."""

    def lay(self, cards: list[Laid]) -> None:
        """Draw cards, each over those before it."""
        for number, card in enumerate(cards):
            self.draw(card, number)

    def draw(self, card: Laid, number: int) -> None:
        """Draw a card with round corners and the shade below it."""
        size = (self.side, self.side)
        shape = rounded(0.035 + 0.02 * (number % 2))
        scale = np.sqrt(abs(np.linalg.det(card.matrix[:2, :2])))
        coarse = 1 if scale >= 0.5 else 2 if scale > 0.33 else 3
        picture = card.face.softened(coarse) if card.face else cv2.blur(card.picture, (coarse, coarse))
        cover = cv2.warpPerspective(shape, card.matrix, size, flags=cv2.INTER_AREA)
        if not cover.any():
            return
        rows, columns = np.nonzero(cover.any(axis=1))[0], np.nonzero(cover.any(axis=0))[0]
        pad = 8
        y0, y1 = max(rows[0] - pad, 0), min(rows[-1] + pad, self.side)
        x0, x1 = max(columns[0] - pad, 0), min(columns[-1] + pad, self.side)
        part = self.picture[y0:y1, x0:x1].astype(np.float32)
        share = cover[y0:y1, x0:x1, None].astype(np.float32) / 255
        soft = cv2.GaussianBlur(share, (0, 0), self.camera.uniform(0.8, 3.5))
        shade = soft[..., None] * self.camera.uniform(0, 0.55)
        part *= 1 - shade * (1 - share)
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        seen = cv2.warpPerspective(picture, move @ card.matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        self.picture[y0:y1, x0:x1] = part * (1 - share) + seen.astype(np.float32) * share
        self.owner[y0:y1, x0:x1][share[..., 0] > 0.5] = number

    def fingers(self, laid: list[Laid]) -> None:
        """Lay some fingers over the lower part of a hand, or anywhere."""
        rng, uniform = self.camera.rng, self.camera.uniform
        skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * uniform(0.8, 1.1)
        card = laid[int(rng.integers(len(laid)))].matrix if laid else np.eye(3)
        for _ in range(int(rng.integers(1, 5))):
            start = np.array([uniform(0.1, 0.9) * WIDTH, HEIGHT * uniform(0.75, 1.3), 1.0])
            end = start + np.array([uniform(-0.3, 0.3) * WIDTH, -uniform(0.15, 0.6) * HEIGHT, 0])
            a, b = card @ start, card @ end
            points = [tuple(int(v) for v in p[:2] / p[2]) for p in (a, b)]
            if max(abs(v) for p in points for v in p) > 4000:
                continue
            width = max(4, int(uniform(0.2, 0.32) * WIDTH * np.sqrt(abs(np.linalg.det(card[:2, :2])))))
            mask = np.zeros(self.owner.shape, np.uint8)
            cv2.line(mask, points[0], points[1], 255, width, cv2.LINE_AA)
            x, y, wide, high = cv2.boundingRect(mask)
            inside = slice(y, y + high), slice(x, x + wide)
            soft = softened(mask[inside], width / 5 + 0.5)[..., None] / 255
            share = mask[inside][..., None].astype(np.float32) / 255
            self.picture[inside] = (
                self.picture[inside] * (1 - share) + skin * (0.5 + 0.5 * soft) * share
            ).clip(0, 255)
            self.owner[mask > 127] = FINGER

    def truth(self, laid: list[Laid]) -> list[tuple[float, ...]]:
        """A row for each printed corner inside the scene."""
        rows = []
        for number, card in enumerate(laid):
            if card.face is None:
                continue
            for box in card.face.boxes:
                for half in (False, True):
                    row = self.corner(card, box, half, number)
                    if row:
                        rows.append(row)
        return rows

    def corner(self, card: Laid, box: tuple[float, ...], half: bool, number: int) -> tuple[float, ...] | None:
        """The row of one corner; `half` is the one seen with the card turned by half."""
        x, y, width, height = box
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
        if half:
            corners = np.array([WIDTH, HEIGHT], np.float32) - corners
        seen = cv2.perspectiveTransform(corners[None], card.matrix)[0]
        middle = seen.mean(axis=0)
        if not (4 < middle[0] < self.side - 4 and 4 < middle[1] < self.side - 4):
            return None
        up = (seen[0] + seen[1] - seen[2] - seen[3]) / 2
        inside = seen.clip(0, self.side)
        (x0, y0), (x1, y1) = inside.min(axis=0).astype(int), inside.max(axis=0).astype(int) + 1
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round((seen - (x0, y0)) * 16).astype(np.int32), 1, shift=4)
        area = float(cv2.contourArea(seen))
        whole = float(cv2.contourArea(inside)) / max(area, 1e-6)
        near = self.owner[y0:y1, x0:x1]
        spots = mask[: near.shape[0], : near.shape[1]] > 0
        share = float((near[spots] == number).mean()) * whole if spots.any() else 0.0
        assert card.face is not None
        return (
            *middle,
            float(np.arctan2(up[0], -up[1])),
            float(np.hypot(*up)),
            share,
            NAMES.index(card.face.card),
            number,
        )


@lru_cache(maxsize=4)
def rounded(share: float) -> Array:
    """The outline of a card (255 inside)."""
    radius = int(share * HEIGHT)
    shape = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.rectangle(shape, (radius, 0), (WIDTH - radius - 1, HEIGHT - 1), 255, -1)
    cv2.rectangle(shape, (0, radius), (WIDTH - 1, HEIGHT - radius - 1), 255, -1)
    for x in (radius, WIDTH - radius - 1):
        for y in (radius, HEIGHT - radius - 1):
            cv2.circle(shape, (x, y), radius, 255, -1)
    return shape
