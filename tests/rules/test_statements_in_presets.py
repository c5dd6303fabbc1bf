"""Every statement of the five texts has its place in a preset, and every open point its switches."""

import re
import subprocess
from pathlib import Path

import pytest

from tock_companion.language import LANGUAGES, catalog
from tock_rules import OPTIONS, load_preset, preset_table

TEXTS = {
    "joker-individuel": ("R000", 72),
    "diagonale": ("R001", 37),
    "gladius": ("R002", 57),
    "parteu": ("R003", 36),
    "mjc": ("R004", 49),
}
"""Number of the text and of its statements."""
ROOT = Path(__file__).parents[2]
POINTS = ROOT / "tests" / "data" / "rules" / "open_points.txt"
PAGE = ROOT / "docs" / "rules" / "open-points.md"
ABSENT = re.compile(
    r"\bSPEC\b|CONTRACT\.md|\b[Tt]he contract\b|\bcontract, section|section [0-9.]+ of the specification"
)
"""Citations of texts that are not in the repository."""


def sources() -> list[tuple[str, str]]:
    """Name and text of every tracked source and document, but this file."""
    kinds = ["*.py", "*.md", "*.toml", "*.txt", "*.js", "*.mjs", "*.ts", "*.c", "*.h", "*.sh"]
    listed = subprocess.run(
        ["git", "ls-files", "--", *kinds], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.splitlines() if not Path(__file__).match(name)]
    return [(name, (ROOT / name).read_text(encoding="utf-8")) for name in names if (ROOT / name).exists()]


@pytest.mark.parametrize("preset", TEXTS)
def test_every_statement_of_the_text_has_its_place_and_no_other_is_cited(preset: str) -> None:
    text, count = TEXTS[preset]
    rules = load_preset(preset)
    other = preset_table(preset)["other"]
    cited = {ref for refs in (*rules.statements.values(), *rules.rests_on.values()) for ref in refs}
    left = [*other["every_game"], *other["no_rule"]]
    assert {f"{text}-{number:02d}" for number in range(1, count + 1)} == cited | set(left)
    assert len(left) == len(set(left))
    assert not cited & set(other["no_rule"])


def test_every_open_point_is_settled_by_a_switch_that_says_so_in_every_language() -> None:
    lines = [line for line in POINTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    switches = {name for line in lines for name in line.partition("|")[2].split()}
    assert len(lines) == 25
    assert switches <= set(OPTIONS)
    for name, option in OPTIONS.items():
        assert option.kind in {"yes/no", "number", "choice"}
        sentences = catalog("house_rules")[f"switch.{name}"].values()
        assert len(set(sentences)) == len(LANGUAGES)
        assert all(sentence.endswith(".") for sentence in sentences)


def test_every_open_point_that_is_cited_has_its_line_in_the_document_with_the_same_switches() -> None:
    page = dict(
        re.findall(r"^\| (A-\d\d) \|.*\| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    )
    cited = {point for _, text in sources() for point in re.findall(r"\bA-\d\d\b", text)}
    assert cited <= set(page)
    for line in POINTS.read_text(encoding="utf-8").splitlines()[1:]:
        point, _, switches = line.partition(" | ")
        assert set(re.findall(r"`(\w+)`", page[point])) == set(switches.split()), point


def test_no_text_is_cited_that_is_not_in_the_repository() -> None:
    assert [name for name, text in sources() if ABSENT.search(text)] == []
