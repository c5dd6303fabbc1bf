"""Pictures from outside: read, checked and brought into one form, or refused with one line."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tock_companion.errors import BadInputError
from tock_companion.files import read_bounded
from tock_vision.arrays import Frame

LARGEST_BYTES = 64_000_000
LARGEST_PIXELS = 40_000_000
SMALLEST_SIDE_PX = 120
LONGEST_SIDE_PX = 2600
"""Larger pictures are made smaller first: more detail than this helps no reading and costs memory."""


def load_image(path: Path, upright: bool = False) -> Frame:
    """Read a picture file as BGR; BadInputError when it is missing, damaged, too small or too large.

    `upright` turns the picture as its EXIF data say.
    """
    return decode_image(read_bounded(path, LARGEST_BYTES, "image"), f"image {path}", upright)


def decode_image(data: bytes, label: str, upright: bool = False) -> Frame:
    """Decode a picture as BGR with 8 bits; `label` names it in messages, `upright` heeds EXIF data."""
    size = header_size(data)
    if size is None:
        raise BadInputError(f"{label}: not a picture in JPEG, PNG, WebP or BMP form; give a photo")
    if size[0] * size[1] > LARGEST_PIXELS:
        raise BadInputError(f"{label}: {size[0]} x {size[1]} pixels is too large; give at most 40 megapixels")
    if data[:2] == b"\xff\xd8" and not _jpeg_ends(data):
        raise BadInputError(f"{label}: the JPEG ends early; take the photo or copy the file again")
    decoded = cv2.imdecode(
        np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR if upright else cv2.IMREAD_UNCHANGED
    )
    if decoded is None:
        raise BadInputError(f"{label}: damaged, it does not decode; take the photo or copy the file again")
    return as_bgr(decoded, label)


def as_bgr(picture: Frame, label: str) -> Frame:
    """Bring a decoded picture to BGR with 8 bits and a bounded size."""
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise BadInputError(f"{label}: {width} x {height} pixels is too small; give at least 320 x 240")
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    elif picture.dtype != np.uint8:
        raise BadInputError(f"{label}: pixels of type {picture.dtype}; give 8 or 16 bits a channel")
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    elif picture.shape[2] == 4:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR)
    longest = max(height, width)
    if longest > LONGEST_SIDE_PX:
        factor = LONGEST_SIDE_PX / longest
        picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture, dtype=np.uint8)


def header_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the header alone, so that nothing huge is ever decoded; None if unknown."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data[:2] == b"BM" and len(data) >= 26:
        width = int.from_bytes(data[18:22], "little", signed=True)
        return width, abs(int.from_bytes(data[22:26], "little", signed=True))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8 ":
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    for kind, at in _jpeg_segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
    return None


def _jpeg_ends(data: bytes) -> bool:
    """Whether the picture itself is whole: phones put a thumbnail before it and a film or notes behind it."""
    scan = next((at for kind, at in _jpeg_segments(data) if kind == 0xDA), None)
    return scan is not None and data.find(b"\xff\xd9", scan) >= 0


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield kind and place of the segments up to the first scan."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
        elif kind == 0x01 or 0xD0 <= kind <= 0xD9:
            at += 2
        else:
            yield kind, at
            if kind == 0xDA:
                return
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
