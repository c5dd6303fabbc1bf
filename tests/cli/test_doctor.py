"""`tock doctor`: one line a finding, exit code 1 when something does not work."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL
from tests.support.emulated_cameras import EmulatedWebcam
from tock_app.cli.commands import doctor
from tock_app.service import diagnosis
from tock_companion.boardfile import generate
from tock_companion.health import Finding, System, sentence
from tock_vision import checkup
from tock_vision.checkup import check_camera
from tock_vision.grabbers import FolderGrabber
from tock_vision.rendering.renderer import Renderer
from tock_vision.stillness.v4l2 import Control, V4l2Controls


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    monkeypatch.setattr(diagnosis, "own_addresses", lambda: ["192.168.1.50"])
    return tmp_path


def asked(*arguments: str, system: System | None = None) -> tuple[int, str]:
    out = io.StringIO()
    code = doctor.run(arguments, out, system)
    return code, out.getvalue()


def test_a_healthy_machine_without_a_camera_passes(tmp_path: Path) -> None:
    code, text = asked("--lang", "en", system=System(tmp_path))
    assert code == 0
    assert "Phones find the page at http://192.168.1.50:8080/" in text
    assert "FAULT" not in text


@pytest.mark.parametrize(
    "settings",
    [b"port = ", b"\xff\xfep", b"port = 0\nruleset = 'chess'", b"board = 'none.json'", b"[sources.x]\n"],
)
def test_broken_settings_are_named_and_the_machine_is_examined(settings: bytes, tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_bytes(settings)
    code, text = asked("--lang", "en", system=System(tmp_path))
    assert code == 1
    assert text.startswith("FAULT  settings: The settings have a mistake: ")
    assert "Phones find the page at" in text
    assert "games: No game has been played yet" in text


def test_a_check_that_fails_is_a_finding_and_ends_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "meminfo").write_text("MemAvailable: much kB")
    monkeypatch.setattr(System, "free_mb", lambda *_: 1 // 0)
    code, text = asked("--lang", "fr", system=System(tmp_path))
    assert code == 1
    assert text.count("n\u2019a pas pu \u00eatre examin\u00e9e") == 2
    assert "ZeroDivisionError" in text
    assert "Aucune partie" in text


@pytest.mark.parametrize("name", ["camera", "shelf"])
def test_a_missing_camera_fails_once_under_its_name_and_says_what_to_do(tmp_path: Path, name: str) -> None:
    (tmp_path / "tock.toml").write_text(f"[sources.{name}]\ndevice = 99\n")
    code, text = asked("--lang", "fr", system=System(tmp_path))
    assert code == 1
    assert text.count(f"FAULT  {name}: Aucune caméra trouvée.") == 1
    assert "→ Branche-la" in text


def test_json_has_one_object_a_line(tmp_path: Path) -> None:
    _, text = asked("--json", system=System(tmp_path))
    rows = [json.loads(line) for line in text.splitlines()]
    assert {"part", "code", "level", "found", "do"} == set(rows[0])
    assert {row["part"] for row in rows} >= {"system", "disk", "clock", "network", "games", "camera"}


def codes(folder: Path) -> list[Finding]:
    return list(check_camera(generate(4, 440.0), {"camera": {"frames": str(folder)}}))


def test_a_dark_and_a_plain_picture_are_reported(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), 12, np.uint8))
    found = [finding.code for finding in codes(tmp_path)]
    assert found == ["camera/ok", "camera/dark", "camera/blurred", "camera/no_board"]


def test_one_line_says_what_a_camera_goes_on_changing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Webcam(FolderGrabber):
        controls = V4l2Controls(EmulatedWebcam(lacks=frozenset({Control.EXPOSURE_AUTO})).ioctl)

    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), 90, np.uint8))
    monkeypatch.setattr(checkup, "grabber_for", lambda settings: Webcam(Path(settings.frames)))
    (wanders,) = [finding for finding in codes(tmp_path) if finding.code == "camera/wanders"]
    assert sentence(wanders, "en")[0] == "The camera goes on changing by itself: brightness."
    Webcam.controls = V4l2Controls(EmulatedWebcam().ioctl)
    assert "camera/holds_still" in [finding.code for finding in codes(tmp_path)]


@pytest.mark.whole
def test_a_board_in_view_is_found(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), Renderer(generate(4, 440.0), SMALL).frame([]))
    assert codes(tmp_path)[-1].code == "camera/board"
