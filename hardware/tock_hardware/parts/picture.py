"""Pictures of solids as PNG in sixteen greys, written without compression so that no library changes the bytes."""

import struct
import zlib
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

from tock_hardware.parts.stl import Triangles, normals, triangles

Floats = npt.NDArray[np.float64]
MAX_PX = 380
FINER = 3
"""Oversampling: every pixel is the mean of this many by this many."""
LIGHT = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])
TURN, TILT = radians(35), radians(30)
RIGHT = np.array([cos(TURN), sin(TURN), 0])
VIEW = np.array([-sin(TURN) * cos(TILT), cos(TURN) * cos(TILT), -sin(TILT)])
DOWN = -np.cross(RIGHT, VIEW)


def to_png(body: Manifold) -> bytes:
    """Render the solid as seen from above at an angle."""
    surface = triangles(body)
    seen = np.stack([surface @ RIGHT, surface @ DOWN, surface @ VIEW], axis=-1)
    low, high = seen.reshape(-1, 3).min(axis=0), seen.reshape(-1, 3).max(axis=0)
    scale = FINER * MAX_PX / max(high[0] - low[0], high[1] - low[1])
    seen[..., :2] = (seen[..., :2] - low[:2]) * scale + 2 * FINER
    width, height = (int(np.ceil(side / FINER) * FINER) + 4 * FINER for side in (high[:2] - low[:2]) * scale)
    fine = _drawn(seen, normals(surface), width, height)
    coarse = fine.reshape(height // FINER, FINER, width // FINER, FINER).mean(axis=(1, 3))
    return _png(np.rint(coarse * 15).astype(np.uint8))


def _drawn(seen: Triangles, outward: Floats, width: int, height: int) -> Floats:
    """Shade from 0 to 1 with a depth buffer: for every pixel the face nearest to the eye."""
    picture = np.ones((height, width))
    depth = np.full((height, width), np.inf)
    shades = 0.35 + 0.55 * np.clip(outward @ LIGHT, 0, 1)
    for corners, normal, shade in zip(seen, outward, shades, strict=True):
        if normal @ VIEW >= 0:
            continue
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corners
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if abs(area) < 1e-9:
            continue
        left, right = int(min(x0, x1, x2)), int(max(x0, x1, x2)) + 1
        top, bottom = int(min(y0, y1, y2)), int(max(y0, y1, y2)) + 1
        ys = np.arange(top, bottom + 1)[:, None] + 0.5
        xs = np.arange(left, right + 1)[None, :] + 0.5
        one = ((x1 - xs) * (y2 - ys) - (x2 - xs) * (y1 - ys)) / area
        two = ((x2 - xs) * (y0 - ys) - (x0 - xs) * (y2 - ys)) / area
        three = 1 - one - two
        z = one * z0 + two * z1 + three * z2
        part = np.s_[top : bottom + 1, left : right + 1]
        nearer = (one >= 0) & (two >= 0) & (three >= 0) & (z < depth[part])
        depth[part][nearer] = z[nearer]
        picture[part][nearer] = shade
    return picture


def _png(greys: npt.NDArray[np.uint8]) -> bytes:
    height, width = greys.shape
    padded = np.pad(greys, ((0, 0), (0, width % 2)), constant_values=15)
    rows = (padded[:, 0::2] << 4 | padded[:, 1::2]).astype(np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", _stored(raw)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _stored(raw: bytes) -> bytes:
    """Wrap data in a zlib stream of stored blocks (RFC 1950 and 1951), the same bytes under every zlib."""
    out = bytearray(b"\x78\x01")
    for start in range(0, len(raw), 65535):
        block = raw[start : start + 65535]
        last = start + 65535 >= len(raw)
        out += struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block
    return bytes(out + struct.pack(">I", zlib.adler32(raw)))
