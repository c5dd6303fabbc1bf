"""The report of discovery measures the network that it was given."""

import sys
from pathlib import Path

import pytest

from vision.training.discovery_report import main


def test_a_network_that_is_not_there_is_said_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent.onnx"
    monkeypatch.setattr(
        sys, "argv", ["discovery_report", str(tmp_path), "--boards", "D01", "--network", str(absent)]
    )
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == f"{absent} is no file"
    assert capsys.readouterr().out == ""
