"""The contents of a new card: files that cloud-init reads, a sheet to print, and one line for each mistake."""

import io
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pdfplumber
import pypdfium2
import pytest
import yaml

from tests.support.packages import build_package
from tock_app.cli.commands.image_files import run
from tock_companion.errors import BadInputError
from tock_companion.machine.network import Network
from tock_hardware.memory_card.cloud_init import meta_data, network_config, user_data
from tock_hardware.memory_card.printed import sheet
from tock_hardware.memory_card.settings import Card, countries
from tock_hardware.memory_card.writing import settings_zip, write_boot_zip

OWN = Network("Tock", "k7mq-2x9w-p4ht")
HOUSE = Network('Chez "nous": #1', "mot de passe: 'oui'")


def card(**settings: Any) -> Card:
    return Card(**{"country": "CA", "own": OWN, **settings})


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return build_package(tmp_path, architecture="arm64")


def test_the_system_is_set_up_as_the_card_says() -> None:
    text = user_data(card(language="en", timezone="Europe/Brussels", country="BE", host_name="tock-2"))
    assert text.startswith("#cloud-config\n")
    written = yaml.safe_load(text)
    assert (written["hostname"], written["locale"], written["timezone"]) == (
        "tock-2",
        "en_GB.UTF-8",
        "Europe/Brussels",
    )
    assert written["runcmd"] == [["sh", "/boot/firmware/tock/first-start.sh", "BE"]]
    (own,) = written["write_files"]
    assert own["permissions"] == "0600"
    assert json.loads(own["content"]) == {"name": "Tock", "password": "k7mq-2x9w-p4ht"}


def test_nobody_can_log_in_without_a_key() -> None:
    (user,) = yaml.safe_load(user_data(card()))["users"]
    assert user["lock_passwd"]
    assert "sudo" not in user
    (owner,) = yaml.safe_load(user_data(card(ssh_key="ssh-ed25519 AAAA me")))["users"]
    assert owner["ssh_authorized_keys"] == ["ssh-ed25519 AAAA me"]


def test_names_and_passwords_survive_whatever_they_hold() -> None:
    written = yaml.safe_load(network_config(card(house=HOUSE)))["network"]
    points = written["wifis"]["wlan0"]["access-points"]
    assert points == {HOUSE.name: {"auth": {"key-management": "psk", "password": HOUSE.password}}}
    assert written["ethernets"]["eth0"]["optional"]


def test_a_house_with_wpa3_alone_is_joined_by_sae() -> None:
    written = yaml.safe_load(network_config(card(house=HOUSE, house_is_wpa3_only=True)))["network"]
    (point,) = written["wifis"]["wlan0"]["access-points"].values()
    assert point["auth"] == {"key-management": "sae", "password": HOUSE.password}


def test_without_a_house_there_is_only_the_cable() -> None:
    assert set(yaml.safe_load(network_config(card()))["network"]) == {"version", "ethernets"}


def test_each_card_has_a_name_of_its_own_under_the_key_that_is_read() -> None:
    names = {yaml.safe_load(meta_data(card()))["instance-id"] for _ in range(20)}
    assert len(names) == 20


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"country": "QC"}, "country 'QC'"),
        ({"language": "de"}, "language 'de'"),
        ({"timezone": "Montreal"}, "perhaps America/Montreal"),
        ({"host_name": "Tock!"}, "cannot be called"),
        ({"house": Network("Tock", "another-password")}, "both called"),
    ],
)
def test_a_mistake_is_one_line(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint) as written:
        card(**settings)
    assert "\n" not in str(written.value)


def test_every_country_is_two_letters() -> None:
    assert len(countries()) == 249
    assert all(len(code) == 2 and code.isupper() for code in countries())


def codes_on(sheet: bytes) -> set[str]:
    """Read the codes of a sheet back as a phone would, from the printed page."""
    page = pypdfium2.PdfDocument(sheet)[0].render(scale=4, grayscale=True).to_numpy().squeeze()
    _, texts, _, _ = cv2.QRCodeDetector().detectAndDecodeMulti(np.ascontiguousarray(page))
    return set(texts)


def words_on(sheet: bytes) -> str:
    with pdfplumber.open(io.BytesIO(sheet)) as pdf:
        (page,) = pdf.pages
        return " ".join((page.extract_text() or "").replace("\N{NO-BREAK SPACE}", " ").split())


def test_the_sheet_has_both_ways_to_the_page_in_both_languages() -> None:
    printed = sheet(card(house=HOUSE))
    words = words_on(printed)
    assert "k7mq-2x9w-p4ht" in words
    assert HOUSE.password not in words
    assert "Pas de Wi-Fi dans la maison ?" in words
    assert "No Wi-Fi in the house?" in words
    assert codes_on(printed) == {OWN.code, "http://tock.local"}


