"""Mutations of packed arrays, databases and pictures."""

import re
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from random import Random

from tock_bench.fuzz.mutations import bytes_of, json_text

ODD_HEADERS = (
    "{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<U99999999', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<c16', 'fortran_order': True, 'shape': (0, 0, 0), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }",
    "{'descr': '<m8', 'fortran_order': False, 'shape': (), }",
    "(" * 200,
)


def packed_arrays(rng: Random, data: bytes) -> bytes:
    """Mutate an `.npz`: members lost, renamed, bombs, other headers, other numbers, then bytes of the archive."""
    if rng.random() < 0.4:
        return bytes_of(rng, data)
    with zipfile.ZipFile(BytesIO(data)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    name, change = rng.choice(list(members)), rng.randrange(7)
    if change == 0:
        del members[name]
    elif change == 1:
        members[rng.choice(("x.npy", "../x.npy", "P0.npy", "head.npy", "empty.npy"))] = members.pop(name)
    elif change == 2:
        members[name] = members[name][:128] + b"\0" * rng.choice((1_000, 50_000_000))
    elif change == 3:
        header = rng.choice(ODD_HEADERS).encode()
        members[name] = (
            b"\x93NUMPY\x01\0" + struct.pack("<H", len(header) + 1) + header + b"\n" + members[name][128:]
        )
    elif change == 4:
        numbers = bytearray(members[name])
        at = rng.randrange(128, max(129, len(numbers)))
        numbers[at : at + 8] = struct.pack("<d", rng.choice((float("nan"), float("inf"), 1e300, -1.0, 0.0)))
        members[name] = bytes(numbers)
    elif change == 5:
        members[name] = members[rng.choice(list(members))]
    else:
        members[name] = bytes_of(rng, members[name])
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for member, content in members.items():
            packed.writestr(member, content)
    return made.getvalue()


def database(rng: Random, data: bytes) -> bytes:
    """Mutate an SQLite file: one value of one row, its tables, or its pages."""
    if rng.random() < 0.35:
        return bytes_of(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        path.write_bytes(data)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            _spoil(rng, connection)
        except sqlite3.Error:
            pass  # A constraint held; earlier changes stay.
        finally:
            connection.close()
        return path.read_bytes()


def _spoil(rng: Random, connection: sqlite3.Connection) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    table = rng.choice([name for name in tables if not name.startswith("sqlite_")])
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    change, column = rng.randrange(8), rng.choice(columns)
    if change == 0:
        connection.execute(f'DROP TABLE "{table}"')
    elif change == 1:
        connection.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO other')
    elif change == 2:
        connection.execute(f"PRAGMA user_version = {rng.choice((-1, 0, 1, 99, 2**31 - 1))}")
    elif change == 3:
        connection.execute(
            f'DELETE FROM "{table}" WHERE rowid IN (SELECT rowid FROM "{table}" LIMIT 1 OFFSET 1)'
        )
    else:
        value = rng.choice(
            (None, -1, 2**40, 1.5, "abc", "[", "P9", b"\xff\xfe", b"", "\x1b[31m", "x" * 70_000)
        )
        rows = connection.execute(f'SELECT rowid, "{column}" FROM "{table}" ORDER BY random()').fetchall()
        if not rows:
            marks = ", ".join("?" * len(columns))
            connection.execute(f'INSERT INTO "{table}" VALUES ({marks})', [value] * len(columns))
            return
        rowid, held = rows[rng.randrange(len(rows))]
        if isinstance(held, str) and rng.random() < 0.6:
            # Invalid text, as a flipped bit on a memory card leaves it.
            spoiled = (
                json_text(rng, held.encode()) if held[:1] in ("[", "{") else bytes_of(rng, held.encode())
            )
            connection.execute(
                f'UPDATE "{table}" SET "{column}" = CAST(? AS TEXT) WHERE rowid = ?', (spoiled, rowid)
            )
        else:
            connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (value, rowid))


def picture(rng: Random, data: bytes) -> bytes:
    """Mutate a JPEG, PNG or WebP: its size in the header, its segments, its bytes."""
    changed, change = bytearray(data), rng.randrange(4)
    if change == 0 and data.startswith(b"\x89PNG"):
        changed[16:24] = struct.pack(">II", *(rng.choice((0, 1, 100, 6_000, 65_535, 2**31)) for _ in "wh"))
        changed[29:33] = struct.pack(">I", zlib.crc32(changed[12:29]))
        return bytes(changed)
    frame = re.search(rb"\xff[\xc0\xc2]\0.\x08", data)
    if change == 0 and frame is not None:
        changed[frame.end() : frame.end() + 4] = struct.pack(
            ">HH", *(rng.choice((0, 1, 100, 6_000, 65_535)) for _ in "wh")
        )
        return bytes(changed)
    frame = re.search(rb"\x9d\x01\x2a", data)
    if change == 0 and data.startswith(b"RIFF") and frame is not None:
        changed[frame.end() : frame.end() + 4] = struct.pack(
            "<HH", *(rng.choice((0, 1, 100, 6_000, 16_383)) for _ in "wh")
        )
        return bytes(changed)
    if change == 1:
        return rng.choice(
            (
                b"",
                b"\xff\xd8",
                b"\xff\xd8\xff\xd9",
                b"GIF89a",
                b"BM" + data,
                b"RIFF\0\0\0\0WEBPVP8 ",
                data[:200],
            )
        )
    return bytes_of(rng, data)
