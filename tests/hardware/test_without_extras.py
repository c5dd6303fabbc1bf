"""Drawings on an installation without the libraries that only a workshop needs."""

import sys

import pytest

from tock_app.cli.main import main

EXPORT = ["board", "export", "--zones", "4", "--size", "440", "--format"]


def test_a_dxf_without_its_library_is_refused_in_one_line_and_other_drawings_are_made(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tock_hardware.drawing.dxf", raising=False)
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    assert main([*EXPORT, "dxf"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        "tock board: a DXF needs ezdxf; install it with: pip install 'tock-companion[workshop]', or take svg or pdf\n"
    )
    for form, begins in (("svg", "<"), ("json", "{")):
        assert main([*EXPORT, form]) == 0
        assert capfd.readouterr().out.startswith(begins)
