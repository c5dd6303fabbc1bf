"""QR codes of an address, for a page and for a terminal."""

import io
from typing import TextIO
from urllib.parse import quote

import segno


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


def qr_terminal(text: str, target: TextIO | None = None) -> str:
    """A QR code to print on a terminal; each character is two modules high.

    A `target` whose encoding lacks such characters gets spaces in reversed colours, or nothing where it is a file.
    """
    has_blocks = _can_write(target, "▀▄█")
    if not has_blocks and target is not None and not target.isatty():
        return ""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=has_blocks)
    return out.getvalue()


def _can_write(target: TextIO | None, text: str) -> bool:
    try:
        text.encode(getattr(target, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
