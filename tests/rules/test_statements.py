"""Every statement of the five texts has its place in a preset, and every open point its switches."""

from pathlib import Path

import pytest

from tock_companion.rules import OPTIONS, load_preset, preset_table

TEXTS = {
    "joker-individuel": ("R000", 72),
    "diagonale": ("R001", 37),
    "gladius": ("R002", 57),
    "parteu": ("R003", 36),
    "mjc": ("R004", 49),
}
"""Number of the text and of its statements (section 1 of the specification)."""
POINTS = Path(__file__).parents[1] / "data" / "rules" / "open_points.txt"


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


def test_every_open_point_is_settled_by_a_switch_that_says_so_in_both_languages() -> None:
    lines = [line for line in POINTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    switches = {name for line in lines for name in line.partition("|")[2].split()}
    assert len(lines) == 25
    assert switches <= set(OPTIONS)
    for option in OPTIONS.values():
        assert option.kind in {"yes/no", "number", "choice"}
        assert option.en.endswith(".")
        assert option.fr.endswith(".")
        assert option.en != option.fr
