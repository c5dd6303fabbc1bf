"""State that the routes of one app share."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from flask import Flask, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.allowance import Window
from tock_companion.core.requests import Reply
from tock_companion.events.game import Game
from tock_companion.hints.best_move import BestMove, best_move
from tock_companion.hints.story import Story, story_of
from tock_companion.sources.base import TeachableSource
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.reply_words import reply_words
from tock_web.answers.people import ReplyData, TableReply
from tock_web.camera_phones import CameraPhones
from tock_web.feature import Feature
from tock_web.hand_photos import HandPhotos
from tock_web.hint_quota import HintQuota
from tock_web.limits.pin_attempts import stranger_attempts
from tock_web.limits.quotas import Quotas, TooManyError
from tock_web.rights.cookies import SEAT_COOKIE, drop_cookie, own_name, secrets_of
from tock_web.rights.host_rights import Caller, HostRights
from tock_web.rights.pin import PinKeeper
from tock_web.rights.proof import Proofs
from tock_web.services import PageServices
from tock_web.streams import StreamRegistry

EXTENSION = "tock"
STREAMS = "tock.streams"
"""The open streams of an app."""
REMOTE = "tock.remote"
"""Marks, in the WSGI environment, a request that a feature passes on for a guest outside this network.

No request from the network can carry it.
"""
CLOSE_STREAMS = "tock.close-streams"
"""Ends every stream of an app when its server stops."""


class BestMoves:
    """Searches for the best move of a game once; callers in the meantime are asked to come back."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._game: tuple[int, int] | None = None
        self._found: BestMove | None = None

    def of(self, number: int, game: Game) -> tuple[bool, BestMove | None]:
        """Whether the search is over, and its move; None where none stands out."""
        if not self._lock.acquire(blocking=False):
            return False, None
        try:
            if self._game != (number, game.seq):
                before = {turn.seq: turn.before for turn in game.turns}
                made = [(before[played.seq], played.move) for played in game.moves if played.seq in before]
                self._found, self._game = best_move(made), (number, game.seq)
            return True, self._found
        finally:
            self._lock.release()


class Stories:
    """Tells the story of a game once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._game: tuple[int, int] | None = None
        self._story = Story()

    def of(self, number: int, game: Game) -> Story:
        """The story of a game that somebody has won; an empty one of any other."""
        with self._lock:
            if self._game != (number, game.seq):
                self._story, self._game = story_of(game), (number, game.seq)
            return self._story


@dataclass(slots=True)
class Context:
    """The table behind the page and the people connected to it."""

    table: Table
    streams: StreamRegistry
    services: PageServices = field(default_factory=PageServices)
    features: Sequence[Feature] = ()
    pin: PinKeeper = field(init=False)
    proofs: Proofs = field(init=False)
    host_rights: HostRights = field(init=False)
    strangers: Window = field(default_factory=stranger_attempts)
    """Cookies with unknown secrets."""
    quotas: Quotas = field(default_factory=Quotas)
    best_moves: BestMoves = field(default_factory=BestMoves)
    stories: Stories = field(default_factory=Stories)
    hint_quota: HintQuota = field(init=False)
    phones: CameraPhones = field(init=False)
    hand_photos: HandPhotos | None = field(init=False)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    """Names this run of the companion: revisions are comparable only within one run."""

    def __post_init__(self) -> None:
        """Restore the host's choices from before the start."""
        services, self.pin = self.services, PinKeeper(self.services.data)
        self.proofs = Proofs(self.pin, services.machine_code, services.pin_attempts)
        self.host_rights = HostRights(self.table, self.pin, services.hosts)
        self.hint_quota = HintQuota(self.table.choices)
        self.phones = CameraPhones(self.table.choices, self.table.sources)
        read = self.services.read_cards
        self.hand_photos = None if read is None else HandPhotos(read)


def install(app: Flask, context: Context) -> None:
    """Attach the context of an app."""
    app.extensions[EXTENSION] = context
    app.extensions[STREAMS] = context.streams
    app.extensions[CLOSE_STREAMS] = context.streams.close_all


def context_of(app: Flask) -> Context:
    """The context of an app."""
    return cast(Context, app.extensions[EXTENSION])


def context() -> Context:
    """The context of the app that serves the present request."""
    return context_of(current_app)


def device() -> str | None:
    """The player's or host's device that sent the present request; None for a stranger."""
    return (
        context().host_rights.device_of(secrets_of(request))
        if {"Cookie", "Authorization"} & {*request.headers.keys()}
        else None
    )


def require_proof(given: str, device: str = "", *, pin_alone: bool = False) -> None:
    """Have the sender of the present request proved with the PIN or the machine's code; raises UnprovenError."""
    device = device or secrets_of(request).device
    context().proofs.require(given, device, request.remote_addr or "", pin_alone=pin_alone)


def is_remote() -> bool:
    """Whether a guest outside this network sent the present request."""
    return REMOTE in request.environ


def caller() -> Caller:
    """The rights of the present request; 429 for an address that tries secret after secret.

    A valid secret never waits for invalid ones.
    """
    here = context()
    person = here.host_rights.of(secrets_of(request))
    if is_remote():
        return Caller(person.seat, is_host=False)
    is_stranger = person.seat is None and not person.is_host
    if is_stranger and secrets_of(request).seat:
        wait_s = here.strangers.take(request.remote_addr or "")
        if wait_s:
            raise TooManyError(wait_s)
    return person


def teachable_source() -> TeachableSource | None:
    """The first source that can be shown the board."""
    return next((source for source in context().table.sources if isinstance(source, TeachableSource)), None)


def answer_of(reply: Reply) -> ResponseReturnValue:
    """A reply of the table as JSON: 200 when granted, 409 when not."""
    body: TableReply = {
        "ok": reply.ok,
        "code": reply.code,
        "message": reply_words(reply, context().table.names) or {},
        "data": cast(ReplyData, dict(reply.data)),
    }
    return jsonify(body), 200 if reply.ok else 409


def drop_lost_seat(answer: Response) -> None:
    """Have a phone send the secret of a seat that was given away no more, unless it is host by it."""
    is_sent = own_name(SEAT_COOKIE, request.headers.get("Host", "")) in request.cookies
    if is_sent and caller().seat is None and not context().host_rights.is_by_lost_seat(secrets_of(request)):
        drop_cookie(answer, SEAT_COOKIE)
