"""A feature is one value: outside its own rooms and the lists of features nothing knows its name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tock_web.features import FEATURES

WEB = ROOT / "web" / "tock_web"
NAMES = {*(feature.name for feature in FEATURES), "director", "maker"}
LISTS = {"features.py", "generate.py", "static/js/features.js", "static/js/host_features.js"}
"""Python and JavaScript each list them; the generator describes the API of all."""
CHAPTERS = "guide.py"
"""Lists the documents of the guide, some of which bear a feature's name."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*|\{#.*?#\}", re.DOTALL)


def is_own(path: Path) -> bool:
    """Whether a file belongs to a feature; the relay is the far feature's server."""
    parts = path.relative_to(WEB).with_suffix("").parts
    return "relay" in parts or any(part.partition("_")[0] in NAMES for part in parts)


def words_in_python(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    documents = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, str) and id(node) not in documents:
                yield from WORD.findall(value if name != "module" else value.rpartition(".")[2])


@pytest.mark.parametrize("suffix", [".py", ".js", ".html"])
def test_no_file_outside_a_feature_names_it(suffix: str) -> None:
    found = {}
    for path in WEB.rglob(f"*{suffix}"):
        place = path.relative_to(WEB).as_posix()
        if is_own(path) or place in LISTS or place == CHAPTERS:
            continue
        text = path.read_text(encoding="utf-8")
        words = words_in_python(text) if suffix == ".py" else WORD.findall(COMMENTS.sub("", text))
        named = NAMES.intersection(word.lower() for word in words)
        if named:
            found[place] = sorted(named)
    assert found == {}
