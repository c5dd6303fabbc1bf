"""The keys of `tock.toml`, their types, bounds and defaults; `words.toml` explains them."""

import re
from ipaddress import ip_address
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from tock_companion.errors import quoted
from tock_companion.schema import A_NAME, A_PATH, Schema

TABLE_NAME = re.compile(r"[A-Za-z0-9-]{1,40}")
MAX_NAMES = 50
MAX_HOST_CHARS = 253
"""Letters of a host name (RFC 1035)."""


def _table_name(value: str) -> str:
    if not TABLE_NAME.fullmatch(value):
        raise ValueError(f"must be up to 40 letters, digits and dashes, not {quoted(value)}")
    return value


def host_name(value: str) -> str:
    """Return a valid host name or address; raises ValueError."""
    try:
        value.encode("idna")
    except UnicodeError:
        raise ValueError(f"must be a host name or an address, not {quoted(value)}") from None
    return value


def relay_address(value: str) -> str:
    """Return the address of a relay without a final slash; raises ValueError."""
    try:
        found = urlsplit(value)
        is_address = found.scheme in ("https", "http") and bool(found.hostname) and found.port != 0
    except ValueError:
        is_address = False
    if is_address and found.scheme == "http" and not is_loopback(found.hostname or ""):
        raise ValueError(f"must begin with https:// outside this machine, not {quoted(value)}")
    if value and (not is_address or found.query or found.fragment or found.username or found.path.strip("/")):
        raise ValueError(f"must be an address such as https://tock.example, not {quoted(value)}")
    return value.rstrip("/")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


_Port: TypeAlias = Annotated[int, Field(ge=1, le=65535)]
_Path: TypeAlias = Annotated[str, A_PATH]
_Broker: TypeAlias = Annotated[str, Field(max_length=MAX_HOST_CHARS), AfterValidator(host_name)]
_HostName: TypeAlias = Annotated[str, Field(min_length=1, max_length=MAX_HOST_CHARS), A_NAME]
_Credential: TypeAlias = Annotated[str, Field(max_length=200)]


class BackupSettings(Schema):
    """Daily copies of the games."""

    keep: Annotated[int, Field(ge=0, le=1000)] = 7
    folder: _Path = "backups"


class RetentionSettings(Schema):
    """Limits above which old data is deleted."""

    recordings_mb: Annotated[int, Field(ge=0, le=10_000_000)] = 2000
    pictures_days: Annotated[int, Field(ge=1, le=10_000)] = 30


class MetricsSettings(Schema):
    """Figures for Prometheus."""

    enabled: bool = False


class TlsSettings(Schema):
    """HTTPS, for the page of phones that are cameras."""

    port: Annotated[int, Field(ge=0, le=65535)] = 8443
    certificate: _Path = ""
    key: _Path = ""


class MqttSettings(Schema):
    """The broker on which the table is published, and the account there."""

    host: _Broker = ""
    port: _Port = 1883
    user: _Credential = ""
    password: _Credential = ""
    table: Annotated[str, AfterValidator(_table_name)] = "table"
    ca: _Path = ""
    club: bool = False


class WebhookSettings(Schema):
    """The program elsewhere that gets the public events, and what signs them."""

    url: Annotated[str, Field(max_length=500)] = ""
    secret: _Credential = ""


class FarSettings(Schema):
    """The relay for people and boards far away."""

    relay: Annotated[str, Field(max_length=MAX_HOST_CHARS), AfterValidator(relay_address)] = ""
    ca: _Path = ""


class Settings(Schema):
    """The whole file. The ruleset, the sources and the panel define the keys of `options`, `sources` and `panel`."""

    port: _Port = 8080
    host: _HostName = "0.0.0.0"
    names: list[_HostName] = Field(default_factory=list, max_length=MAX_NAMES)
    data: _Path = ""
    board: _Path = ""
    zones: Literal[2, 3, 4, 6, 8] = 4
    ruleset: Annotated[str, Field(min_length=1, max_length=100)] = "mjc"
    players: Annotated[int, Field(ge=0, le=8)] = 0
    options: dict[str, object] = Field(default_factory=dict)
    sources: dict[str, dict[str, object]] = Field(default_factory=dict)
    panel: dict[str, object] = Field(default_factory=dict)
    backup: BackupSettings = BackupSettings()
    retention: RetentionSettings = RetentionSettings()
    metrics: MetricsSettings = MetricsSettings()
    mqtt: MqttSettings = MqttSettings()
    webhook: WebhookSettings = WebhookSettings()
    tls: TlsSettings = TlsSettings()
    far: FarSettings = FarSettings()
