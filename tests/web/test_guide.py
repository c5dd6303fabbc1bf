"""Documents and rules on the page: from the menu or from a warning, in both languages, without the internet."""

from typing import Literal

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import PIXEL, SMALL, OpenPage, is_too_wide, live, open_menu
from tock_companion.views.wording.statements import statement
from tock_rules import load_preset, preset_names
from tock_web import guide


def test_a_chapter_is_answered_in_the_language_of_the_phone(client: FlaskClient) -> None:
    for lang, words in (("fr", "Premiers pas"), ("en", "First steps")):
        answer = client.get("/guide/start", headers={"Accept-Language": lang})
        assert answer.status_code == 200
        assert f'<h1 id="{words.lower().replace(" ", "-")}">{words}</h1>' in answer.text


def test_the_guide_begins_at_its_beginning(client: FlaskClient) -> None:
    assert client.get("/guide").location == "/guide/start"


@pytest.mark.parametrize(
    "path", ["nothing", "..%2f..%2fREADME", "images/../fr/play.md", "images/nothing.png"]
)
def test_nothing_but_chapters_and_pictures_is_sent(client: FlaskClient, path: str) -> None:
    assert client.get(f"/guide/{path}").status_code == 404


def test_pictures_are_sent_as_what_they_are(client: FlaskClient) -> None:
    for path, kind in (("build/pawn.png", "image/png"), ("build/overview.svg", "image/svg+xml")):
        answer = client.get(f"/guide/images/{path}")
        assert answer.content_type.startswith(kind)
        assert answer.data == guide.picture(path)


def test_html_in_a_document_is_shown_as_text() -> None:
    html = guide.to_html("# A\n\n<script>alert(1)</script>\n\n<b onclick=x>b</b> [x](javascript:alert(1))")
    assert "<script" not in html
    assert "<b" not in html
    assert "javascript:" not in html


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.slow)])
def test_a_phone_reads_the_guide_from_its_menu(
    site: str, open_page: OpenPage, lang: Literal["fr", "en"]
) -> None:
    page = live(open_page(f"{site}/", PIXEL, locale=f"{lang}-CA"))
    open_menu(page)
    page.get_by_test_id("menu-guide").tap()
    page.wait_for_url("**/guide/start")
    expect(page.locator(".guide-text h1")).to_have_text({"fr": "Premiers pas", "en": "First steps"}[lang])
    title = {"fr": "Quand quelque chose ne va pas", "en": "When something is wrong"}[lang]
    page.locator(".guide-list").get_by_text(title).tap()
    page.wait_for_url("**/guide/trouble")
    expect(page.locator(".guide-text img").first).to_be_visible()
    assert faults_day_and_night(page) == []
    for size in (PIXEL, SMALL):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert not is_too_wide(page)


@pytest.mark.browser
def test_the_other_language_is_another_page(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/guide/play", PIXEL))
    page.get_by_test_id("language").tap()
    expect(page.locator(".guide-text h1")).to_have_text("Playing")


def sentences(client: FlaskClient, *refs: str) -> list[str]:
    answer = client.get(f"/api/v1/rules/statements?refs={','.join(refs)}")
    assert answer.status_code == 200
    return [text["en"] for text in answer.get_json()["sentences"]]


@pytest.mark.parametrize("ruleset", preset_names())
def test_every_rule_that_a_warning_names_is_answered_with_its_sentence(
    client: FlaskClient, ruleset: str
) -> None:
    for refs in load_preset(ruleset).statements.values():
        assert not refs or sentences(client, *refs) == list(
            dict.fromkeys(statement(ref)["en"] for ref in refs)
        )


def test_only_what_is_asked_for_is_sent(client: FlaskClient) -> None:
    assert sentences(client, "R004-22") == ["A four always goes back 4."]
    whole = client.get("/api/v1/rules/statements?refs=R004-29,R004-45").data
    assert len(whole) < 600
