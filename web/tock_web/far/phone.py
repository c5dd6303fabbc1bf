"""A phone far away as this table's app sees it: a client inside this process, with cookies of its own.

Its calls pass the same gates, quotas and rights as those of a phone in the room, but only calls of the list below
reach the app at all, in the name of one seat alone.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from flask import Flask
from pydantic import ValidationError
from werkzeug.test import Client, TestResponse

from tock_companion.core.bodies import FAR_PLAY, AnswerSeat
from tock_companion.core.fields import PersonName
from tock_companion.core.roster import FarCards
from tock_companion.schema import Schema
from tock_companion.views.phrases import phrase
from tock_companion.views.state import Sign
from tock_rules import Seat
from tock_web.context import REMOTE, context_of
from tock_web.far.home import FarServices
from tock_web.rights.cookies import DEVICE_COOKIE, REQUEST_HEADER, SEAT_COOKIE

READ = frozenset(
    {
        "session", "board", "view", "hints", "rules", "rules/statements", "rulesets", "options", "replay", "record.txt",
        "ending", "ending/best", "ending/film", "ending/film.gif",
    }
)  # fmt: skip
ASK = frozenset({"request", "hint", "join", "leave", "ending/film", "far/sign"})
OF_PLAYERS = frozenset({"hints", "hint", "request", "leave"})
"""Calls of a seated player."""
KINDS = FAR_PLAY | {AnswerSeat.KIND}
"""Requests to the table; a guest with real cards names them, too."""
OF_REAL_CARDS = "hand_set"
ROLES = ("seat", "table", "watch")
PIECE_BYTES = 180_000
OK, NOWHERE, NOT_ALLOWED, STALE = 200, 404, 403, 409
BASE = "http://localhost"
ADDRESS = "far"
"""Stands for the address of every far phone; a seat's device has limits of its own."""


class Onlooker(Schema):
    """Somebody who looks on."""

    name: PersonName


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a call."""

    status: int
    data: object


class FarPhone:
    """The phone of one invitation; one thread at a time calls."""

    def __init__(self, app: Flask, seat: Seat | None, device: str, name: str = "") -> None:
        """Come back to the seat that this device holds, if it does; raises TockError where the disk refuses.

        Without a seat it looks on.
        """
        self._app, self._here = app, context_of(app)
        self.seat_invited, self._device, self.name = seat, device, name
        self._watches = seat is None
        self._has_come = False
        """Whether somebody who looks on has said who they are."""
        self.cards: FarCards = "drawn"
        self._client = Client(app, TestResponse)
        self._client.set_cookie(DEVICE_COOKIE, device, domain="localhost")
        ticket = None if seat is None else self._here.table.people.again(seat, device)
        if ticket is not None:
            self._client.set_cookie(SEAT_COOKIE, ticket.token, domain="localhost")

    @property
    def boot(self) -> str:
        """The name of this run of the companion."""
        return self._here.boot

    @property
    def seat(self) -> Seat | None:
        """The seat that it holds now."""
        kept = self._client.get_cookie(SEAT_COOKIE, domain="localhost")
        return None if kept is None else self._here.table.people.holder(kept.value, self._device)

    def call(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        boot: str = "",
    ) -> Answered:
        """Answer a call as the app would answer a phone in the room; `boot` is that of the view it was formed on."""
        query, body = dict(query or {}), dict(body or {})
        if path not in (READ if method == "GET" else ASK if method == "POST" else ()):
            return _refused(NOWHERE, "far/nowhere")
        if self._watches and (path in OF_PLAYERS or query.get("role") == "seat"):
            return _refused(NOT_ALLOWED, "not_allowed")
        if not self._may(method, path, query, body):
            return _refused(NOT_ALLOWED, "not_allowed")
        if path == "request" and boot not in ("", self.boot):
            return _refused(STALE, "stale")
        if self._watches and method == "POST" and path in ("join", "far/sign"):
            return self._come(body) if path == "join" else self._sign(body)
        if path == "join" and self.seat_invited is not None:
            body = {**body, "seat": self.seat_invited.name}
        if path == "ending/film.gif":
            return self._piece(query)
        answer = self._open(method, path, query, body)
        if path == "join" and answer.status_code == OK:
            self.name = str(body.get("name", self.name)).strip()
        found = answer.get_json() if answer.is_json else {"text": answer.text}
        return Answered(answer.status_code, self._without_home(found) if path == "session" else found)

    def leave(self) -> None:
        """Stand up."""
        if not self._watches:
            self._open("POST", "leave", {}, {})

    def _come(self, body: Mapping[str, Any]) -> Answered:
        """Note who looks on."""
        try:
            name = Onlooker.model_validate({"name": body.get("name")}).name
            self.name = self._here.table.people.distinct_name(name)
        except ValidationError:
            return _refused(400, "bad_request", reason="name")
        self._has_come = True
        return Answered(OK, {"ok": True})

    def _sign(self, body: Mapping[str, Any]) -> Answered:
        """Show a sign of whoever looks on."""
        far, found = self._here.services.of_feature(FarServices), body.get("sign")
        home = None if far is None else far.home
        sign: Sign | None = next((one for one in get_args(Sign) if one == found), None)
        if home is None or sign is None:
            return _refused(NOT_ALLOWED, "not_allowed")
        if not home.sign(None, sign, self.name):
            return _refused(429, "sign_wait")
        return Answered(OK, {"ok": True})

    def _may(self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, Any]) -> bool:
        if path == "view":
            return query.get("role", "table") in ROLES
        if method == "GET" or path != "request":
            return True
        kind = body.get("kind")
        if not isinstance(kind, str):
            return False
        is_own_hand = kind == OF_REAL_CARDS and self.cards == "real"
        return body.get("role", "seat") == "seat" and (kind in KINDS or is_own_hand)

    def _open(
        self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, Any]
    ) -> TestResponse:
        sent: dict[str, Any] = {"json": body} if method == "POST" else {}
        return self._client.open(
            f"/api/v1/{path}",
            method=method,
            query_string=query,
            base_url=BASE,
            headers={REQUEST_HEADER: "1"},
            environ_overrides={REMOTE: True, "REMOTE_ADDR": ADDRESS},
            **sent,
        )

    def _without_home(self, session: Any) -> Any:
        """The session as it is sent far away: nothing of the house, but who invites."""
        table = self._here.table
        host = table.host_seat
        invited = {
            "seat": None if self.seat_invited is None else self.seat_invited.name,
            "by": "" if host is None else table.people.names().get(host, ""),
            "name": self.name,
            "watches": self._watches,
            "has_come": self._has_come,
        }
        closed = {"url": "", "photos": False, "simulated": False, "camera": False, "cards_requests": []}
        return {**session, **closed, "invited": invited}

    def _piece(self, query: Mapping[str, str]) -> Answered:
        """A piece of the film: a broker passes on no more at once."""
        digits = query.pop("offset", "0") if isinstance(query, dict) else "0"
        answer = self._open("GET", "ending/film.gif", query, {})
        if answer.status_code != 200:
            return Answered(answer.status_code, answer.get_json())
        start = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 9 else 0
        whole = answer.get_data()
        end = start + PIECE_BYTES
        piece = base64.b64encode(whole[start:end]).decode("ascii")
        return Answered(
            200, {"base64": piece, "next": end if end < len(whole) else None, "total": len(whole)}
        )


def _refused(status: int, code: str, **params: str) -> Answered:
    message = phrase(f"refuse/{code}", **params)
    return Answered(status, {"ok": False, "code": code, "message": message, "data": {}})