@pytest.mark.parametrize(
    ("own", "house"),
    [
        pytest.param(OWN, None, marks=pytest.mark.slow),
        (Network("M" * 32, "W" * 63), Network("W" * 32, "another-password")),
        (Network("é" * 16, "a password of sixty-three letters, which is the longest there is"[:63]), HOUSE),
        pytest.param(OWN, Network("Дом у реки", "another-password"), marks=pytest.mark.slow),
    ],
)
def test_everything_is_on_the_sheet_whatever_the_names_are(own: Network, house: Network | None) -> None:
    printed = sheet(card(own=own, house=house))
    assert codes_on(printed) == {own.code, "http://tock.local"}
    with pdfplumber.open(io.BytesIO(printed)) as pdf:
        (page,) = pdf.pages
        lowest = max(word["bottom"] for word in page.extract_words())
        farthest = max(word["x1"] for word in page.extract_words())
    assert lowest < page.height
    assert farthest < page.width


def test_an_own_name_that_cannot_be_printed_is_refused() -> None:
    with pytest.raises(BadInputError, match="sheet"):
        card(own=Network("Tock \N{GAME DIE}", "k7mq-2x9w-p4ht"))


def test_the_command_writes_everything_into_a_folder_of_its_own(
    tmp_path: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["--country", "CA", "--package", str(package), "--out", str(out)]) == 0
    boot = out / "boot"
    assert {str(path.relative_to(boot)) for path in boot.rglob("*") if path.is_file()} == {
        "TOCK-LISEZ-MOI.txt",
        "TOCK-README.txt",
        "meta-data",
        "network-config",
        "tock-host-code.txt",
        "tock/first-start.sh",
        f"tock/{package.name}",
        "user-data",
    }
    assert len((boot / "tock-host-code.txt").read_text().strip()) == 8
    # Passwords are in it.
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert "copy all of it" in capsys.readouterr().out
    assert "$" not in (boot / "TOCK-README.txt").read_text() + (boot / "TOCK-LISEZ-MOI.txt").read_text()


@pytest.mark.parametrize(
    "password", ["", "short", "12345678901234567890123456789012345678901234567890123456789012345"]
)
def test_a_password_that_no_wifi_takes_is_refused(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    monkeypatch.setenv("TOCK_HOUSE_PASSWORD", password)
    with pytest.raises(BadInputError, match="8 to 63"):
        run(
            [
                "--country",
                "CA",
                "--house",
                "Maison",
                "--package",
                str(package),
                "--out",
                str(tmp_path / "out"),
            ]
        )
    assert not (tmp_path / "out").exists()


def test_a_package_for_another_machine_is_refused(tmp_path: Path) -> None:
    other = build_package(tmp_path, architecture="armhf")
    with pytest.raises(BadInputError, match="make deb ARCH=arm64"):
        run(["--country", "CA", "--package", str(other), "--out", str(tmp_path / "out")])


def test_a_missing_package_is_reported_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInputError, match="make deb ARCH=arm64"):
        run(["--country", "CA"])


def test_a_private_key_is_never_put_onto_a_card(tmp_path: Path, package: Path) -> None:
    key = tmp_path / "id_ed25519"
    key.write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n")
    with pytest.raises(BadInputError, match=r"\.pub"):
        run(
            [
                "--country",
                "CA",
                "--ssh-key",
                str(key),
                "--package",
                str(package),
                "--out",
                str(tmp_path / "out"),
            ]
        )


def test_the_archive_for_a_cards_boot_partition_needs_no_settings_and_holds_no_secret(
    tmp_path: Path, package: Path
) -> None:
    for name in ("one.zip", "again.zip"):
        write_boot_zip(package, tmp_path / name, 1_795_000_000)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as packed:
        texts = {name: packed.read(name) for name in packed.namelist()}
    assert texts[f"tock/{package.name}"] == package.read_bytes()
    assert "tock-host-code.txt" not in texts
    written = yaml.safe_load(texts["user-data"])
    assert "write_files" not in written, "no Wi-Fi whose password everybody knows"
    assert written["runcmd"] == [["sh", "/boot/firmware/tock/first-start.sh", "CA"]]
    assert "cable" in texts["TOCK-README.txt"].decode()


def test_the_settings_of_a_card_fit_over_the_archive(tmp_path: Path, package: Path) -> None:
    write_boot_zip(package, tmp_path / "boot.zip", 1_795_000_000)
    (tmp_path / "settings.zip").write_bytes(settings_zip(card(house=HOUSE)))
    for name in ("boot.zip", "settings.zip"):
        with zipfile.ZipFile(tmp_path / name) as packed:
            packed.extractall(tmp_path / "bootfs")
    boot = tmp_path / "bootfs"
    assert HOUSE.password in (boot / "network-config").read_text()
    assert (boot / "tock" / package.name).exists()
    assert yaml.safe_load((boot / "meta-data").read_text())["instance-id"] != f"tock-{package.stem}"
    assert len((boot / "tock-host-code.txt").read_text().strip()) == 8
