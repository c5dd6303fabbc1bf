"""The report of discovery measures the network that it was given."""

import sys
from pathlib import Path

import pytest

from tock_vision import holeness
from tock_vision.discovery import middle
from vision.training.discovery.report import main, networks_for


def test_a_network_that_is_not_there_is_reported_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["discovery_report", str(tmp_path), "--networks", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == f"{tmp_path} has no holeness.onnx"
    assert capsys.readouterr().out == ""


def test_boards_that_the_package_saw_are_looked_for_by_other_networks() -> None:
    own = {name: module.network() for name, module in (("holes", holeness), ("middle", middle))}
    with networks_for("D03", None):
        assert holeness.network() is not own["holes"]
        assert middle.network() is not own["middle"]
    for board in ("D09", "m30060"):
        with networks_for(board, None):
            assert holeness.network() is own["holes"]
            assert middle.network() is own["middle"]
