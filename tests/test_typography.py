"""A language is a folder of words: the installed ones are complete, and every sentence is set as it is printed."""

import json
import logging
import re
from pathlib import Path
from typing import get_args

import pytest

import tock_companion
from tests.support.boards import position
from tests.support.page import catalog as page_words
from tock_companion.core.lessons import lessons
from tock_companion.language import DEFAULT, LANGUAGES, catalog, complete, entries
from tock_companion.views.lessons import Saying
from tock_companion.views.wording import codes, message
from tock_rules import BoardShape, Card, Param, Seat, Violation

WORDS = Path(tock_companion.__file__).parent / "words"
OTHERS = [language for language in LANGUAGES if language != DEFAULT]


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text.lower()))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", [path.name for path in (WORDS / DEFAULT).glob("*.toml")])
def test_every_language_has_the_words_of_the_default_one(name: str, language: str) -> None:
    usual, words = entries(WORDS / DEFAULT / name), entries(WORDS / language / name)
    assert list(usual) == list(words)
    if name not in ("hints.toml", "things.toml", "violations.toml"):
        assert {code for code in usual if places(usual[code]) != places(words[code])} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_words_of_the_page(language: str) -> None:
    usual, words = page_words(DEFAULT), page_words(language)
    assert usual.keys() == words.keys()
    assert {key for key in usual if places(usual[key]) != places(words[key])} == set()


def test_words_that_a_language_lacks_come_from_the_default_one_and_are_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    read = {DEFAULT: {"yes": "oui", "no": "non"}, OTHERS[0]: {"no": "no"}}
    with caplog.at_level(logging.WARNING):
        words = complete("answers", lambda folder: read.get(folder.name, read[DEFAULT]))
    assert words[OTHERS[0]] == {"yes": "oui", "no": "no"}
    assert [record.getMessage() for record in caplog.records] == [
        f"{OTHERS[0]} lacks words of 'answers', shown in {DEFAULT}: yes"
    ]


def test_every_lesson_has_its_sentences() -> None:
    expected = {
        f"lesson.{number}.{saying}" for number in range(len(lessons())) for saying in get_args(Saying)
    }
    assert catalog("lessons").keys() == expected


FILES = sorted(path for path in WORDS.rglob("*.*") if path.is_file())
FRENCH = re.compile(
    r"[^\u00a0\u202f;!?][;!?](?=\s|$)|[^\u00a0\u202f:]:(?=\s|$)|«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»"
)
"""Double punctuation without its no-break space before it; quotation marks without theirs inside."""
ANYWHERE = re.compile(r"\w'|'\w|\.\.\.|  ")
"""An apostrophe or an ellipsis of a typewriter, two spaces."""


def faults(lang: str, text: str) -> list[str]:
    bare = re.sub(r"\n +|`[^`]*`|\{\w+\}|\bhttps?://\S+", "x", text)
    wrong = [ANYWHERE.search(bare), FRENCH.search(bare) if lang == "fr" else None]
    return [f"{match[0]!r} in {text!r}" for match in wrong if match]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(WORDS)))
def test_a_word_file_is_set_as_printed(path: Path) -> None:
    words = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else entries(path)
    assert words
    lang = path.relative_to(WORDS).parts[0]
    assert [fault for text in words.values() for fault in faults(lang, text)] == []


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
        assert [fault for lang, sentence in text.items() for fault in faults(lang, sentence)] == []


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
        sentences = [text for texts in (words.whole, words.others) for text in texts.values()]
        assert not [text for text in sentences if re.search(r"\bP[0-7]\b", text)]
