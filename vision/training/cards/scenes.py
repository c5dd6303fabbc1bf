"""Synthetic photographs of cards with the truth.

`python -m vision.training.cards.scenes ART FOLDER --files 8 --seed 1`.

A scene has cards apart, overlapping, in a row, fanned in a hand or piled, among backs, other games' cards, text and
clutter; then light, shade, glare, blur, noise and JPEG. The file holds the JPEG of each scene and one row for each
printed corner: scene, x, y (middle of the index in pixels), up (radians, 0 = up, clockwise), height (pixels),
visible share, card, number of the physical card.
"""

import argparse
import logging
import time
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cards.art import DECK, JOKERS
from vision.training.cards.camera import Camera, softened
from vision.training.cards.decks import HEIGHT, WIDTH, Face
from vision.training.cards.printer import Printer
from vision.training.cards.tables import Tables

Array = Any
log = logging.getLogger(__name__)
SIDE = 416
NAMES = (*DECK, *JOKERS)
KINDS = ("single", "apart", "overlap", "row", "fan", "pile", "none")
KIND_SHARE = (0.07, 0.2, 0.24, 0.15, 0.2, 0.06, 0.08)


@dataclass
class Laid:
    """One card as laid in the scene: card to scene pixels."""

    face: Face | None
    picture: Array
    matrix: Array


@dataclass
class Scene:
    """The picture and its rows of truth."""

    image: Array
    rows: list[tuple[float, ...]] = field(default_factory=list)


