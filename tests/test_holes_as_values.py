"""Only the rules take names of holes apart and put them together: all others ask `Hole`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "bench", "companion", "hardware", "rules", "vision", "web")
RULES = ROOT / "rules/tock_rules"
CUTTING = {
    "startswith",
    "endswith",
    "removeprefix",
    "removesuffix",
    "strip",
    "lstrip",
    "rstrip",
    "partition",
    "split",
}
PIECE = re.compile(r"T|H|C|P[0-7]?|(P[0-7])?-[CH]|\*|T\*")
NAMED_HOLE = re.compile(r"hole(_id|_from|_to)?|(from|to|own|its)_hole")
CANDIDATE = re.compile(r"""hole|["'](T|H|C|P[0-7]?|(P[0-7])?-[CH]|\*|T\*)["']|T\{|-[CH]""")
"""Stands in every file that holds one of these; parsing all of them takes seconds."""
MADE_NAME = re.compile(r"T\{\}\*?|(P?\{\}|P[0-7])-[CH](\{\}|[1-4])")


def taken_apart(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and code of whatever works on the text of a hole."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(piece)), *_]):
                found = attr in CUTTING and PIECE.fullmatch(piece)
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=cut):
                is_key = isinstance(cut, ast.Constant) and isinstance(cut.value, str)
                is_fixed = isinstance(cut, ast.Slice | ast.Constant | ast.UnaryOp) and not is_key
                found = is_fixed and NAMED_HOLE.fullmatch(name)
            case ast.JoinedStr(values=values):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
                found = MADE_NAME.fullmatch(text)
            case _:
                continue
        if found:
            yield node.lineno, ast.unparse(node)


def sources() -> Iterator[Path]:
    """The files of all packages but the rules."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.is_relative_to(RULES):
                yield path


def test_nothing_outside_the_rules_takes_the_name_of_a_hole_apart_or_makes_one() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {code}"
        for path in sources()
        if CANDIDATE.search(source := path.read_text(encoding="utf-8"))
        for line, code in taken_apart(ast.parse(source))
    ]
    assert found == []


@pytest.mark.parametrize(
    "fault",
    [
        'hole.startswith("T")',
        'place.rstrip("*")',
        "int(hole[1:])",
        'f"T{(first + 1) % length}"',
        'f"{seat.name}-C1"',
        'f"P{seat}-H{number}"',
        "step.to_hole[0]",
    ],
)
def test_each_way_of_taking_a_hole_apart_is_found(fault: str) -> None:
    assert CANDIDATE.search(fault)
    assert list(taken_apart(ast.parse(fault)))


@pytest.mark.parametrize(
    "fine", ['name.startswith("tock")', "hole.number", "holes[1:]", 'f"P{seat}: {hole}"']
)
def test_other_texts_are_left_alone(fine: str) -> None:
    assert not list(taken_apart(ast.parse(fine)))
