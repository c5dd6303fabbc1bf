"""Recordings of hands making moves give the moves that were made: given sequences and small ones of noisy evenings."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tock_rules
from tests.support.bundles import texts_in, unpack, write_bundle
from tests.support.checkout import DATA
from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tock_companion.events.codec import event_to_json, event_to_line
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay
from tock_vision.replay import open_frames

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


@pytest.mark.whole
@needs_pictures
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


@pytest.mark.whole
@needs_pictures
def test_a_replay_is_the_same_every_time() -> None:
    assert reported(FOLDER / WHOLE_RECORDING) == first_reported(FOLDER / WHOLE_RECORDING)


BUNDLE = DATA / "recordings.txt"
TEXTS = texts_in(BUNDLE)
NAMES = sorted({name.partition("/")[0] for name in TEXTS if "/" in name})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("recordings")
    unpack(BUNDLE, made)
    return made


def lines(recording: Path) -> str:
    return "".join(event_to_line(event) + "\n" for event in replay(open_recording(recording), open_frames))


@pytest.mark.whole
def test_every_ruleset_and_source_is_recorded() -> None:
    assert [name.rsplit("-", 1)[0] for name in NAMES] == [
        f"{kind}-{ruleset}" for kind in ("both", "camera", "reed") for ruleset in sorted(tock_rules.TEXTS)
    ]


@pytest.mark.whole
@pytest.mark.parametrize("name", NAMES)
def test_a_recording_gives_its_expected_events_byte_for_byte(name: str, folder: Path) -> None:
    printed = lines(folder / name)
    assert printed == TEXTS[f"{name}/expected.jsonl"]
    accepted = [
        event["move"] for event in map(json.loads, printed.splitlines()) if event["event"] == "move_accepted"
    ]
    truth = json.loads(TEXTS[f"{name}/recording.json"])["truth"]
    assert [sorted(move.split(" + ")) for move in accepted] == [sorted(move.split(" + ")) for move in truth]


@pytest.mark.whole
@pytest.mark.parametrize("name", NAMES[::5])
def test_a_second_replay_is_the_same_to_the_last_byte(name: str, folder: Path) -> None:
    assert lines(folder / name) == lines(folder / name)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        unpack(BUNDLE, Path(made))
        write_bundle(
            BUNDLE, {**TEXTS, **{f"{name}/expected.jsonl": lines(Path(made) / name) for name in NAMES}}
        )
