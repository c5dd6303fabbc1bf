"""Many small texts in one file, each after a line `=== NAME`."""

import re
from pathlib import Path


def texts_in(bundle: Path) -> dict[str, str]:
    """The texts by name."""
    parts = re.split(r"^=== (.+)\n", bundle.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def write_bundle(bundle: Path, texts: dict[str, str]) -> None:
    """Write the texts in the order of their names."""
    text = "".join(f"=== {name}\n{text}" for name, text in sorted(texts.items()))
    bundle.write_text(text, encoding="utf-8")


def unpack(bundle: Path, folder: Path) -> None:
    """Write each text as a file."""
    for name, text in texts_in(bundle).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
