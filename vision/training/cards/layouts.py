"""Chooses where the cards of a synthetic scene lie: apart, overlapping, in a row, fanned in a hand or piled."""

from typing import Any

import numpy as np

from vision.training.cards.decks import HEIGHT, WIDTH

Array = Any


class Layouts:
    """Chooses places in square scenes; all chance comes from one generator."""

    def __init__(self, rng: Any, side: int, heights: tuple[float, float], hard: float) -> None:
        self.rng = rng
        self.side = side
        self.heights = heights
        """Heights of cards in pixels."""
        self.hard = hard
        """Share of scenes seen very flat."""

    def uniform(self, low: float, high: float) -> float:
        """A uniform random number."""
        return float(self.rng.uniform(low, high))

    def chance(self, share: float) -> bool:
        """True in that share of calls."""
        return bool(self.rng.random() < share)

    def height(self) -> float:
        """Choose how high cards are in pixels: the index is about a sixth of that."""
        return float(np.exp(self.uniform(*np.log(self.heights))))

    def spot(self) -> Array:
        """Choose a place."""
        return self.rng.uniform(0.08, 0.92, 2) * self.side

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
