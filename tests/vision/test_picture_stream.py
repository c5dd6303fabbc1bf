"""Streams of cameras with bad habits: pictures are told apart by their own bytes, in pieces of any size."""

from random import Random

import cv2
import numpy as np
import pytest

from tock_vision.grabbers import GrabError
from tock_vision.picture_stream import MAX_PICTURE_BYTES, PictureCutter

FRAME = np.random.default_rng(3).integers(0, 255, (120, 160, 3), np.uint8)
JPEG = cv2.imencode(".jpg", FRAME)[1].tobytes()
THUMBNAIL = b"\xff\xe1" + (2 + len(JPEG)).to_bytes(2) + JPEG
PHOTO = JPEG[:2] + THUMBNAIL[:2] + (2 + 600).to_bytes(2) + JPEG[:600] + JPEG[2:]
PNG = cv2.imencode(".png", FRAME)[1].tobytes()
HEAD = b"Content-Type: image/jpeg\r\n"


def pieces(stream: bytes, largest: int, seed: int = 1) -> list[bytes]:
    rng, found, at = Random(seed), list[bytes](), 0
    while at < len(stream):
        size = rng.randint(1, largest)
        found.append(stream[at : at + size])
        at += size
    return found


def cut(stream: bytes, largest: int = 700) -> list[bytes]:
    cutter = PictureCutter()
    return [picture for piece in pieces(stream, largest) for picture in cutter.feed(piece)]


@pytest.mark.parametrize("largest", [1, 700, 100_000])
@pytest.mark.parametrize(
    "part",
    [
        b"--frame\r\n" + HEAD + b"\r\n" + JPEG + b"\r\n",
        b"----frame\r\n" + HEAD + b"\r\n" + JPEG,
        b"--frame\n\n" + JPEG + b"\n",
        b"frame\r\nContent-Length: 7\r\n\r\n" + JPEG + bytes(64),
        JPEG,
    ],
    ids=["usual", "no line end", "bare line feeds", "wrong size", "nothing between"],
)
def test_delimiters_and_sizes_are_not_heeded(part: bytes, largest: int) -> None:
    assert cut(3 * part, largest) == 3 * [JPEG]


@pytest.mark.parametrize("between", [b"\r\n--frame\r\n" + HEAD + b"\r\n", b"--frame\n\n", b""])
def test_a_jpeg_without_an_end_ends_where_the_next_begins(between: bytes) -> None:
    unended = JPEG.removesuffix(b"\xff\xd9")
    assert cut(4 * (between + unended), 300) == 3 * [unended]


def test_thumbnails_and_other_forms_are_whole() -> None:
    assert cut(b"--x\r\n\r\n" + PHOTO + b"\r\n--x\r\n\r\n" + PNG + b"\r\n--x\r\n\r\n" + JPEG) == [
        PHOTO,
        PNG,
        JPEG,
    ]


def test_a_torn_picture_does_not_take_the_next_ones_with_it() -> None:
    torn = JPEG[:400] + b"\r\n--x\r\n\r\n"
    assert cut(torn + 3 * (JPEG + b"\r\n--x\r\n\r\n"))[-1] == JPEG


@pytest.mark.parametrize("begin", [b"", JPEG[:-2], b"\xff\xd8\xff"], ids=["text", "pixels", "header"])
def test_a_stream_without_an_end_is_given_up(begin: bytes) -> None:
    with pytest.raises(GrabError, match="has no end"):
        cut(begin + (MAX_PICTURE_BYTES + 1) * b"x", 200_000)
