"""Small recordings of noisy evenings give the moves that were made, byte for byte the same every time.

`python -m tests.test_small_recordings` rewrites the expected events.
"""

import json
import tempfile
from pathlib import Path

import pytest

import tock_rules
from tests.support.bundles import texts_in, unpack, write_bundle
from tests.support.checkout import DATA
from tock_companion.events.codec import event_to_line
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay
from tock_vision.replay import open_frames

pytestmark = pytest.mark.whole

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


def test_every_ruleset_and_source_is_recorded() -> None:
    assert [name.rsplit("-", 1)[0] for name in NAMES] == [
        f"{kind}-{ruleset}" for kind in ("both", "camera", "reed") for ruleset in sorted(tock_rules.TEXTS)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_gives_its_expected_events_byte_for_byte(name: str, folder: Path) -> None:
    printed = lines(folder / name)
    assert printed == TEXTS[f"{name}/expected.jsonl"]
    accepted = [
        event["move"] for event in map(json.loads, printed.splitlines()) if event["event"] == "move_accepted"
    ]
    truth = json.loads(TEXTS[f"{name}/recording.json"])["truth"]
    assert [sorted(move.split(" + ")) for move in accepted] == [sorted(move.split(" + ")) for move in truth]


@pytest.mark.parametrize("name", NAMES[::5])
def test_a_second_replay_is_the_same_to_the_last_byte(name: str, folder: Path) -> None:
    assert lines(folder / name) == lines(folder / name)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        unpack(BUNDLE, Path(made))
        write_bundle(
            BUNDLE, {**TEXTS, **{f"{name}/expected.jsonl": lines(Path(made) / name) for name in NAMES}}
        )
