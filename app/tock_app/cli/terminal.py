"""Standard streams that never raise: a sign that a terminal's encoding lacks is written as a plainer one."""

import codecs
import io
import sys
import unicodedata

PLAIN = "plain"
"""The name of our way to handle signs that cannot be encoded."""
_SIMILAR = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—−", "-"),
        "→": "->", "←": "<-", "↔": "<->", "×": "x", "·": ".", "•": "*", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
        "ß": "ss", "ø": "o", "Ø": "O", "\u2044": "/",
    }
)  # fmt: skip


def write_plainly() -> None:
    """Let the standard streams of this process take any text."""
    codecs.register_error(PLAIN, _plain)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, PLAIN), (sys.stderr, PLAIN)):
        # Tests put other objects in their places.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(_similar(sign) for sign in signs), error.end


def _similar(sign: str) -> str:
    """ASCII letters or signs that resemble one, a question mark where there are none."""
    plain = unicodedata.normalize("NFKD", sign.translate(_SIMILAR)).translate(_SIMILAR)
    return plain.encode("ascii", "ignore").decode() or "?"
