"""The documents for users: each in both languages, with its pictures, and with the words that the page really has."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.page import catalog
from tests.test_typography import faults
from tock_companion.language import LANGUAGES
from tock_companion.language import catalog as worded
from tock_web.guide import CHAPTERS, chapter, picture, pictures

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs" / "guide"
PHRASES = ("phrases", "phrases-page")
PAGES = [(lang, name) for lang in LANGUAGES for name in CHAPTERS]
QUOTED = {"fr": re.compile(r"«\u00a0([^»]+)\u00a0»"), "en": re.compile(r"“([^”]+)”")}
MAX_PICTURE_BYTES = 250_000
MAX_ALL_PICTURES_BYTES = 1_500_000


def text_of(lang: str, name: str) -> str:
    return (GUIDE / lang / f"{name}.md").read_text(encoding="utf-8")


def prose_of(lang: str, name: str) -> str:
    """A document without its code."""
    return re.sub(r"```.*?```|`[^`]*`", "x", text_of(lang, name), flags=re.DOTALL)


@cache
def sentences(lang: str) -> tuple[re.Pattern[str], ...]:
    """All sentences of page and companion, with room for their values."""
    words = [*catalog(lang).values(), *(text[lang] for name in PHRASES for text in worded(name).values())]
    return tuple(
        re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)))
        for text in words
        if re.sub(r"\{\w+\}|\W", "", text)
    )


def test_every_document_has_its_pair_and_is_a_chapter() -> None:
    for lang in LANGUAGES:
        assert {file.stem for file in (GUIDE / lang).glob("*.md")} == set(CHAPTERS)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_pair_has_the_same_headings_pictures_commands_and_tables(name: str) -> None:
    shapes = [
        (
            [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)],
            [
                re.sub(r"-(fr|en)\.(png|svg)$", "", path)
                for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
            ],
            re.findall(r"^```(\w+)$", text, re.MULTILINE),
            len(re.findall(r"^\|", text, re.MULTILINE)),
            len(re.findall(r"^ *(?:\d+\.|-) ", text, re.MULTILINE)),
        )
        for text in (text_of(lang, name) for lang in LANGUAGES)
    ]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_buttons_that_are_named_are_on_the_page(lang: str, name: str) -> None:
    known = sentences(lang)
    unknown = [
        quoted
        for quoted in QUOTED[lang].findall(prose_of(lang, name))
        if not any(sentence.fullmatch(quoted.replace("\n", " ")) for sentence in known)
    ]
    assert unknown == []


def test_the_documents_name_buttons_at_all() -> None:
    for lang in LANGUAGES:
        assert len(QUOTED[lang].findall(prose_of(lang, "play"))) > 25


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_documents_are_set_as_printed(lang: str, name: str) -> None:
    prose = re.sub(r"^\s*\|[-|]+$|\]\([^)]*\)", "x", prose_of(lang, name), flags=re.MULTILINE)
    assert [fault for line in prose.splitlines() for fault in faults(lang, line.strip())] == []


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_the_page_shows_every_picture_and_every_link_leads_somewhere(lang: str, name: str) -> None:
    html = chapter(lang, name).html
    shown = re.findall(r'src="([^"]+)"', html)
    assert len(shown) == len(re.findall(r"!\[", text_of(lang, name)))
    for address in shown:
        path = address.removeprefix("/guide/images/")
        assert path in pictures()
        assert not re.search(r"-(fr|en)\.", path) or f"-{lang}." in path
    for address in re.findall(r'href="([^"]+)"', html):
        place, _, anchor = address.removeprefix("/guide/").partition("#")
        if not address.startswith("https://"):
            assert place in CHAPTERS, address
            assert not anchor or f'id="{anchor}"' in chapter(lang, place).html, address


def test_every_picture_is_small_and_shown_somewhere() -> None:
    shown = {
        path
        for lang, name in PAGES
        for path in re.findall(r"src=\"[^\"]*images/([^\"]+)\"", chapter(lang, name).html)
    }
    assert pictures() == shown
    sizes = [len(picture(path)) for path in pictures()]
    assert max(sizes) < MAX_PICTURE_BYTES
    assert sum(sizes) < MAX_ALL_PICTURES_BYTES


@pytest.mark.parametrize(("lang", "name"), PAGES)
def test_a_document_holds_no_html_of_its_own(lang: str, name: str) -> None:
    assert re.findall(r"<(?!!--)/?\w", prose_of(lang, name)) == []


def texts() -> Iterator[str]:
    yield from (text_of(lang, name) for lang, name in PAGES)


def test_no_line_is_longer_than_readers_of_the_sources_like() -> None:
    """Generated documents have a line for each paragraph."""
    own = (
        text
        for text in texts()
        if not text.startswith(("# Construire", "# Build", "# La sécurité", "# Safety"))
    )
    assert [line for text in own for line in text.splitlines() if len(line) > 160 and "|" not in line] == []
