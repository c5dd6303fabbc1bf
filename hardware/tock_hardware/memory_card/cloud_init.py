"""The three files that cloud-init reads from the boot partition (its data source NoCloud)."""

import json

from tock_companion.machine.network import Network
from tock_hardware.memory_card.settings import Card

PACKAGE_FOLDER = "/boot/firmware/tock"
OWN_WIFI_FILE = "/etc/tock-companion/own-wifi.json"


def user_data(card: Card) -> str:
    """The settings applied at the first start."""
    return "\n".join(
        (
            "#cloud-config",
            "# Read once, at the first start. TOCK-README.txt and TOCK-LISEZ-MOI.txt explain the settings.",
            f"hostname: {_text(card.host_name)}",
            "manage_etc_hosts: true",
            f"locale: {_text(card.locale)}",
            f"timezone: {_text(card.timezone)}",
            "ssh_pwauth: false",
            "users:",
            "  - name: table",
            "    lock_passwd: true",
            "    shell: /bin/bash",
            *_login(card.ssh_key),
            *_own_wifi(card.own),
            "runcmd:",
            f"  - [sh, {PACKAGE_FOLDER}/first-start.sh, {_text(card.country)}]",
            "",
        )
    )


def network_config(card: Card) -> str:
    """The cable, and the house's Wi-Fi where there is one."""
    lines = [
        "# The network (netplan). Spaces at the beginning of a line count; tabs are not allowed.",
        "network:",
        "  version: 2",
        "  ethernets:",
        "    eth0:",
        "      dhcp4: true",
        "      optional: true",
    ]
    if card.house is not None:
        # psk is WPA2, and WPA3 where the house offers both and the radio can; sae is WPA3 alone.
        key_management = "sae" if card.house_is_wpa3_only else "psk"
        lines += [
            "  wifis:",
            "    wlan0:",
            "      dhcp4: true",
            "      optional: true",
            "      access-points:",
            f"        {_text(card.house.name)}:",
            "          auth:",
            f"            key-management: {key_management}",
            f"            password: {_text(card.house.password)}",
        ]
    return "\n".join((*lines, ""))


def meta_data(card: Card) -> str:
    """The name of this card; a card whose name cloud-init knows already is not set up again."""
    return f"dsmode: local\ninstance-id: {_text(card.identity)}\n"


def _own_wifi(own: Network | None) -> tuple[str, ...]:
    if own is None:
        return ()
    kept = json.dumps({"name": own.name, "password": own.password}, ensure_ascii=False)
    return (
        "write_files:",
        "  # The table's own Wi-Fi, for where there is no other.",
        f"  - path: {OWN_WIFI_FILE}",
        '    permissions: "0600"',
        f"    content: {_text(kept)}",
    )


def _login(key: str | None) -> tuple[str, ...]:
    if key is None:
        return ()
    return (
        '    sudo: "ALL=(ALL) NOPASSWD:ALL"',
        "    groups: [adm, dialout, gpio, netdev, plugdev, sudo, video]",
        "    ssh_authorized_keys:",
        f"      - {_text(key)}",
    )


def _text(value: str) -> str:
    """A text as YAML, which takes every JSON string."""
    return json.dumps(value, ensure_ascii=False)
