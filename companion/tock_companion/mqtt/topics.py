"""Topics of MQTT: a table's public view only, split up for simple displays, and its public events.

All messages but events are retained, so that a display that connects later sees the table as it is. All have QoS 1.
"""

from collections.abc import Mapping
from typing import Any

from tock_companion.strict_json import encode

ROOT = "tock"
ONLINE, OFFLINE = "online", "offline"

OWN_TOPICS = (
    *("status", "machine", "state", "turn", "warning", "result", "event"),
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


def event_topic(table: str) -> str:
    """The topic of the public events, one a message."""
    return f"{ROOT}/{table}/event"


def messages(table: str, view: Mapping[str, Any]) -> Messages:
    """Everything to publish for a public view."""
    holder = {seat["seat"]: seat for seat in view["seats"]}
    game, to_move = view["game"], holder[view["to_move"]]
    warning = view["warning"]
    over = game["ended"]
    turn = {"seat": to_move["seat"], "name": to_move["name"], "color": to_move["color"]}
    return {
        f"{ROOT}/{table}/state": encode(view),
        f"{ROOT}/{table}/turn": encode({**turn, "expects": view["expects"], "sentence": view["sentence"]}),
        f"{ROOT}/{table}/warning": encode(
            None
            if warning is None
            else {"code": warning["code"], "breaks": warning["breaks"], "message": warning["message"]}
        ),
        f"{ROOT}/{table}/result": encode(
            None if not over else {"winner": game["winner"], "sentence": view["sentence"]}
        ),
    }
