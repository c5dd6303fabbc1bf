"""The crawl between two homes finds what it is meant to find, and takes sealed bytes for nothing."""

from pathlib import Path
from random import Random

import pytest

from tock_bench.far.crawler import Crawler, planted
from tock_bench.far.recording import Recording, crawled_files
from tock_companion.far.messages import View, message_bytes

NAME = "Zéphyrine Quatrelune"
VIEW: dict[str, object] = {
    "to_move": "P0",
    "card": "AH",
    "holes": {"T20": "P1"},
    "seats": [{"seat": "P0", "name": NAME}],
}


@pytest.fixture(scope="module")
def crawler() -> Crawler:
    return Crawler([NAME])


@pytest.mark.parametrize("way", planted())
def test_a_leak_is_found_however_it_is_written_and_across_a_seam(crawler: Crawler, way: str) -> None:
    leak = planted()[way](message_bytes(View(VIEW, "boot")))
    rng = Random(1)
    recording = Recording()
    take = recording.of("line")()
    whole = rng.randbytes(1_000) + leak + rng.randbytes(1_000)
    take(whole[:1_010])
    first = recording.crawl(crawler)
    take(whole[1_010:])
    found = {what for _, what, _ in first + recording.crawl(crawler)}
    assert found == {"message", "card", "position", "name"}
    assert recording.bytes_at == {"line": len(whole)}


def test_a_message_that_is_compressed_without_a_head_is_found(crawler: Crawler) -> None:
    packed = planted()["zlib"](message_bytes(View(VIEW, "boot")))[2:-4]
    assert crawler.find(b"\xc1\x7e" + packed) == {}
    assert {what for what, _ in crawler.find_bare(b"\xc1\x7e" + packed)} == {
        "message",
        "card",
        "position",
        "name",
    }


def test_sealed_bytes_hold_nothing_and_files_are_read(crawler: Crawler, tmp_path: Path) -> None:
    sealed = Random(2).randbytes(2_000_000)
    assert crawler.find(sealed) == {}
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log").write_text(f"{NAME} is here")
    assert crawled_files(crawler, "log", tmp_path)[1] == {("log", "name", "plain"): 1}
