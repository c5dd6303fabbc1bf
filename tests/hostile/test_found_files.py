"""Findings of the fuzzer: every file that broke a reader is tried again."""

from pathlib import Path

import cv2
import pytest

from tests.support.variants import each_asked_about_two
from tock_bench.fuzz.campaign import CASES, empty_folder, slug
from tock_bench.fuzz.doors import DOORS, SPECIALS, Door
from tock_bench.fuzz.hall import HALL
from tock_bench.fuzz.wire import WIRE

FOUND = [
    pytest.param(door, path, id=f"{door.name}-{path.name}")
    for door in DOORS
    for path in sorted((CASES / slug(door.name)).glob("*"))
]
NAMED = each_asked_about_two([door for door in DOORS if door.target], SPECIALS)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


@pytest.mark.parametrize(("door", "path"), FOUND)
def test_a_file_that_once_broke_a_reader_is_one_line(door: Door, path: Path) -> None:
    with empty_folder() as folder:
        outcome = door.give(folder, path.read_bytes())
    assert not door.faults(outcome), outcome.stderr


@pytest.mark.parametrize(("door", "kind"), NAMED, ids=lambda one: one if isinstance(one, str) else one.name)
def test_a_special_file_is_refused_without_being_read(door: Door, kind: str) -> None:
    with empty_folder() as folder:
        outcome = door.give_special(folder, kind)
    assert not door.faults(outcome), outcome.stderr


def test_every_found_file_belongs_to_a_reader() -> None:
    folders = {path.name for path in CASES.iterdir() if path.is_dir()}
    assert folders <= {slug(name) for name in (*(door.name for door in DOORS), *WIRE, HALL)}
