"""Fetches decks and fonts that no card network was trained on, for measuring.

`python -m vision.training.cards_fresh ART FOLDER`.

ART is the folder of cards_art.py, of which only the backgrounds are used. FOLDER/choose and FOLDER/count are two
folders of art of the same form, with no deck and no font in common: choices are made on the first, figures are counted
on the second.
"""

import argparse
import gzip
import logging
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np
import resvg_py

from vision.training.cards_art import HEIGHT_PX, RANKS, trimmed

Array = Any
log = logging.getLogger(__name__)
DECKS = {
    "choose": ("standard", "xskat-french"),
    "count": ("ancient-egyptians", "jolly-royal", "oxygen", "oxygen-air", "oxygen-white"),
}
"""Those of Debian's kdegames-card-data-kf5 that are drawn otherwise than all decks of the training."""
FONTS = {
    "choose": (
        "fonts-cardo",
        "fonts-gfs-artemisia",
        "fonts-mph-2b-damase",
        "fonts-ocr-b",
        "fonts-solide-mirage",
        "fonts-thai-tlwg",
        "fonts-tomsontalks",
        "fonts-yrsa-rasa",
    ),
    "count": (
        "fonts-3270",
        "fonts-agave",
        "fonts-breip",
        "fonts-gfs-complutum",
        "fonts-gfs-olga",
        "fonts-inter",
        "fonts-lobstertwo",
        "fonts-mononoki",
        "fonts-opendyslexic",
        "fonts-tiresias",
        "fonts-vlgothic",
    ),
}
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


def unpacked(package: str, folder: Path) -> Path:
    """Download a package of Debian and unpack it, where it is not there yet."""
    if not (folder / package).exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=True)
        (deb,) = folder.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", deb, folder / package], check=True)
        deb.unlink()
    return folder / package


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


def main() -> None:
    """Make both folders."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    package = unpacked("kdegames-card-data-kf5", options.folder / "packages")
    for part, decks in DECKS.items():
        fetched, drawn = options.folder / part / "fetched", options.folder / part / "decks"
        drawn.mkdir(parents=True, exist_ok=True)
        for font in FONTS[part]:
            unpacked(font, fetched)
        for name in ("gnome-backgrounds", "mate-backgrounds"):
            if not (fetched / name).exists():
                (fetched / name).symlink_to((options.art / "fetched" / name).resolve())
        for name in decks:
            if (drawn / f"{name}.npz").exists():
                continue
            (file,) = (package / "usr/share/carddecks" / f"svg-{name}").glob("*.svgz")
            cards = deck(file)
            width = round(float(np.median([card.shape[1] for card in cards.values()])))
            same = {key: cv2.resize(card, (width, HEIGHT_PX)) for key, card in cards.items()}
            np.savez(drawn / f"{name}.npz", allow_pickle=False, **same)
            log.info("%s of %s: %d cards, %d x %d", name, part, len(same), width, HEIGHT_PX)


if __name__ == "__main__":
    main()
