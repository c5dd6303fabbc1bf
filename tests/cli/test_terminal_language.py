"""The program's own lines follow the language of the terminal, and those of the page the phone's."""

import ast
import re
from pathlib import Path

import pytest

from tock_app.cli.commands import COMMANDS
from tock_app.cli.main import main
from tock_companion.language import WORDS, entries
from tock_companion.views.terminal import in_language, in_languages, terminal_language

ROOT = Path(__file__).parents[2]
FRENCH = entries(WORDS.joinpath("fr", "terminal", "lines.toml"))
LINES = [key.removeprefix("lines.") for key in FRENCH if key.startswith("lines.")]
OF_PYTHON = (
    "argument {name}",
    "the following arguments",
    "unrecognized",
    "{path}: ",
    "No ",
    "Permission",
    "Address ",
)
PUT_TOGETHER = "a number "
"""Lines that argparse and the system write."""


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr_CA.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        ({}, "en"),
    ],
)
def test_a_terminal_has_the_language_of_its_variables(environment: dict[str, str], lang: str) -> None:
    assert terminal_language(environment) == lang


@pytest.mark.parametrize(
    ("line", "french"),
    [
        (
            "tock.toml, line 4: 'mqtt.port' must be a number from 1 to 65535, not 0",
            "tock.toml, ligne 4: « mqtt.port » doit être un nombre de 1 à 65535, et non 0",
        ),
        (
            "key 'prot' is not known; did you mean 'port'? (and 2 more: `tock config check` lists them)",
            "« prot » n’est pas connu ; voulais-tu dire « port » ? (et 2 de plus : `tock config check` les énumère)",
        ),
        ("no such line: 7", "no such line: 7"),
    ],
)
def test_a_line_is_translated_with_what_stands_in_its_gaps(line: str, french: str) -> None:
    assert re.sub(r"\s", " ", in_language(line, "fr")) == french
    assert in_languages(line)["en"] == in_language(line, "en") == line


def test_every_command_has_its_purpose_in_french() -> None:
    assert {key for key in FRENCH if key.startswith("commands.")} == {f"commands.{name}" for name in COMMANDS}


def test_every_translation_is_of_a_line_that_the_program_writes() -> None:
    """A line that has other words by now would fall back to English unseen."""
    written = "\n".join(_texts())
    for line in LINES:
        if line.startswith((*OF_PYTHON, PUT_TOGETHER)):
            continue
        fixed = [part.strip() for part in re.split(r"\{\w+\}|[:;`'()]", line) if len(part.strip()) > 3]
        assert all(part in written for part in fixed), line
        assert set(re.findall(r"\{(\w+)\}", FRENCH[f"lines.{line}"])) <= set(re.findall(r"\{(\w+)\}", line))


def _texts() -> list[str]:
    """Every text in the sources."""
    paths = (
        path
        for folder in ("app", "companion", "web", "vision", "hardware")
        for path in (ROOT / folder).rglob("*.py")
    )
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_a_wrong_command_is_refused_in_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    wrong = tmp_path / "tock.toml"
    wrong.write_text("port = true\n", encoding="utf-8")
    assert main(["config", "check", str(wrong)]) == 2
    assert "doit être" in capsys.readouterr().err
    assert main(["game", "list", "--nothing"]) == 2
    assert "arguments inconnus" in capsys.readouterr().err
