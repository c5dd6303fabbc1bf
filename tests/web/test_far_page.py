"""The document of far phones, as a relay sends it."""

import re

import pytest
from flask.testing import FlaskClient

from tests.support.page import catalog
from tock_companion import __version__
from tock_web.assets import all_assets, assets
from tock_web.relay.page import far_page
from tock_web.serving.tock_flask import TockFlask


@pytest.fixture
def relay() -> FlaskClient:
    """The page alone, without a relay around it."""
    app = TockFlask("tock_web", static_folder=None)
    for blueprint in (assets, far_page):
        app.register_blueprint(blueprint)
    return app.test_client()


def test_a_far_phone_gets_one_document_that_knows_of_no_table(relay: FlaskClient) -> None:
    answer = relay.get("/far", headers={"Accept-Language": "en"}, base_url="https://relay.example")
    assert answer.status_code == 200
    assert catalog("en")["far.name"] in answer.text
    assert __version__ in answer.text
    assert "/api/v1/qr.svg" not in answer.text
    assert re.search(r'href="/(sim|host|watch|table|guide|card)"', answer.text) is None
    assert "connect-src 'self' wss://relay.example;" in answer.headers["Content-Security-Policy"]
    for part in re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text):
        assert relay.get(part).status_code == 200, part


def test_every_word_and_icon_of_the_far_document_exists(relay: FlaskClient) -> None:
    text, words = relay.get("/far").text, catalog("fr")
    for key in re.findall(r'data-t="([^"]+)"', text):
        assert key in words, key
    there = set(re.findall(r'<symbol id="(i-[a-z]+)"', text))
    assert there >= set(re.findall(r'href="#(i-[a-z]+)"', text))


def test_the_start_of_a_relay_place_leads_to_the_page(relay: FlaskClient) -> None:
    assert relay.get("/").headers["Location"] == "/far"


def test_the_broker_client_is_fetched_by_nobody_else() -> None:
    callers = [path for path, asset in all_assets().items() if b"vendor/u8-mqtt.js" in asset.plain]
    assert sorted(callers) == ["js/bundle/far.js", "js/far/broker.js"]
