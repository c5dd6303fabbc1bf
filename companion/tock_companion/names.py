"""Names that people give (persons, boards, clubs): what looks alike is alike, and there is something to see."""

import unicodedata
from collections.abc import Collection
from itertools import count

ZWNJ, ZWJ, KEYCAP, EMOJI_STYLE = "\u200c", "\u200d", "\u20e3", "\ufe0f"
BLACK_FLAG, TAGS = "\U0001f3f4", range(0xE0020, 0xE0080)
"""A flag of a part of a country is a black flag and tags."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible letters, marks and signs: fillers of Hangul, inherent vowels of Khmer, empty Braille."""
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
VIRAMA = 9
"""Combining class of the signs by which Indian scripts join letters."""
SEEN = ("L", "N", "P", "S")
"""First letters of the categories of characters that one sees by themselves."""
MAX_MARKS = 4
"""Marks upon marks of one letter; more are no writing (Unicode, UTS 39)."""
LOOKALIKES = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕһԁԛԝӏьгѵ", "abekmhopctyxijshdqwibrv", strict=True)),
        **dict(zip("αβεζηικμνορτυχϲϳγωϝ", "abezhikmnoptyxcjywf", strict=True)),
        **dict(zip("ıɩɑɡʀʙʜɪʏđłøħŧ", "iiagrbhiydioht", strict=True)),
        **dict(zip("l1|!05", "iiiios", strict=True)),
    }
)
"""Letters of Cyrillic, Greek and Latin, and digits, by the Latin letter that looks like one of their cases."""
EMOJI = range(0x1F000, 0x1FC00)
"""Also those that are younger than this Python."""


def tidy_name(text: str, max_chars: int | None = None) -> str:
    """The name in the one spelling that equal names share (NFC), without invisible characters, its spaces tidied.

    Empty where nothing is left to see. Joined emoji, accents and joined scripts stay whole.
    """
    name = text
    # A removed character can leave a joiner beside it without anything to join.
    while (tidied := _tidied(name)) != name:
        name = tidied
    if max_chars is not None and len(name) > max_chars:
        # A cut may leave half a joined sign, which is tidied again.
        return tidy_name(name[:max_chars])
    return name if any(_category(char)[0] in SEEN for char in name) else ""


def skeleton(name: str) -> str:
    """The form that all names with one look share: without marks, case, spaces and look-alike letters."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    plain = "".join(char for char in letters if char.isalnum() or _category(char)[0] == "S")
    return plain.translate(LOOKALIKES).replace("rn", "m").replace("vv", "w") or name


def distinct_name(name: str, others: Collection[str], max_chars: int) -> str:
    """The name, with a number where it looks like another."""
    taken = {skeleton(other) for other in others}
    numbered = (
        tidy_name(name[: max_chars - len(end)]) + end for end in (f" {number}" for number in count(2))
    )
    return (
        name if skeleton(name) not in taken else next(one for one in numbered if skeleton(one) not in taken)
    )


def _tidied(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    kept = "".join(char for at, char in enumerate(text) if not _is_unseen(text, at))
    return unicodedata.normalize("NFC", " ".join(kept.split()))


def _is_unseen(text: str, at: int) -> bool:
    char, code = text[at], ord(text[at])
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if char in BLANK or _is_stacked(text, at):
        return True
    if char in (ZWJ, ZWNJ):
        return not (_joins_letters(before, after) or (char == ZWJ and _joins_emoji(before, after)))
    if char == EMOJI_STYLE:
        return not (_is_symbol(before) or after == KEYCAP)
    if code in TAGS:
        return not text[:at].rstrip("".join(map(chr, TAGS))).endswith(BLACK_FLAG)
    if any(code in selectors for selectors in SELECTORS):
        return True
    return _category(char) in ("Cf", "Cc", "Cs", "Co") and not char.isspace()


def _is_stacked(text: str, at: int) -> bool:
    """Whether a mark repeats the one before it, or sits on too many."""
    if not _is_mark(text[at]):
        return False
    below = text[max(0, at - MAX_MARKS) : at]
    return below.endswith(text[at]) or (len(below) == MAX_MARKS and all(_is_mark(char) for char in below))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def _joins_letters(before: str, after: str) -> bool:
    """Whether a joiner between these shapes letters, as in Persian and in the scripts of India (RFC 5892, A.1)."""
    if not before or not after:
        return False
    is_arabic = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return is_arabic or unicodedata.combining(before) == VIRAMA


def _joins_emoji(before: str, after: str) -> bool:
    return (_is_symbol(before) or before == EMOJI_STYLE) and _is_symbol(after)


def _is_symbol(char: str) -> bool:
    return bool(char) and _category(char) == "So"


def _category(char: str) -> str:
    return "So" if ord(char) in EMOJI else unicodedata.category(char)


def no_formula(text: str) -> str:
    """The text for a cell of a spreadsheet, which would run one that begins like a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
