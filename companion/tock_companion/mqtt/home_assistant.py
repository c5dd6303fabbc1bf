"""Messages by which Home Assistant discovers a table: its sensors, its events, and a trigger for each kind of event."""

from collections.abc import Mapping

from tock_companion.mqtt.topics import OFFLINE, ONLINE, ROOT, Messages, event_topic, status_topic
from tock_companion.strict_json import encode
from tock_companion.views.public_events import FIELDS

DISCOVERY_ROOT = "homeassistant"
"""The root under which Home Assistant looks for devices (its documentation, MQTT discovery)."""


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
            **_available(table),
            "device": device,
            **more,
        }
        found[f"{DISCOVERY_ROOT}/{kind}/tock_{table}/{key}/config"] = encode(config)
    return found | _discovered_events(table, device)


def _discovered_events(table: str, device: Mapping[str, object]) -> Messages:
    """An entity of all events, and a trigger of the device for each kind."""
    entity = {
        "name": "Event",
        "unique_id": f"tock_{table}_event",
        "state_topic": event_topic(table),
        "value_template": "{{ dict(value_json, event_type=value_json.kind) | to_json }}",
        "event_types": list(FIELDS),
        **_available(table),
        "device": device,
    }
    triggers = {
        f"{DISCOVERY_ROOT}/device_automation/tock_{table}/{kind}/config": encode(
            {
                "automation_type": "trigger",
                "type": "event",
                "subtype": kind,
                "topic": event_topic(table),
                "value_template": "{{ value_json.kind }}",
                "payload": kind,
                "device": device,
            }
        )
        for kind in FIELDS
    }
    return {f"{DISCOVERY_ROOT}/event/tock_{table}/event/config": encode(entity), **triggers}


def _available(table: str) -> Messages:
    return {
        "availability_topic": status_topic(table),
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
    }
