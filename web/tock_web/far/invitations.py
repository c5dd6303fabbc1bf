"""`/api/v1/far`: the host invites people and boards from far away; who sits gives signs to the other home."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from tock_companion.core.fields import SeatValue
from tock_companion.core.requests import refused
from tock_companion.errors import BadInputError, TockError
from tock_companion.schema import A_SEEN_NAME, Schema
from tock_companion.views.phrases import phrase
from tock_web.answers.people import Done, Refusal, TableReply
from tock_web.context import answer_of, caller, context
from tock_web.far.answers import FarPlaces, FarRow, FollowedHome
from tock_web.far.hand_photo import hand_photo
from tock_web.far.home import FarServices
from tock_web.feature import Feature
from tock_web.qr import qr_data
from tock_web.services import PageServices
from tock_web.serving.faults import refusal
from tock_web.serving.gate import Who, endpoint

if TYPE_CHECKING:
    from tock_companion.far.guests import FarGuest
    from tock_companion.far.tunnel import Tunnel

LOG = logging.getLogger(__name__)
Room = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{22}$")]
far = Blueprint("far", __name__, url_prefix="/api/v1/far")


class Invite(Schema):
    """Whom to invite: somebody to a seat; where it is null another board, or somebody who only looks on."""

    seat: SeatValue | None = None
    name: Annotated[str, Field(max_length=40), A_SEEN_NAME] = ""
    cards: Literal["drawn", "real"] = "drawn"
    watches: bool = False


class OfRoom(Schema):
    """The invitation that is meant."""

    room: Room


class OfHome(Schema):
    """The link that another home has sent."""

    link: Annotated[str, Field(max_length=1000)]


class CardsOf(OfRoom):
    """Origin of the cards of a far seat."""

    cards: Literal["drawn", "real"]


class SignOf(Schema):
    """One of eight drawings, or a knock for the player to move."""

    sign: Literal["clap", "laugh", "wow", "heart", "ouch", "think", "hurry", "tea", "knock"]


@far.get("")
@endpoint(answer=FarPlaces, who=Who.HOST)
def places() -> ResponseReturnValue:
    """The seats and boards away, and how things stand with each."""
    return _places()


@far.post("/invite")
@endpoint(body=Invite, answer=FarPlaces, refusal=Refusal | TableReply, who=Who.HOST)
def invite(asked: Invite) -> ResponseReturnValue:
    """Invite somebody far away to a free seat or to look on, or another board; the answer has the link."""
    name = None if asked.seat is None else context().table.people.names().get(asked.seat)
    if name is not None:
        return answer_of(refused("seat_taken", name=name))
    watches = asked.watches and asked.seat is None
    return _with(lambda home: home.invite(asked.seat, asked.name, asked.cards, watches=watches))


@far.post("/renew")
@endpoint(body=OfRoom, answer=FarPlaces, refusal=Refusal, who=Who.HOST, ends=True)
def renew(asked: OfRoom) -> ResponseReturnValue:
    """Give a new link in place of one that went astray, which opens nothing any more."""
    return _with(lambda home: home.renew(asked.room))


@far.post("/revoke")
@endpoint(body=OfRoom, answer=FarPlaces, refusal=Refusal, who=Who.HOST, ends=True)
def revoke(asked: OfRoom) -> ResponseReturnValue:
    """Take an invitation back; whoever came with it stands up."""
    return _with(lambda home: home.revoke(asked.room))


@far.post("/cards")
@endpoint(body=CardsOf, answer=FarPlaces, refusal=Refusal, who=Who.HOST)
def choose_cards(asked: CardsOf) -> ResponseReturnValue:
    """Have the cards of a far seat drawn, or photographed by somebody at home."""
    return _with(lambda home: home.choose_cards(asked.room, asked.cards))


@far.post("/stand-in")
@endpoint(body=OfRoom, answer=FarPlaces, refusal=Refusal | TableReply, who=Who.HOST)
def stand_in(asked: OfRoom) -> ResponseReturnValue:
    """Have the computer play for somebody who is away; with the same link they may take the seat up again."""
    return _with(lambda home: home.stand_in(asked.room))


@far.post("/sign")
@endpoint(body=SignOf, answer=Done, refusal=Refusal, who=Who.SEATED)
def sign(asked: SignOf) -> ResponseReturnValue:
    """Show a sign of the caller's seat in both homes for some seconds."""
    home, board, seat = _here().home, _here().second_board, caller().seat
    assert seat is not None
    followed = None if board is None else board.followed
    if board is not None and followed is not None and followed.state != "off":
        if not board.sign(seat, asked.sign):
            return refusal(409, "refuse/home_away")
        return jsonify({"ok": True})
    if home is None:
        return refusal(404, "far/off")
    if not home.sign(seat, asked.sign):
        return refusal(429, "refuse/sign_wait")
    return jsonify({"ok": True})


