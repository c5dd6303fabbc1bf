"""A stored form changes only with a new version and a folder that shows it; a newer one is refused in one line."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.support.old_folders import FOLDERS, NEXT, RELEASED, order
from tests.support.stored_shapes import SHAPES, Shape, shapes_of_today
from tock_app.config.load import config_of
from tock_companion import __version__
from tock_companion.boardfile import parse
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line
from tock_companion.file_versions import FORMS, refuse_newer
from tock_companion.sources.recording import open_recording
from tock_web.rights.pin import PIN_NAME, PinKeeper

ROOT = Path(__file__).parents[2]
HOW = """the stored form of {name} has changed ({parts}). Folders of older releases must still open, and older releases
should go on with this one's. If it is the database, add a step to storage/migrations/steps.py; in
docs/formats.md say how older ones are read, in tock_companion/file_versions.py raise the version or `changed`;
then run `make old-folder RELEASE=next` and `make test`."""


def kept(release: str) -> Mapping[str, Shape]:
    """The shapes as they were when the folder of a release was made."""
    path = FOLDERS / release / "forms.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def changed(before: Shape, now: Shape) -> str:
    """The parts that differ."""
    return ", ".join(sorted(key for key in {**before, **now} if before.get(key) != now.get(key)))


def test_a_stored_form_changes_only_with_a_folder_that_has_it() -> None:
    before = kept(NEXT)
    for name, now in shapes_of_today().items():
        parts = changed(before.get(name, {}), now)
        assert not parts, HOW.format(name=name, parts=parts)


@pytest.mark.parametrize("name", SHAPES)
def test_a_change_since_the_last_release_is_listed_in_the_inventory(name: str) -> None:
    last = max(RELEASED, key=order)
    before, now = kept(last).get(name), kept(NEXT)[name]
    if before is None or before == now:
        return
    parts = changed(before, now)
    assert order(FORMS[name].changed) > order(last), HOW.format(name=name, parts=parts)


def test_a_release_that_is_out_has_a_folder_and_keeps_it() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    out = re.findall(r"^## \[?(\d+\.\d+\.\d+)", log, re.MULTILINE)
    assert set(out) <= set(RELEASED), f"make old-folder RELEASE={max(set(out) - set(RELEASED), default='')}"


def test_every_form_has_a_shape_and_a_row_in_the_documents() -> None:
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w ]+) \| [^|]+ \| (\d+) \| (\d+\.\d+\.\d+) \|", text, re.MULTILINE)
    assert rows == [(name, str(form.version), form.changed) for name, form in FORMS.items()]
    assert list(SHAPES) == list(FORMS)


def newer(name: str) -> int:
    return FORMS[name].version + 1


def test_a_newer_file_of_each_form_is_refused_in_one_line_that_names_both_versions(tmp_path: Path) -> None:
    (tmp_path / "recording.json").write_text(json.dumps({"v": newer("recording"), "new": []}))
    (tmp_path / PIN_NAME).write_text(json.dumps({"v": newer("host PIN"), "new": []}))
    readers: dict[str, Callable[[], object]] = {
        "board file": lambda: parse({"v": newer("board file"), "name": "Ours"}, "ours.json"),
        "event log": lambda: event_from_line(json.dumps({"v": newer("event log"), "event": "new"})),
        "settings": lambda: config_of(tmp_path / "tock.toml", f"v = {newer('settings')}\nnew = 1\n", {}),
        "recording": lambda: open_recording(tmp_path),
        "host PIN": lambda: PinKeeper(tmp_path),
    }
    for name, read in readers.items():
        with pytest.raises(BadInputError) as refusal:
            read()
        assert f"newer version (form {newer(name)})" in str(refusal.value)
        assert f"this is version {__version__}" in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_a_form_of_today_or_without_a_version_is_not_refused() -> None:
    for found in (None, 1, "2", FORMS["camera"].version):
        refuse_newer(found, "camera", "camera.npz")
