"""Whole uploads to the page: logs, settings, photos of hands, requests to the table."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.support import valid_files as valid
from tock_app.config.keys import KEYS
from tock_bench.fuzz import file_mutations, mutations

JSON = "application/json"
NEWCOMER = "P3"
"""The seat of persons with a new name."""
REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("play_card", {"card": "6H", "move": "P0:T4>T10"}),
    ("withdraw_card", {}),
    ("discard", {"card": "3C"}),
    ("throw_hand", {"cards": ["2D", "7S"]}),
    ("move", {"text": "P0:T4>T10", "force": True}),
    ("end_turn", {}),
    ("hand_set", {"cards": ["6H", "KS", "JOK_B"], "count": 5}),
    ("hand_check", {"readings": [{"likely": ["6H", "6D"], "confidence": 0.7}]}),
    ("hand_draw", {}),
    ("deal", {"count": 5}),
    ("decide_now", {}),
    ("answer", {"choice": "9H"}),
    ("undo", {"to": 4}),
    ("propose_back", {"to": 4}),
    ("vote_back", {"number": 1, "yes": True}),
    ("correct", {"changes": [{"seat": "P3", "from": "P3-C1", "to": "T60"}], "why": "the cat"}),
    ("accept_board", {}),
    ("override", {}),
    ("set_mode", {"mode": "friendly"}),
    ("new_game", {"ruleset": "mjc", "options": {"jokers": True}, "players": 4}),
    ("answer_seat", {"number": 1, "yes": True}),
    ("free_seat", {"seat": "P2"}),
    ("set_computer", {"seat": "P2", "strength": "easy"}),
    ("pause", {}),
    ("resume", {}),
)
"""One of every kind."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One kind of body, its path and its sender."""

    name: str
    path: str
    who: str
    make: Callable[[Random], tuple[bytes, str]]
    """A slightly wrong body, and its type."""
    seat: str = ""
    """The seat that the host frees first."""


def _log(rng: Random) -> tuple[bytes, str]:
    log = mutations.json_lines(rng, valid.log()).decode("utf-8", errors="surrogateescape")
    # Invalid UTF-8 becomes lone surrogates.
    return json.dumps({"log": log}).encode(), JSON


def _settings(rng: Random) -> tuple[bytes, str]:
    text = mutations.toml_text(rng, valid.settings()).decode("utf-8", errors="surrogateescape")
    return json.dumps({"text": text}).encode(), JSON


def _setting(rng: Random) -> tuple[bytes, str]:
    change = {"name": rng.choice([key.name for key in KEYS]), "value": mutations.odd(rng)}
    return mutations.encode(mutations.mutate_value(rng, change) if rng.random() < 0.2 else change), JSON


def _board(rng: Random) -> tuple[bytes, str]:
    content = rng.choice((mutations.json_text, mutations.board_lengths))(rng, valid.board())
    return json.dumps({"file": content.decode("utf-8", errors="surrogateescape")}).encode(), JSON


def _joining(rng: Random) -> tuple[bytes, str]:
    name = mutations.names(rng, rng.choice(valid.names().splitlines())).decode()
    asked: object = {"name": name, "seat": NEWCOMER, "lang": "fr"}
    return mutations.encode(mutations.mutate_value(rng, asked) if rng.random() < 0.2 else asked), JSON


def _photo(rng: Random) -> tuple[bytes, str]:
    form = rng.choice(("jpeg", "png", "webp"))
    content = file_mutations.picture(rng, valid.card_photo(f".{form}"))
    return content, f"image/{form if rng.random() < 0.9 else 'jpeg'}"


def _request(role: str) -> Callable[[Random], tuple[bytes, str]]:
    def make(rng: Random) -> tuple[bytes, str]:
        kind, data = rng.choice(REQUESTS)
        asked: object = {"kind": kind, "role": role, "data": data}
        # A valid request now and then, so that wrong ones meet a game that goes on.
        return mutations.encode(mutations.mutate_value(rng, asked) if rng.random() < 0.8 else asked), JSON

    return make


UPLOADS = (
    Upload("upload: log", "/api/v1/games", "host", _log),
    Upload("upload: settings", "/api/v1/machine/settings", "host", _settings),
    Upload("upload: one setting", "/api/v1/machine/settings", "host", _setting),
    Upload("upload: board file", "/api/v1/boards", "host", _board),
    Upload("upload: name of a person", "/api/v1/join", "newcomer", _joining, NEWCOMER),
    Upload("upload: photo of a hand", "/api/v1/hand/photo", "P1", _photo),
    Upload("upload: request of a seat", "/api/v1/request", "P0", _request("seat")),
    Upload("upload: request of the host", "/api/v1/request", "host", _request("host")),
)
UPLOAD_OF = {upload.name: upload for upload in UPLOADS}
