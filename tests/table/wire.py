"""Requests as phones send them: JSON that may be anything."""

from collections.abc import Callable

from tock_companion.errors import BadInputError
from tock_companion.rules import Seat
from tock_companion.table.requests import Reply, Request, Role, bad_request, parse_request


def send(
    answer: Callable[[Request], Reply], kind: str, data: object, role: Role, seat: Seat | None = None
) -> Reply:
    """Have a request read and answered, as the page does for a phone."""
    try:
        request = parse_request(kind, data, role, seat)
    except BadInputError as error:
        return bad_request(error)
    return answer(request)
