"""`/api/v1`: views to look at, requests to send; described by `openapi.json`."""

from collections.abc import Callable
from importlib.resources import files

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tock_companion.boardfile import to_json
from tock_companion.errors import BadInputError
from tock_companion.table.requests import Role, bad_request, parse_request
from tock_web.address import phone_url, qr_svg
from tock_web.context import answer_of, body, caller, context, role_argument, seat_to_look_for, text_of
from tock_web.given import who_is
from tock_web.people import HOST_COOKIE, SEAT_COOKIE, drop_cookie
from tock_web.streams import Stream, run

RETRY_AFTER_S = 5
api = Blueprint("api", __name__, url_prefix="/api/v1")


@api.get("/health")
def health() -> ResponseReturnValue:
    """Tell scripts that the page and the table behind it answer."""
    view = context().table.view(Role.WATCH)
    return {
        "ok": True,
        "revision": view["revision"],
        "boot": context().boot,
        "streams": len(context().streams),
    }


@api.get("/board")
def board() -> ResponseReturnValue:
    """Return the board file that is in use."""
    return jsonify(to_json(context().table.board_file))


@api.get("/session")
def session() -> ResponseReturnValue:
    """Tell a phone who it is: its seat, whether it is the host, and where other phones find the page."""
    person = caller()
    answer = jsonify(who_is(person))
    if person.seat is None and SEAT_COOKIE in request.cookies:
        # The seat was given away meanwhile: a secret of nobody is not to be shown again and again.
        drop_cookie(answer, SEAT_COOKIE)
    return answer


@api.get("/qr.svg")
def qr() -> ResponseReturnValue:
    """Return the address for phones as a picture."""
    return Response(qr_svg(phone_url(request.host)), mimetype="image/svg+xml")


@api.get("/preview")
def preview() -> ResponseReturnValue:
    """Return the newest picture of the camera to the host, who must aim it; 204 while there is none."""
    # A real camera may see hands and the living room.
    if not caller().is_host:
        abort(403)
    picture = context().table.preview()
    return Response(status=204) if picture is None else Response(picture, mimetype="image/jpeg")


@api.get("/view")
def view() -> ResponseReturnValue:
    """Return what a role sees now; for phones that get no stream and for scripts."""
    role = role_argument()
    answer = jsonify(context().table.view(role, seat_to_look_for(role)))
    answer.headers["X-Tock-Boot"] = context().boot
    return answer


@api.get("/events")
def events() -> ResponseReturnValue:
    """Stream the views of a role; the newest stream of a tab wins."""
    role = role_argument()
    seat = seat_to_look_for(role)
    tab = request.args.get("tab", "")
    if not 8 <= len(tab) <= 64:
        abort(400, "tab is a random text of 8 to 64 characters")
    here = context()
    group = seat.name if seat is not None else ""
    first = here.table.view(role, seat)
    # Its first view is there at once, so nothing is missed that happens between the two lines.
    stream = Stream(tab, group, here.table.subscribe(role, seat))
    if not here.streams.admit(stream):
        stream.close()
        return Response("too many streams", 503, {"Retry-After": str(RETRY_AFTER_S)})
    answer = Response(
        run(here.streams, stream, first, here.boot, _end_of(role)), mimetype="text/event-stream"
    )
    answer.call_on_close(lambda: here.streams.drop(stream))
    return answer


def _end_of(role: Role) -> Callable[[], bool]:
    """Return what tells a stream that it is of no use any more: its phone has gone, or is no longer the host."""
    desk, token = context().host_desk, request.cookies.get(HOST_COOKIE)
    has_gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    # Asking also keeps the host's rights alive while the host's page is open.
    if role is Role.SEAT:
        secret, table = request.cookies[SEAT_COOKIE], context().table
        return lambda: has_gone() or table.holder(secret) is None
    return lambda: has_gone() or (role is Role.HOST and not desk.is_host(token))


@api.post("/request")
def send_request() -> ResponseReturnValue:
    """Pass a wish on to the table, in the name of the own seat or of the host."""
    data = body()
    person = caller()
    as_host = data.get("role") == Role.HOST.value
    if as_host and not person.is_host:
        abort(403)
    if not as_host and person.seat is None:
        abort(401)
    details = data.get("data", {})
    revision = data.get("revision")
    if not isinstance(details, dict) or not (revision is None or type(revision) is int):
        abort(400, "data is an object, revision a number")
    role, seat = (Role.HOST, None) if as_host else (Role.SEAT, person.seat)
    try:
        asked = parse_request(text_of(data, "kind", 40), details, role, seat, revision)
    except BadInputError as error:
        return answer_of(bad_request(error))
    return answer_of(context().table.request(asked))


@api.get("/openapi.json")
def description() -> ResponseReturnValue:
    """Return the description of all of this."""
    text = files("tock_web").joinpath("openapi.json").read_text(encoding="utf-8")
    return Response(text, mimetype="application/json")
