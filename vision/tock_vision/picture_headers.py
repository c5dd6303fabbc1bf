"""The headers of picture files: form and size, judged by the bytes alone and more leniently than any decoder.

The decoder has the last word; a header only bounds what decoding may cost. So nothing beside the size is looked at:
no texts, profiles or EXIF data, over which stricter libraries refuse pictures that every viewer shows.
"""

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"
PNG_BEGINS, PNG_ENDS = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB\x60\x82"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a frame's header."""
_SCAN, _END = 0xDA, 0xD9
_BARE = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
"""Markers without a segment."""
_IN_SEVERAL_PASSES = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_OTHERS: Mapping[bytes, str] = {
    rb"....ftypavi[fs]": "AVIF picture", rb"....ftyp": "film", rb"GIF8": "GIF picture", rb"%PDF": "PDF",
    rb"(II\*\0|MM\0\*)": "TIFF or raw picture", rb"\s*<(svg|\?xml)": "drawing (SVG)", rb"\xff\x0a": "JPEG XL picture",
    rb"\0\0\0\x0cJXL ": "JPEG XL picture", rb"\0\0\0\x0cjP  ": "JPEG 2000 picture", rb"PK\x03\x04": "ZIP archive",
}  # fmt: skip


class Form(Enum):
    """The forms that are read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    BMP = "BMP"


@dataclass(frozen=True, slots=True)
class Header:
    """The beginning of a picture."""

    form: Form
    width: int
    height: int
    data_at: int = 0
    """Where a JPEG's pixels begin."""
    held_values: float = 0.0
    """Values that a JPEG's decoder holds at once: of all pixels where they come in several passes, else none."""


def header_of(data: bytes | bytearray) -> Header | None:
    """The header of a picture; None for anything else, also for one that is not whole yet."""
    try:
        if data.startswith(JPEG_BEGINS):
            return _jpeg(data)
        if data.startswith(PNG_BEGINS) and data[12:16] == b"IHDR":
            return Header(Form.PNG, *struct.unpack(">II", data[16:24]))
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return Header(Form.WEBP, *_webp(data))
        if data.startswith(b"BM"):
            # The oldest of the headers, of 12 bytes, has shorter numbers.
            width, height = struct.unpack_from("<HH" if data[14] == 12 else "<ii", data, 18)
            return Header(Form.BMP, width, abs(height))
    except (IndexError, ValueError, struct.error):
        pass
    return None


def has_whole_chunks(png: bytes) -> bool:
    """Whether every chunk of a PNG is there: OpenCV takes room for the length that is written, up to two gigabytes."""
    at = len(PNG_BEGINS)
    while at < len(png):
        end = at + 12 + int.from_bytes(png[at : at + 4])
        if end > len(png):
            return False
        if png[at + 4 : at + 8] == PNG_ENDS[:4]:
            return True
        at = end
    return False


def other_form(data: bytes) -> str:
    """The name of a known form that is not read; empty for an unknown one."""
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return "HEIC picture"
    return next((name for begin, name in _OTHERS.items() if re.match(begin, data, re.DOTALL)), "")


def _jpeg(data: bytes | bytearray) -> Header | None:
    """Walk from segment to segment, over bytes that belong to none, up to the pixels."""
    at, frame = len(JPEG_BEGINS), None
    while (at := data.find(b"\xff", at)) >= 0:
        while data[at] == 0xFF:
            at += 1
        marker, at = data[at], at + 1
        if marker in _BARE:
            continue
        end = at + int.from_bytes(data[at : at + 2])
        if marker in _FRAMES and frame is None:
            frame = (marker, bytes(data[at:end]))
        elif marker == _SCAN and frame is not None:
            return _framed(*frame, components=data[at + 2], data_at=end)
        elif marker in (_SCAN, _END):
            return None
        at = max(end, at)
    return None


def _framed(marker: int, frame: bytes, components: int, data_at: int) -> Header:
    """The header from that of the frame, and from the number of components in the first scan."""
    height, width, count = struct.unpack(">HHB", frame[3:8])
    samples = [(factors >> 4, factors & 15) for factors in frame[9 : 8 + 3 * count : 3]]
    held = 0.0
    if marker in _IN_SEVERAL_PASSES or components < count:
        largest = max(across for across, _ in samples) * max(down for _, down in samples)
        held = width * height * sum(across * down for across, down in samples) / max(largest, 1)
    return Header(Form.JPEG, width, height, data_at, held)


def _webp(data: bytes | bytearray) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            (bits,) = struct.unpack("<I", data[21:25])
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
