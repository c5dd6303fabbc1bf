"""Promises of the repository about itself; names of holes are taken apart by the rules alone."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAX_FILE_LINES = 400
CODE = {".py", ".js", ".mjs", ".ts", ".css", ".html", ".json", ".c", ".h", ".toml", ".sh"}
NAMED = {".py", ".js", ".mjs", ".ts", ".c", ".h"}
PROSE = {".py", ".js", ".mjs", ".ts", ".c", ".h", ".css", ".html", ".json", ".md", ".sh", ".toml", ".yml"}
NO_NAMES = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|`[^`]*`|/\*[\s\S]*?\*/|(?:#|//).*')
"""Texts and comments of a program."""
EXPLANATIONS = re.compile(r'"""([\s\S]*?)"""|#(.*)')
"""Docstrings and comments of Python."""
WRITTEN_BY_PROGRAMS = {"web/package-lock.json", "web/types/api.d.ts"}


def spaced(text: str) -> str:
    """The text with the words of its names apart: `_was_read` as ` was read`, `readMs` as `read Ms`."""
    return re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", text)


def test_no_file_of_code_is_longer_than_400_lines() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lengths = {
        name: len((ROOT / name).read_text(encoding="utf-8").splitlines())
        for name in listed.splitlines()
        if Path(name).suffix in CODE and (ROOT / name).exists()
    }
    # An exception that is not needed any more has to go.
    assert {name for name, lines in lengths.items() if lines > MAX_FILE_LINES} == WRITTEN_BY_PROGRAMS


def test_words_with_a_usual_counterpart_are_not_used() -> None:
    words = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["tock"]["words"]
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = []
    for name in listed.splitlines():
        if Path(name).suffix in PROSE and not name.startswith("tests/data/") and (ROOT / name).exists():
            text = spaced((ROOT / name).read_text(encoding="utf-8"))
            names = NO_NAMES.sub(lambda gone: "\n" * gone[0].count("\n"), text)
            for word in words:
                read = names if word.get("names") else text
                found += [
                    f"{name}:{read.count(chr(10), 0, match.start()) + 1}: {match[0]!r}, say {word['instead']}"
                    for match in re.finditer(word["of"], read)
                    if Path(name).suffix in NAMED or read is text
                ]
    assert found == []


def test_free_relatives_as_nouns_do_not_return() -> None:
    grammar = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["tock"][
        "free-relatives"
    ]
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    counts = Counter[str]()
    for name in filter(lambda name: (ROOT / name).exists(), listed.stdout.splitlines()):
        text = (ROOT / name).read_text(encoding="utf-8")
        room = "documents" if name.endswith(".md") else name.split("/")[0]
        prose = text if room == "documents" else "\n".join(map("".join, EXPLANATIONS.findall(text)))
        counts[room] += len(re.findall(grammar["of"], prose))
    assert {room: count for room, count in counts.items() if count > grammar["limits"].get(room, 0)} == {}


def test_the_readme_starts_with_the_two_commands() -> None:
    commands = [line.split("#")[0].strip() for line in (ROOT / "README.md").read_text().splitlines()]
    assert [line for line in commands if line.startswith("make ")][:2] == ["make run", "make test"]


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
