"""Hello and welcome: both ends prove that they have the link's secret, and find keys for one session.

On the far page it is `static/js/far/greeting.js` that says hello.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec

from tock_companion import __version__
from tock_companion.far.link import RoomKeys
from tock_companion.far.messages import (
    Hello,
    Refused,
    Welcome,
    hello_bytes,
    read_welcome,
    welcome_bytes,
)
from tock_companion.far.session import (
    Session,
    Side,
    hash_of,
    new_private_key,
    open_welcome,
    public_bytes,
    seal_hello,
    seal_welcome,
    session_keys,
)
from tock_companion.views.schema import VIEW_FORM


@dataclass(frozen=True, slots=True)
class Greeting:
    """A hello that a guest has sent, and the key whose public half it carries."""

    frame: bytes
    own: ec.EllipticCurvePrivateKey = field(repr=False)


def new_hello(keys: RoomKeys, device: bytes, version: str = __version__, views: int = VIEW_FORM) -> Greeting:
    """A guest's hello; `device` is the secret by which the home knows it again."""
    own = new_private_key()
    return Greeting(seal_hello(keys, hello_bytes(Hello(public_bytes(own), device, version, views))), own)


def welcomed(keys: RoomKeys, greetings: Iterable[Greeting], frame: bytes) -> Session | Refused | None:
    """The guest's end of the session that a welcome begins, or why there is none; None where it answers no such hello.

    Raises ForeignFrameError for a frame that was not sealed for the room, and ValueError for one that says no welcome.
    """
    answer = read_welcome(open_welcome(keys, frame))
    sent = next((one for one in greetings if hash_of(one.frame) == answer.re), None)
    if sent is None:
        return None
    if isinstance(answer, Refused):
        return answer
    return Session(session_keys(keys, sent.own, answer.key, sent.frame, frame), keys.room, Side.FAR)


def new_welcome(keys: RoomKeys, hello: Hello, frame: bytes, version: str) -> tuple[bytes, Session]:
    """The home's welcome to a hello, which came in a frame, and its end of the session; raises ForeignFrameError."""
    own = new_private_key()
    sealed = seal_welcome(keys, welcome_bytes(Welcome(public_bytes(own), hash_of(frame), version)))
    return sealed, Session(session_keys(keys, own, hello.key, frame, sealed), keys.room, Side.HOME)
