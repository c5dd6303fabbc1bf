"""The public events as AsyncAPI 3.0 describes them, made from the types that the streams send."""

from collections.abc import Mapping

from typing_extensions import TypedDict

from tock_companion.views.public_events import FIELDS, VERSION, PublicEvent
from tock_web.describe.definitions import REF, Definitions

PATH = "/api/v1/events/public"
SERVERS = {"stream": "http", "socket": "ws"}


class AsyncApiDocument(TypedDict):
    """An AsyncAPI 3.0 document."""

    asyncapi: str
    info: Mapping[str, object]
    servers: Mapping[str, object]
    channels: Mapping[str, object]
    operations: Mapping[str, object]
    components: Mapping[str, object]


def described() -> AsyncApiDocument:
    """Describe every kind of event, each as a message with the fields that it has."""
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tock Companion: public events", "version": f"{VERSION}.0.0"},
        "servers": {
            name: {"host": "tock.local", "protocol": protocol, "security": [_ref("securitySchemes/key")]}
            for name, protocol in SERVERS.items()
        },
        "channels": {
            "public": {
                "address": PATH,
                "description": "Each data line of the stream, and each message of the WebSocket, is one event. "
                "Its id, as `Last-Event-ID` or `since`, resumes either of them.",
                "servers": [{"$ref": f"#/servers/{name}"} for name in SERVERS],
                "messages": {kind: _ref(f"messages/{kind}") for kind in FIELDS},
            }
        },
        "operations": {"tell": {"action": "send", "channel": {"$ref": "#/channels/public"}}},
        "components": {
            "messages": {kind: _message(kind, more) for kind, more in FIELDS.items()},
            "schemas": Definitions([PublicEvent]).named,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _message(kind: str, more: tuple[str, ...]) -> Mapping[str, object]:
    own = {"properties": {"kind": {"const": kind}}, "required": list(more)}
    payload = {"allOf": [{"$ref": f"{REF}PublicEvent"}, own]}
    return {"name": kind, "contentType": "application/json", "payload": payload}


def _ref(place: str) -> Mapping[str, str]:
    return {"$ref": f"#/components/{place}"}
