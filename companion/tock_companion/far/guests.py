"""State of each invitation: for the host, and for everybody at the table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tock_companion.core.roster import FarCards
from tock_companion.far.invitations import Account
from tock_companion.far.link import FarLink, link_text
from tock_companion.far.room import Room
from tock_companion.views.far import MINUTE_S
from tock_companion.views.state import FarPeople, FarSeat, FarState, SignGiven
from tock_rules import Seat

STEP_S = 10


@dataclass(frozen=True, slots=True)
class FarGuest:
    """An invitation as the host sees it."""

    room: str
    seat: Seat | None
    """None for a board, and for a spectator."""
    name: str
    state: FarState
    seconds: int
    round_trip_ms: int | None
    cards: FarCards
    link: str
    until_s: int
    watches: bool
    is_other_version: bool


def in_steps(time_s: float) -> int:
    """A time in steps that people care about."""
    seconds = int(time_s)
    return seconds - seconds % (STEP_S if seconds < MINUTE_S else MINUTE_S)


def guest_of(room: Room, account: Account | None, now_s: float) -> FarGuest:
    """Describe the guest of a room for the host."""
    assert account is not None
    invitation = room.invitation
    return FarGuest(
        room.keys.room,
        invitation.seat,
        invitation.name,
        state_of(room),
        in_steps(now_s - room.since_s),
        room.round_trip_ms,
        invitation.cards,
        link_text(FarLink(account.relay, account.table, invitation.secret)),
        invitation.until_s,
        invitation.watches,
        room.is_other_version,
    )


def state_of(room: Room) -> FarState:
    if not room.invitation.owner:
        return "waiting"
    if room.invitation.has_left:
        return "gone"
    return "here" if room.is_here else "away"


def people_of(
    rooms: Collection[Room],
    held: Mapping[Seat, str],
    sign: SignGiven | None,
    account: Account | None,
    now_s: float,
) -> FarPeople:
    """People far away as everybody at the table sees them; a seat taken at home belongs to that player."""
    seats: dict[Seat, FarSeat] = {}
    for room in rooms:
        seat = room.invitation.seat
        if room.board is not None:
            guest = guest_of(room, account, now_s)
            at_board = FarSeat(guest.state, guest.seconds if guest.state == "away" else 0, "real")
            seats |= dict.fromkeys(room.board.seats, at_board)
        if seat is None or (seat in held and room.phone is not None and room.phone.seat is not seat):
            continue
        guest = guest_of(room, account, now_s)
        seconds = guest.seconds if guest.state == "away" else 0
        seats[seat] = FarSeat(guest.state, seconds, guest.cards, guest.name)
    watching = [room.invitation.name for room in rooms if room.invitation.watches and room.is_here]
    return FarPeople(seats, sign, watching=tuple(name for name in watching if name))
