"""The host's setting of the table's voice."""

import json
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.support.axe import faults
from tests.support.browsing import OpenPage, become_host, open_sheet
from tests.support.page import Phone, offer
from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.language import Language
from tock_companion.table.runtime.live import Table
from tock_companion.views.phrases import phrase
from tock_companion.voice.loudspeaker import Loudspeaker, Trouble
from tock_companion.voice.table_voice import TableVoice
from tock_web import create_app, serve
from tock_web.services import PageServices

NO_CARD = phrase("voice/no_card")


class Silent(Loudspeaker):
    """A loudspeaker that keeps its sentences, and may have no sound card."""

    def __init__(self) -> None:
        super().__init__()
        self.missing: Trouble | None = None
        self.sentences: list[tuple[str, Language]] = []

    def trouble(self) -> Trouble | None:
        return self.missing

    def say(self, text: str, lang: Language) -> None:
        self.sentences.append((text, lang))


@pytest.fixture
def speaker() -> Silent:
    return Silent()


@pytest.fixture
def voice(table: Table, speaker: Silent) -> Iterator[TableVoice]:
    found = TableVoice(lambda: table.subscribe(Role.TABLE), table.choices, speaker)
    found.start()
    yield found
    found.stop()


@pytest.fixture
def app(table: Table, voice: TableVoice) -> Flask:
    return create_app(table, PageServices(voice=voice))


def test_the_host_lets_the_table_speak(phone: Phone, voice: TableVoice, speaker: Silent) -> None:
    phone.post("host")
    assert phone.get("voice").json == {"speech": "off", "trouble": None}
    assert phone.post("voice", speech="fr").status_code == 200
    assert voice.speech == "fr"
    assert phone.post("voice", speech="de").status_code == 400
    assert phone.post("voice/try", lang="en").status_code == 200
    until(lambda: (phrase("voice/sample")["en"], "en") in speaker.sentences)


def test_a_machine_that_cannot_speak_says_why(phone: Phone, speaker: Silent) -> None:
    phone.post("host")
    speaker.missing = "voice/no_card"
    assert phone.get("voice").json == {"speech": "off", "trouble": NO_CARD}
    answer = phone.post("voice/try", lang="fr")
    assert (answer.status_code, json.loads(answer.text)["message"]) == (409, NO_CARD)
    assert speaker.sentences == []


def test_a_companion_without_a_voice_has_nothing_to_set(phone: Phone, app: Flask) -> None:
    phone.post("host")
    offer(app, voice=None)
    assert phone.get("voice").json == {"speech": None, "trouble": None}
    assert phone.post("voice", speech="fr").status_code == 404


@pytest.fixture
def voiced_site(app: Flask) -> Iterator[str]:
    with serve(app, "127.0.0.1", 0) as running:
        yield f"http://tock.local:{running.port}"


@pytest.mark.browser
def test_the_host_finds_the_voice_and_hears_what_is_missing(
    voiced_site: str, open_page: OpenPage, voice: TableVoice, speaker: Silent
) -> None:
    page = open_page(f"{voiced_site}/host")
    become_host(page)
    open_sheet(page, "voice")
    page.get_by_test_id("voice-speech").select_option("fr")
    expect(page.get_by_test_id("toast")).to_contain_text("C’est fait")
    page.get_by_test_id("voice-try").click()
    expect(page.get_by_test_id("voice-try")).to_be_enabled()
    assert faults(page) == []
    speaker.missing = "voice/no_card"
    page.reload()
    open_sheet(page, "voice")
    expect(page.get_by_test_id("voice-speech")).to_have_value("fr")
    expect(page.get_by_test_id("voice-trouble")).to_have_text(NO_CARD["fr"])
    assert voice.speech == "fr"
