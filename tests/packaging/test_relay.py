"""The relay as services of a rented machine, with the certificate that certbot has for its name."""

from tests.packaging.test_club import TABLE, started, with_systemd
from tests.support.installing import ROOT, SETUP, Machine

NAME = "relay.example.org"
UNITS = ["tock-companion-relay-broker.service", "tock-companion-relay.service"]


def test_a_rented_machine_has_the_relay_alone_and_its_certificate_again_after_each_renewal(
    machine: Machine,
) -> None:
    with_systemd(machine)
    root = machine.folder / "root"
    live = root / "etc/letsencrypt/live" / NAME
    live.mkdir(parents=True)
    for number in ("first", "second"):
        (live / "fullchain.pem").write_text(f"{number} certificate")
        (live / "privkey.pem").write_text(f"{number} key")
        arguments = ["install", str(ROOT), "relay", NAME] if number == "first" else ["relay", NAME]
        done = machine.run("sh", SETUP, *arguments)
        assert done.returncode == 0, done.stderr
        folder = root / "var/lib/tock-companion-relay/relay"
        assert (folder / "public-key.pem").read_text() == f"{number} key"
        assert (folder / "public-key.pem").stat().st_mode & 0o777 == 0o600
        assert (folder / "public-certificate.pem").read_text() == f"{number} certificate"
    assert {path.name for path in (root / "enabled").iterdir()} >= set(UNITS)
    assert TABLE not in {path.name for path in (root / "enabled").iterdir()}
    assert started(machine) == UNITS
    assert (root / "etc/default/tock-companion-relay").read_text().splitlines() == [
        f"TOCK_RELAY_NAME={NAME}",
        "TOCK_RELAY_CERT=/var/lib/tock-companion-relay/relay/public-certificate.pem",
        "TOCK_RELAY_KEY=/var/lib/tock-companion-relay/relay/public-key.pem",
    ]
    assert machine.run("sh", SETUP, "relay", "a b").returncode == 1
