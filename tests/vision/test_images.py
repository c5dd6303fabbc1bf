"""Pictures and learned arrays of others: read, or refused in one line and in little memory."""

import os
import resource
import struct
import tracemalloc
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from tock_companion.boardfile import generate
from tock_companion.errors import BadInputError
from tock_vision.calibration_file import load_calibration
from tock_vision.cards.jokers import load_jokers
from tock_vision.images import MAX_SIDE_PX, decode_image, load_image, load_scaled
from tock_vision.npz_files import NoArraysError, load_arrays


def encoded(picture: Any, ending: str = ".png") -> bytes:
    return bytes(cv2.imencode(ending, picture)[1])


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PICTURE = np.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=np.uint8)


@pytest.mark.parametrize("ending", [".png", ".jpg", ".bmp", ".webp"])
def test_usual_forms_are_read(ending: str) -> None:
    assert decode_image(encoded(PICTURE, ending), "x").shape == (240, 320, 3)


def test_grey_sixteen_bit_and_transparent_pictures_become_bgr() -> None:
    grey = PICTURE[..., 0]
    for picture in (grey, grey.astype(np.uint16) * 257, cv2.cvtColor(PICTURE, cv2.COLOR_BGR2BGRA)):
        read = decode_image(encoded(picture), "x")
        assert read.shape == (240, 320, 3)
        assert read.dtype == np.uint8
    assert np.array_equal(decode_image(encoded(grey.astype(np.uint16) * 257), "x")[..., 0], grey)


def test_a_photo_in_printing_colours_becomes_bgr() -> None:
    data = (Path(__file__).parent / "data" / "cmyk.jpg").read_bytes()
    read = decode_image(data, "x")
    assert read.shape == (144, 192, 3)
    # It has no ink at the top left and cyan with magenta at the bottom right.
    assert read[4, 4].min() > 200
    assert read[-8, -8, 0] > read[-8, -8, 1:].max() + 100


def test_a_film_behind_a_photo_and_a_thumbnail_before_it_do_not_matter() -> None:
    photo = encoded(PICTURE, ".jpg")
    assert decode_image(photo + b"film" * 50, "x").shape == (240, 320, 3)
    thumbnail = encoded(PICTURE[:16, :16], ".jpg")
    segment = b"\xff\xe1" + struct.pack(">H", 2 + len(thumbnail)) + thumbnail
    whole = photo[:2] + segment + photo[2:]
    assert decode_image(whole, "x").shape == (240, 320, 3)
    with pytest.raises(BadInputError, match="ends early"):
        decode_image(whole[:6000], "x")


@pytest.mark.parametrize("behind", [b"", b"\r\n", bytes(500), b"\r\n--frame\r\nContent-Type: image/jpeg\r\n"])
def test_a_jpeg_without_its_end_marker_is_whole(behind: bytes) -> None:
    photo = encoded(PICTURE, ".jpg").removesuffix(b"\xff\xd9")
    assert np.array_equal(decode_image(photo + behind, "x"), decode_image(photo + b"\xff\xd9", "x"))


@pytest.mark.parametrize(
    "inserted",
    [
        chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"x" * 3_000_000)),
        chunk(b"iCCP", b"profile\0\0" + zlib.compress(bytes(3_000_000))),
        chunk(b"tEXt", b"a\0" + b"x" * 2_000_000) * 40,
        chunk(b"iTXt", b"broken"),
        chunk(b"eXIf", b"broken"),
    ],
    ids=["compressed text", "profile", "texts", "broken text", "broken EXIF"],
)
def test_long_texts_and_profiles_of_a_png_do_not_matter(inserted: bytes) -> None:
    photo = encoded(PICTURE)
    assert np.array_equal(decode_image(photo[:33] + inserted + photo[33:], "x"), PICTURE)


@pytest.mark.parametrize(
    "inserted", [b"\xff\xe1\0\x0aExif\0\0\0\0", b"\xff\xe2\0\x06ICC_", b"\xff\xfe\0\x02", b"\xff\xff"]
)
def test_odd_segments_of_a_jpeg_do_not_matter_and_nothing_warns(inserted: bytes) -> None:
    photo = encoded(PICTURE, ".jpg")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(decode_image(photo[:2] + inserted + photo[2:], "x"), decode_image(photo, "x"))


@pytest.mark.parametrize(("size_px", "factor"), [((6048, 8064), 2), ((9000, 12000), 4)])
def test_photos_of_todays_phones_are_read(size_px: tuple[int, int], factor: int) -> None:
    frame = decode_image(encoded(np.full(size_px, 90, np.uint8), ".jpg"), f"{factor}")
    assert max(frame.shape) == MAX_SIDE_PX


def test_large_photos_are_made_smaller() -> None:
    assert decode_image(encoded(np.zeros((1500, 5200, 3), np.uint8), ".jpg"), "x").shape[1] == MAX_SIDE_PX


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"


