"""Answers about who asks: faults, seats, the host, and replies of the table."""

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import CardName, SeatName


class Fault(TypedDict):
    """Why a request was refused before it reached the table."""

    ok: Literal[False]
    code: str
    """Stable: `bad_input` for what was sent, else `http/` and the status."""
    error: str
    """One sentence in English, for scripts and logs."""
    message: Text
    field: NotRequired[str]
    """What of the request is wrong; only with `bad_input`."""


class Refusal(TypedDict):
    """A request that was understood and refused."""

    ok: Literal[False]
    code: str
    message: Text


class Nothing(TypedDict):
    """No text and no data: an empty object."""


class Done(TypedDict):
    """Granted, with nothing more to say."""

    ok: Literal[True]


class Health(TypedDict):
    """A sign of life for scripts."""

    ok: Literal[True]
    revision: int
    boot: str
    """Names this run of the companion: revisions are comparable only within one run."""
    streams: int


class CardsRequest(TypedDict):
    """Somebody sits where this phone told the table its cards: `join/show` says whether they may be seen."""

    number: int
    seat: SeatName
    name: str
    """Who sits there now."""


class Session(TypedDict):
    """Who a phone is, what it may offer, and where other phones find the page."""

    seat: SeatName | None
    host: bool
    host_taken: bool
    """Somebody is host and here: another device needs the PIN, or the code that the machine shows."""
    other_hosts: Sequence[str | None]
    """For a host: the names of those who are host too; null for one without a seat."""
    pin: bool
    """Hosts need a PIN."""
    simulated: bool
    camera: bool
    """There is a camera that can be shown the board."""
    photos: bool
    """Hands can be read from photos."""
    cards_requests: Sequence[CardsRequest]
    url: str


class PhotographedCard(TypedDict):
    """What a card of a photographed hand can be under the rules."""

    card: CardName
    choices: Sequence[CardName]
    """The likely cards, where the player must decide."""
    reason: Literal["", "unsure", "not_in_pack", "played", "too_many"]


class ReplyData(TypedDict, total=False):
    """What some kinds of request answer besides yes."""

    cards: Sequence[PhotographedCard]
    """Of `hand_check`."""
    size: int | None
    """Of `hand_check`: how many cards the hand has, where that is known."""
    unread: int
    """Of a photo: how many cards are seen in it that cannot be read."""
    new_game: bool
    """Of `answer`: another game begins."""


class TableReply(TypedDict):
    """The table's answer to a request: 200 when it is granted, 409 when not."""

    ok: bool
    code: str
    message: Text | Nothing
    data: ReplyData


class Seated(TypedDict):
    """The caller has the seat; its secret is in the cookie."""

    ok: Literal[True]
    state: Literal["seated"]
    seat: SeatName
    name: str


class SeatAsked(TypedDict):
    """The holder and the host were asked for the seat."""

    ok: Literal[True]
    secret: str
    """Proves to `join/hear` that one has asked."""


class OtherHosts(TypedDict):
    """Who is host too has changed."""

    names: Sequence[str | None]
    """Null for one without a seat."""


class SeatAnswer(TypedDict):
    """No seat yet, or none at all."""

    ok: bool
    state: Literal["waiting", "refused"]


class HostGranted(TypedDict):
    """The caller is the host, or has set the PIN."""

    ok: Literal[True]
    pin: bool
    """Hosts need a PIN."""


class ShutDown(TypedDict):
    """The companion ends."""

    ok: Literal[True]
    machine: bool
    """The machine is switched off with it."""
