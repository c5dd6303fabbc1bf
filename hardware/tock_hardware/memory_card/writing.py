"""Writes the files of a card: a folder with all of them, or archives of the package and of the settings."""

import io
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
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
FIRST_START = "tock/first-start.sh"
ARCHITECTURE = "arm64"
ROOM_BYTES = 250_000_000
"""Free room on the boot partition of Raspberry Pi OS, of its 512 MB, with both kernels on it; rounded down."""


@dataclass(frozen=True, slots=True)
class Package:
    """The description of a Debian package, by itself."""

    name: str
    version: str
    architecture: str


def write(card: Card, package: Path, folder: Path, architecture: str = ARCHITECTURE) -> Path:
    """Rewrite the folder and return the files to copy; raises TockError on failure."""
    _require_fit(package, architecture)
    boot = folder / "boot"
    try:
        # Whatever lay here is of another card: its password, perhaps another version.
        shutil.rmtree(folder, ignore_errors=True)
        (boot / "tock").mkdir(parents=True)
        folder.chmod(0o700)
        for name, text in {**settings_of(card), FIRST_START: _first_start()}.items():
            (boot / name).write_text(text, encoding="utf-8")
        shutil.copy(package, boot / "tock" / package.name)
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


def write_boot_zip(package: Path, target: Path, date_s: int) -> None:
    """Write an archive to unpack onto the boot partition: the package, and settings for a table on a cable.

    The same package and date make the same bytes. Without settings of its own a card holds no secret, so it has no
    host's code either.
    """
    _require_fit(package, ARCHITECTURE)
    card = Card("CA", None, host_code="", identity=f"tock-{package.stem}")
    date = datetime.fromtimestamp(date_s, UTC).timetuple()[:6]
    with zipfile.ZipFile(target, "w") as packed:
        for name, text in sorted({**settings_of(card), FIRST_START: _first_start()}.items()):
            packed.writestr(zipfile.ZipInfo(name, date), text, zipfile.ZIP_DEFLATED)
        packed.writestr(zipfile.ZipInfo(f"tock/{package.name}", date), package.read_bytes())


def settings_zip(card: Card) -> bytes:
    """Pack the settings of one card, and its sheet, to unpack onto the boot partition beside the package."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in settings_of(card).items():
            archive.writestr(name, text)
        archive.writestr(SHEET_NAME, sheet(card))
    return packed.getvalue()


def settings_of(card: Card) -> dict[str, str]:
    """The files of the boot partition that depend on the card."""
    here = files("tock_hardware.memory_card")
    texts = {
        "user-data": user_data(card),
        "network-config": network_config(card),
        "meta-data": meta_data(card),
    }
    if card.host_code:
        texts["tock-host-code.txt"] = f"{card.host_code}\n"
    way = "where_house" if card.house else "where_own" if card.own else "where_cable"
    names = {"own": card.own.name if card.own else "", "house": card.house.name if card.house else ""}
    for lang in LANGUAGES:
        name, where = words(lang)["file"], words(lang)[way]
        text = here.joinpath("texts", name).read_text(encoding="utf-8")
        texts[name] = Template(text).substitute(host=card.host_name, where=Template(where).substitute(names))
    return texts


def _first_start() -> str:
    return files("tock_hardware.memory_card").joinpath("first-start.sh").read_text(encoding="utf-8")


def _require_fit(path: Path, architecture: str) -> None:
    package = package_of(path)
    if package.name != "tock-companion" or package.architecture != architecture:
        raise BadInputError(
            f"{path} is {package.name} for {package.architecture}, not tock-companion for {architecture}; "
            f"make it: make deb ARCH={architecture}"
        )
    size = path.stat().st_size
    if size > ROOM_BYTES:
        raise BadInputError(
            f"{path} has {size // 1_000_000} MB; the boot partition has room for {ROOM_BYTES // 1_000_000}"
        )
