"""Mutations of valid inputs: of their structure where they have one, then of their bytes.

Every mutation draws from the given generator, so a seed gives the same inputs again.
"""

import json
from random import Random
from typing import Any

from pydantic_core import from_json

ODD_TEXTS = (
    "", " ", "\0", "\x1b[31m\x07", "line\nline", "a\u202eb", "\ud800", "\udcff", "e\u0301", "é", "²", "٨", "\ufeff",
    "x" * 300, "x" * 70_000, "../../etc/passwd", "/dev/zero", "/dev/stdin", "C", "T0", "T72", "P0", "P9", "JOK_B",
    "\u200b", "\u3164", "Anna\u00ad", "\U0001f468\u200d", "\ufe0f", "\u0301",
    "%s%n{0}", "<script>", "'; DROP TABLE events;--", "nan", "1e999", "-1", "null", "__class__",
)  # fmt: skip
ODD_NUMBERS = (
    0, -1, 1, 2, 3, 5, 72, 255, 65_536, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**30, 10**400, 0.5, -0.0, 1e-320,
    1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"": None}, {"\ud800": 1}, "text")
DEEP = 3_000
DEEP_PLACEHOLDER = "\0deep\0"
BYTE_ROUNDS = 4
MAX_CHANGES = 3


def odd(rng: Random) -> Any:
    """Draw a value that hardly any field expects."""
    return rng.choice(
        (
            rng.choice(ODD_VALUES),
            rng.choice(ODD_TEXTS),
            rng.choice(ODD_NUMBERS),
            DEEP_PLACEHOLDER if rng.random() < 0.2 else rng.randrange(-100, 100),
        )
    )


def mutate_value(rng: Random, value: Any) -> Any:
    """Change one place in a copy of a JSON value."""
    value = json.loads(json.dumps(value))
    places = list(_places(value))
    if not places or rng.random() < 0.02:
        return odd(rng)
    holder, key = rng.choice(places)
    change = rng.randrange(8)
    if change == 0:
        del holder[key]
    elif change == 1 and isinstance(holder, dict):
        holder[rng.choice(ODD_TEXTS)] = odd(rng)
    elif change == 2 and isinstance(holder, dict):
        holder[f"{key}{rng.choice(ODD_TEXTS[:12])}"] = holder.pop(key)
    elif change == 3 and isinstance(holder, list):
        holder.extend([holder[key]] * rng.choice((1, 2, 5_000)))
    elif change == 4:
        other, name = rng.choice(places)
        holder[key] = json.loads(json.dumps(other[name]))
    elif change == 5 and isinstance(holder[key], str) and holder[key]:
        at = rng.randrange(len(holder[key]) + 1)
        holder[key] = holder[key][:at] + rng.choice(ODD_TEXTS) + holder[key][at:]
    else:
        holder[key] = odd(rng)
    return value


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _places(inner)


def encode(value: Any) -> bytes:
    """Write JSON with NaN, lone surrogates and too deep lists."""
    text = json.dumps(value)
    return text.replace(json.dumps(DEEP_PLACEHOLDER), "[" * DEEP + "]" * DEEP).encode()


def strict(data: bytes) -> Any:
    """Read JSON as a browser does; raises ValueError for NaN and invalid UTF-8."""
    return from_json(data, allow_inf_nan=False)


def json_text(rng: Random, data: bytes) -> bytes:
    """Mutate a JSON document."""
    value = json.loads(data)
    for _ in range(rng.randint(1, MAX_CHANGES)):
        value = mutate_value(rng, value)
    changed = encode(value)
    if rng.random() < 0.03:
        changed = changed.replace(b": ", b': 1, "kind": 2, "kind": ', rng.randint(1, 2))
    return bytes_of(rng, changed) if rng.random() < 0.15 else changed


FACTORS = (1e-9, 0.01, 0.1, 0.3, 0.7, 1.5, 3.0, 6.0, 10.0, 100.0, 1e9)
PILE_MM, PEG = 150, "peg"


def board_lengths(rng: Random, data: bytes) -> bytes:
    """Mutate the lengths of a board file: of all parts, of a kind of part, of one."""
    board = json.loads(data)
    board["pile"] = {"x": board["size"][0] / 2, "y": board["size"][1] / 2, "w": PILE_MM, "h": PILE_MM}
    if rng.random() < 0.3:
        board["pawn"]["style"] = PEG
    for _ in range(rng.randint(1, MAX_CHANGES)):
        factor = rng.choice(FACTORS) * rng.uniform(0.5, 2.0)
        kinds: list[list[Any]] = [board["holes"], board["markers"], [board["pile"]], [board["pawn"]]]
        whole = rng.random() < 0.4
        parts = [part for kind in kinds for part in kind] if whole else rng.choice(kinds)
        if whole:
            board["size"] = [side * factor for side in board["size"]]
        elif rng.random() < 0.5:
            parts = [rng.choice(parts)]
        keys = (
            None if whole else rng.choice([key for key, value in parts[0].items() if type(value) is not str])
        )
        for part in parts:
            for key in part if keys is None else [keys]:
                if isinstance(part.get(key), float | int) and key not in ("id", "index"):
                    part[key] = part[key] * factor
    changed = encode(board)
    return json_text(rng, changed) if rng.random() < 0.15 else changed


