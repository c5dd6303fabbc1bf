"""Small recordings of noisy evenings give the moves that were made, byte for byte the same every time."""

import json
from pathlib import Path

import pytest

from tock_companion.events.codec import event_to_line
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay
from tock_rules import preset_names
from tock_vision.replay import open_frames

pytestmark = pytest.mark.whole

FOLDER = Path(__file__).parent / "data" / "recordings"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def lines(name: str) -> str:
    return "".join(
        event_to_line(event) + "\n" for event in replay(open_recording(FOLDER / name), open_frames)
    )


def test_every_ruleset_and_source_is_recorded() -> None:
    assert [name.rsplit("-", 1)[0] for name in NAMES] == [
        f"{kind}-{ruleset}" for kind in ("both", "camera", "reed") for ruleset in sorted(preset_names())
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_gives_its_expected_events_byte_for_byte(name: str) -> None:
    printed = lines(name)
    assert printed == (FOLDER / name / "expected.jsonl").read_text()
    accepted = [
        event["move"] for event in map(json.loads, printed.splitlines()) if event["event"] == "move_accepted"
    ]
    truth = json.loads((FOLDER / name / "recording.json").read_text())["truth"]
    assert [sorted(move.split(" + ")) for move in accepted] == [sorted(move.split(" + ")) for move in truth]


@pytest.mark.parametrize("name", NAMES[::5])
def test_a_second_replay_is_the_same_to_the_last_byte(name: str) -> None:
    assert lines(name) == lines(name)
