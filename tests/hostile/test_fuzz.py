"""`make fuzz` in small, with a fixed seed: slightly wrong inputs for every reader, a companion and a club's page."""

from pathlib import Path

import pytest

from tests.support.benches import figures_of
from tests.support.doors import DOORS, Door

pytestmark = pytest.mark.whole

RUNNING = (
    "sequences of requests", "bytes to the port", "upload: log", "upload: settings", "upload: one setting",
    "upload: board file", "upload: name of a person", "upload: photo of a hand", "upload: request of a seat",
    "upload: request of the host",
)  # fmt: skip


def fuzzed(folder: Path, doors: tuple[str, ...], steps: int, seed: int = 7) -> dict[str, dict[str, int]]:
    kept = ("--progress", str(folder / "progress.json"), "--cases", str(folder / "cases.jsonl"))
    call = ("fuzz", "--steps", str(steps), "--seed", str(seed), *kept, "--doors", *doors)
    counts: dict[str, dict[str, int]] = figures_of(*call)["doors"]
    assert {*counts} == {*doors}
    return counts


@pytest.mark.parametrize("doors", [DOORS[:12], DOORS[12:24], DOORS[24:]], ids=["first", "next", "last"])
def test_slightly_wrong_inputs_are_refused_in_one_line(doors: tuple[Door, ...], tmp_path: Path) -> None:
    fuzzed(tmp_path, tuple(door.name for door in doors), steps=2)


def test_a_running_companion_answers_every_request(tmp_path: Path) -> None:
    counts = fuzzed(tmp_path, RUNNING, steps=1)
    # Most are refused; the others have changed the game that the rest was sent to.
    assert any(tally["refused"] < tally["tried"] for tally in counts.values())
    named = counts["upload: name of a person"]
    assert named["refused"] < named["tried"] / 2


def test_the_page_of_a_club_hears_on_after_any_message(tmp_path: Path) -> None:
    assert fuzzed(tmp_path, ("club: messages of a broker",), steps=1)
