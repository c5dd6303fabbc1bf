"""The committed files follow from board.toml; lists and guide agree with circuits, boards and commands."""

import csv
import io
import re
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.hardware.conftest import HARDWARE
from tock_app.cli.commands import COMMANDS
from tock_app.cli.main import main
from tock_companion.boardfile import BoardFile, load
from tock_companion.errors import BadInputError
from tock_hardware import build
from tock_hardware.bom import Sensing, bill, bill_csv, load_prices, volumes_mm3
from tock_hardware.electronics import symbols
from tock_hardware.electronics.assembly import assembly
from tock_hardware.electronics.panel import panel_board
from tock_hardware.guide.pages import LANGUAGES, guide, safety, steps
from tock_hardware.project import Project, load_project

MAX_CPU_S = 10.0


@pytest.mark.whole
def test_the_committed_files_are_those_that_board_toml_gives(project: Project) -> None:
    started = time.process_time()
    count, found = build.differences(project, HARDWARE)
    assert found == []
    assert count > 70
    assert time.process_time() - started < MAX_CPU_S


def test_the_check_names_what_differs_is_missing_or_is_too_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [
        ("boards/board-4.json", b"{}\n"),
        ("parts/pawn.stl", b"solid"),
        ("guide/guide-fr.md", b"# Plateau\n"),
    ]
    monkeypatch.setattr(build, "products", lambda _: iter(few))
    board = tmp_path / "board.toml"
    shutil.copy(HARDWARE / "board.toml", board)
    check = ["hardware", "build", "--check", "--board", str(board)]
    assert main(["hardware", "build", "--board", str(board)]) == 0
    assert main(check) == 0
    (tmp_path / "boards/board-4.json").write_text("{ }", encoding="utf-8")
    (tmp_path / "parts/pawn.stl").unlink()
    (tmp_path / "guide/old.md").write_text("old", encoding="utf-8")
    capsys.readouterr()
    assert main(check) == 1
    printed = capsys.readouterr().out
    for line in (
        "boards/board-4.json: differs",
        "parts/pawn.stl: missing",
        "guide/old.md: not made from board.toml",
    ):
        assert line in printed
    assert main(["hardware", "build", "--board", str(board)]) == 0
    assert main(check) == 0
    assert not (tmp_path / "guide/old.md").exists()


def test_files_that_only_programs_read_may_be_missing() -> None:
    assert build.is_only_built("electronics/main.kicad_sch")
    assert build.is_only_built("templates/drill-6-a4.pdf")
    for name in ("templates/drill-4-a4.pdf", "parts/pawn.stl", "guide/en/build.md", "electronics/power.md"):
        assert not build.is_only_built(name)


def test_the_board_file_is_that_of_the_project(project: Project) -> None:
    assert load(HARDWARE / "boards/board-4.json") == project.boards[0]


@pytest.mark.whole
def test_the_bill_counts_what_the_circuits_have(project: Project, board: BoardFile) -> None:
    lines = bill(project, board, Sensing.BOTH, volumes_mm3(project))
    needed: Counter[str] = Counter()
    for line in lines:
        needed[line.key] += round(line.needed)
        assert line.buy >= line.needed
    circuits = (assembly(board.shape, project.leds.resistor_ohm, "PTC 1.1 A"), panel_board())
    wanted = {
        "hc165": symbols.HC165,
        "tpic": symbols.TPIC6B595,
        "reed": symbols.REED,
        "led": symbols.LED,
        "resistor": symbols.RESISTOR,
        "rn": symbols.RESISTORS,
        "button": symbols.BUTTON,
        "nano": symbols.NANO,
    }
    assert {key: needed[key] for key in wanted} == {
        key: sum(len(circuit.of(symbol)) for circuit in circuits) for key, symbol in wanted.items()
    }
    assert needed["reed"] == len(board.holes)
    assert needed["hc165"] == 4 * board.zones
    assert needed["magnet"] == board.pawns_per_seat * board.zones


