"""Every sentence that people read is set as it is printed, in both languages: word files, rules and generated ones."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tock_companion
import tock_web
from tests.support.boards import position
from tock_companion.views.wording import codes, message
from tock_companion.views.wording.rulesheet import rulesheet
from tock_rules import OPTIONS, BoardShape, Card, Param, Seat, Violation, load_preset, preset_names

COMPANION = Path(tock_companion.__file__).parent
PAGE = Path(tock_web.__file__).parent / "static" / "i18n"
TOML = sorted(
    [*COMPANION.glob("views/**/*.toml"), *COMPANION.glob("*/words*.toml"), *COMPANION.glob("hints/*.toml")]
)
FRENCH = re.compile(
    r"[^\u00a0\u202f;!?][;!?](?=\s|$)|[^\u00a0\u202f:]:(?=\s|$)|«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»"
)
"""Double punctuation without its no-break space before it; quotation marks without theirs inside."""
ANYWHERE = re.compile(r"\w'|'\w|\.\.\.|  ")
"""An apostrophe or an ellipsis of a typewriter, two spaces."""


def texts(entry: object, lang: str = "") -> Iterator[tuple[str, str]]:
    """Language and text of everything in a parsed file that names its language."""
    if isinstance(entry, str):
        if lang:
            yield lang, entry
    elif isinstance(entry, dict):
        for key, value in entry.items():
            found = re.fullmatch(r"(fr|en)(_\w+)?", str(key))
            yield from texts(value, found[1] if found else lang)
    elif isinstance(entry, list):
        for value in entry:
            yield from texts(value, lang)


def faults(lang: str, text: str) -> list[str]:
    bare = re.sub(r"`[^`]*`|\{\w+\}|\bhttps?://\S+", "x", text)
    wrong = [ANYWHERE.search(bare), FRENCH.search(bare) if lang == "fr" else None]
    return [f"{match[0]!r} in {text!r}" for match in wrong if match]


@pytest.mark.parametrize("path", TOML, ids=lambda path: path.name)
def test_a_word_file_is_set_as_printed(path: Path) -> None:
    found = list(texts(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert found
    assert [fault for lang, text in found for fault in faults(lang, text)] == []
    assert {lang for lang, _ in found} == {"fr", "en"}


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.json")), ids=lambda path: path.name)
def test_the_words_of_the_page_are_set_as_printed(path: Path) -> None:
    words = json.loads(path.read_text(encoding="utf-8"))
    lang = "fr" if path.name.endswith("fr.json") else "en"
    # The name of the other language is written in that language.
    assert [fault for text in words.values() for fault in faults(lang, text)] == []


@pytest.mark.parametrize("name", preset_names())
def test_the_rules_of_every_game_are_set_as_printed(name: str) -> None:
    for lang in ("fr", "en"):
        sheet = rulesheet(load_preset(name), lang)
        assert [fault for section in sheet for line in section.lines for fault in faults(lang, line)] == []


def test_house_rules_are_set_as_printed() -> None:
    for option in OPTIONS.values():
        assert faults("fr", option.fr) + faults("en", option.en) == []


@pytest.mark.parametrize("code", codes())
def test_sentences_about_mistakes_are_set_as_printed(code: str) -> None:
    params: dict[str, Param] = {
        "pawn": "P1",
        "from": "T20",
        "to": "P1-H2",
        "moved": 1,
        "left": 6,
        "captured_from": "T40",
    }
    words = message(
        Violation(code, (), Seat.P1, Card.parse("QH"), (), params),
        BoardShape(4),
        {Seat.P1: "yellow", Seat.P2: "green"},
        {Seat.P1: "Léa"},
    )
    for text in (words.whole, words.reason, words.others):
        assert faults("fr", text["fr"]) + faults("en", text["en"]) == []


def test_nobody_reads_the_code_of_a_seat() -> None:
    start = position("mjc", "P0 T20, P1 T26")
    colors = dict(zip(start.seats, ("red", "blue", "yellow", "green"), strict=True))
    for code in codes():
        params: dict[str, Param] = {
            "pawn": "P1",
            "blocker": "P2",
            "captured": "P3",
            "from": "T20",
            "to": "T35",
        }
        words = message(Violation(code, (), Seat.P1, Card.parse("8H"), (), params), start.shape, colors, {})
        sentences = [text[lang] for text in (words.whole, words.others) for lang in ("fr", "en")]
        assert not [text for text in sentences if re.search(r"\bP[0-7]\b", text)]
