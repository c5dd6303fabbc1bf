"""`/api/v1/events/public`: a stream of public events for programs; `/api/v1/programs`: the host's keys for them."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Annotated

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field
from typing_extensions import TypedDict

from tock_companion.core.bodies import FreeSeat
from tock_companion.core.fields import Number
from tock_companion.core.requests import Request, Role
from tock_companion.schema import A_SEEN_NAME, Schema
from tock_companion.table.runtime.public_feed import PublicFeed
from tock_companion.views.public_events import Mark, PublicEvent, mark_of
from tock_web.answers.people import Done, Fault, Refusal
from tock_web.context import context, require_proof
from tock_web.feature import Feature
from tock_web.programs.asyncapi import AsyncApiDocument, described
from tock_web.programs.keys import (
    HOST_IN_PERSON,
    PROGRAM,
    ProgramKey,
    Scope,
    admit_program,
    program_keys,
    seat_of,
    validity_of,
)
from tock_web.rights.proof import Proof
from tock_web.routes.pages import page
from tock_web.serving.faults import no_room
from tock_web.serving.gate import Media, endpoint
from tock_web.streams import HEARTBEAT_S, RETRY_MS, Feed, Stream, event_text

programs = Blueprint("programs", __name__, url_prefix="/api/v1")
programs.before_app_request(admit_program)
overlay = Blueprint("overlay", __name__)
PROGRAMS = Feature("programs", (programs, overlay), host_words=("overlay.", "programs."))


class Since(Schema):
    """The id of the last event that the program has; without it the stream begins with the next one."""

    since: Annotated[str, Field(pattern=r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}$")] | None = None


class NewKey(Schema):
    """A key for a program."""

    name: Annotated[str, Field(min_length=1, max_length=40), A_SEEN_NAME]
    days: Annotated[int, Field(ge=1, le=3650)] = 365
    scope: Scope = "read"
    proof: Proof = ""
    """For the scope `host`: the PIN or the machine's code."""


class OfKey(Schema):
    """The key that is meant."""

    number: Number


class KeyRow(TypedDict):
    """A key as the host sees it."""

    number: int
    name: str
    ends_at: str
    scope: Scope
    seat: str | None
    """The seat that the program holds."""


class KeyList(TypedDict):
    """All keys."""

    keys: Sequence[KeyRow]


class MadeKey(KeyRow):
    """A new key, with the secret that is shown this once."""

    key: str


@programs.get("/events/public")
@endpoint(
    query=Since, answer=Media(("text/event-stream",), {"message": PublicEvent}), refusal=Fault, who=PROGRAM
)
def public_events(asked: Since) -> ResponseReturnValue:
    """Everything that happens at the table, event by event, also as a WebSocket.

    `Last-Event-ID` or `since` resumes a stream.
    """
    here, key = context(), program_keys().of_request()
    feed = here.table.public_feed
    assert key is not None
    resumed = request.headers.get("Last-Event-ID") or asked.since
    place = feed.newest() if resumed is None else mark_of(resumed)
    name = f"program {key.number}"
    stream = Stream(
        secrets.token_hex(8), name, here.table.subscribe(Role.TABLE), name, request.remote_addr or ""
    )
    if not here.streams.admit(stream):
        stream.close()
        return no_room()
    steps = _steps(stream, feed, place, validity_of(key))
    return Feed(stream, steps, lambda: here.streams.drop(stream), is_for_sockets=True).response()


def _steps(stream: Stream, feed: PublicFeed, place: Mark, is_valid: Callable[[], bool]) -> Iterator[str]:
    """Yield the events behind a place, "" while there are none, until the key ends."""
    yield f"retry: {RETRY_MS}\n\n"
    quiet_since_s = monotonic()
    while not stream.closed.is_set():
        news = feed.after(place)
        for event in news:
            place = mark_of(event["id"])
            yield event_text("message", event, event["id"])
        if news:
            quiet_since_s = monotonic()
        elif monotonic() - quiet_since_s >= HEARTBEAT_S:
            if not is_valid():
                return
            quiet_since_s = monotonic()
            yield ": quiet\n\n"
        else:
            yield ""


@overlay.get("/overlay")
def overlay_page() -> ResponseReturnValue:
    """A transparent page for broadcasts; the script reads from its address what to show, where, and how large."""
    return page("overlay", Role.TABLE, title="watch")


@programs.get("/programs")
@endpoint(answer=KeyList, who=HOST_IN_PERSON)
def key_list() -> ResponseReturnValue:
    """The keys of programs."""
    return jsonify({"keys": [_row(key) for key in program_keys().valid()]})


@programs.post("/programs")
@endpoint(body=NewKey, answer=MadeKey, refusal=Refusal, who=HOST_IN_PERSON, says="programs/full")
def make_key(asked: NewKey) -> ResponseReturnValue:
    """Make a key for a program; the answer is the only place that shows its secret. One that hosts needs the proof."""
    if asked.scope == "host":
        require_proof(asked.proof)
    key, secret = program_keys().make(asked.name, asked.days, asked.scope)
    return jsonify({**_row(key), "key": secret})


@programs.post("/programs/end")
@endpoint(body=OfKey, answer=Done, who=HOST_IN_PERSON, ends=True)
def end_key(asked: OfKey) -> ResponseReturnValue:
    """Take a key away; its streams end, and its seat is free."""
    here, keys = context(), program_keys()
    for key in keys.valid():
        if key.number == asked.number:
            seat = seat_of(key)
            keys.take_away(key.number)
            if seat is not None:
                here.table.request(Request(FreeSeat(seat), Role.HOST))
                here.streams.close_group(seat.name)
    here.streams.close_group(f"program {asked.number}")
    return jsonify({"ok": True})


def _row(key: ProgramKey) -> KeyRow:
    seat = seat_of(key)
    return {
        "number": key.number,
        "name": key.name,
        "ends_at": key.ends_at,
        "scope": key.scope,
        "seat": None if seat is None else seat.name,
    }


@programs.get("/asyncapi.json")
@endpoint(answer=AsyncApiDocument)
def asyncapi() -> ResponseReturnValue:
    """The public events, in AsyncAPI 3.0."""
    return jsonify(described())