def test_a_bill_adds_up_and_the_camera_alone_needs_no_reeds(project: Project) -> None:
    prices, volumes = load_prices(project.prices), volumes_mm3(project)
    totals = {}
    for way in Sensing:
        rows = list(csv.reader(io.StringIO(bill_csv(bill(project, project.boards[0], way, volumes), prices))))
        totals[way] = float(rows[-1][-1])
        assert sum(float(row[-1]) for row in rows[1:-1]) == pytest.approx(totals[way], abs=0.2)
    keys = {line.key for line in bill(project, project.boards[0], Sensing.CAMERA, volumes)}
    assert "camera" in keys
    assert not keys & {"reed", "hc165", "magnet", "nano"}
    assert totals[Sensing.CAMERA] < totals[Sensing.REED] < totals[Sensing.BOTH]


def test_both_guides_have_every_step_with_a_picture_that_exists_and_a_test(project: Project) -> None:
    for language in LANGUAGES:
        text = guide(project, language)
        assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == len(steps())
        assert "{" not in text
        for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
            assert (HARDWARE / "guide" / language / picture).resolve().is_file(), picture
        files = re.findall(r"`((?:templates|parts|electronics|boards)/[^`]+)`", text)
        assert files
        for name in files:
            assert (HARDWARE / name.replace("-N", "-4")).is_file(), name
    assert len(steps()[0]["fr"]) == len(steps()[0]["en"])
    assert all(len(step["fr"]) == len(step["en"]) for step in steps())


def test_the_guide_names_only_commands_that_exist(project: Project) -> None:
    for language in LANGUAGES:
        named = set(re.findall(r"`tock (\w+)", guide(project, language)))
        assert named <= {*COMMANDS}
        assert {"doctor", "hardware", "firmware", "run"} <= named


def test_the_safety_page_warns_in_both_languages(project: Project) -> None:
    text = safety(project, "fr") + safety(project, "en")
    for words in (
        "pas un jouet",
        "not a toy",
        "urgence",
        "emergency",
        "sous la limite",
        "below the Canadian limit",
    ):
        assert words in " ".join(text.split())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("side_mm = 400", "side_mm = 250", "pawns would touch"),
        ("stem_mm = 7.4", "stem_mm = 7.9", "takes 7.6 at most"),
        ("hole_mm = 8.0", "hole_mm = 'x'", "line 14: 'plate.hole_mm' must be a number, not 'x'"),
        ('type = "reed-15-20"', 'type = "reed"', "'sensor.type' is 'reed'; known are"),
        ("[boards.8]", "[boards.7]", "boards have 2, 3, 4, 6 or 8 zones"),
        ("[boards.8]", "[boards.8]\ngame = 'keezn'", "'boards.8.game' is 'keezn'; known are"),
        ("[boards.8]", "[boards.8]\ngame = 'brandi-dog'", "'boards.8': brandi-dog has no board of 8 zones"),
        ("gap_mm", "gap", "key 'sensor.gap' is not known; did you mean 'gap_mm'?"),
        ("[leds]", "[lamps]", "key 'lamps' is not known; known are boards, plate"),
        ("side_mm = 400", "side_mm = ", "not TOML"),
        ('type = "ferrite-5x5"', 'type = "neo-6x3"', "the magnet neo-6x3 needs 7.8"),
    ],
)
def test_an_impossible_build_is_refused_in_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "board.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        load_project(tmp_path / "board.toml")
    mistakes = getattr(caught.value, "mistakes", (str(caught.value),))
    assert any(message in mistake for mistake in mistakes)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["hardware", "build", "--check", "--board", str(tmp_path / "none.toml")]) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "give --board FILE" in printed


def test_no_step_is_tested_by_what_only_a_maker_of_the_files_has(project: Project) -> None:
    """The test of a step ended with "manifold3d is not installed"; a new Nano needs --force."""
    for language in LANGUAGES:
        text = guide(project, language)
        assert "hardware build" not in text
        assert "`tock firmware flash --force`" in text
    assert not re.search(r"contacts? Reed|(?<!plateau à )\bcapteurs?\b", guide(project, "fr"))
