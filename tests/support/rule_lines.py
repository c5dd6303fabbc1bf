"""The lines of a file of rule cases: fields between bars, comments after a hash."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "rules"


def rule_lines(name: str) -> list[list[str]]:
    """The fields of every case of a file in `tests/data/rules`."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        [field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")
    ]
