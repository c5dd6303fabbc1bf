"""The address of this machine on the home network."""

import socket
from ipaddress import ip_address

ANYWHERE = "10.254.254.254"
"""Only used to ask the system which way it would send; no packet leaves the machine."""


def home_ip() -> str:
    """Return the address of this machine on the home network, 127.0.0.1 when it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return _ip_of_host_name()


def _ip_of_host_name() -> str:
    """Return an address that belongs to the name of this machine: a network without a gateway has no route to ask."""
    try:
        found = socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"
    return found if not ip_address(found).is_loopback else "127.0.0.1"
