"""Answers about people: faults, seats, the host, and replies of the table."""

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import CardName, SeatName


class Fault(TypedDict):
    """A refusal before the request reached the table."""

    ok: Literal[False]
    code: str
    """Stable: `bad_input` for malformed input, else `http/` and the status."""
    error: str
    """One sentence in English, for scripts and logs."""
    message: Text
    field: NotRequired[str]
    """The part of the request that is wrong; only with `bad_input`."""


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
    """Liveness for scripts."""

    ok: Literal[True]
    revision: int
    boot: str
    """Names this run of the companion: revisions are comparable only within one run."""
    streams: int


class CardsRequest(TypedDict):
    """Somebody now sits where this phone entered its cards: `join/show` says whether they may see them."""

    number: int
    seat: SeatName
    name: str
    """The present player at that seat."""


class Session(TypedDict):
    """The caller's identity and options, and the address for other phones."""

    seat: SeatName | None
    host: bool
    host_taken: bool
    """Whether a host is present: another device then needs the PIN, or the code that the machine shows."""
    other_hosts: Sequence[str | None]
    """For a host: the names of the other hosts; null for one without a seat."""
    pin: bool
    """Whether hosts need a PIN."""
    simulated: bool
    camera: bool
    """Whether there is a camera that can be shown the board."""
    photos: bool
    """Whether hands can be read from photos."""
    cards_requests: Sequence[CardsRequest]
    url: str


class PhotographedCard(TypedDict):
    """The meaning of a photographed card under the rules."""

    card: CardName
    choices: Sequence[CardName]
    """The likely cards, where the player must decide."""
    reason: Literal["", "unsure", "not_in_pack", "played", "too_many"]


class ReplyData(TypedDict, total=False):
    """Data that some kinds of request return besides success."""

    cards: Sequence[PhotographedCard]
    """Of `hand_check`."""
    size: int | None
    """Of `hand_check`: the number of cards in the hand, where it is known."""
    unread: int
    """Of a photo: the number of visible cards that cannot be read."""
    new_game: bool
    """Of `answer`: whether another game begins."""


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
    """Proves to `join/hear` that this phone asked."""


class OtherHosts(TypedDict):
    """The other hosts have changed."""

    names: Sequence[str | None]
    """Null for one without a seat."""
    guessing: bool
    """Whether strangers have used up their attempts at the PIN."""


class HostRow(TypedDict):
    """Another host."""

    key: str
    """Names it to `host/others/end`."""
    name: str | None
    """Null for one without a seat."""
    here: bool
    """Whether its device was active just now."""


class HostList(TypedDict):
    """The other hosts."""

    hosts: Sequence[HostRow]


class SeatAnswer(TypedDict):
    """No seat yet, or no seat at all."""

    ok: bool
    state: Literal["waiting", "refused"]


class HostGranted(TypedDict):
    """The caller is the host, or has set the PIN."""

    ok: Literal[True]
    pin: bool
    """Hosts need a PIN."""


class ShutDown(TypedDict):
    """The companion is ending."""

    ok: Literal[True]
    machine: bool
    """Whether the machine is switched off too."""
