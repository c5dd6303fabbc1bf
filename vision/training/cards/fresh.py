"""Fetches decks and fonts that no card network was trained on, for measuring.

`python -m vision.training.cards.fresh ART FOLDER`.

ART is the folder of art.py, of which only the backgrounds are used. FOLDER/choose, FOLDER/count, FOLDER/last,
FOLDER/fourth, FOLDER/fifth, FOLDER/sixth and FOLDER/seventh are folders of art of the same form, with no deck and no
font in common: choices are made on the first, figures are counted on the others. Needs apt-get, npm and node.
"""

import argparse
import gzip
import json
import logging
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np
import resvg_py

from vision.training.cards.art import DECK, HEIGHT_PX, RANKS, drawn, single_files, trimmed, write_deck
from vision.training.cards.fresh_packages import (
    BACKGROUNDS,
    DECKS,
    FONTS,
    KDE_DECKS,
    PACKS,
    PLAIN,
    USUAL_BACKGROUNDS,
)
from vision.training.cards.packages import unpack_debian, unpack_npm
from vision.training.cards.plain import plain_deck
from vision.training.cards.tables import papers

Array = Any
REACT = """
const React = {createElement: (tag, props, ...children) => {
    const hyphened = (key) => key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    const name = (key) => key == "xlinkHref" ? "xlink:href" : /Box$|Units$|Ratio$/.test(key) ? key : hyphened(key);
    const shown = Object.entries(props || {}).filter(([key, value]) => value !== undefined && key != "className");
    return `<${tag}${shown.map(([key, value]) => ` ${name(key)}="${value}"`).join("")}>${children.join("")}</${tag}>`;
}};
const _extends = Object.assign;
const source = require("fs").readFileSync("FILE", "utf8").replace(/^import.*$/gm, "").replace(/^export.*$/gm, "");
const drawings = {};
for (const [, name] of source.matchAll(/^const Svg(\\w+) =/gm)) drawings[name] = null;
const made = eval(source + ";({" + Object.keys(drawings).map((name) => name + ": Svg" + name).join(",") + "})");
for (const name in made) drawings[name] = made[name]({"xmlns:xlink": "http://www.w3.org/1999/xlink"});
console.log(JSON.stringify(drawings));
"""
"""Draws each component of a package for React as text."""
RANK_NAMES = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
SUIT_NAMES = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
JOKER_NAMES = {"JOK_B": "black_joker", "JOK_C": "red_joker"}
SHEET_HEIGHT_PX = round(HEIGHT_PX * 5.5)


def names() -> dict[str, str]:
    """The cards, and what the drawings of the package call them."""
    plain = {
        rank + suit: f"{RANK_NAMES.get(rank, rank)}_{word}"
        for suit, word in SUIT_NAMES.items()
        for rank in RANKS
    }
    return plain | JOKER_NAMES | {"BACK": "back"}


def alone(svg: bytes, name: str) -> bytes | None:
    """A drawing in which nothing is shown but one element; what it refers to stays known."""
    root = ElementTree.fromstring(svg)
    parents = {child: parent for parent in root.iter() for child in parent}
    wanted = next((one for one in root.iter() if one.get("id") == name), None)
    if wanted is None:
        return None
    hidden = ElementTree.Element("{http://www.w3.org/2000/svg}defs")
    while wanted is not root:
        parent = parents[wanted]
        for child in list(parent):
            if child is not wanted and not child.tag.endswith(("defs", "style")):
                parent.remove(child)
                hidden.append(child)
        wanted = parent
    root.insert(0, hidden)
    return ElementTree.tostring(root)


def cut_out(svg: bytes) -> Array | None:
    """The only thing that a drawing shows, on white (BGR)."""
    png = resvg_py.svg_to_bytes(svg_string=svg.decode(), height=SHEET_HEIGHT_PX, dpi=96)
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert image is not None
    x, y, width, height = cv2.boundingRect((image[..., 3] > 127).astype(np.uint8))
    if height < HEIGHT_PX / 3:
        return None
    part = image[y : y + height, x : x + width]
    share = part[..., 3:].astype(np.float32) / 255
    return trimmed((part[..., :3] * share + 255 * (1 - share)).astype(np.uint8))


def deck(file: Path) -> dict[str, Array]:
    """The cards of a deck of the package."""
    svg = gzip.decompress(file.read_bytes())
    drawings = {card: alone(svg, name) for card, name in names().items()}
    cut = {card: cut_out(drawing) for card, drawing in drawings.items() if drawing is not None}
    return {card: image for card, image in cut.items() if image is not None}


def packed_deck(name: str, folder: Path) -> dict[str, Array]:
    """The cards of a package of npm."""
    target = folder / name.removeprefix("@").partition("/")[0]
    unpack_npm(name, target)
    files = target / "package/cards"
    if files.exists():
        numbers = {"A": "1", "J": "11", "Q": "12", "K": "13"}
        return single_files(
            {card: files / f"{numbers.get(card[:-1], card[:-1])}{card[-1].lower()}.svg" for card in DECK}
        )
    script = REACT.replace("FILE", str(target / "package/dist/index.esm.js"))
    drawings = json.loads(
        subprocess.run(["node", "-e", script], check=True, capture_output=True, text=True).stdout
    )
    return {card: trimmed(drawn(drawings[card[-1] + card[:-1]].encode(), HEIGHT_PX * 2)) for card in DECK}


def plain_of(fetched: Path, letters: str, suits: str) -> dict[str, Array]:
    """A plain deck with the fonts of two packages; the court cards are parts of table pictures."""
    of_letters, of_suits = (
        next((fetched / f"fonts-{name}").glob("usr/share/fonts/**/*.[to]tf")) for name in (letters, suits)
    )
    tables = papers(fetched.parent)
    pictures = [table[n * 17 % 200 :, n * 29 % 560 :][:400, :280] for n, table in enumerate(tables)]
    return plain_deck(of_letters, of_suits, pictures)


def main() -> None:
    """Make both folders."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    packages = options.folder / "packages"
    unpack_debian([KDE_DECKS], packages)
    for part, fonts in FONTS.items():
        fetched, art = options.folder / part / "fetched", options.folder / part / "decks"
        art.mkdir(parents=True, exist_ok=True)
        unpack_debian([*fonts, *BACKGROUNDS.get(part, ())], fetched)
        for name in USUAL_BACKGROUNDS if part not in BACKGROUNDS else ():
            if not (fetched / name).exists():
                (fetched / name).symlink_to((options.art / "fetched" / name).resolve())
        for letters, suits in PLAIN.get(part, ()):
            if not (art / f"{letters}.npz").exists():
                write_deck(art / f"{letters}.npz", plain_of(fetched, letters, suits))
        for name in DECKS.get(part, ()):
            (file,) = (packages / KDE_DECKS / "usr/share/carddecks" / f"svg-{name}").glob("*.svgz")
            if not (art / f"{name}.npz").exists():
                write_deck(art / f"{name}.npz", deck(file))
        for name in PACKS.get(part, ()):
            file = art / f"{name.removeprefix('@').partition('/')[0]}.npz"
            if not file.exists():
                write_deck(file, packed_deck(name, packages))


if __name__ == "__main__":
    main()