def progressive(side_px: int) -> bytes:
    """Three full components in several passes, all of which a decoder holds at once."""
    options = [
        cv2.IMWRITE_JPEG_PROGRESSIVE,
        1,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    return bytes(cv2.imencode(".jpg", np.zeros((side_px, side_px, 3), np.uint8), options)[1])


def huge_png() -> bytes:
    """A whole header that promises 400 megapixels, and hardly any of them."""
    header = struct.pack(">II5B", 20_000, 20_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "not a picture"),
    "text": (lambda: b"the board was here", "not a picture"),
    "cut JPEG": (lambda: encoded(PICTURE, ".jpg")[:4000], "ends early"),
    "cut PNG": (lambda: encoded(PICTURE, ".png")[:60], "damaged"),
    "one pixel": (lambda: encoded(PICTURE[:1, :1]), "1 x 1 pixels is too small"),
    "huge": (huge_png, "too large; give at most 200 megapixels as an ordinary JPEG"),
    "large": (lambda: encoded(np.zeros((7100, 7100), np.uint8)), "7100 x 7100 pixels is too large"),
    "large WebP": (
        lambda: encoded(np.zeros((5000, 5000), np.uint8), ".webp"),
        "5000 x 5000 pixels is too large",
    ),
    "large progressive JPEG": (lambda: progressive(6400), "6400 x 6400 pixels is too large"),
    "HEIC": (lambda: HEIC, "a HEIC picture, which cannot be read; take it as JPEG"),
    "film": (lambda: b"\0\0\0\x20ftypisom", "a film, which cannot be read; save it as JPEG"),
    "GIF": (lambda: b"GIF89a", "a GIF picture"),
    "PDF": (lambda: b"%PDF-1.7", "a PDF"),
    "narrow": (lambda: encoded(np.zeros((100, 5600), np.uint8)), "5600 x 100 pixels is too small"),
    "three bytes": (lambda: b"\xff\xd8\xff", "not a picture"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_pictures_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    make, message = BAD[name]
    file = tmp_path / "board.jpg"
    file.write_bytes(make())
    with pytest.raises(BadInputError, match=r"board\.jpg") as caught:
        load_image(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("long_px", [1000, 4000, 6000])
def test_how_much_smaller_a_photo_was_made_is_known(long_px: int, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    assert cv2.imwrite(str(path), np.full((200, long_px, 3), 90, np.uint8))
    frame, factor = load_scaled(path)
    assert frame.shape[1] == pytest.approx(factor * long_px, abs=1)
    assert (factor < 1) == (long_px > MAX_SIDE_PX)


@pytest.mark.parametrize("length", [2**31 - 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("at", [8, 33, -12])
def test_a_chunk_that_says_to_be_huge_costs_nothing(length: int, at: int) -> None:
    whole = encoded(PICTURE)
    at %= len(whole)
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with suppress(BadInputError):
        decode_image(whole[:at] + struct.pack(">I", length) + whole[at + 4 :], "x")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 100_000


def test_a_huge_picture_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    file.write_bytes(huge_png())
    tracemalloc.start()
    with pytest.raises(BadInputError, match="too large"):
        load_image(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_picture_of_several_and_one_turned_by_its_camera_are_read() -> None:
    first, second = (Image.fromarray(PICTURE[..., ::-1]), Image.fromarray(PICTURE[:120]))
    file = BytesIO()
    first.save(file, "MPO", save_all=True, append_images=[second])
    assert decode_image(file.getvalue(), "x").shape == (240, 320, 3)
    file = BytesIO()
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    first.save(file, "JPEG", exif=exif)
    assert decode_image(file.getvalue(), "x").shape == (240, 320, 3)
    assert decode_image(file.getvalue(), "x", upright=True).shape == (320, 240, 3)


@pytest.mark.parametrize("ending", [".png", ".jpg", ".bmp", ".webp"])
def test_a_damaged_file_gives_a_picture_or_a_refusal(ending: str) -> None:
    whole = encoded(PICTURE, ending)
    rng = np.random.default_rng(7)
    for _ in range(50):
        data = bytearray(whole[: int(rng.integers(0, len(whole)))] if rng.random() < 0.5 else whole)
        for at in rng.integers(0, max(1, min(len(data), 200)), 3):
            if len(data) > at:
                data[at] = int(rng.integers(0, 256))
        # Whatever else is raised ends the test.
        with suppress(BadInputError):
            assert decode_image(bytes(data), "x").dtype == np.uint8


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none.jpg", "cannot be read"), (tmp_path, "is a folder, not a file")):
        with pytest.raises(BadInputError, match=message):
            load_image(path)


def archive(**members: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return packed.getvalue()


def array(values: object) -> bytes:
    content = BytesIO()
    np.save(content, np.asarray(values))
    return content.getvalue()


def flipped(data: bytes) -> bytes:
    middle = len(data) // 3
    return data[:middle] + bytes(byte ^ 0x55 for byte in data[middle : middle + 40]) + data[middle + 40 :]


NO_ARRAYS = {
    "empty": b"",
    "text": b"state",
    "one array": array([1, 2]),
    "bomb": archive(head=bytes(30_000_000)),
    "damaged": flipped(archive(head=array(list(range(5000))))),
    "endless shape": archive(head=array([1.0]).replace(b"(1,), ", b"(9999999999999,), ")),
    "objects": archive(
        head=b"\x93NUMPY\x01\x00\x2e\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n"
    ),
}


@pytest.mark.parametrize("name", NO_ARRAYS)
def test_a_bad_packed_array_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "learned.npz"
    path.write_bytes(NO_ARRAYS[name])
    with pytest.raises(NoArraysError):
        load_arrays(path, 20_000_000, "state")
    with pytest.raises(BadInputError, match="not a file made by `tock board learn`"):
        load_calibration(path, generate(4, 400))
    with pytest.raises(BadInputError, match="not a file made by `tock cards enrol`"):
        load_jokers(path)


@pytest.mark.timeout(5)
def test_devices_and_pipes_are_refused_without_being_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(BadInputError, match="not a file"):
            load_calibration(path, generate(4, 400))
        with pytest.raises(BadInputError, match="not a file"):
            load_jokers(path)
