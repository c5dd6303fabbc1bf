"""The host's setting of the table's voice."""

import json
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.support.axe import faults
from tests.support.browsing import OpenPage, open_sheet
from tests.support.page import Phone, offer
from tock_companion.language import Language, Text
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.services import PageServices, Speech

NO_CARD: Text = {"fr": "Pas de haut-parleur.", "en": "No loudspeaker."}


class Voice:
    """A voice at the hardware edge: it keeps its requests."""

    def __init__(self) -> None:
        self.speech: Speech = "off"
        self.missing: Text | None = None
        self.tried: list[Language] = []

    def choose(self, speech: Speech) -> None:
        self.speech = speech

    def try_out(self, lang: Language) -> None:
        self.tried.append(lang)

    def trouble(self) -> Text | None:
        return self.missing


@pytest.fixture
def voice() -> Voice:
    return Voice()


@pytest.fixture
def app(table: Table, voice: Voice) -> Flask:
    return create_app(table, PageServices(voice=voice))


def test_the_host_lets_the_table_speak(phone: Phone, voice: Voice) -> None:
    phone.post("host")
    assert phone.get("voice").json == {"speech": "off", "trouble": None}
    assert phone.post("voice", speech="fr").status_code == 200
    assert voice.speech == "fr"
    assert phone.post("voice", speech="de").status_code == 400
    assert phone.post("voice/try", lang="en").status_code == 200
    assert voice.tried == ["en"]


def test_a_machine_that_cannot_speak_says_why(phone: Phone, voice: Voice) -> None:
    phone.post("host")
    voice.missing = NO_CARD
    assert phone.get("voice").json == {"speech": "off", "trouble": NO_CARD}
    answer = phone.post("voice/try", lang="fr")
    assert (answer.status_code, json.loads(answer.text)["message"]) == (409, NO_CARD)
    assert voice.tried == []


def test_a_companion_without_a_voice_has_nothing_to_set(phone: Phone, app: Flask) -> None:
    phone.post("host")
    offer(app, voice=None)
    assert phone.get("voice").json == {"speech": None, "trouble": None}
    assert phone.post("voice", speech="fr").status_code == 404


def test_nobody_but_the_host_makes_the_table_speak(phone: Phone, other_phone: Phone, voice: Voice) -> None:
    other_phone.sit("P1")
    phone.sit("P0")
    assert phone.get("voice").status_code == 403
    assert phone.post("voice", speech="fr").status_code == 403
    assert phone.post("voice/try", lang="fr").status_code == 403
    assert voice.speech == "off"


@pytest.fixture
def voiced_site(app: Flask) -> Iterator[str]:
    with serve(app, "127.0.0.1", 0) as running:
        yield f"http://tock.local:{running.port}"


@pytest.mark.browser
def test_the_host_finds_the_voice_and_hears_what_is_missing(
    voiced_site: str, open_page: OpenPage, voice: Voice
) -> None:
    page = open_page(f"{voiced_site}/host")
    page.get_by_test_id("become-host").click()
    open_sheet(page, "voice")
    page.get_by_test_id("voice-speech").select_option("fr")
    expect(page.get_by_test_id("toast")).to_contain_text("C’est fait")
    page.get_by_test_id("voice-try").click()
    expect(page.get_by_test_id("voice-try")).to_be_enabled()
    assert faults(page) == []
    voice.missing = NO_CARD
    page.reload()
    open_sheet(page, "voice")
    expect(page.get_by_test_id("voice-speech")).to_have_value("fr")
    expect(page.get_by_test_id("voice-trouble")).to_have_text(NO_CARD["fr"])
    assert voice.speech == "fr"
