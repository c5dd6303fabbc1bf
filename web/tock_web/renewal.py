"""New secrets for old ones: with the answer to something that a seat or the host has asked for."""

from flask import Flask, Response, request

from tock_web.context import context
from tock_web.people import HOST_COOKIE, SEAT_COOKIE, keep_cookie, secrets_of


def renew_secrets(app: Flask) -> None:
    """Have every secret that is in use replaced once it is old; never by a GET, which changes nothing."""

    @app.after_request
    def renew(response: Response) -> Response:
        if request.method != "POST" or response.status_code >= 400 or "Set-Cookie" in response.headers:
            return response
        here, known = context(), secrets_of(request)
        if known.seat is not None:
            ticket = here.table.people.renew(known.seat, known.device)
            if ticket is not None:
                keep_cookie(response, SEAT_COOKIE, ticket.token)
        token = here.roles.renew(known)
        if token is not None:
            keep_cookie(response, HOST_COOKIE, token)
        return response
