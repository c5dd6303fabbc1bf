"""Topics of MQTT: a table's public view only, split up for simple displays.

All messages are retained and sent with QoS 1, so that a display that connects later sees the table as it is.
"""

import json
from collections.abc import Mapping
from typing import Any

ROOT = "tock"
ONLINE, OFFLINE = "online", "offline"
DISCOVERY_ROOT = "homeassistant"
"""The root under which Home Assistant looks for devices (its documentation, MQTT discovery)."""

OWN_TOPICS = (
    *("status", "machine", "state", "turn", "warning", "result"),
    *("club/join", "club/progress", "club/result/+"),
)
"""All topics below a table's own."""

Messages = dict[str, str]
"""Topic → payload."""


def status_topic(table: str) -> str:
    """The topic that says whether the table is there; the broker itself publishes `offline` when it vanishes."""
    return f"{ROOT}/{table}/status"


def machine_topic(table: str) -> str:
    """The topic on which machines of one name find out which of them speaks; nothing on it is retained."""
    return f"{ROOT}/{table}/machine"


def messages(table: str, view: Mapping[str, Any]) -> Messages:
    """Everything to publish for a public view."""
    holder = {seat["seat"]: seat for seat in view["seats"]}
    game, to_move = view["game"], holder[view["to_move"]]
    warning = view["warning"]
    over = game["ended"]
    turn = {"seat": to_move["seat"], "name": to_move["name"], "color": to_move["color"]}
    return {
        f"{ROOT}/{table}/state": _json(view),
        f"{ROOT}/{table}/turn": _json({**turn, "expects": view["expects"], "sentence": view["sentence"]}),
        f"{ROOT}/{table}/warning": _json(
            None
            if warning is None
            else {"code": warning["code"], "breaks": warning["breaks"], "message": warning["message"]}
        ),
        f"{ROOT}/{table}/result": _json(
            None if not over else {"winner": game["winner"], "sentence": view["sentence"]}
        ),
    }


def discovery(table: str, version: str) -> Messages:
    """The messages by which Home Assistant discovers the table."""
    device = {"identifiers": [f"tock_{table}"], "name": f"Tock {table}", "sw_version": version}
    sensors: tuple[tuple[str, str, str, str, dict[str, str]], ...] = (
        ("sensor", "turn", "Turn", "{{ value_json.name or value_json.color }}", {}),
        ("sensor", "expects", "Expects", "{{ value_json.expects }}", {}),
        (
            "binary_sensor",
            "warning",
            "Warning",
            "{{ 'ON' if value_json else 'OFF' }}",
            {"device_class": "problem"},
        ),
        (
            "sensor",
            "result",
            "Winner",
            "{{ value_json.winner | join(' + ') if value_json and value_json.winner else '-' }}",
            {},
        ),
    )
    found = {}
    for kind, key, name, value, more in sensors:
        topic = "turn" if key == "expects" else key
        config = {
            "name": name,
            "unique_id": f"tock_{table}_{key}",
            "state_topic": f"{ROOT}/{table}/{topic}",
            "value_template": value,
            "availability_topic": status_topic(table),
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": device,
            **more,
        }
        found[f"{DISCOVERY_ROOT}/{kind}/tock_{table}/{key}/config"] = _json(config)
    return found


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
