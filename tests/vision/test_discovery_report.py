"""The report of discovery measures a board with a network that never saw it."""

import shutil
import sys
from pathlib import Path

import pytest

import tock_vision
from tock_vision import holeness
from tock_vision.discovery import middle
from vision.training.discovery.report import main, networks_for

DATA = Path(tock_vision.__file__).parent / "data"


def test_a_network_that_is_not_there_is_reported_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["discovery_report", str(tmp_path), "--held-out", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == f"{tmp_path} has no holeness.onnx"
    assert capsys.readouterr().out == ""


def test_boards_that_the_package_saw_are_sought_by_the_held_out_networks(tmp_path: Path) -> None:
    for name in ("holeness", "middle"):
        shutil.copy(DATA / f"{name}.onnx", tmp_path)
    own = {name: module.network() for name, module in (("holes", holeness), ("middle", middle))}
    with networks_for("D03", tmp_path):
        assert holeness.network() is not own["holes"]
        assert middle.network() is not own["middle"]
    for board, held_out in (("D09", tmp_path), ("m30060", tmp_path), ("D03", None)):
        with networks_for(board, held_out):
            assert holeness.network() is own["holes"]
            assert middle.network() is own["middle"]
