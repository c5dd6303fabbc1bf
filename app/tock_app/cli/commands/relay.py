"""`tock relay`: the relay of homes that are far from each other, and the broker behind it."""

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import announce, broker_of, stop_by_signal
from tock_app.config.load import config_path
from tock_app.service.supervision import Supervision
from tock_companion.errors import BadInputError
from tock_companion.storage.files import prepare_folder
from tock_web.https.certificate import broker_certificate, family_certificate
from tock_web.https.certificate_files import Files

MAX_PORT = 65_535
OWN_BROKER = "127.0.0.1:11883"
"""Not 1883, where Debian starts Mosquitto's default broker, which has no access rights."""


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Run the relay or its broker until SIGINT or SIGTERM."""
    if arguments[:1] == ["broker"]:
        return _run_broker(arguments[1:], stdout)
    options = _parser().parse_args(list(arguments))
    from tock_web.relay.app import create_relay_app
    from tock_web.relay.door import Door
    from tock_web.relay.front import Front
    from tock_web.relay.keys import relay_key
    from tock_web.relay.limits import Limits
    from tock_web.relay.own_broker import RELAY_USER
    from tock_web.relay.rights import Rights

    host, port = listen_of(options.listen)
    folder = _folder(options)
    key = relay_key(folder)
    named = broker_of(options.broker, RELAY_USER, key.broker_password(RELAY_USER), options.broker_ca)
    files = _files(options, folder)
    stopped, supervision = stop_by_signal(), Supervision()
    with ExitStack() as stack:
        rights, limits = Rights(named), Limits()
        app = create_relay_app(rights, key, limits=limits)
        front = Front(app, Door(rights, key, named, limits), host, port, files)
        stack.callback(front.stop)
        stack.callback(rights.stop)
        rights.start()
        front.start()
        url = f"https://{options.name or host}:{front.port}"
        announce(f"The relay listens at {url}; its broker is {named.host}:{named.port}\n", stdout)
        supervision.ready(f"the relay listens at {url}")
        stopped.wait()
        supervision.stopping()
    return 0


def _run_broker(arguments: Sequence[str], stdout: TextIO | None) -> int:
    from tock_web.relay.own_broker import Bridge, RelayBroker

    options = _broker_parser().parse_args(list(arguments))
    host, port = listen_of(options.listen)
    bridge = None
    if options.bridge:
        other = broker_of(options.bridge, "", "", options.bridge_ca)
        bridge = Bridge(other.host, other.port, other.ca)
    stopped, supervision = stop_by_signal(), Supervision()
    broker = RelayBroker(_folder(options), host, port, bridge)
    broker.start()
    try:
        if broker.wait(30.0):
            more = "" if broker.certificate is None else f"; its certificate is {broker.certificate}"
            announce(f"The relay's broker listens at {host}:{port}{more}\n", stdout)
        supervision.ready(f"the relay's broker listens at {host}:{port}")
        stopped.wait()
        supervision.stopping()
    finally:
        broker.stop()
    return 0


def listen_of(text: str) -> tuple[str, int]:
    """Parse an address and port; raises BadInputError."""
    host, _, digits = text.rpartition(":")
    host = host.strip("[]")
    if not (host and digits.isascii() and digits.isdigit() and int(digits) <= MAX_PORT):
        raise BadInputError(f"'{text}' is no address to listen on; write HOST:PORT, for example 0.0.0.0:443")
    return host, int(digits)


def _folder(options: Namespace) -> Path:
    named: Path | None = options.data
    return prepare_folder((named or config_path(None).parent / "relay").absolute())


def _files(options: Namespace, folder: Path) -> Callable[[], Files]:
    """The certificate and key of the options, else our self-signed ones."""
    if bool(options.cert) != bool(options.key):
        raise BadInputError("--cert and --key belong together; name both, or neither")
    if options.cert:
        certificate, key = Path(options.cert), Path(options.key)
        family_certificate(certificate, key)
        return lambda: Files(certificate, key)
    own = broker_certificate(folder, options.name)
    return lambda: own


def _parser() -> Parser:
    parser = Parser(
        prog="tock relay",
        description="Runs the relay of homes that are far from each other, over an MQTT broker. `tock relay "
        "broker --help` says how that one is started.",
    )
    parser.add_argument(
        "--listen",
        default=os.environ.get("TOCK_RELAY_LISTEN", "0.0.0.0:8443"),
        metavar="HOST:PORT",
        help="where phones and homes come",
    )
    parser.add_argument(
        "--broker",
        default=os.environ.get("TOCK_RELAY_BROKER", OWN_BROKER),
        metavar="HOST:PORT",
        help="address of the broker",
    )
    parser.add_argument(
        "--broker-ca",
        default=os.environ.get("TOCK_RELAY_BROKER_CA", ""),
        metavar="FILE",
        help="certificate of a broker elsewhere",
    )
    _add_data(parser)
    parser.add_argument(
        "--cert",
        default=os.environ.get("TOCK_RELAY_CERT", ""),
        metavar="FILE",
        help="certificate that browsers trust",
    )
    parser.add_argument(
        "--key", default=os.environ.get("TOCK_RELAY_KEY", ""), metavar="FILE", help="its private key"
    )
    parser.add_argument(
        "--name",
        default=os.environ.get("TOCK_RELAY_NAME", ""),
        help="public name, for a certificate of our own",
    )
    return parser


def _broker_parser() -> Parser:
    parser = Parser(
        prog="tock relay broker",
        description="Writes what Mosquitto needs to serve a relay, starts it, and keeps it running.",
    )
    _add_data(parser)
    parser.add_argument(
        "--listen",
        default=OWN_BROKER,
        metavar="HOST:PORT",
        help="encrypted unless it is this machine alone",
    )
    parser.add_argument("--bridge", default="", metavar="HOST:PORT", help="another broker of the same relay")
    parser.add_argument("--bridge-ca", default="", metavar="FILE", help="its certificate")
    return parser


def _add_data(parser: Parser) -> None:
    named = os.environ.get("TOCK_RELAY_DATA", "")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(named) if named else None,
        metavar="DIR",
        help="folder of the relay's key (default: relay in the data folder)",
    )
