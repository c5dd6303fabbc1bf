"""The words of the page, and its features, which nothing outside their own rooms names."""

import ast
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

import tock_vision
from tests.support.checkout import ROOT
from tests.support.page import catalog
from tock_companion.boardfile import COLOR_NAMES
from tock_companion.events.facts import FACT_TYPES
from tock_companion.sources.base import source_names
from tock_companion.tournament.plan import Form, System
from tock_companion.tournament.standings import Criterion
from tock_rules import RANKS, SUITS
from tock_web.features import FEATURES

PACKAGE = files("tock_web")
SCRIPTS = PACKAGE.joinpath("static", "js")
VISION = Path(tock_vision.__file__).parent
WEAK_POINTS = [
    code
    for module in VISION.rglob("*.py")
    for code in re.findall(r'WeakPoint\("(\w+)"', module.read_text("utf-8"))
]

FAMILIES: dict[str, Sequence[str]] = {
    "card.": ("JOK_B", "JOK_C", "name"),
    "club.form.": tuple(form.value for form in Form),
    "club.system.": tuple(system.value for system in System),
    "club.why.": tuple(criterion.value for criterion in Criterion),
    "color.": tuple(COLOR_NAMES),
    "event.": tuple(FACT_TYPES),
    "rank.": tuple(rank.text for rank in RANKS),
    "source.": (*source_names(), "replay"),
    "suit.": tuple(suit.value for suit in SUITS),
    "setup-weak.": tuple(WEAK_POINTS),
}
"""Words whose last part the companion sends, with all that it may be."""


def texts(folder: Traversable, suffix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from texts(entry, suffix)
        elif entry.name.endswith(suffix):
            yield entry.read_text(encoding="utf-8")


@pytest.mark.parametrize(("family", "names"), FAMILIES.items(), ids=FAMILIES)
def test_a_family_of_words_has_all_that_the_companion_may_name_and_no_more(
    family: str, names: Sequence[str]
) -> None:
    expected = {family + name for name in names}
    assert expected
    assert {key for key in catalog("fr") if key.startswith(family)} == expected


def test_scripts_know_the_same_families() -> None:
    types = ROOT.joinpath("web", "types", "page.d.ts").read_text(encoding="utf-8")
    declared = re.search(r"type WordFamily =([^;]+);", types)
    assert declared is not None
    assert set(re.findall(r'"([^"]+)"', declared[1])) == FAMILIES.keys()


def test_no_word_is_left_over() -> None:
    used = "\n".join([*texts(SCRIPTS, ".js"), *texts(PACKAGE.joinpath("templates"), ".html")])
    literal = set(re.findall(r"""["']([\w.-]+)["']""", used))
    # `setup-learn-${shows}` and `title.` ~ page: any words that begin and end like that.
    patterns = [re.sub(r"\$\{[^}]+\}", "@", text) for text in re.findall(r"`([\w.-]*\$\{[^`]+)`", used)]
    patterns += [f"{start}@" for start in (*re.findall(r"'([\w.-]+)' ~", used), *FAMILIES)]
    built = [re.compile(re.escape(pattern).replace("@", r"[\w-]+")) for pattern in patterns]
    left = {key for key in catalog("fr") if not any(form.fullmatch(key) for form in built)} - literal
    assert left == set()


def test_every_color_of_board_files_has_a_look() -> None:
    shapes = SCRIPTS.joinpath("board", "shapes.js").read_text(encoding="utf-8")
    for color in COLOR_NAMES:
        assert re.search(rf"^  {color}: \[", shapes, re.MULTILINE), color


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
