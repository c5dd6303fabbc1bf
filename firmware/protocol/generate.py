"""Makes sources/reed/protocol.py, the tables of docs/protocol.md, and the firmware's protocol.h from protocol.toml.

`python firmware/protocol/generate.py` writes the first two; `--check` compares them; the Makefiles ask for the header.
"""

import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODULE = ROOT / "companion/tock_companion/sources/reed/protocol.py"
DOCUMENT = ROOT / "docs/protocol.md"
NOTE = "Made by firmware/protocol/generate.py from protocol.toml; edit that and run it."
C_TYPES = {"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t"}
SIZES = {"u8": 1, "u16": 2, "u32": 4}
STRUCT_CODES = {"u8": "B", "u16": "H", "u32": "I"}

Table = dict[str, Any]


def fixed(message: Table) -> list[Table]:
    """The fields of fixed size."""
    return [field for field in message["fields"] if field["type"] in SIZES]


def tail(message: Table) -> Table | None:
    """The field of bytes that ends a message, None when it has none."""
    return next((field for field in message["fields"] if field["type"] == "bytes"), None)


def size(message: Table) -> int:
    """The bytes of the fixed fields."""
    return sum(SIZES[field["type"]] for field in fixed(message))


def camel(name: str) -> str:
    """The class of a message, in CamelCase."""
    return "".join(part.capitalize() for part in name.split("_"))


def c_header(table: Table) -> str:
    """The C header: constants, a struct for every message, and how it is written or read."""
    lines = [f"/* {NOTE} */", "#ifndef TOCK_PROTOCOL_H", "#define TOCK_PROTOCOL_H", ""]
    lines += ["#include <stdbool.h>", "#include <stdint.h>", "#include <string.h>", ""]
    lines += [f"#define PROTOCOL_{part.upper()} {number}u" for part, number in table["version"].items()]
    for name, entry in table["constants"].items():
        suffix = "ul" if entry["value"] > 0xFFFF else "u"
        lines.append(f"#define {name.upper()} {entry['value']}{suffix} /* {entry['text']} */")
    for group in table["enum"] + table["flags"]:
        lines += ["", f"/* {group['text']} */"]
        for value in group["values"]:
            lines.append(
                f"#define {group['name'].upper()}_{value['name'].upper()} {value['value']}u /* {value['text']} */"
            )
    lines += ["", "/* types of message */"]
    lines += [
        f"#define TYPE_{message['name'].upper()} {message['type']:#04x}u" for message in table["message"]
    ]
    lines.append(C_NUMBERS)
    for message in table["message"]:
        if message["fields"]:
            lines += c_struct(message)
            lines += c_writer(message) if message["from"] == "board" else c_reader(message)
    return "\n".join([*lines, "#endif", ""])


C_NUMBERS = """
static inline uint8_t *put_u8(uint8_t *at, uint8_t value) {
    *at = value;
    return at + 1;
}

static inline uint8_t *put_u16(uint8_t *at, uint16_t value) {
    return put_u8(put_u8(at, (uint8_t)(value & 0xFFu)), (uint8_t)(value >> 8));
}

static inline uint8_t *put_u32(uint8_t *at, uint32_t value) {
    return put_u16(put_u16(at, (uint16_t)(value & 0xFFFFu)), (uint16_t)(value >> 16));
}

static inline uint8_t get_u8(const uint8_t *at) { return *at; }

static inline uint16_t get_u16(const uint8_t *at) { return (uint16_t)(at[0] | ((uint16_t)at[1] << 8)); }

static inline uint32_t get_u32(const uint8_t *at) { return get_u16(at) | ((uint32_t)get_u16(at + 2) << 16); }
"""


def c_struct(message: Table) -> list[str]:
    """The struct of a message."""
    name = message["name"]
    lines = [f"#define {name.upper()}_SIZE {size(message)}u", "typedef struct {"]
    lines += [f"    {C_TYPES[field['type']]} {field['name']};" for field in fixed(message)]
    end = tail(message)
    if end is not None:
        lines += [f"    const uint8_t *{end['name']};", f"    uint8_t {end['name']}_size;"]
    return [*lines, f"}} {name}_t;", ""]


def c_writer(message: Table) -> list[str]:
    """The function that writes a message and returns its size."""
    name = message["name"]
    lines = [f"static inline uint8_t {name}_write(const {name}_t *message, uint8_t *payload) {{"]
    lines.append("    uint8_t *at = payload;")
    lines += [f"    at = put_{field['type']}(at, message->{field['name']});" for field in fixed(message)]
    end = tail(message)
    if end is not None:
        field = end["name"]
        lines += [
            f"    memcpy(at, message->{field}, message->{field}_size);",
            f"    at += message->{field}_size;",
        ]
    return [*lines, "    return (uint8_t)(at - payload);", "}", ""]


def c_reader(message: Table) -> list[str]:
    """The function that reads a message; it says no to a payload that is too short."""
    name = message["name"]
    lines = [f"static inline bool {name}_read({name}_t *message, const uint8_t *payload, uint8_t size) {{"]
    lines += [f"    if (size < {name.upper()}_SIZE) {{", "        return false;", "    }"]
    at = 0
    for field in fixed(message):
        lines.append(f"    message->{field['name']} = get_{field['type']}(payload + {at});")
        at += SIZES[field["type"]]
    end = tail(message)
    if end is not None:
        field = end["name"]
        lines.append(f"    message->{field} = payload + {at};")
        lines.append(f"    message->{field}_size = (uint8_t)(size - {at}u);")
        lines.append(f"    if (message->{field}_size > {end['max']}u) {{")
        lines += [f"        message->{field}_size = {end['max']}u;", "    }"]
    return [*lines, "    return true;", "}", ""]