UNSEEN = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u2800\u0301\ufe0f\u20e3\U000e0067\U000e007f\U0001f3fd\u0338"
)


def names(rng: Random, data: bytes) -> bytes:
    """Mutate lines of names: invisible and arbitrary characters at any place."""
    return "\n".join(_unseen_in(rng, name) for name in data.decode().splitlines()).encode()


def _unseen_in(rng: Random, name: str) -> str:
    for _ in range(rng.randint(0, 6)):
        at, code = (
            rng.randrange(len(name) + 1),
            rng.choice((rng.randrange(0x20, 0xD800), rng.randrange(0xE000, 0x110000))),
        )
        name = name[:at] + (rng.choice(UNSEEN) if rng.random() < 0.7 else chr(code)) + name[at:]
    return name


def json_lines(rng: Random, data: bytes) -> bytes:
    """Mutate a file of JSON lines: lines lost, doubled, swapped, or changed inside."""
    lines = data.splitlines()
    for _ in range(rng.randint(1, MAX_CHANGES)):
        if not lines:
            break
        at, change = rng.randrange(len(lines)), rng.randrange(8)
        if change == 0:
            del lines[at]
        elif change == 1:
            lines.insert(at, lines[at])
        elif change == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif change == 3:
            lines[at] = bytes_of(rng, lines[at])
        else:
            try:
                lines[at] = encode(mutate_value(rng, json.loads(lines[at])))
            except (ValueError, RecursionError):
                lines[at] = bytes_of(rng, lines[at])
    return b"\n".join(lines) + b"\n" * rng.randrange(2)


def sheet(rng: Random, data: bytes) -> bytes:
    """Mutate a spreadsheet's list: its encoding, separators, quotation marks and names."""
    text = data.decode()
    for _ in range(rng.randint(1, MAX_CHANGES)):
        at = rng.randrange(len(text) + 1)
        text = (
            text[:at]
            + rng.choice(('"', ";", ",", "\t", "\n", "\r", "sep=", "&", rng.choice(ODD_TEXTS)))
            + text[at:]
        )
    encoding = rng.choice(("utf-8", "utf-8-sig", "cp1252", "mac_roman", "utf-16"))
    changed = text.encode(encoding, errors="replace")
    return bytes_of(rng, changed) if rng.random() < 0.3 else changed


TOML_VALUES = (
    '""', "0", "-1", "65536", "1e400", "nan", "inf", "true", "[]", "{}", "[1, [2]]", '"\\u0000"', '"/dev/zero"',
    '"\\u001b[31m"', "1979-05-27T07:32:00Z", "0x7fffffffffffffffff", "9" * 5_000, "[" * 2_000 + "]" * 2_000,
    '"' + "x" * 70_000 + '"', '["\\n"]', "1_000", "2024-13-45", "'''\n'''", '"../board.json"', "[null]", '"P9"',
)  # fmt: skip

TOML_TABLES = ("panel", "sources.camera", "mqtt", "a.b.c", "x", "", r'"\u001b"')
TOML_KEYS = ("x", "port", "board", '""', r'"\n"', "a.b")


def toml_text(rng: Random, data: bytes) -> bytes:
    """Mutate a TOML file: values, keys and headings."""
    lines = data.decode().split("\n")
    for _ in range(rng.randint(1, MAX_CHANGES)):
        at, change = rng.randrange(len(lines)), rng.randrange(6)
        key, equals, value = lines[at].partition("=")
        if change == 0:
            lines.insert(at, f"[{rng.choice(TOML_TABLES)}]")
        elif change == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif change == 2 and equals:
            lines[at] = f"{rng.choice(TOML_KEYS)} ={value}"
        elif equals:
            lines[at] = f"{key}= {rng.choice(TOML_VALUES)}"
        elif change == 3:
            del lines[at]
            lines.append("")
    changed = "\n".join(lines).encode()
    return bytes_of(rng, changed) if rng.random() < 0.2 else changed


def bytes_of(rng: Random, data: bytes) -> bytes:
    """Mutate any bytes: flips, cuts, repeats, insertions."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, BYTE_ROUNDS)):
        at = rng.randrange(len(changed) + 1)
        change = rng.randrange(6)
        if change == 0 and changed:
            changed[at % len(changed)] ^= 1 << rng.randrange(8)
        elif change == 1:
            changed[at:at] = rng.choice(
                (b"\xff", b"\0", b"\x1b", b"\r", b"\xed\xa0\x80", b"\xe2\x80\xae", b"[" * 50)
            )
        elif change == 2:
            del changed[at : at + rng.choice((1, 2, 10, 1_000))]
        elif change == 3:
            changed[at:at] = changed[at : at + rng.choice((1, 10, 1_000))] * rng.choice((1, 3))
        elif change == 4:
            del changed[at:]
        else:
            changed[at : at + 4] = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", b"\0\0\0\x01"))
    return bytes(changed)
