"""Pictures from outside: checked and brought into one form, or refused with one line."""

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from tock_companion.errors import BadInputError
from tock_companion.files import read_bounded
from tock_vision.arrays import Frame

FORMATS = ("BMP", "PNG", "WEBP")
JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"
MAX_BYTES = 64_000_000
MAX_PIXELS = 40_000_000
MAX_OTHER_PIXELS = 24_000_000
"""For formats other than JPEG: a lossless WebP takes seven bytes a pixel to decode, and no camera writes one."""
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
    frame = decode_image(data, label, upright)
    return frame, max(frame.shape[:2]) / max(_size_px(data, label))


def decode_image(data: bytes, label: str, upright: bool = False) -> Frame:
    """Decode a picture as BGR with 8 bits; `label` names it in messages, `upright` heeds EXIF data.

    Pillow reads the header; OpenCV decodes, because the networks were trained and measured on its pixels.
    """
    width, height = _size_px(data, label)
    if width * height > (MAX_PIXELS if data.startswith(JPEG_BEGINS) else MAX_OTHER_PIXELS):
        raise _too_large(label, f"{width} x {height} pixels is")
    # A picture that is shrunk anyway takes a quarter of the memory so.
    reduced = max(width, height) >= 2 * MAX_SIDE_PX and min(width, height) >= 2 * MIN_SIDE_PX
    flags = cv2.IMREAD_REDUCED_COLOR_2 if reduced else cv2.IMREAD_COLOR
    if not upright:
        flags |= cv2.IMREAD_IGNORE_ORIENTATION
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if decoded is None:
        raise BadInputError(f"{label}: damaged, it does not decode; take the photo or copy the file again")
    return as_bgr(decoded, label)


def require_jpeg(data: bytes, label: str, most_pixels: int) -> None:
    """Look at the header alone; raises BadInputError if it is not a whole JPEG of readable size."""
    if not data.startswith(JPEG_BEGINS):
        raise BadInputError(f"{label}: not a JPEG")
    width, height = _size_px(data, label)
    if width * height > most_pixels:
        raise BadInputError(f"{label}: {width} x {height} pixels is too large")
    if min(width, height) < MIN_SIDE_PX:
        raise _too_small(label, width, height)


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


def _size_px(data: bytes, label: str) -> tuple[int, int]:
    """Read width and height from the header alone, so that nothing huge is ever decoded."""
    file = BytesIO(data)
    try:
        if data.startswith(JPEG_BEGINS):
            # Not `Image.open`: it goes on to the further pictures that some phones put behind the first one.
            size_px = JpegImageFile(file).size
        else:
            with Image.open(file, formats=FORMATS) as picture:
                size_px = picture.size
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large(label, "the picture is") from None
    except Exception:
        # What parsers raise on damaged data is not documented: OSError, ValueError, SyntaxError, struct.error, ...
        raise BadInputError(f"{label}: not a picture in JPEG, PNG, WebP or BMP form; give a photo") from None
    # A JPEG that ends early decodes, grey below. Phones put a thumbnail before the picture and a film behind it, so
    # what counts is an end after the header, where Pillow has stopped reading.
    if data.startswith(JPEG_BEGINS) and data.find(JPEG_ENDS, file.tell()) < 0:
        raise BadInputError(f"{label}: the JPEG ends early; take the photo or copy the file again")
    return size_px


def _too_large(label: str, what: str) -> BadInputError:
    return BadInputError(f"{label}: {what} too large; give at most 40 megapixels as JPEG, 24 in another form")


def _too_small(label: str, width: int, height: int) -> BadInputError:
    return BadInputError(f"{label}: {width} x {height} pixels is too small; give at least 320 x 240")
