"""The words of the page: every one that is asked for exists, and none is left over.

`make page-check` holds the first half for scripts: the type of `t` is the catalog, so TypeScript follows every key
through conditions and templates. Words that the companion names come in families, which are compared here.
"""

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

import tock_vision
from tests.support.page import catalog
from tock_companion.boardfile import COLOR_NAMES
from tock_companion.events.facts import FACT_TYPES
from tock_companion.sources.base import source_names
from tock_companion.tournament.plan import Form, System
from tock_companion.tournament.standings import Criterion
from tock_rules import RANKS, SUITS

ROOT = Path(__file__).resolve().parents[2]
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
