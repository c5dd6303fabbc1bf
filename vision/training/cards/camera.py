"""Simulates camera and light in a synthetic scene: shade, glare, colour of the light, blur, noise."""

from typing import Any

import cv2
import numpy as np

Array = Any
NOISE_PX = 640


class Camera:
    """Takes pictures of scenes, square ones of one size; all chance comes from one generator."""

    def __init__(self, rng: Any, side: int, hard: float = 0.0) -> None:
        self.rng = rng
        self.side = side
        self.hard = hard
        """Share of pictures in hard light: dark, or with strong glare."""
        size = max(NOISE_PX, side + 64)
        self.noises = rng.normal(0, 1, (3, size, size, 3)).astype(np.float32)

    def uniform(self, low: float, high: float) -> float:
        """A uniform random number."""
        return float(self.rng.uniform(low, high))

    def chance(self, share: float) -> bool:
        """True in that share of calls."""
        return bool(self.rng.random() < share)

    def noise(self) -> Array:
        """Noise of the size of a scene, a part of some made once."""
        bank = self.noises[int(self.rng.integers(len(self.noises)))]
        y, x = self.rng.integers(0, bank.shape[0] - self.side, 2)
        return bank[y : y + self.side, x : x + self.side]

    def photographed(self, canvas: Array) -> Array:
        """Apply light, shade, glare, lens and sensor."""
        image = canvas.astype(np.float32) / 255
        side, rng = self.side, self.rng
        ramp = np.linspace(-1, 1, side, dtype=np.float32)
        slope = ramp[None, :, None] * rng.uniform(-0.4, 0.4) + ramp[:, None, None] * rng.uniform(-0.4, 0.4)
        tint = 1 + rng.normal(0, 0.09, 3)
        image *= ((1 + slope) * tint).astype(np.float32)
        if self.chance(0.3):
            self.shadow(image)
        if self.chance(0.25):
            self.glare(image)
        level = self.uniform(0.25, 1.25) if self.chance(0.5) else self.uniform(0.75, 1.1)
        if self.hard and self.chance(self.hard):
            level = self.hard_light(image)
        image = cv2.pow((image * np.float32(level)).clip(1e-4, 1.4), self.uniform(0.7, 1.35))
        contrast = self.uniform(0.6, 1.05)
        image = image * contrast + self.uniform(0, 1) * max(0.0, 1 - contrast) * 0.6
        pick = rng.random()
        if pick < 0.35:
            image = cv2.GaussianBlur(image, (0, 0), self.uniform(0.3, 1.1))
        elif pick < 0.5:
            image = self.motion(image)
        elif pick < 0.68:
            factor = self.uniform(0.55, 0.95)
            small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            image = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
        elif pick < 0.78:
            soft = cv2.GaussianBlur(image, (0, 0), 1.2)
            image = image + (image - soft) * self.uniform(0.3, 1.3)
        if self.chance(0.7):
            image = image + self.noise() * np.float32(self.uniform(0.003, 0.035))
        if self.chance(0.06):
            image[:] = image.mean(axis=2, keepdims=True)
        return (image.clip(0, 1) * 255).astype(np.uint8)

    def shadow(self, image: Array) -> None:
        """Darken a part with a soft edge."""
        mask = np.zeros(image.shape[:2], np.float32)
        points = self.rng.uniform(-0.2, 1.2, (int(self.rng.integers(3, 6)), 2)) * self.side
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
        mask = softened(mask, self.uniform(1, 25))
        image *= 1 - mask[..., None] * self.uniform(0.2, 0.65)

    def glare(self, image: Array) -> None:
        """Lay a bright spot or streak over a part."""
        mask = np.zeros(image.shape[:2], np.float32)
        center = tuple(int(v) for v in self.rng.uniform(0.08, 0.92, 2) * self.side)
        axes = (int(self.uniform(10, 90)), int(self.uniform(6, 50)))
        cv2.ellipse(mask, center, axes, self.uniform(0, 180), 0, 360, 1.0, -1)
        mask = softened(mask, self.uniform(5, 30))
        image += mask[..., None] * self.uniform(0.15, 0.9)

    def hard_light(self, image: Array) -> float:
        """Lay strong glare over a picture, or return how little light there is."""
        if self.chance(0.5):
            for _ in range(int(self.rng.integers(2, 5))):
                self.glare(image)
            return self.uniform(0.8, 1.3)
        return self.uniform(0.1, 0.35)

    def motion(self, image: Array) -> Array:
        """Blur along a line."""
        length = int(self.rng.integers(2, 6))
        kernel = np.zeros((2 * length + 1,) * 2, np.float32)
        angle = self.uniform(0, np.pi)
        tip = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        a, b = (np.array([length, length]) + sign * tip for sign in (-1, 1))
        cv2.line(kernel, tuple(round(float(v)) for v in a), tuple(round(float(v)) for v in b), 1.0, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())


def softened(mask: Array, sigma: float) -> Array:
    """Blur a mask; a wide blur is made on a small copy, which is much quicker."""
    mask = mask.astype(np.float32)
    if sigma < 4 or min(mask.shape) < 16:
        return cv2.GaussianBlur(mask, (0, 0), sigma) if mask.size else mask
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / 4), mask.shape[::-1])
