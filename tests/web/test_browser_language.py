"""A third language is one folder of words: with a made-up one, whose letters are doubled, every page speaks it."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import tock_companion
from tests.support.browsing import HOST, HOST_SHEETS, TABLET, OpenPage, become_host, seated
from tests.support.page import catalog
from tests.support.service import PROGRAM, Companion
from tests.web.test_browser_screens import ALL_THAT_IS_READ
from tock_companion.language import DEFAULT, LANGUAGES, entries
from tock_rules import preset_names, preset_table

pytestmark = pytest.mark.browser
MADE_UP = "xx"
LACKING = "cancel"
PAGES = ("/table", "/watch", "/sim", "/host", "/")
GIVEN = re.compile(r"\b(Tock|Anna|Français|English|https?://\S+|tock\.\S+|\d+ h \d+|\w+di|dimanche)\b")
"""Names, addresses, and times in the browser's own words."""


def doubled(text: str) -> str:
    return re.sub(
        r"\{\w+\}|`[^`]*`|[^\W\d_]", lambda found: found[0] if found[0][0] in "{`" else found[0] * 2, text
    )


def doubled_all(words: Mapping[str, str]) -> dict[str, str]:
    return {code: text if code.startswith("language.") else doubled(text) for code, text in words.items()}


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion of a copy of the package, with one more folder of words."""
    package = Path(tock_companion.__file__).parent
    copy = tmp_path / "code" / "tock_companion"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    usual, made = copy / "words" / DEFAULT, copy / "words" / MADE_UP
    made.joinpath("page").mkdir(parents=True)
    for path in usual.glob("*.toml"):
        words = doubled_all(entries(path)) | ({"language.name": MADE_UP} if path.stem == "things" else {})
        lines = [
            f"{json.dumps(code)} = {json.dumps(text, ensure_ascii=False)}\n" for code, text in words.items()
        ]
        made.joinpath(path.name).write_text("".join(lines), encoding="utf-8")
    for path in usual.joinpath("page").iterdir():
        words = {
            key: text
            for key, text in doubled_all(json.loads(path.read_text("utf-8"))).items()
            if key != LACKING
        }
        made.joinpath("page", path.name).write_text(json.dumps(words), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
    with (tmp_path / "log").open("wb") as log:
        yield Companion(tmp_path / "data", program=PROGRAM, environment=environment, errors=log)


def foreign(texts: list[str]) -> list[str]:
    """The texts with a word whose letters are not doubled."""
    words = [(text, re.findall(r"[^\W\d_]+", GIVEN.sub("", text).lower())) for text in texts]
    return [text for text, found in words if any(not re.fullmatch(r"((.)\2)+", word) for word in found)]


def test_a_made_up_language_speaks_on_every_page(
    companion: Companion, open_page: OpenPage, tmp_path: Path
) -> None:
    # A game's file brings its own words, the default language's for all others.
    of_games = {
        table[key][DEFAULT]
        for table in map(preset_table, preset_names())
        for key in ("title", "line")
        if isinstance(table.get(key), dict)
    }
    allowed = {catalog(DEFAULT)[LACKING], *of_games}
    # Also in the names of the boards drawn for them.
    named = re.compile("|".join(map(re.escape, sorted(of_games, key=len, reverse=True))))
    with companion:
        site = companion.url.replace("127.0.0.1", HOST)

        def read(page: Page) -> None:
            texts = [named.sub("", text) for text in page.evaluate(ALL_THAT_IS_READ)]
            assert set(foreign(texts)) <= allowed, page.url

        for path in PAGES:
            page = open_page("about:blank", TABLET)
            page.context.add_cookies([{"name": "tock_lang", "value": MADE_UP, "url": site}])
            page.goto(f"{site}{path}")
            read(page)
            if path == "/host":
                become_host(page)
                for sheet in HOST_SHEETS:
                    page.get_by_test_id(f"open-{sheet}").click()
                    page.get_by_test_id("menu-close").click()
                read(page)
        expect(open_page(f"{site}/card").locator("ol")).to_have_count(len(LANGUAGES) + 1)
        anna = seated(open_page, site, "P0", "Anna", locale=MADE_UP)
        read(anna)
        expect(anna.get_by_test_id("language")).to_have_text("Français")
        anna.get_by_test_id("language").click()
        expect(anna.locator("html")).to_have_attribute("lang", DEFAULT)
    log = (tmp_path / "log").read_text()
    assert log.count(f"xx lacks words of 'page', shown in {DEFAULT}: {LACKING}") == 1
