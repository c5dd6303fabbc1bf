"""Where phones find the page: the address of this machine on the home network, as text and as QR code."""

import io
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

import segno

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
    if not name or not digits.isdigit():
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


def qr_svg(text: str) -> str:
    """A QR code as an SVG image with dark modules on white, readable on any background."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=3, light="#fff", dark="#000", scale=8
    )
    return out.getvalue().decode()


def qr_data(text: str) -> str:
    """The same image as a `data:` address, for codes that must not have a public address of their own."""
    return f"data:image/svg+xml,{quote(qr_svg(text))}"


def qr_terminal(text: str) -> str:
    """A QR code to print on a terminal; each character is two modules high."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
