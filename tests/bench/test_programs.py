"""One way to run everything that measures: each program is listed, takes options, and gives one form of result."""

import json
import os
import sys
from pathlib import Path

import pytest

import tock_bench
from tests.support.checkout import ROOT
from tests.test_docs import targets
from tock_app.cli.main import main
from tock_bench.command import listing, loaded, parser_for
from tock_bench.programs import BY_NAME, PROGRAMS, Program
from tock_bench.results import Measured, Result, block, table, with_block
from tock_companion.errors import BadInputError

FOLDER = Path(tock_bench.__file__).parent
CONTRACT = {"rules", "vision", "cards", "referee", "durability", "link", "hints", "web", "camera"}
DOCUMENT = "# Title\n\n<!-- measured: walk -->\nold\n<!-- end of the measurement -->\n\n## What falls short\n"


def name_of(program: Program) -> str:
    return program.name


def result(measured: Measured) -> Result:
    return Result.of("walk", "tock bench walk", 1.25, measured)


@pytest.fixture
def path_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that need the tests' helpers put the checkout onto the path."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))


@pytest.mark.usefixtures("path_as_before")
@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_every_program_tells_its_options(program: Program) -> None:
    usage = parser_for(program, loaded(program)).format_help()
    assert "--json" in usage
    assert ("--write" in usage) == bool(program.document)


def test_every_module_that_can_be_run_is_listed() -> None:
    runs = {
        str(path.relative_to(FOLDER).with_suffix("")).replace("/", ".")
        for path in FOLDER.rglob("*.py")
        if "\ndef run(" in path.read_text(encoding="utf-8")
    }
    assert runs - {"command"} == {program.module for program in PROGRAMS}


def test_the_benches_that_others_rely_on_are_there() -> None:
    assert {program.name for program in PROGRAMS} >= CONTRACT
    assert all(program.name in listing() for program in PROGRAMS)


def test_every_target_and_document_of_a_program_exists() -> None:
    assert {program.target for program in PROGRAMS if program.target} <= targets()
    for program in PROGRAMS:
        if program.document:
            text = (ROOT / "docs" / "measurements" / program.document).read_text(encoding="utf-8")
            begin, end = block(program.name)
            assert end in text.partition(begin)[2], program.name


def test_a_result_says_where_its_figures_come_from() -> None:
    answer = result(Measured({"n": 3})).to_json()
    assert set(answer) == {"name", "machine", "seconds", "commit", "date", "figures"}


def test_a_table_replaces_its_block_of_the_document_and_nothing_else(tmp_path: Path) -> None:
    document = tmp_path / "walk.md"
    document.write_text(DOCUMENT)
    result(Measured({"steps": 12345, "lost": {"n": 0}})).write(document)
    head, written, tail = document.read_text().partition(
        "| figure | value |\n|---|---:|\n| steps | 12,345 |\n| lost.n | 0 |\n"
    )
    assert written
    assert head.startswith("# Title\n\n<!-- measured: walk -->\nMeasured on ")
    assert "with `tock bench walk`" in head
    assert tail == "<!-- end of the measurement -->\n\n## What falls short\n"
    assert with_block(DOCUMENT, "another", "new") == DOCUMENT


def test_a_document_without_a_block_is_left_alone(tmp_path: Path) -> None:
    document = tmp_path / "walk.md"
    document.write_text("# Title\n")
    with pytest.raises(BadInputError, match=r"walk\.md has no block"):
        result(Measured({})).write(document)
    assert document.read_text() == "# Title\n"


def test_columns_of_numbers_stand_to_the_right() -> None:
    assert table(("who", "n", "share"), [("a|b", 1, "97 %"), ("c", None, "3 %")]) == (
        "| who | n | share |\n|---|---:|---:|\n| a\\|b | 1 | 97 % |\n| c | – | 3 % |"
    )


@pytest.mark.usefixtures("path_as_before")
def test_a_library_that_only_tests_need_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    monkeypatch.delitem(sys.modules, "tock_bench.figures.cards", raising=False)
    with pytest.raises(BadInputError, match="bench cards needs the library cv2; 'make check' installs"):
        loaded(BY_NAME["cards"])


@pytest.mark.usefixtures("path_as_before")
def test_a_study_is_run_like_a_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--rounds", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["name"] == "rules"
    assert answer["figures"]


@pytest.mark.parametrize(
    "arguments", [["no-such-bench"], ["rules", "--kills", "3"], ["rules", "--rounds", "many"]]
)
def test_a_wrong_call_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
