"""The data sent with a page, so that it can draw before it has asked for anything."""

from collections.abc import Mapping
from functools import cache
from typing import cast

from flask import request

from tock_companion.boardfile import to_json
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError
from tock_companion.language import Language
from tock_web.address import phone_url
from tock_web.answers.devices import BoardDocument, Bootstrap
from tock_web.answers.people import Session
from tock_web.assets import catalog
from tock_web.context import caller, context, teachable_source
from tock_web.feature import Feature
from tock_web.rights.cookies import secrets_of
from tock_web.rights.host_rights import Caller, named

SETTING_UP = (
    "boards.", "camera-page.", "computer.", "demo.", "game-", "link-machine", "journal", "machine-code",
    "machine.",
    "phones.", "pin", "shutdown", "update.", "voice.", "wifi.", "setup",
)  # fmt: skip
"""Prefixes of words that only the pages of host, machine and club use."""
OF_PLAYERS = (
    "aloud-", "cancel", "undo", "choose-card", "correct", "danger-", "deal", "decide-now", "done", "first-",
    "house-rules", "pause", "print", "resume", "save", "zoom", "event.", "evidence", "hand",
    "hint-", "hints-", "connection.unseated", "make-", "mode", "moves-", "photo-", "become-host",
    "card-useless", "cards-request", "discard", "link-watch", "moved",
    "end-turn", "indices", "leave", "menu-leave",
    "lobby-alone", "lobby-begin", "lobby-cards", "lobby-hand-on", "lobby-moved",
    "lobby-now-host", "lobby-ol", "lobby-ow", "lobby-pair-", "lobby-teams", "lobby-which", "no-move",
    "release-", "title.c", "title.guide", "title.host", "title.machine", "title.seat", "touch-", "accept-", "computers",
    "free-", "games", "gift-", "me-now", "me-with", "practice-", "vote-", "host-", "other-host", "new-game",
    "new-pin", "no-pin", "seat-request", "settings.",
)  # fmt: skip
"""The same for players and the host, who have cards and advice."""
OF_THE_SIMULATED_TABLE = ("sim-", "hole-", "link-host", "link-table", "title.sim")
OF_PARTS_FETCHED_LATER = (
    "absent-", "away", "ending-", "film", "join-a", "join-c", "join-l", "join-m", "join-r", "join-ta", "join-w",
    "missing-", "own.", "practice.", "propose-back", "record-", "rematch", "replay-", "score",
)  # fmt: skip
"""Parts that bring all words with them (panels/rare.js, ask_for_seat.js, practice.js, replay.js)."""


def session_of(person: Caller) -> Session:
    """The caller's identity and options, and the address for other phones."""
    here = context()
    return {
        "seat": person.seat.name if person.seat is not None else None,
        "host": person.is_host,
        "host_taken": here.host_rights.is_host_here,
        "other_hosts": other_hosts(),
        "pin": here.pin.is_set,
        "simulated": here.table.scene is not None,
        "camera": teachable_source() is not None,
        "photos": here.services.read_cards is not None,
        "cards_requests": [
            {"number": asked.number, "seat": asked.seat.name, "name": asked.name}
            for asked in here.table.people.cards_requests(secrets_of(request).device)
        ],
        "url": phone_url(request.host),
    }


def other_hosts() -> list[str | None]:
    """The names of the other hosts if the caller is a host; null for one without a seat."""
    here = context()
    return named(here.table, [host.seat for host in here.host_rights.others(secrets_of(request))])


@cache
def words_of(
    lang: Language, role: Role | None, page: str, features: tuple[Feature, ...]
) -> Mapping[str, str]:
    """The words that the page of a role uses: at the edge of the Wi-Fi a phone waits for every kilobyte."""
    if role in (None, Role.HOST):
        return catalog(lang)
    others: tuple[str, ...] = (*SETTING_UP, *OF_PARTS_FETCHED_LATER)
    for feature in features:
        others += feature.words_elsewhere(page)
    if role is not Role.SEAT:
        others = (*others, *OF_PLAYERS)
    if page != "sim":
        others = (*others, *OF_THE_SIMULATED_TABLE)
    return {key: text for key, text in catalog(lang).items() if not key.startswith(others)}


def bootstrap_of(lang: Language, role: Role | None, page: str) -> Bootstrap:
    """The words of a page, the board, the caller and, if the page follows a role, its newest view."""
    here, person = context(), caller()
    data: Bootstrap = {
        "words": words_of(lang, role, page, tuple(here.features)),
        "board": cast(BoardDocument, to_json(here.table.board_file)),
        "session": session_of(person),
    }
    if role is not None and person.may_look(role):
        try:
            data["view"] = here.table.view(role, person.seat if role is Role.SEAT else None)
            data["boot"] = here.boot
        except BadInputError:
            # The present game is played without this seat; the stream says so.
            pass
    return data
