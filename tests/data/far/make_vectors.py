"""Writes session.json, which both ends are held against: run it only when links, frames or messages get another form.

All keys and nonces are counted out here, so the file says the same each time.
"""

import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec

from tock_companion.far import link, messages, session
from tock_companion.far.link import base64url

PATH = Path(__file__).with_name("session.json")
TABLE = base64url(bytes(range(16)))
SECRET = bytes(range(100, 132))
DEVICE = bytes(range(50, 82))
FAR_NUMBER, HOME_NUMBER = 0x1234567890ABCDEF << 130, 0xFEDCBA0987654321 << 120
UP: tuple[messages.Up, ...] = (
    messages.Ping(1),
    messages.Look("tab-1"),
    messages.Call("c1", "POST", "/api/v1/request", body={"kind": "play", "revision": 7}),
    messages.Call("c2", "GET", "/api/v1/hint", {"cards": "é 10"}),
    messages.Board({"copied": "T20>T26"}),
)
DOWN: tuple[messages.Down, ...] = (
    messages.Pong(1),
    messages.View({"revision": 7, "sentence": "À toi, Zoé"}, "boot-1"),
    messages.Answer("c1", 200, "boot-1", {"ok": True}),
    messages.Answer("c2", 204, "boot-1"),
    messages.View({"long": "x" * 2000}, "boot-1"),
    messages.End("over"),
)


def vectors() -> dict[str, object]:
    """The content of the file."""
    keys = link.room_keys(TABLE, SECRET)
    far = ec.derive_private_key(FAR_NUMBER, session.CURVE)
    home = ec.derive_private_key(HOME_NUMBER, session.CURVE)
    hello_text = messages.hello_bytes(messages.Hello(session.public_bytes(far), DEVICE, "0.4.0", 3))
    hello = session.seal_hello(keys, hello_text, bytes(range(12)))
    re = session.hash_of(hello)
    welcome_text = messages.welcome_bytes(messages.Welcome(session.public_bytes(home), re, "0.4.0"))
    welcome = session.seal_welcome(keys, welcome_text, bytes(range(12, 24)))
    refused_text = messages.welcome_bytes(messages.Refused("device", re, "0.4.0"))
    found = session.session_keys(keys, far, session.public_bytes(home), hello, welcome)
    ends = {side: session.Session(found, keys.room, side) for side in session.Side}
    return {
        "link": link.link_text(link.FarLink("https://relay.example", TABLE, SECRET)),
        "table": TABLE,
        "secret": base64url(SECRET),
        "room": keys.room,
        "broker_password": keys.broker_password,
        "hello_up": base64url(keys.hello_up),
        "hello_down": base64url(keys.hello_down),
        "chain": base64url(keys.chain),
        "far_key": _jwk(far),
        "home_key": _jwk(home),
        "hello": _frame(hello_text, hello),
        "welcome": _frame(welcome_text, welcome),
        "refused": _frame(refused_text, session.seal_welcome(keys, refused_text, bytes(range(24, 36)))),
        "up": base64url(found.up),
        "down": base64url(found.down),
        "session": base64url(found.id),
        "frames_up": [_data(ends[session.Side.FAR], message) for message in UP],
        "frames_down": [_data(ends[session.Side.HOME], message) for message in DOWN],
        "forms_understood": base64url(session.forms_understood()),
    }


def text_of(document: object) -> str:
    """The file as it is written."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _data(end: session.Session, message: messages.Up | messages.Down) -> dict[str, str]:
    text = messages.message_bytes(message)
    return _frame(text, end.seal(text))


def _frame(text: bytes, frame: bytes) -> dict[str, str]:
    return {"text": text.decode(), "frame": base64url(frame)}


def _jwk(key: ec.EllipticCurvePrivateKey) -> dict[str, str]:
    """The key as WebCrypto reads it."""
    numbers = key.private_numbers()
    points = {"x": numbers.public_numbers.x, "y": numbers.public_numbers.y, "d": numbers.private_value}
    coordinates = {name: base64url(value.to_bytes(32, "big")) for name, value in points.items()}
    return {"kty": "EC", "crv": "P-256", **coordinates}


if __name__ == "__main__":
    PATH.write_text(text_of(vectors()), encoding="utf-8")
