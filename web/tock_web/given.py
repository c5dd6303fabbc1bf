"""What a page is given with its document, so that it can draw before it has asked for anything."""

from collections.abc import Mapping

from flask import current_app, request

from tock_companion.boardfile import to_json
from tock_companion.errors import BadInputError
from tock_companion.table.requests import Role
from tock_web.address import phone_url
from tock_web.assets import catalog
from tock_web.camera import teachable
from tock_web.context import caller, context
from tock_web.people import Caller


def who_is(person: Caller) -> dict[str, object]:
    """Return who a phone is, what it may offer, and where other phones find the page."""
    here = context()
    return {
        "seat": person.seat.name if person.seat is not None else None,
        "host": person.is_host,
        "host_taken": here.host_desk.is_taken,
        "pin": here.pin.is_set,
        "simulated": here.table.scene is not None,
        "camera": teachable() is not None,
        "photos": bool(current_app.config.get("PHOTOS")),
        "url": phone_url(request.host),
    }


def given(lang: str, role: Role | None) -> Mapping[str, object]:
    """Return the words, the board, who asks and, where the page follows a role, its newest view."""
    here, person = context(), caller()
    told: dict[str, object] = {
        "words": catalog(lang),
        "board": to_json(here.table.board_file),
        "session": who_is(person),
    }
    if role is not None and person.may_look(role):
        try:
            told["view"] = here.table.view(role, person.seat if role is Role.SEAT else None)
            told["boot"] = here.boot
        except BadInputError:
            # The present game is played without this seat: the stream tells so.
            pass
    return told