PYTHON_LAYOUT = """

class _Layout:
    \"\"\"The type of a message, its fixed fields, and the longest tail of bytes.\"\"\"

    __slots__ = ()
    TYPE: ClassVar[int]
    LAYOUT: ClassVar[Struct]
    TAIL_MAX: ClassVar[int] = 0"""


def python_module(table: Table) -> str:
    """The Python module: constants, enums, and a dataclass for every message."""
    lines = [f'"""The messages of the reed board\'s link, see docs/protocol.md.\n\n{NOTE}\n"""', ""]
    lines += [
        "from dataclasses import dataclass",
        "from enum import IntEnum, IntFlag",
        "from struct import Struct",
    ]
    lines += ["from typing import ClassVar", ""]
    lines += [f"PROTOCOL_{part.upper()} = {number}" for part, number in table["version"].items()]
    for name, entry in table["constants"].items():
        lines += [f"{name.upper()} = {entry['value']}", f'"""{entry["text"].capitalize()}."""']
    for base, groups in (("IntEnum", table["enum"]), ("IntFlag", table["flags"])):
        for group in groups:
            lines += [
                "",
                "",
                f"class {camel(group['name'])}({base}):",
                f'    """{group["text"].capitalize()}."""',
                "",
            ]
            for value in group["values"]:
                lines.append(f"    {value['name'].upper()} = {value['value']}")
    lines += [PYTHON_LAYOUT]
    for message in table["message"]:
        lines += python_class(message)
    classes = [camel(message["name"]) for message in table["message"]]
    union = textwrap.wrap(" | ".join(classes), 100, break_on_hyphens=False)
    lines += ["", "", "Message = (", *(f"    {line}" for line in union), ")  # fmt: skip"]
    lines += ["MESSAGES: dict[int, type[Message]] = {message.TYPE: message for message in Message.__args__}"]
    return "\n".join([*lines, ""])


def python_class(message: Table) -> list[str]:
    """The dataclass of a message."""
    first = " ".join(message["text"].split()).split(". ")[0].split(": ")[0].rstrip(".")
    lines = ["", "", "@dataclass(frozen=True, slots=True)", f"class {camel(message['name'])}(_Layout):"]
    lines += [f'    """{first}."""', "", f"    TYPE = {message['type']:#04x}"]
    codes = "".join(STRUCT_CODES[field["type"]] for field in fixed(message))
    lines.append(f'    LAYOUT = Struct("<{codes}")')
    end = tail(message)
    if end is not None:
        lines.append(f"    TAIL_MAX = {end['max']}")
    if message["fields"]:
        lines.append("")
    lines += [f"    {field['name']}: int" for field in fixed(message)]
    if end is not None:
        lines.append(f"    {end['name']}: bytes")
    return lines


def document(table: Table) -> str:
    """The protocol page: its written part up to the mark, then the generated tables."""
    written, mark, _ = DOCUMENT.read_text(encoding="utf-8").partition(f"<!-- {NOTE} -->")
    version = f"The version is {table['version']['major']}.{table['version']['minor']}."
    lines = [f"{written}{mark}", "", version, "", "| constant | value | means |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {entry['value']} | {entry['text']} |" for name, entry in table["constants"].items()
    ]
    for sender, title in (("board", "From the board"), ("companion", "From the companion")):
        lines += ["", f"## {title}"]
        for message in (entry for entry in table["message"] if entry["from"] == sender):
            lines += document_message(message)
    lines += ["", "## Values"]
    for group in table["enum"] + table["flags"]:
        lines += [
            "",
            f"### {group['name']}: {group['text']}",
            "",
            "| value | name | means |",
            "|---|---|---|",
        ]
        lines += [f"| {value['value']} | `{value['name']}` | {value['text']} |" for value in group["values"]]
    return "\n".join([*lines, ""])


def document_message(message: Table) -> list[str]:
    """The section of a message."""
    lines = [
        "",
        f"### {message['name'].upper()} ({message['type']:#04x})",
        "",
        textwrap.fill(" ".join(message["text"].split()), 110, break_on_hyphens=False),
    ]
    if not message["fields"]:
        return [*lines, "", "No payload."]
    lines += ["", "| at | field | type | means |", "|---|---|---|---|"]
    at = 0
    for field in message["fields"]:
        kind = field["type"] if field["type"] in SIZES else f"0 to {field['max']} bytes"
        lines.append(f"| {at} | `{field['name']}` | {kind} | {field['text']} |")
        at += SIZES.get(field["type"], 0)
    return lines


def main(arguments: list[str]) -> int:
    """Write the files, compare them with `--check`, or write the header alone with `--header FILE`."""
    table = tomllib.loads((HERE / "protocol.toml").read_text(encoding="utf-8"))
    if arguments[:1] == ["--header"]:
        Path(arguments[1]).write_text(c_header(table), encoding="utf-8")
        return 0
    texts = {MODULE: python_module(table), DOCUMENT: document(table)}
    stale = [path for path, text in texts.items() if path.read_text(encoding="utf-8") != text]
    for path in stale:
        sys.stderr.write(f"{path.relative_to(ROOT)} is out of date\n")
        if "--check" not in arguments:
            path.write_text(texts[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
