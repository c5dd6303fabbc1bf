"""The page without a browser: a phone as Flask's test client."""

import json
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.conforming import conforming
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event
from tock_rules import Seat
from tock_web.context import context_of
from tock_web.rights.cookies import DEVICE_COOKIE, HOST_COOKIE, SEAT_COOKIE

WORDS = files("tock_companion").joinpath("words")
OWN = {"X-Tock": "1"}
"""The header that the page's own scripts send with every change."""


@dataclass
class Phone:
    """One phone: its cookies and how its page asks; every answer is held against the description of the API."""

    client: FlaskClient

    def post(self, path: str, **data: object) -> TestResponse:
        return conforming(self.client.post(f"/api/v1/{path}", json=data, headers=OWN))

    def get(self, path: str) -> TestResponse:
        return conforming(self.client.get(f"/api/v1/{path}"))

    def sit(self, seat: str, name: str = "Anna") -> "Phone":
        answer = self.post("join", name=name, seat=seat, lang="fr")
        assert answer.status_code == 200, answer.text
        return self

    def choose_pin(self, pin: str | None, proof: str = "") -> TestResponse:
        """Choose the host's PIN, with the code that the machine shows unless something else is said."""
        return self.post("host/pin", pin=pin, proof=proof or machine_code(self.client.application))


def machine_code(app: Flask) -> str:
    """A code as `tock host code` prints it."""
    return context_of(app).services.machine_code.new()


def cookie_header(phone: Phone) -> str:
    """The cookies of a phone as a browser sends them."""
    cookies = (phone.client.get_cookie(name) for name in (DEVICE_COOKIE, SEAT_COOKIE, HOST_COOKIE))
    return "; ".join(f"{cookie.key}={cookie.value}" for cookie in cookies if cookie is not None)


def game_without_p1() -> str:
    """The log of a game for two in which P1 does not play."""
    started = game_started(GameSetup(seats=(Seat.P0, Seat.P2)), generate(4, 440))
    return f"{event_to_line(Event(1, 0, started))}\n"


def no_cards(data: bytes) -> list[dict[str, object]]:
    """A reader of photos that never sees a card."""
    return []


def catalog(lang: str) -> dict[str, str]:
    """Every word of the page in a language, by its key."""
    parts = [json.loads(file.read_text("utf-8")) for file in WORDS.joinpath(lang, "page").iterdir()]
    words: dict[str, str] = {key: text for part in parts for key, text in part.items()}
    assert len(words) == sum(len(part) for part in parts), "a word is in two files"
    return words


def offer(app: Flask, **services: Any) -> None:
    """Change the services of a page that is made already."""
    here = context_of(app)
    here.services = replace(here.services, **services)
