"""Findings of the fuzzer: every input that broke a reader is tried again; so are files that are not regular."""

import cv2
import pytest

from tests.support.doors import DOORS, SPECIALS, Door
from tests.support.hostile_cases import Case, cases_of
from tests.support.variants import each_asked_about_two

FOUND = [pytest.param(door, case, id=f"{door.name}-{case}") for door in DOORS for case in cases_of(door.name)]
NAMED = each_asked_about_two([door for door in DOORS if door.target], SPECIALS)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


@pytest.mark.parametrize(("door", "case"), FOUND)
def test_an_input_that_once_broke_a_reader_is_one_line(door: Door, case: Case) -> None:
    outcome = door.give(case.content)
    assert not door.faults(outcome), outcome.stderr


@pytest.mark.parametrize(("door", "kind"), NAMED, ids=lambda one: one if isinstance(one, str) else one.name)
def test_a_special_file_is_refused_without_being_read(door: Door, kind: str) -> None:
    outcome = door.give_special(kind)
    assert not door.faults(outcome), outcome.stderr
