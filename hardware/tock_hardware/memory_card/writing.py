"""Writes the folder: `boot` to be copied onto the card, and beside it the sheet to be printed."""

import shutil
import subprocess
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from tock_companion.errors import BadInputError, TockError
from tock_companion.files import require_file
from tock_companion.language import LANGUAGES
from tock_hardware.memory_card.cloud_init import meta_data, network_config, user_data
from tock_hardware.memory_card.printed import sheet, words
from tock_hardware.memory_card.settings import Card

SHEET_NAME = "wifi.pdf"
ARCHITECTURE = "arm64"
ROOM_BYTES = 250_000_000
"""Free room on the boot partition of Raspberry Pi OS, of its 512 MB, with both kernels on it; rounded down."""


@dataclass(frozen=True, slots=True)
class Package:
    """The description of a Debian package, by itself."""

    name: str
    version: str
    architecture: str


def write(card: Card, folder: Path, architecture: str = ARCHITECTURE) -> Path:
    """Rewrite the folder and return the files to copy; raises TockError on failure."""
    package = package_of(card.package)
    if package.name != "tock-companion" or package.architecture != architecture:
        raise BadInputError(
            f"{card.package} is {package.name} for {package.architecture}, not tock-companion for {architecture}; "
            f"make it: make deb ARCH={architecture}"
        )
    size = card.package.stat().st_size
    if size > ROOM_BYTES:
        raise BadInputError(
            f"{card.package} has {size // 1_000_000} MB; the boot partition has room for {ROOM_BYTES // 1_000_000}"
        )
    boot = folder / "boot"
    try:
        # Whatever lay here is of another card: its password, perhaps another version.
        shutil.rmtree(folder, ignore_errors=True)
        (boot / "tock").mkdir(parents=True)
        folder.chmod(0o700)
        for name, text in _texts(card).items():
            (boot / name).write_text(text, encoding="utf-8")
        shutil.copy(card.package, boot / "tock" / card.package.name)
        (folder / SHEET_NAME).write_bytes(sheet(card))
    except OSError as error:
        raise TockError(f"{folder} cannot be written: {error.strerror}") from None
    return boot


def package_of(path: Path) -> Package:
    """Ask a Debian package for its name, version and architecture; raises BadInputError when it is none."""
    require_file(path, "package")
    try:
        done = subprocess.run(
            ["dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", "--", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise TockError("dpkg-deb is missing; on Debian or Ubuntu: sudo apt install dpkg") from None
    if done.returncode:
        raise BadInputError(f"{path} is no Debian package; make one: make deb ARCH={ARCHITECTURE}")
    return Package(*done.stdout.split(" "))


def _texts(card: Card) -> dict[str, str]:
    here = files("tock_hardware.memory_card")
    texts = {
        "user-data": user_data(card),
        "network-config": network_config(card),
        "meta-data": meta_data(card),
        "tock-host-code.txt": f"{card.host_code}\n",
        "tock/first-start.sh": here.joinpath("first-start.sh").read_text(encoding="utf-8"),
    }
    for lang in LANGUAGES:
        name, where = words(lang)["file"], words(lang)["where_house" if card.house else "where_own"]
        names = {"own": card.own.name, "house": card.house.name if card.house else ""}
        text = here.joinpath("texts", name).read_text(encoding="utf-8")
        texts[name] = Template(text).substitute(host=card.host_name, where=Template(where).substitute(names))
    return texts
