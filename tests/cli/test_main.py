"""The command line as a whole: exit codes and one line for every mistake."""

import os

import pytest

from tests.conftest import USUAL_MASK
from tock_app.cli.commands import COMMANDS, bench
from tock_app.cli.main import main


@pytest.mark.parametrize(
    "arguments", [[], ["frobnicate"], ["replay"], ["run", "--nope"], ["rules", "show", "chess"]]
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert output.err.startswith("tock")


@pytest.mark.parametrize("command", ["run", "board", "replay", "record", "rules", "bench"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command in COMMANDS
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert f"usage: tock {command}" in capsys.readouterr().out


def test_without_the_source_checkout_the_bench_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "BENCHES", "no_such_package")
    assert main(["bench", "rules", "--json"]) == 2
    assert "part of the source checkout" in capsys.readouterr().err


@pytest.mark.parametrize("time", ["first", "second"])
def test_a_command_run_in_a_test_leaves_the_next_test_the_usual_rights(time: str) -> None:
    mask = os.umask(USUAL_MASK)
    assert mask == USUAL_MASK
    assert main(["rules", "list"]) == 0
