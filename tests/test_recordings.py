"""The given sequences of a hand making a move: through the whole pipeline, the true event must come out."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tock_companion.events.codec import event_to_json
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay
from tock_vision.replay import open_frames

pytestmark = [pytest.mark.whole, needs_pictures]
WHOLE_RECORDING = "d3_swap"
REPORTED = {"violation", "question", "repaired", "move_accepted", "pawn_missing", "source_lost"}


def reported(folder: Path) -> list[dict[str, Any]]:
    """The table's events during a recording."""
    events = [event_to_json(event) for event in replay(open_recording(folder), open_frames)]
    return [event for event in events if event["event"] in REPORTED]


@cache
def first_reported(folder: Path) -> list[dict[str, Any]]:
    """Those of the first time that it is replayed here."""
    return reported(folder)


def expected(folder: Path) -> list[tuple[str, str | None]]:
    """Kinds and moves that the ground truth asks for."""
    wanted: list[tuple[str, str | None]] = []
    for event in json.loads((folder / "truth.json").read_text())["events"]:
        if event["kind"] == "illegal":
            wanted.append(("violation", None))
            continue
        if event["kind"] == "repaired":
            wanted.append(("repaired", event["move"]))
        wanted.append(("move_accepted", event["move"]))
    return wanted


@pytest.mark.parametrize("name", each_recording())
def test_the_event_of_the_ground_truth_comes_out(name: str) -> None:
    folder = FOLDER / name
    events = first_reported(folder)
    markers = json.loads((folder / "recording.json").read_text())["sources"]["camera"]["markers"]
    if not markers and [event["event"] for event in events] == ["source_lost"]:
        # A board without markers may be refused, and then nothing else may be said about it.
        assert events[0]["code"] == "camera/no_board"
        return
    assert [(event["event"], event.get("move")) for event in events] == expected(folder)


def test_a_replay_is_the_same_every_time() -> None:
    assert reported(FOLDER / WHOLE_RECORDING) == first_reported(FOLDER / WHOLE_RECORDING)
