"""State of those who play from far away, in words for everybody at the table."""

from tock_companion.language import Text, same_everywhere
from tock_companion.views.parts import FarHomeInfo, FarInfo, FarSeatInfo, SignInfo, WatchingInfo
from tock_companion.views.phrases import listed, phrase
from tock_companion.views.state import FarHome, FarPeople, FarSeat, SignGiven, TableState
from tock_rules import Seat

MINUTE_S = 60


def far_info(state: TableState) -> FarInfo | None:
    """The seats that play from far away and the last sign; None where there are none."""
    far = state.far
    is_watched = bool(far.watching or far.watching_here)
    if not far.seats and far.home is None and not is_watched:
        return None
    sign = far.sign
    return {
        "seats": {seat.name: _seat(state, seat, one) for seat, one in far.seats.items()},
        "sign": None if sign is None else _sign(sign),
        "home": None if far.home is None else _home(state, far.home),
        "watching": _watching(far) if is_watched else None,
    }


def is_waited_for(state: TableState) -> bool:
    """Whether the seat to move plays from far away, its line is cut, and everybody waits for its choice."""
    seat = state.position.to_move
    one = state.far.seats.get(seat)
    return one is not None and one.state == "away" and seat in state.names.far and state.announced is None


def _seat(state: TableState, seat: Seat, one: FarSeat) -> FarSeatInfo:
    return {
        "state": one.state,
        "seconds": one.seconds,
        "cards": one.cards,
        "sentence": _sentence(state, seat, one),
    }


def _sign(given: SignGiven) -> SignInfo:
    seat = None if given.seat is None else given.seat.name
    return {"number": given.number, "seat": seat, "name": given.name, "sign": given.sign}


def _watching(far: FarPeople) -> WatchingInfo:
    others = far.watching_here
    named = [same_everywhere(name) for name in far.watching]
    if others:
        code = "people" if others > 1 else "person"
        kind = f"watching-other-{code}" if named else f"watching-{code}"
        named.append(phrase(kind, n=str(others)))
    verb = "watching-many" if len(far.watching) + others > 1 else "watching-one"
    return {"names": far.watching, "others": others, "sentence": phrase(verb, who=listed(named))}


def _home(state: TableState, home: FarHome) -> FarHomeInfo:
    names = [state.names.seat(seat) for seat in sorted(state.names.expected)]
    there = listed(names) if names else phrase("far-home-other")
    if home.state != "away":
        sentence = phrase(f"far-home-{home.state}", there=there)
    elif home.seconds == 0:
        sentence = phrase("far-home-away-now", there=there)
    else:
        sentence = phrase("far-home-away", there=there, time=_time(home.seconds))
    return {"state": home.state, "sentence": sentence}


def _time(seconds: int) -> str:
    unit, number = ("min", seconds // MINUTE_S) if seconds >= MINUTE_S else ("s", seconds)
    return f"{number}\N{NO-BREAK SPACE}{unit}"


def _sentence(state: TableState, seat: Seat, one: FarSeat) -> Text:
    if seat in state.names.computers and one.name and one.state in ("here", "away"):
        return phrase(f"far-computer-{one.state}", name=one.name)
    name = state.names.seat(seat)
    if one.state != "away":
        return phrase(f"far-{one.state}", name=name)
    waits = is_waited_for(state) and seat is state.position.to_move and state.lobby is None
    turn = "-turn" if waits else ""
    if one.seconds == 0:
        return phrase(f"far-away-now{turn}", name=name)
    return phrase(f"far-away{turn}", name=name, time=_time(one.seconds))
