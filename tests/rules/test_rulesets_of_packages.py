"""Rulesets of other packages: an entry point in `tock.rulesets` offers a file, and a bad one stops nothing."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

PROGRAM = "import sys; from tock_app.cli.main import main; sys.exit(main(sys.argv[1:]))"
KEEZEN = files("tock_rules.presets").joinpath("keezen.toml").read_text(encoding="utf-8")
OURS = KEEZEN.replace('name = "keezen"', 'name = "ours"')


def _install(site: Path, text: str, name: str = "ours") -> None:
    """Lay a package into a folder as an installer would."""
    package, about = site / "our_game", site / "our_game-1.0.dist-info"
    package.mkdir()
    about.mkdir()
    (package / "__init__.py").write_text(
        "from importlib.resources import files\nFILE = files(__name__).joinpath('ours.toml')\n"
    )
    (package / "ours.toml").write_text(text, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: our-game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[tock.rulesets]\n{name} = our_game:FILE\n")


def _tock(site: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    program = f"import sys; sys.path.insert(0, {str(site)!r}); {PROGRAM}"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_game_of_another_package_is_listed_shown_and_checked(tmp_path: Path) -> None:
    _install(tmp_path, OURS)
    listed = _tock(tmp_path, "rules", "list")
    assert [line for line in listed.stdout.splitlines() if line.startswith("ours: ")] == ["ours: Keezen"]
    assert "KEZ-20" in _tock(tmp_path, "rules", "show", "ours", "--switches").stdout
    checked = _tock(tmp_path, "rules", "check", str(tmp_path / "our_game" / "ours.toml"))
    assert (checked.returncode, checked.stdout.endswith("no faults\n")) == (0, True)


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (OURS, "other", "its file names ours"),
        (OURS.replace("+6", "forward6"), "ours", "no such action: 'forward6'"),
        (OURS.replace("zone_length = 16", "zone_length = 99"), "ours", "zone_length is 14 to 20"),
        (OURS.replace("zone_length", "zone_lenght"), "ours", "no such rule: 'zone_lenght'"),
        ("name = ", "ours", "Invalid value"),
    ],
)
def test_a_bad_file_of_another_package_is_one_line_and_stops_no_game(
    tmp_path: Path, text: str, name: str, says: str
) -> None:
    _install(tmp_path, text, name)
    listed = _tock(tmp_path, "rules", "list")
    assert (listed.returncode, len(listed.stdout.splitlines()), listed.stderr) == (0, 11, "")
    asked = _tock(tmp_path, "rules", "show", name)
    assert asked.returncode != 0
    assert says in asked.stderr
    assert len(asked.stderr.splitlines()) == 1
