"""Installing on machines that lack something: each gets one line, and nothing is left half done."""

import pytest

from tests.support.installing import LOGGED, ROOT, SETUP, Machine


@pytest.mark.parametrize("architecture", ["armhf", "armel", "i386"])
@pytest.mark.parametrize(
    "command",
    [
        ("install.sh",),
        ("packaging/setup.sh", "install", "."),
        ("tools/make-venv.sh", "venv"),
    ],
)
def test_a_32_bit_system_is_refused_in_one_line_before_anything_is_done(
    machine: Machine, architecture: str, command: tuple[str, ...]
) -> None:
    machine.architecture = architecture
    done = machine.run("sh", str(ROOT / command[0]), *command[1:])
    assert done.returncode == 2
    assert done.stderr == "tock: this system is 32-bit; use Raspberry Pi OS (64-bit)\n"
    assert done.stdout == ""
    assert machine.log == ""


def test_a_64_bit_system_gets_a_release_of_wheels_only(machine: Machine) -> None:
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert machine.current.exists()
    calls = [line for line in machine.log.splitlines() if line.startswith("pip ")]
    assert calls
    assert all("--only-binary=:all:" in line for line in calls)
    assert "--system-site-packages" not in machine.log


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("[pi]", "gpiozero was not installed"),
        ("[club]", "a club's desk were not installed"),
        ("[workshop]", "ezdxf was not installed"),
    ],
)
def test_a_missing_optional_part_stops_no_installation(machine: Machine, extra: str, says: str) -> None:
    machine.pip_fails = extra
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert machine.current.exists()


def test_without_a_wheel_of_lgpio_apt_is_named(machine: Machine) -> None:
    machine.lgpio = False
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert "sudo apt install python3-lgpio" in done.stdout


@pytest.mark.parametrize("library", ["lgpio", "picamera2"])
def test_libraries_of_the_system_are_seen_but_not_counted_on(machine: Machine, library: str) -> None:
    machine.system_has = library
    assert machine.install().returncode == 0
    assert "--system-site-packages" in machine.log
    own = next(line for line in machine.log.splitlines() if line.startswith("pip "))
    assert "--ignore-installed" in own


def test_a_ribbon_camera_gets_a_simplejpeg_for_our_numpy(machine: Machine) -> None:
    machine.system_has = "picamera2"
    assert machine.install().returncode == 0
    assert f"{ROOT}[ribbon]" in machine.log


def test_a_release_that_cannot_be_completed_is_taken_away(machine: Machine) -> None:
    machine.pip_fails = "install"
    assert machine.install().returncode != 0
    assert not machine.current.exists()
    assert list((machine.folder / "root/opt/tock-companion/releases").iterdir()) == []


def test_only_enabled_services_are_listed_as_starting_with_the_machine(machine: Machine) -> None:
    done = machine.install()
    assert "starts with the machine" not in done.stdout
    assert "does not start by itself" in done.stdout
    machine.programs["systemctl"] = LOGGED
    again = machine.install()
    assert "the companion starts with the machine" in again.stdout


def test_the_pins_library_may_write_where_the_service_runs() -> None:
    """Importing lgpio makes a pipe in its working folder; without LG_WD that is /, which the unit makes read-only."""
    unit = (ROOT / "packaging/tock-companion.service").read_text()
    assert "ProtectSystem=strict" in unit
    assert "RuntimeDirectory=tock-companion\n" in unit
    assert "Environment=LG_WD=/run/tock-companion\n" in unit


def test_every_unit_that_is_placed_is_also_removed(machine: Machine) -> None:
    assert machine.install().returncode == 0
    units = machine.folder / "root/etc/systemd/system"
    assert {path.name for path in units.iterdir()} >= {
        "tock-companion-helper.socket",
        "tock-companion-helper@.service",
        "tock-companion-recover.service",
        "tock-companion-update.service",
        "tock-companion-wifi.service",
    }
    assert machine.run("sh", SETUP, "remove").returncode == 0
    assert list(units.iterdir()) == []
    assert not machine.current.parent.exists()


def test_only_the_companions_user_reaches_the_helper() -> None:
    socket = (ROOT / "packaging/tock-companion-helper.socket").read_text()
    assert "SocketGroup=tock\n" in socket
    assert "SocketMode=0660\n" in socket
