"""A language is a folder of words: the installed ones are complete, and what another lacks comes from the default."""

import logging
import re
from pathlib import Path
from typing import get_args

import pytest

from tests.support.page import catalog as page_words
from tock_companion.core.lessons import lessons
from tock_companion.language import DEFAULT, LANGUAGES, catalog, complete, entries
from tock_companion.views.lessons import Saying

WORDS = Path(__file__).parents[1] / "companion" / "tock_companion" / "words"
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