@far.post("/follow")
@endpoint(body=OfHome, answer=FarPlaces, refusal=Refusal, who=Who.HOST)
def follow(asked: OfHome) -> ResponseReturnValue:
    """Follow the game of another home on this board."""
    board = _here().second_board
    if board is None:
        return refusal(404, "far/off")
    try:
        board.follow(asked.link)
    except BadInputError as error:
        return refusal(409, str(error))
    except TockError as error:
        LOG.warning("%s", error)
        return refusal(409, "far-board/disk")
    return _places()


@far.post("/unfollow")
@endpoint(answer=FarPlaces, who=Who.HOST, ends=True)
def unfollow() -> ResponseReturnValue:
    """Follow no other home any more; the copy of its game stays."""
    board = _here().second_board
    if board is not None:
        board.leave()
    return _places()


@far.post("/later")
@endpoint(answer=FarPlaces, who=Who.HOST)
def later() -> ResponseReturnValue:
    """Tell the other home that the last move is copied later, so that its turn need not wait."""
    board = _here().second_board
    if board is not None:
        board.later()
    return _places()


def _with(do: Callable[["Tunnel"], object]) -> ResponseReturnValue:
    """Do something with the invitations, and answer with all of them."""
    home = _here().home
    if home is None:
        return refusal(404, "far/off")
    try:
        do(home)
    except BadInputError:
        return refusal(409, "far/ended")
    except TockError as error:
        LOG.warning("%s", error)
        return refusal(409, "far/unreachable")
    return _places()


def _places() -> ResponseReturnValue:
    home = _here().home
    rows = [] if home is None else [_row(guest) for guest in home.guests()]
    answer: FarPlaces = {
        "on": home is not None,
        "relay": None if home is None else home.relay,
        "reached": home is not None and home.is_reached,
        "seats": [row for row in rows if row["seat"] is not None],
        "boards": [row for row in rows if row["seat"] is None and not row["watches"]],
        "watching": [row for row in rows if row["watches"]],
        "followed": _followed(),
    }
    return jsonify(answer)


def _followed() -> FollowedHome:
    board = _here().second_board
    found = None if board is None else board.followed
    if found is None:
        return {"state": "off", "sentence": None, "round_trip_ms": None}
    return {"state": found.state, "sentence": found.sentence, "round_trip_ms": found.round_trip_ms}


def _row(guest: "FarGuest") -> FarRow:
    return {
        "room": guest.room,
        "seat": None if guest.seat is None else guest.seat.name,
        "name": guest.name,
        "state": guest.state,
        "seconds": guest.seconds,
        "round_trip_ms": guest.round_trip_ms,
        "cards": guest.cards,
        "link": guest.link,
        "qr": qr_data(guest.link),
        "until_s": guest.until_s,
        "watches": guest.watches,
        "trouble": phrase("far-other-version") if guest.is_other_version else None,
    }


def _here() -> FarServices:
    return _of(context().services)


def _of(services: PageServices) -> FarServices:
    return services.of_feature(FarServices) or FarServices()


FAR = Feature("far", (far, hand_photo), host_words=("far-host.",), later_words=("far.",))
