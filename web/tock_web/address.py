"""The address of this machine on the home network, at which phones find the page."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from tock_companion.health.system import home_ip


def page_url(port: int, host: str | None = None) -> str:
    """The address to open on a phone; many phones do not resolve `.local` names, so it has the IP."""
    where = host or home_ip()
    if ":" in where:
        where = f"[{where}]"
    return f"http://{where}/" if port == 80 else f"http://{where}:{port}/"


def phone_url(host_header: str) -> str:
    """The address for phones, as seen from a page that was opened under `host_header`.

    A home-network address in the header evidently works, so it is kept; names and loopback are replaced.
    """
    name, _, digits = host_header.rpartition(":")
    if not name or not (digits.isascii() and digits.isdigit()):
        name, digits = host_header, "80"
    try:
        known = ip_address(name.strip("[]"))
    except ValueError:
        return page_url(int(digits))
    return page_url(int(digits), None if known.is_loopback else str(known))


def camera_url(host_header: str, port: int) -> str:
    """The address of the camera's page, on the machine that a page was opened from under `host_header`."""
    host = urlsplit(phone_url(host_header)).hostname or ""
    return f"https://{f'[{host}]' if ':' in host else host}:{port}/camera"
