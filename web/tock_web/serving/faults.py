"""Refusals by the page rather than the table: one JSON form, with a stable code and a sentence in every language."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from flask import Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from markupsafe import escape
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from tock_companion.errors import TockError, escaped, printable
from tock_companion.language import TERMINAL, Text, same_everywhere
from tock_companion.views.phrases import known, phrase
from tock_companion.views.terminal import in_languages
from tock_web.address import phone_url
from tock_web.answers.people import Fault
from tock_web.limits.bodies import RETRY_AFTER_S
from tock_web.limits.quotas import TooManyError
from tock_web.rights.cookies import CookiesBlockedError
from tock_web.rights.proof import UnprovenError

Place = tuple[str | int, ...]
BAD_INPUT = "bad_input"
MISDIRECTED = 421
STYLE = (
    ":root{color-scheme:light dark;background:#f6efe1;color:#1f1a15}a{color:#14503a}"
    "body{max-width:36rem;margin:2rem auto;padding:0 1rem;font:1.1rem/1.5 system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){:root{background:#15130f;color:#f4efe6}a{color:#8fdcb8}}"
)
"""The page's colours by day and by night, in the page itself: no other address may be ours."""
STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
PAGE_HEAD = (
    '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    f"<style>{STYLE}</style>"
)
PAGE_POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"
_WORDS = {
    "missing": "missing",
    "missing_argument": "missing",
    "missing_keyword_only_argument": "missing",
    "extra_forbidden": "unknown",
    "unexpected_keyword_argument": "unknown",
    "string_type": "text",
    "string_too_short": "short",
    "string_too_long": "long",
    "string_pattern_mismatch": "form",
    "string_unicode": "characters",
    "int_type": "whole",
    "int_from_float": "whole",
    "whole_number": "whole",
    "float_type": "number",
    "finite_number": "number",
    "greater_than": "range",
    "greater_than_equal": "range",
    "less_than": "range",
    "less_than_equal": "range",
    "bool_type": "yes_no",
    "enum": "choice",
    "literal_error": "choice",
    "list_type": "list",
    "tuple_type": "list",
    "too_short": "few",
    "too_long": "many",
    "dict_type": "object",
    "model_type": "object",
    "dataclass_type": "object",
}
"""The sentence `input/…` for each of pydantic's error types."""


class InputError(Exception):
    """Input of the wrong form."""

    def __init__(self, place: Place | str, sentence: str, **params: str | Text) -> None:
        """Blame one field; `sentence` completes a code `input/…` of the catalogue."""
        steps = (place,) if isinstance(place, str) else place
        self.field = printable(".".join(str(step) for step in steps if step != "") or "JSON")
        self.message = phrase(f"input/{sentence}", field=self.field, **params)
        super().__init__(self.message[TERMINAL])


def input_error(error: ValidationError, above: Place = ()) -> InputError:
    """Pydantic's first error; `above` is the place of the model in the request."""
    mistake = error.errors(include_url=False, include_input=False)[0]
    place: Place = (*above, *mistake["loc"])
    context: Mapping[str, Any] = mistake.get("ctx", {})
    if mistake["type"].startswith("input/"):
        return InputError(place, mistake["type"].removeprefix("input/"))
    sentence = _WORDS.get(mistake["type"])
    match sentence:
        case None:
            return InputError(place, "value", reason=printable(mistake["msg"].removeprefix("Value error, ")))
        case "long" | "many":
            return InputError(place, sentence, most=str(context.get("max_length", "")))
        case "few" | "short":
            return InputError(place, sentence, least=str(context.get("min_length", "")))
        case "choice":
            known_values = str(context.get("expected", "")).replace("'", "").replace(" or ", ", ")
            return InputError(place, sentence, known=known_values)
        case "range":
            (bound,) = (str(context[key]) for key in ("gt", "ge", "lt", "le") if key in context)
            side = "least" if mistake["type"].startswith("greater") else "most"
            return InputError(place, side, bound=bound)
    return InputError(place, sentence)


def fault(status: int, code: str, error: str, message: Text, field: str | None = None) -> Response:
    """The JSON form of a fault; a small page where a person reads it in a browser's window."""
    if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
        return _fault_page(status, code, message)
    body: Fault = {"ok": False, "code": code, "error": error, "message": message}
    if field is not None:
        body["field"] = field
    answer = jsonify(body)
    answer.status_code = status
    return answer


def _fault_page(status: int, code: str, message: Text) -> Response:
    """The fault and the way on, in every language."""
    url = phone_url(request.headers.get("Host", "")) if status == MISDIRECTED else "/"
    lines = []
    for lang, sentence in message.items():
        way = phrase("http/421-way" if status == MISDIRECTED else "http/way", url=url)[lang]
        lines.append(f'<section lang="{lang}"><h2>{escape(sentence)}</h2><p>{escape(way)}</p></section>')
    link = f'<p><a href="{escape(url)}">{escape(url if status == MISDIRECTED else "Tock")}</a></p>'
    page = f"{PAGE_HEAD}<title>Tock</title>{''.join(lines)}{link}<p><small>{escape(code)}</small></p>"
    return Response(page, status, {"Content-Security-Policy": PAGE_POLICY}, mimetype="text/html")


def refusal(status: int, code: str, **params: str | Text) -> Response:
    """A refusal with the sentence of its code."""
    answer = jsonify({"ok": False, "code": code, "message": phrase(code, **params)})
    answer.status_code = status
    return answer


def no_room() -> Response:
    """Too many streams are open."""
    answer = fault(503, "http/503", "too many streams", phrase("http/503"))
    answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    return answer


def handle_faults(app: Flask) -> None:
    """Answer every error in the form above, without internal details."""
    app.register_error_handler(InputError, _bad_input)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(TockError, _refused)
    app.register_error_handler(TimeoutError, _busy)
    app.register_error_handler(TooManyError, _too_many)
    app.register_error_handler(UnprovenError, _unproven)
    app.register_error_handler(CookiesBlockedError, lambda _error: refusal(409, "http/cookies"))


def _bad_input(error: Exception) -> Response:
    assert isinstance(error, InputError)
    return fault(400, BAD_INPUT, str(error), error.message, error.field)


def _http(error: Exception) -> ResponseReturnValue:
    assert isinstance(error, HTTPException)
    if error.code is None or error.code < 400:
        # Flask's own redirects come as exceptions too.
        return error.get_response()
    code = getattr(error, "sentence", f"http/{error.code}")
    sentence = str(error.description)
    return fault(error.code, code, sentence, phrase(code) if known(code) else same_everywhere(sentence))


def _refused(error: Exception) -> Response:
    """A view that the table cannot make, for example of a seat that does not play."""
    sentence = escaped(str(error))
    return fault(409, "table/refused", sentence, in_languages(sentence))


def _too_many(error: Exception) -> Response:
    assert isinstance(error, TooManyError)
    answer = fault(429, "http/429", str(error), phrase("http/429", seconds=str(error.wait_s)))
    answer.headers["Retry-After"] = str(error.wait_s)
    return answer


def _unproven(error: Exception) -> Response:
    assert isinstance(error, UnprovenError)
    return refusal(error.status, error.code, **error.params)


def _busy(_error: Exception) -> Response:
    return fault(503, "table/busy", "the table is busy", phrase("table/busy"))
