"""What the glass of a marble looks like: plain, with ribbons, or clear with a coloured vane inside."""

from functools import lru_cache

import numpy as np

from tock_vision.arrays import Singles
from tock_vision.camera_pose import rotation_matrix

TEXTURE_PX = 64
EDGE = 1.1
"""The texture reaches from minus this to plus this many radii."""
PALE = (232.0, 236.0, 236.0)
CLEAR = (96.0, 104.0, 104.0)


@lru_cache(maxsize=256)
def marble_texture(style: str, color: tuple[float, float, float], seed: int) -> Singles:
    """Return the colours of a marble seen from above (BGR, 0 to 255, shape: [TEXTURE_PX, TEXTURE_PX, 3])."""
    rng = np.random.default_rng(seed)
    base = np.array(color)
    steps = ((np.arange(TEXTURE_PX) + 0.5) / TEXTURE_PX * 2 - 1) * EDGE
    x, y = np.meshgrid(steps, steps)
    z = np.sqrt(np.maximum(1.0 - x * x - y * y, 0.0))
    turned = np.stack([x, y, z], axis=-1) @ rotation_matrix(rng.uniform(-2, 2, 3))
    if style == "swirl":
        # Ribbons that wind around the ball.
        angle = np.arctan2(turned[..., 1], turned[..., 0])
        wave = np.sin(
            rng.integers(1, 4) * angle + rng.uniform(1.5, 5.0) * turned[..., 2] + rng.uniform(0, 6.3)
        )
        share = _soft(wave - rng.uniform(0.1, 0.75), 0.12)
        other = np.array(PALE) if base.mean() < 190 else base * 0.45
        mixed = base + share[..., None] * (other - base)
    elif style == "cateye":
        # Clear glass, and a flat vane of colour through its middle.
        vane = _soft(
            rng.uniform(0.35, 0.6) - np.abs(turned[..., 0] + 0.25 * np.sin(3 * turned[..., 1])), 0.15
        )
        glass = 0.45 * np.array(CLEAR) + 0.55 * base
        mixed = glass + vane[..., None] * (base - glass)
    else:
        mixed = np.broadcast_to(base, (TEXTURE_PX, TEXTURE_PX, 3))
    return np.ascontiguousarray(mixed, dtype=np.float32)


def _soft(value: Singles, width: float) -> Singles:
    """Return 0 below and 1 above zero with a soft edge."""
    share: Singles = np.clip(value / width * 0.5 + 0.5, 0.0, 1.0)
    return share
