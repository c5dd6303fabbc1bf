"""`/api/v1`: the caller's identity, its views as they change, and its requests to the table."""

from collections.abc import Callable
from threading import Lock
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field, ValidationError

from tock_companion.boardfile import to_json
from tock_companion.core.bodies import BODIES, HandHost
from tock_companion.core.fields import Number
from tock_companion.core.requests import Request, Role, adapter, refused
from tock_companion.schema import Schema
from tock_companion.table.runtime.troubles import HELD_BACK
from tock_companion.views.phrases import phrase
from tock_companion.views.schema import Heartbeat, View
from tock_rules import Seat
from tock_web.address import phone_url
from tock_web.answers.devices import BoardDocument
from tock_web.answers.people import Fault, Health, OtherHosts, Session, TableReply
from tock_web.bootstrap import session_of
from tock_web.context import Context, answer_of, caller, context, device, drop_lost_seat
from tock_web.describe.openapi import ApiDocument, document_of
from tock_web.qr import qr_svg
from tock_web.rights.cookies import secrets_of
from tock_web.rights.host_rights import Caller, named
from tock_web.serving.faults import input_error, no_room
from tock_web.serving.gate import Media, QueryNumber, Who, endpoint
from tock_web.streams import Feed, Stream, event_text, run

JPEG = Media(("image/jpeg",))
KEPT_AS = "tock.openapi"
DESCRIBING = Lock()
"""Making the description takes nearly a second, and on Python 3.11 two threads cannot make it at once."""
live = Blueprint("live", __name__, url_prefix="/api/v1")


class ViewQuery(Schema):
    """The view that is asked for."""

    role: Annotated[Role, Field(strict=False)] = Role.TABLE


class HeldViewQuery(ViewQuery):
    """The view that is asked for, perhaps because a stream opened and nothing came."""

    held: Annotated[bool, Field(strict=False)] = False


class StreamQuery(ViewQuery):
    """The views that a stream is asked for; `tab` is a random text that names the browser's tab."""

    tab: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{8,64}$")]


class Picture(Schema):
    """`n` changes with every request, so that no browser shows an old picture."""

    n: QueryNumber | None = None


class TableRequest(Schema):
    """A request to the table; the reference of `make api` lists the kinds and their data."""

    kind: Literal[tuple(BODIES)]  # type: ignore[valid-type]
    data: dict[str, Any] = Field(default_factory=dict)
    role: Literal["seat", "host"] = "seat"
    revision: Number | None = None
    """The revision on which the request is based: when events were recorded since, the answer is `stale`."""


@live.get("/health")
@endpoint(answer=Health)
def health() -> ResponseReturnValue:
    """Tell scripts that the page and the table behind it answer."""
    here = context()
    revision = here.table.view(Role.WATCH)["revision"]
    answer: Health = {"ok": True, "revision": revision, "boot": here.boot, "streams": len(here.streams)}
    return jsonify(answer)


@live.get("/board")
@endpoint(answer=BoardDocument)
def board() -> ResponseReturnValue:
    """The board file that is in use."""
    return jsonify(to_json(context().table.board_file))


@live.get("/session")
@endpoint(answer=Session)
def session() -> ResponseReturnValue:
    """The caller's seat, whether it is the host, and the address for other phones."""
    person = caller()
    answer = jsonify(session_of(person))
    drop_lost_seat(answer)
    return answer


@live.get("/qr.svg")
@endpoint(answer=Media(("image/svg+xml",)))
def qr() -> ResponseReturnValue:
    """The address for phones as a QR code."""
    return Response(qr_svg(phone_url(request.host)), mimetype="image/svg+xml")


@live.get("/preview")
@endpoint(query=Picture, answer=JPEG, who=Who.HOST)
def preview(_asked: Picture) -> ResponseReturnValue:
    """The newest picture of the camera, for the host who must aim it; 204 while there is none."""
    # A real camera may see hands and the living room.
    picture = context().table.preview()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@live.get("/view")
@endpoint(query=HeldViewQuery, answer=View, refusal=Fault, who=Who.ROLE)
def view(asked: HeldViewQuery) -> ResponseReturnValue:
    """The present view of a role; for phones without a stream, and for scripts."""
    seat = _seat_to_show(asked.role)
    shown = context().table.view(asked.role, seat)
    if _seat_to_show(asked.role) is not seat:
        # The seat changed hands while the view was made, so it may be the next holder's.
        abort(401)
    if asked.held:
        context().table.note_network(HELD_BACK)
        note = {"code": HELD_BACK, "hole": None, "sentence": phrase(f"health/{HELD_BACK}")}
        answer = jsonify({**shown, "health": [*shown["health"], note]})
    else:
        answer = jsonify(shown)
    answer.headers["X-Tock-Boot"] = context().boot
    return answer


