"""The units of systemd: how much each may do, and that programs which strangers reach have users of their own."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.packaging.test_club import with_systemd
from tests.support.installing import ROOT, SETUP, Machine

UNITS = sorted((ROOT / "packaging").glob("*.service"))
LET_PASS = {"tock-companion-update.service": 8.0}
"""Its own comment says why it may do more."""
REACHED = {"club": ["club"], "relay": ["relay", "relay-broker"]}


def values(unit: Path, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_no_unit_may_do_more_than_it_needs(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= LET_PASS.get(unit.name, 3.0)


@pytest.mark.parametrize("name", REACHED)
def test_a_service_that_strangers_reach_has_a_user_and_a_folder_and_no_way_to_the_helper(name: str) -> None:
    folder, other = f"tock-companion-{name}", "relay" if name == "club" else "club"
    for part in REACHED[name]:
        unit = ROOT / f"packaging/tock-companion-{part}.service"
        assert values(unit, "User") == values(unit, "Group") == [f"tock-{name}"]
        assert values(unit, "StateDirectory") == [folder]
        assert f"TOCK_DATA=/var/lib/{folder} " in unit.read_text()
        shut = " ".join(values(unit, "InaccessiblePaths")).split()
        assert {
            "-/run/tock-companion-helper.sock",
            "-/var/lib/tock-companion",
            f"-/var/lib/tock-companion-{other}",
        } <= set(shut)
    socket = ROOT / "packaging/tock-companion-helper.socket"
    assert (values(socket, "SocketGroup"), values(socket, "SocketMode")) == (["tock"], ["0660"])
    assert values(ROOT / "packaging/tock-companion-relay-broker.service", "IPAddressDeny") == ["any"]


def test_data_of_the_tables_user_move_with_an_update_and_back_with_the_release_before(
    machine: Machine,
) -> None:
    with_systemd(machine)
    root = machine.folder / "root"
    old, own = root / "var/lib/tock-companion", root / "var/lib/tock-companion-relay"
    settings = root / "etc/default/tock-companion-relay"
    assert machine.install().returncode == 0
    release = machine.current.resolve()
    before = release.rename(release.with_name("20200101-000000"))
    for unit in ("relay", "relay-broker"):
        path = before / f"setup/tock-companion-{unit}.service"
        path.write_text(
            path.read_text().replace("StateDirectory=tock-companion-relay", "StateDirectory=tock-companion")
        )
    machine.current.unlink()
    machine.current.symlink_to(before)
    (old / "relay").mkdir(parents=True)
    (old / "relay/relay.key").write_text("the key\n")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("TOCK_RELAY_NAME=x\nTOCK_RELAY_KEY=/var/lib/tock-companion/relay/public-key.pem\n")
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert (own / "relay/relay.key").read_text() == "the key\n"
    assert not (old / "relay").exists()
    assert "TOCK_RELAY_KEY=/var/lib/tock-companion-relay/relay/public-key.pem\n" in settings.read_text()
    done = machine.run("sh", SETUP, "back")
    assert done.returncode == 0, done.stderr
    assert (old / "relay/relay.key").read_text() == "the key\n"
    assert not (own / "relay").exists()
    assert "TOCK_RELAY_KEY=/var/lib/tock-companion/relay/public-key.pem\n" in settings.read_text()
    assert not list((root / "opt/tock-companion").glob("moved*"))
