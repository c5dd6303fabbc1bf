"""Photos as large as they may be, several at once, in a companion of its own."""

from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from io import BytesIO
from pathlib import Path
from urllib import error, request

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.support.service import Companion
from tests.support.trial import trial
from tests.support.variants import some
from tock_vision.images import load_image

MEMORY_MAX_MB = 700
"""`MemoryMax` of the service unit."""
AT_ONCE = 2


def largest_photo() -> bytes:
    """40 megapixels in the form that takes the most memory to decode."""
    picture = Image.linear_gradient("L").resize((7296, 5472)).convert("RGB")
    written = BytesIO()
    picture.save(written, "JPEG", progressive=True, subsampling=0)
    return written.getvalue()


def peak_mb(companion: Companion) -> float:
    status = Path(f"/proc/{companion.process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def ordinary_jpeg() -> bytes:
    """200 megapixels, as today's phones make them."""
    written = BytesIO()
    Image.linear_gradient("L").resize((16_320, 12_240)).convert("RGB").save(written, "JPEG")
    return written.getvalue()


def plain_png() -> bytes:
    """50 megapixels."""
    return bytes(
        cv2.imencode(".png", np.full((6120, 8160, 3), 90, np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
    )


def plain_webp() -> bytes:
    """24 megapixels in the form that takes the most memory of those that are no JPEG."""
    file = BytesIO()
    Image.new("RGB", (6000, 4000), "tan").save(file, "WEBP", lossless=True, method=0, quality=0)
    return file.getvalue()


def deep_png() -> bytes:
    """50 megapixels of four channels with 16 bits each."""
    return bytes(
        cv2.imencode(".png", np.full((6120, 8160, 4), 9_000, np.uint16), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
    )


@pytest.mark.whole
@pytest.mark.parametrize("upright", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "form", some(["progressive JPEG", "ordinary JPEG", "PNG", "16 bits", "lossless WebP"], every=4)
)
def test_the_largest_picture_of_each_form_is_read_in_little_memory(
    form: str, upright: bool, tmp_path: Path
) -> None:
    cv2.setNumThreads(0)  # A forked child has none of the threads of its parent.
    path = tmp_path / "photo"
    make = {
        "progressive JPEG": largest_photo, "ordinary JPEG": ordinary_jpeg, "PNG": plain_png, "16 bits": deep_png,
        "lossless WebP": plain_webp,
    }[form]  # fmt: skip
    path.write_bytes(make())
    outcome = trial(lambda: int(load_image(path, upright).size == 0), tmp_path)
    assert not outcome.faults(), outcome
    assert outcome.code == 0


@pytest.mark.slow
def test_photos_of_forty_megapixels_at_once_stay_within_the_memory_of_the_unit(tmp_path: Path) -> None:
    photo = largest_photo()

    def read(seat: str) -> int:
        opener = request.build_opener(request.HTTPCookieProcessor(CookieJar()))
        headers = {"X-Tock": "1", "Content-Type": "application/json"}
        join = f'{{"name": "Anna", "seat": "{seat}"}}'.encode()
        opener.open(request.Request(f"{companion.url}/api/v1/join", join, headers), timeout=20).close()
        headers["Content-Type"] = "image/jpeg"
        try:
            opener.open(
                request.Request(f"{companion.url}/api/v1/hand/photo", photo, headers), timeout=60
            ).close()
        except error.HTTPError as answer:
            answer.close()
            return answer.code
        return 200

    with Companion(tmp_path) as companion, ThreadPoolExecutor(AT_ONCE) as phones:
        # There is no card on them: they are read to the end, and none is turned away.
        assert list(phones.map(read, ("P0", "P1"))) == [422] * AT_ONCE
        assert peak_mb(companion) < MEMORY_MAX_MB * 0.8