@live.get("/events")
@endpoint(
    query=StreamQuery,
    answer=Media(("text/event-stream",), {"view": View, "hosts": OtherHosts, "hb": Heartbeat}),
    refusal=Fault,
    who=Who.ROLE,
)
def events(asked: StreamQuery) -> ResponseReturnValue:
    """The views of a role as they change, as Server-Sent Events; the newest stream of a tab wins."""
    role, seat = asked.role, _seat_to_show(asked.role)
    here = context()
    here.quotas.comings.take(device() or request.remote_addr or "")
    group = seat.name if seat is not None else ""
    first = here.table.view(role, seat)
    # Its first view is there at once, so nothing is missed that happens between the two lines.
    stream = Stream(
        asked.tab,
        group,
        here.table.subscribe(role, seat),
        device() or "",
        request.remote_addr or "",
        watches=role is Role.WATCH,
    )
    if not here.streams.admit(stream):
        stream.close()
        return no_room()
    steps = run(here.streams, stream, first, here.boot, _end_of(role), _news_of_hosts())
    answer = Feed(stream, steps, lambda: _ended(here, stream)).response()
    if stream.watches:
        here.table.show_watching(here.streams.watching)
    return answer


def _ended(here: Context, stream: Stream) -> None:
    here.streams.drop(stream)
    if stream.watches:
        here.table.show_watching(here.streams.watching)


def _seat_to_show(role: Role) -> Seat | None:
    """The seat whose view to show; 401 or 403 when the caller may not look at all."""
    person = caller()
    if not person.may_look(role):
        abort(401 if role is Role.SEAT else 403)
    return person.seat if role is Role.SEAT else None


def _end_of(role: Role) -> Callable[[], bool]:
    """Tells a stream that its phone has lost the seat or the host's rights."""
    host_rights, known = context().host_rights, secrets_of(request)
    seat = host_rights.of(known).seat

    def may_look_no_longer() -> bool:
        # Asking also shows that the device is here: a host stays host while one of their pages is open.
        person = host_rights.of(known)
        # A caller who moved to another seat sees nothing more of this one.
        return not person.may_look(role) or (role is Role.SEAT and person.seat is not seat)

    return may_look_no_longer


def _news_of_hosts() -> Callable[[], str]:
    """Tells a host's stream of the other hosts and of strangers' guesses, at first and whenever that changes."""
    here, known = context(), secrets_of(request)
    sent: OtherHosts = {"names": [], "guessing": False}

    def news() -> str:
        nonlocal sent
        if not (known.seat or known.host):
            return ""
        names = named(here.table, [host.seat for host in here.host_rights.others(known)])
        is_host = here.host_rights.of(known).is_host
        now: OtherHosts = {"names": names, "guessing": is_host and here.proofs.attempts.is_full}
        if now == sent:
            return ""
        sent = now
        return event_text("hosts", now)

    return news


@live.post("/request")
@endpoint(body=TableRequest, answer=TableReply, refusal=TableReply, who=Who.ROLE)
def send_request(asked: TableRequest) -> ResponseReturnValue:
    """Send the table a request in the name of the caller's seat or of the host."""
    person = caller()
    as_host = asked.role == "host"
    if as_host and not person.is_host:
        abort(403)
    if not as_host and person.seat is None:
        abort(401)
    context().quotas.moves.take(device() or "")
    try:
        body = adapter(asked.kind).validate_python(asked.data)
    except ValidationError as error:
        raise input_error(error, ("data",)) from None
    role, seat = (Role.HOST, None) if as_host else (Role.SEAT, person.seat)
    who, here, known = Request(body, role, seat, asked.revision), context(), secrets_of(request)
    if as_host:
        return _as_host(who, person)
    return answer_of(here.table.request(who, lambda: here.host_rights.of(known).seat is seat))


def _as_host(asked: Request, person: Caller) -> ResponseReturnValue:
    """Send a request in the host's name, which takes no rights from another host who is present."""
    table, host_rights, known = context().table, context().host_rights, secrets_of(request)
    deposed = host_rights.deposed_by(asked, person)
    if deposed is not None:
        return answer_of(refused("host_stays", name=named(table, (deposed,))[0] or ""))
    reply = table.request(
        asked, lambda: host_rights.of(known).is_host and not host_rights.deposed_by(asked, person)
    )
    if reply.ok and isinstance(asked.body, HandHost):
        host_rights.release_device(known)
    return answer_of(reply)


@live.get("/openapi.json")
@endpoint(answer=ApiDocument)
def openapi() -> ResponseReturnValue:
    """This description, in OpenAPI 3.1."""
    kept = current_app.extensions
    with DESCRIBING:
        if KEPT_AS not in kept:
            kept[KEPT_AS] = current_app.json.dumps(document_of(current_app))
    return Response(kept[KEPT_AS], mimetype="application/json")
