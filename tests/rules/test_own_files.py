"""A file wherever a ruleset is named: by its path, in the data folder, and kept in the log of its game."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.rulesets import carbles
from tock_app.cli.commands import arena, board, hint, judge, rules
from tock_app.cli.rulesets import know_games
from tock_app.config.load import config_of
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event
from tock_companion.ruleset_folder import know_rulesets, named
from tock_companion.storage.event_lines import event_of, stored
from tock_rules import load_preset, own_files, preset_names, shape_for
from tock_rules.ruleset_files import LISTED

PAWNS = {"P0": ["T20", "camp", "camp", "camp"], "P2": ["T26", "camp", "camp", "camp"]}
ASKED = {"kind": "legal_moves", "to_move": "P0", "players": ["P0", "P2"], "pawns": PAWNS, "card": "6H"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The rulesets of a data folder."""
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    know_games.cache_clear()
    (tmp_path / "rulesets").mkdir()
    yield tmp_path / "rulesets"
    LISTED.clear()
    know_games.cache_clear()


def _file(folder: Path, text: str, name: str = "carbles.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _listed() -> list[str]:
    out = io.StringIO()
    rules.run(["list"], out)
    return out.getvalue().splitlines()


def test_a_path_is_a_ruleset_for_every_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(_file(folder.parent, carbles()))
    moves = judge.answer({**ASKED, "ruleset": path})["moves"]
    assert [move["text"] for move in moves] == ["P0:T20>T26"]
    out = io.StringIO()
    request = json.dumps({**ASKED, "ruleset": path, "hand": ["6H"]})
    assert hint.run(["--ms", "0"], io.StringIO(request), out) == 0
    assert "P0:T20>T26" in out.getvalue()
    assert rules.run(["show", path], out) == 0
    assert "Carbles" in out.getvalue()
    assert board.run(["export", "--game", path, "--zones", "4", "--size", "440", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["zone_length"] == 16
    assert arena.run(["greedy", "greedy", "--ruleset", path, "--form", "duel", "--games", "2"]) == 0
    assert "carbles-" in capsys.readouterr().out


def test_files_of_the_data_folder_are_listed_and_used_by_name(folder: Path) -> None:
    _file(folder, carbles())
    assert "carbles: Carbles" in _listed()
    assert judge.answer({**ASKED, "ruleset": "carbles"})["moves"]
    config = config_of(folder.parent / "tock.toml", 'ruleset = "carbles"')
    assert load_preset(config.setup.ruleset).zone_length == 16
    config = config_of(folder.parent / "tock.toml", 'ruleset = "rulesets/carbles.toml"')
    assert config.board_file.zone_length == 16


def test_a_bad_file_is_one_line_and_stops_no_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _file(folder, carbles())
    bad = _file(folder, carbles(('6 = ["+6"]', '6 = ["forward6"]'), name="bad"), "bad.toml")
    line = 1 + bad.read_text(encoding="utf-8").splitlines().index('6 = ["forward6"]')
    assert len(_listed()) == len(preset_names()) == 12
    errors = capsys.readouterr().err.splitlines()
    assert [f"{bad}: line {line}: card 6: no such action: 'forward6'" in one for one in errors] == [True]
    with pytest.raises(BadInputError, match=f"line {line}: "):
        judge.answer({**ASKED, "ruleset": str(bad)})
    assert len(_listed()) == 12


@pytest.mark.parametrize("name", ["toc", "carbles"])
def test_a_second_file_of_a_name_is_refused_in_one_line(folder: Path, name: str) -> None:
    _file(folder, carbles())
    other = _file(folder, carbles(name=name), "other.toml")
    faults = know_rulesets(folder.parent)
    assert faults == [f"{other}: another game is named {name} already"]
    assert load_preset("toc").zone_length == 18


def test_a_game_goes_on_in_another_process_when_its_file_is_gone(folder: Path) -> None:
    path = _file(folder.parent, carbles())
    name = named(str(path))
    started = game_started(GameSetup(name), generate(shape_for(load_preset(name), 4), 440))
    path.write_text(carbles(('6 = ["+6"]', '6 = ["+9"]')), encoding="utf-8")
    assert named(str(path)) != name
    path.unlink()
    line = stored(Event(1, 0, started))
    assert "ruleset_file" not in line[0]
    program = (
        "import json, sys; from tock_companion.storage.event_lines import event_of;"
        "from tock_companion.events.game import fold;"
        "position = fold([event_of(*json.loads(sys.argv[1]))]).position;"
        "print(position.ruleset.name, position.ruleset.row('6').steps[0].steps)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, json.dumps(line)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == [name, "6"]


@pytest.mark.parametrize(
    ("later", "says"),
    [
        (carbles(("+6", "+7")), "not that of 'carbles-"),
        ("name = ", "no TOML"),
        ("name = 3", "name is small letters"),
        (carbles(("+6", "hop")), "no such action: 'hop'"),
    ],
)
def test_a_log_with_another_file_than_its_own_is_refused(later: str, says: str) -> None:
    name = own_files.add_ruleset(carbles().encode())
    line, kept = stored(
        Event(1, 0, game_started(GameSetup(name), generate(shape_for(load_preset(name), 4), 440)))
    )
    assert kept is not None
    with pytest.raises(BadInputError, match=says):
        event_of(line, json.dumps({"ruleset_file": later}))
    assert event_of(line, kept).seq == 1


def test_files_that_cannot_be_rulesets_are_refused(tmp_path: Path) -> None:
    for raw, says in [
        (b"x" * 70_000, "at most 64000 bytes"),
        (b"", "line 1"),
        (b"\xff", "not UTF-8"),
        (carbles(name="c" * 39).encode(), "at most 31 letters"),
    ]:
        with pytest.raises(BadInputError, match=says):
            own_files.add_ruleset(raw)
    with pytest.raises(BadInputError, match="cannot be read"):
        named(str(tmp_path / "absent.toml"))