class Maker:
    """Makes scenes, the same ones for the same seed."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        side: int = SIDE,
        heights: tuple[float, float] = (52, 300),
        hard: float = 0.0,
        held: bool | None = None,
    ) -> None:
        self.heights = heights
        self.hard = hard
        """Share of scenes seen very flat; half as many are dark or in glare."""
        self.printer = Printer(folder, held)
        self.rng = np.random.default_rng(seed)
        self.side = side
        self.renewal = 0.2
        """Rate at which a style of lettering gives way to a new one; printing is slow."""
        self.styles: list[tuple[dict[str, Any], dict[str, Face]]] = []
        self.camera = Camera(self.rng, side, hard / 2)
        self.tables = Tables(folder, self.camera, self.printer.fonts)
        self.skins = [(150, 175, 225), (120, 150, 205), (90, 120, 175), (60, 80, 120), (45, 60, 95)]

    def uniform(self, low: float, high: float) -> float:
        """A uniform random number."""
        return float(self.rng.uniform(low, high))

    def chance(self, share: float) -> bool:
        """True in that share of calls."""
        return bool(self.rng.random() < share)

    def scene(self, kind: str | None = None, count: int | None = None) -> Scene:
        """Make one scene; without a kind one of all."""
        kind = kind or str(self.rng.choice(KINDS, p=KIND_SHARE))
        canvas = self.tables.background()
        owner = np.full((self.side, self.side), -1, np.int16)
        laid = self.layout(kind, count)
        for number, card in enumerate(laid):
            self.draw(canvas, owner, card, number)
        if kind == "fan" or self.chance(0.12):
            self.fingers(canvas, owner, laid)
        rows = self.truth(laid, owner)
        return Scene(self.camera.photographed(canvas), rows)

    def deck(self) -> Any:
        """A function from a card to its face: one deck, as drawn or re-lettered."""
        if self.chance(0.55):
            if len(self.styles) < 12:
                self.styles.append((self.printer.style(self.rng), {}))
            elif self.chance(self.renewal):
                self.styles[int(self.rng.integers(12))] = (self.printer.style(self.rng), {})
            style, printed = self.styles[int(self.rng.integers(len(self.styles)))]

            def lettered(card: str) -> Face:
                if card not in printed:
                    face = self.printer.lettered(style, card)
                    printed[card] = face or self.printer.face(self.rng, style["deck"], card)
                return printed[card]

            return lettered
        name = str(self.rng.choice(self.printer.names))
        return lambda card: self.printer.face(self.rng, name, card)

    def layout(self, kind: str, count: int | None) -> list[Laid]:
        """Choose cards and where they lie."""
        rng = self.rng
        if kind == "none":
            count = int(rng.integers(0, 4)) if count is None else count
            return [
                self.other(self.matrix(self.height(), self.spot(), self.uniform(0, 6.3)))
                for _ in range(count)
            ]
        face = self.deck()
        height = self.height()
        if count is None:
            count = 1 if kind == "single" else int(rng.integers(2, 14 if kind in ("fan", "row") else 8))
        names = [
            str(rng.choice(NAMES)) if self.chance(0.9) else str(rng.choice(JOKERS)) for _ in range(count)
        ]
        if self.chance(0.25):
            # Only a part shows the hard pairs more often: 6 and 9, clubs and spades, hearts and diamonds.
            names = [
                n if self.chance(0.5) else str(rng.choice(["6", "9", "K", "Q", "10"])) + n[-1] for n in names
            ]
            names = [n if n in NAMES else "9S" for n in names]
        laid = []
        for name, matrix in zip(names, self.places(kind, count, height), strict=True):
            if self.chance(0.04):
                laid.append(self.other(matrix))
            else:
                printed = face(name)
                laid.append(Laid(printed, printed.image, matrix))
        return laid

    def height(self) -> float:
        """Choose how high cards are in pixels: the index is about a sixth of that."""
        return float(np.exp(self.uniform(*np.log(self.heights))))

    def spot(self) -> Array:
        """Choose a place."""
        return self.rng.uniform(0.08, 0.92, 2) * self.side

    def other(self, matrix: Array) -> Laid:
        """Lay a back or a card of another game, which has no index."""
        others = self.printer.without_index
        picture = others[int(self.rng.integers(len(others)))]
        if self.chance(0.3):
            picture = np.ascontiguousarray(picture[:, :, self.rng.permutation(3)])
        return self.laid_other(picture, matrix)

    def laid_other(self, picture: Array, matrix: Array) -> Laid:
        """Lay any picture as a card without an index."""
        return Laid(None, picture, matrix)

    def places(self, kind: str, count: int, height: float) -> list[Array]:
        """The matrices of all cards of a layout."""
        turn = self.uniform(-0.4, 0.4) if self.chance(0.6) else self.uniform(0, 2 * np.pi)
        tilt = self.tilt()
        middle = self.spot()
        if kind in ("row", "fan"):
            return self.in_line(kind == "fan", count, height, middle, turn, tilt)
        if kind == "apart":
            return self.in_grid(count, height, tilt)
        out = []
        spread = {"single": 0.0, "pile": 0.12, "overlap": self.uniform(0.3, 0.9)}[kind]
        for _ in range(count):
            place = middle + self.rng.normal(0, 1, 2) * spread * height
            angle = turn + self.uniform(-0.5, 0.5) if kind != "pile" else self.uniform(0, 6.3)
            if kind == "overlap" and self.chance(0.3):
                angle = self.uniform(0, 6.3)
            out.append(self.matrix(height * self.uniform(0.95, 1.05), place, angle, tilt))
        return out

    def in_line(
        self, fanned: bool, count: int, height: float, middle: Array, turn: float, tilt: Array
    ) -> list[Array]:
        """The matrices of cards in a row, or fanned in a hand."""
        step = self.uniform(0.17, 0.55) * height * WIDTH / HEIGHT
        bend = self.uniform(0.06, 0.22) if fanned else 0.0
        arm = height * self.uniform(0.8, 1.4)
        out = []
        for n in range(count):
            along = n - (count - 1) / 2
            angle = turn + bend * along + self.uniform(-0.03, 0.03)
            if fanned:
                place = middle + arm * np.array([np.sin(angle) - np.sin(turn), np.cos(turn) - np.cos(angle)])
            else:
                place = middle + along * step * np.array([np.cos(turn), np.sin(turn)])
            place = place + self.rng.normal(0, 0.01 * height, 2)
            out.append(self.matrix(height, place, angle, tilt))
        if self.chance(0.1):
            out.reverse()
        return out

    def in_grid(self, count: int, height: float, tilt: Array) -> list[Array]:
        """The matrices of cards apart from each other."""
        width = height * WIDTH / HEIGHT
        across = max(1, int(self.side / (width * 1.15)))
        grid = [(c, r) for r in range(max(1, int(self.side / (height * 1.1)))) for c in range(across)]
        self.rng.shuffle(grid)
        shift = self.rng.uniform(-0.3, 0.3, 2) * height
        out = []
        for n in range(count):
            column, row = grid[n % len(grid)]
            place = np.array([(column + 0.5) * width * 1.15, (row + 0.5) * height * 1.1]) + shift
            jitter = self.uniform(-0.12, 0.12)
            half = np.pi if self.chance(0.3) else 0.0
            out.append(self.matrix(height, place, jitter + half, tilt))
        return out

    def tilt(self) -> Array:
        """Choose the slant of the camera: a homography around the middle of the scene."""
        if self.hard and self.chance(self.hard):
            strength, squeezed = self.uniform(0.1, 0.85), self.uniform(0.2, 0.7)
        else:
            strength = 0.0 if self.chance(0.3) else self.uniform(0, 0.55)
            squeezed = strength * 0.35
        direction = self.uniform(0, 6.3)
        far = strength / self.side
        ahead = np.array([np.cos(direction), np.sin(direction)])
        matrix = np.eye(3)
        matrix[2, :2] = far * np.cos(direction), far * np.sin(direction)
        matrix[:2, :2] -= squeezed * np.outer(ahead, ahead)
        middle = np.eye(3)
        middle[:2, 2] = self.side / 2
        return middle @ matrix @ np.linalg.inv(middle)

    def matrix(self, height: float, place: Array, angle: float, tilt: Array | None = None) -> Array:
        """Card pixels to scene pixels."""
        scale = height / HEIGHT
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        matrix = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        matrix[:2, 2] = place - matrix[:2, :2] @ np.array([WIDTH / 2, HEIGHT / 2])
        return (tilt if tilt is not None else self.tilt()) @ matrix

    def draw(self, canvas: Array, owner: Array, card: Laid, number: int) -> None:
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
        part = canvas[y0:y1, x0:x1].astype(np.float32)
        share = cover[y0:y1, x0:x1, None].astype(np.float32) / 255
        shade = cv2.GaussianBlur(share, (0, 0), self.uniform(0.8, 3.5))[..., None] * self.uniform(0, 0.55)
        part *= 1 - shade * (1 - share)
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        seen = cv2.warpPerspective(picture, move @ card.matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        canvas[y0:y1, x0:x1] = part * (1 - share) + seen.astype(np.float32) * share
        owner[y0:y1, x0:x1][share[..., 0] > 0.5] = number

    def fingers(self, canvas: Array, owner: Array, laid: list[Laid]) -> None:
        """Lay some fingers over the lower part of a hand, or anywhere."""
        skin = np.array(self.skins[int(self.rng.integers(len(self.skins)))]) * self.uniform(0.8, 1.1)
        card = laid[int(self.rng.integers(len(laid)))].matrix if laid else np.eye(3)
        for _ in range(int(self.rng.integers(1, 5))):
            start = np.array([self.uniform(0.1, 0.9) * WIDTH, HEIGHT * self.uniform(0.75, 1.3), 1.0])
            end = start + np.array([self.uniform(-0.3, 0.3) * WIDTH, -self.uniform(0.15, 0.6) * HEIGHT, 0])
            a, b = card @ start, card @ end
            points = [tuple(int(v) for v in p[:2] / p[2]) for p in (a, b)]
            if max(abs(v) for p in points for v in p) > 4000:
                continue
            width = max(4, int(self.uniform(0.2, 0.32) * WIDTH * np.sqrt(abs(np.linalg.det(card[:2, :2])))))
            mask = np.zeros(owner.shape, np.uint8)
            cv2.line(mask, points[0], points[1], 255, width, cv2.LINE_AA)
            x, y, wide, high = cv2.boundingRect(mask)
            inside = slice(y, y + high), slice(x, x + wide)
            soft = softened(mask[inside], width / 5 + 0.5)[..., None] / 255
            share = mask[inside][..., None].astype(np.float32) / 255
            canvas[inside] = (canvas[inside] * (1 - share) + skin * (0.5 + 0.5 * soft) * share).clip(0, 255)
            owner[mask > 127] = -2

    def truth(self, laid: list[Laid], owner: Array) -> list[tuple[float, ...]]:
        """A row for each printed corner inside the scene."""
        rows = []
        for number, card in enumerate(laid):
            if card.face is None:
                continue
            for box in card.face.boxes:
                for half in (False, True):
                    row = self.corner(card, box, half, owner, number)
                    if row:
                        rows.append(row)
        return rows

    def corner(
        self, card: Laid, box: tuple[float, ...], half: bool, owner: Array, number: int
    ) -> tuple[float, ...] | None:
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
        near = owner[y0:y1, x0:x1]
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


def write_scenes(maker: Maker, file: Path, count: int, kind: str | None = None) -> None:
    """Write a file of scenes."""
    pictures: list[bytes] = []
    rows: list[tuple[float, ...]] = []
    for number in range(count):
        scene = maker.scene(kind)
        quality = int(maker.rng.integers(35, 96))
        pictures.append(cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
        rows += [(number, *row) for row in scene.rows]
    ends = np.cumsum([0] + [len(picture) for picture in pictures])
    jpeg = np.frombuffer(b"".join(pictures), np.uint8)
    np.savez(file, jpeg=jpeg, ends=ends, rows=np.array(rows, np.float32))


def main() -> None:
    """Write files of scenes."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("out", type=Path, help="folder of the files")
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--count", type=int, default=1000, help="scenes in each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hard", type=float, default=0.0, help="share of scenes seen very flat")
    parser.add_argument("--least", type=float, default=52, help="height of the smallest cards, in pixels")
    parser.add_argument(
        "--held", choices=("only", "without"), help="decks and fonts held out: only those, or none of them"
    )
    options = parser.parse_args()
    cv2.setNumThreads(1)
    held = None if options.held is None else options.held == "only"
    maker = Maker(options.art, options.seed, heights=(options.least, 300.0), hard=options.hard, held=held)
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.files):
        began_s = time.monotonic()
        file = options.out / f"scenes-{options.seed}-{number:02d}.npz"
        write_scenes(maker, file, options.count)
        log.info("%s: %d scenes in %.0f s", file, options.count, time.monotonic() - began_s)


if __name__ == "__main__":
    main()
