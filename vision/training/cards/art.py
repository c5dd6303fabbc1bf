"""Fetches and renders the card art that the card networks are trained on.

`python -m vision.training.cards.art FOLDER`.

Packages of Debian and npm go to FOLDER/fetched, one file per deck to FOLDER/decks. Nothing of it is part of the
companion: the decks have licences from public domain to GPL-3 (listed in docs/cards.md). Needs apt-get, npm,
resvg-py; the data folder is made once (some two minutes).
"""

import argparse
import gzip
import logging
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import resvg_py

Array = Any
log = logging.getLogger(__name__)
HEIGHT_PX = 400
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
JOKERS = ("JOK_B", "JOK_C")
DEBS = Path(__file__).with_name("debian_packages.txt").read_text(encoding="utf-8").split()
PACKS = (
    "svg-cards@4.0.2",
    "cardsJS@1.1.1",
    "@heruka_urgyen/react-playing-cards@0.5.0",
    "deck-of-cards@0.1.8",
)
CYRILLIC = ("slavic_costumes", "Атласные", "atlasnye")


def unpack_debian(packages: Sequence[str], folder: Path) -> None:
    """Download and unpack those that are not there yet, each into a folder of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in packages if not (folder / name).exists()]
    if missing:
        # One call for all: reading the lists of packages takes the most time.
        subprocess.run(["apt-get", "download", "-qq", *missing], cwd=folder, check=True)
    for name in missing:
        (deb,) = folder.glob(f"{name}_*.deb")
        subprocess.run(["dpkg", "-x", deb, folder / name], check=True)
        deb.unlink()


def unpack_npm(package: str, target: Path) -> None:
    """Download a package and unpack it into a folder, where that is not there yet."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            ["npm", "pack", "--silent", package],
            cwd=target.parent,
            check=True,
            capture_output=True,
            text=True,
        )
        target.mkdir()
        subprocess.run(["tar", "xzf", target.parent / packed.stdout.strip(), "-C", target], check=True)


def fetch(folder: Path) -> None:
    """Download and unpack all packages that are not there yet."""
    unpack_debian(DEBS, folder)
    for name in PACKS:
        unpack_npm(name, folder / name.split("/")[-1].split("@")[0])


def drawn(svg: bytes, height: int) -> Array:
    """An SVG drawing on white (BGR)."""
    text = svg.decode("utf-8", "replace")
    text = re.sub(r"<!DOCTYPE[^\[>]*(\[.*?\])?\s*>", "", text, flags=re.DOTALL)
    png = resvg_py.svg_to_bytes(svg_string=text, height=height, dpi=96)
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert image is not None
    return on_white(image)


def on_white(image: Array) -> Array:
    """A picture on white where it lets through."""
    share = image[..., 3:].astype(np.float32) / 255 if image.shape[2] == 4 else 1.0
    return (image[..., :3] * share + 255 * (1 - share)).astype(np.uint8)


def grid_deck(file: Path) -> dict[str, Array]:
    """The cards of an Aisleriot deck: a grid of 13 x 5, clubs, diamonds, hearts, spades, then the jokers."""
    sheet = drawn(gzip.decompress(file.read_bytes()), HEIGHT_PX * 5)
    width = sheet.shape[1] / 13
    cells = {}
    for row, suit in enumerate("CDHS"):
        for column, rank in enumerate(RANKS):
            cells[rank + suit] = (row, column)
    cells |= {"JOK_B": (4, 0), "JOK_C": (4, 1), "BACK": (4, 2)}
    return {
        name: trimmed(
            sheet[row * HEIGHT_PX : (row + 1) * HEIGHT_PX, round(col * width) : round((col + 1) * width)]
        )
        for name, (row, col) in cells.items()
    }


def trimmed(image: Array) -> Array:
    """Cut away the outline of a drawn card and bring it to the common height."""
    height, width = image.shape[:2]
    edge = max(2, round(height * 0.006))
    inner = image[edge : height - edge, edge : width - edge]
    width = round(HEIGHT_PX * inner.shape[1] / inner.shape[0])
    return cv2.resize(inner, (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)


def single_files(names: dict[str, Path]) -> dict[str, Array]:
    """The cards of a deck with one SVG or PNG file each."""
    cards = {}
    for name, file in names.items():
        if file.suffix == ".png":
            image = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
            assert image is not None, file
            cards[name] = trimmed(on_white(image))
        else:
            cards[name] = trimmed(drawn(file.read_bytes(), HEIGHT_PX * 2))
    return cards


def decks(fetched: Path) -> Iterator[tuple[str, dict[str, Array]]]:
    """Yield every deck by name, its cards drawn."""
    for file in sorted((fetched / "gnome-cards-data/usr/share/aisleriot/cards").glob("*.svgz")):
        yield file.stem, grid_deck(file)
    letters = {"A": "a", "J": "j", "Q": "q", "K": "k"}
    clipart = fetched / "openclipart-svg/usr/share/openclipart/svg/recreation/games/cards"
    for style in ("bordered", "ornamental", "simple", "white"):
        names = {
            card: clipart / style / f"{style}_{card[-1].lower()}_{letters.get(card[:-1], card[:-1])}.svg"
            for card in DECK
        }
        names |= {
            "JOK_B": clipart / style / f"{style}_jk_b.svg",
            "JOK_C": clipart / style / f"{style}_jk_r.svg",
        }
        yield f"openclipart-{style}", single_files(names)
    words = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    ranks = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
    bellot = fetched / "svg-cards/package/png/2x"
    names = {card: bellot / f"{words[card[-1]]}_{ranks.get(card[:-1], card[:-1])}.png" for card in DECK}
    names |= {"JOK_B": bellot / "joker_black.png", "JOK_C": bellot / "joker_red.png"}
    yield "svg-cards", single_files(names)
    yield "cardsjs", single_files({card: fetched / f"cardsJS/package/cards/{card}.svg" for card in DECK})
    for style in ("2color", "2color-bf", "4color", "4color-bf"):
        base = fetched / "react-playing-cards/package/src/images" / style
        yield (
            f"heruka-{style}",
            single_files({card: base / f"{card.replace('10', 'T')}.svg" for card in DECK}),
        )
    faces = fetched / "deck-of-cards/package/example/faces"
    order = "SHCD"
    yield (
        "deck-of-cards",
        single_files(
            {card: faces / f"{order.index(card[-1])}_{RANKS.index(card[:-1]) + 1}.svg" for card in DECK}
        ),
    )


def main() -> None:
    """Make the data folder."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    fetch(folder / "fetched")
    (folder / "decks").mkdir(exist_ok=True)
    for name, cards in decks(folder / "fetched"):
        write_deck(folder / "decks" / f"{name}.npz", cards)


def write_deck(file: Path, cards: dict[str, Array]) -> None:
    """Write the cards of a deck at one size."""
    width = round(float(np.median([card.shape[1] for card in cards.values()])))
    same = {key: cv2.resize(card, (width, HEIGHT_PX)) for key, card in cards.items()}
    np.savez(file, allow_pickle=False, **same)
    log.info("%s: %d cards, %d x %d", file.stem, len(same), width, HEIGHT_PX)


if __name__ == "__main__":
    main()
