"""Pictures from outside: checked and brought into one form, or refused with one line."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL.JpegImagePlugin import JpegImageFile

from tock_companion.errors import BadInputError
from tock_companion.files import read_bounded
from tock_vision.arrays import Frame
from tock_vision.picture_headers import (
    JPEG_BEGINS,
    JPEG_ENDS,
    Form,
    Header,
    has_whole_chunks,
    header_of,
    other_form,
)

MAX_BYTES = 100_000_000
MAX_PIXELS: Mapping[Form, int] = {
    Form.JPEG: 210_000_000,  # Decoded in a smaller size, which takes no more memory than one of 40 megapixels.
    Form.PNG: 50_000_000,
    Form.BMP: 50_000_000,
    Form.WEBP: 24_000_000,  # A lossless one takes seven bytes a pixel to decode, and no camera writes one.
}
MAX_HELD_VALUES = 120_000_000
"""For a JPEG in several passes, whose decoder holds all values: 40 megapixels in three full components."""
REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
END_PADDING = bytes(16)
"""Put behind a JPEG without an end: its decoder wants to look that far ahead."""
MIN_SIDE_PX = 120
MAX_SIDE_PX = 2600
"""Larger pictures are made smaller first: more detail than this helps no reading and costs memory."""


def load_image(path: Path, upright: bool = False) -> Frame:
    """Read a picture file as BGR; BadInputError when it is missing, damaged, too small or too large.

    `upright` turns the picture as its EXIF data say.
    """
    return load_scaled(path, upright)[0]


def load_scaled(path: Path, upright: bool = False) -> tuple[Frame, float]:
    """The same, and its size as a share of that in the file: places that people give are pixels of the file."""
    data, label = read_bounded(path, MAX_BYTES, "image"), f"image {path}"
    header = _header(data, label)
    frame = _decoded(data, header, label, upright)
    return frame, max(frame.shape[:2]) / max(header.width, header.height)


def decode_image(data: bytes, label: str, upright: bool = False) -> Frame:
    """Decode a picture as BGR with 8 bits; `label` names it in messages, `upright` heeds EXIF data.

    OpenCV has the last word on pictures: the networks were trained and measured on its pixels.
    """
    return _decoded(data, _header(data, label), label, upright)


def _decoded(data: bytes, header: Header, label: str, upright: bool) -> Frame:
    flags = REDUCED.get(_reduction(header), cv2.IMREAD_COLOR)
    if not upright:
        flags |= cv2.IMREAD_IGNORE_ORIENTATION
    if not _has_end(data, header):
        data += JPEG_ENDS
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        decoded = None
    if decoded is None:
        raise _damaged(label)
    return as_bgr(decoded, label)


def require_jpeg(data: bytes, label: str, most_pixels: int) -> None:
    """Look at the header alone; raises BadInputError if it is not a whole JPEG of readable size."""
    if not data.startswith(JPEG_BEGINS):
        raise BadInputError(f"{label}: not a JPEG")
    header = _header(data, label)
    if header.width * header.height > most_pixels:
        raise _too_large(label, header)
    if min(header.width, header.height) < MIN_SIDE_PX:
        raise _too_small(label, header.width, header.height)


def _reduction(header: Header) -> int:
    """How much smaller a picture is decoded that is shrunk anyway: 2 takes a quarter of the memory."""
    longest, shortest = max(header.width, header.height), min(header.width, header.height)
    # Only for a JPEG the decoder takes the means of that many pixels.
    factors = (8, 4, 2) if header.form is Form.JPEG else (2,)
    fits = (
        factor for factor in factors if longest >= factor * MAX_SIDE_PX and shortest >= factor * MIN_SIDE_PX
    )
    return next(fits, 1)


def as_bgr(picture: Frame, label: str) -> Frame:
    """Bring a decoded picture to BGR with 8 bits and a bounded size."""
    height, width = picture.shape[:2]
    if min(height, width) < MIN_SIDE_PX:
        raise _too_small(label, width, height)
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    elif picture.dtype != np.uint8:
        raise BadInputError(f"{label}: pixels of type {picture.dtype}; give 8 or 16 bits a channel")
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    elif picture.shape[2] == 4:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR)
    longest = max(height, width)
    if longest > MAX_SIDE_PX:
        factor = MAX_SIDE_PX / longest
        picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture, dtype=np.uint8)


def _header(data: bytes, label: str) -> Header:
    """Read the header alone, so that nothing huge is ever decoded, and look whether a JPEG is whole."""
    header = header_of(data)
    if header is None:
        raise BadInputError(f"{label}: {_not_read(data)}")
    if header.width * header.height > MAX_PIXELS[header.form] or header.held_values > MAX_HELD_VALUES:
        raise _too_large(label, header)
    if header.form is Form.PNG and not has_whole_chunks(data):
        raise _damaged(label)
    # A JPEG that ends early decodes, grey below.
    if not _has_end(data, header) and not _has_all_pixels(data):
        raise BadInputError(f"{label}: the JPEG ends early; take the photo or copy the file again")
    return header


def _has_end(data: bytes, header: Header) -> bool:
    """Whether a JPEG has an end after its header: phones put a thumbnail before the picture, and a film behind it."""
    return header.form is not Form.JPEG or data.find(JPEG_ENDS, header.data_at) >= 0


def _has_all_pixels(data: bytes) -> bool:
    """Whether only the end marker is missing, as some cameras leave it out; OpenCV does not say so, Pillow does."""
    try:
        picture = JpegImageFile(BytesIO(data + END_PADDING))
        # All values are read, and an eighth of the pixels made of them.
        picture.draft(picture.mode, (1, 1))
        picture.load()
    except Exception:
        # What parsers raise on damaged data is not documented: OSError, ValueError, SyntaxError, struct.error, ...
        return False
    return True


def _not_read(data: bytes) -> str:
    form = other_form(data)
    if form.startswith("HEIC"):
        return (
            "a HEIC picture, which cannot be read; take it as JPEG (iPhone: Settings, Camera, Formats, "
            "Most Compatible) or give a screenshot of it"
        )
    if form:
        return f"a {form}, which cannot be read; save it as JPEG"
    return "not a picture in JPEG, PNG, WebP or BMP form; give a photo"


def _damaged(label: str) -> BadInputError:
    return BadInputError(f"{label}: damaged, it does not decode; take the photo or copy the file again")


def _too_large(label: str, header: Header) -> BadInputError:
    return BadInputError(
        f"{label}: {header.width} x {header.height} pixels is too large; give at most 200 megapixels as an ordinary "
        "JPEG, 40 as a progressive one, 50 as PNG"
    )


def _too_small(label: str, width: int, height: int) -> BadInputError:
    return BadInputError(f"{label}: {width} x {height} pixels is too small; give at least 320 x 240")
