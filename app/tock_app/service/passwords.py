"""Passwords in the settings: never shown, kept while unchanged, sent to no other machine."""

import re
from collections.abc import Mapping, MutableMapping

import tomlkit

PASSWORD = "mqtt.password"
OF_BROKER = ("host", "port", "user", "ca")
"""Keys of `[mqtt]` that determine the password's receiver."""
UNCHANGED = "(unchanged)"
"""Stands in the text that is shown, where the file has a password."""
PASSWORD_IN_URL = re.compile(r"(?<=://)([^\s/@:\"']*):([^\s@\"']+)@")
PASSWORD_IN_PATH = re.compile(r"(?<=[?&_/;])((?:pass|passwd|password|pwd|token)=)[^&_/\s\"']+", re.IGNORECASE)


def shown(document: tomlkit.TOMLDocument) -> str:
    """The text of the settings without any password; changes the document."""
    if _password(document):
        _set_password(document, UNCHANGED)
    return _without_passwords(tomlkit.dumps(document))


def keep_passwords(document: tomlkit.TOMLDocument, before: tomlkit.TOMLDocument) -> None:
    """Restore passwords where the document has the shown placeholder."""
    if _password(document) == UNCHANGED:
        _set_password(document, _password(before))
    forget_broker_password(document, before)
    known = before.unwrap().get("sources", {})
    for name, settings in document.get("sources", {}).items():
        url = known.get(name, {}).get("url")
        if isinstance(url, str) and settings.get("url") == _without_passwords(url):
            settings["url"] = url


def forget_broker_password(document: tomlkit.TOMLDocument, before: tomlkit.TOMLDocument) -> None:
    """Remove the broker's password where it would go to another broker, or as another user's.

    The author of that change need not know the password, and could read it there.
    """
    if not _password(document) or _password(document) != _password(before):
        return
    now, then = _broker(document), _broker(before)
    if any(now.get(key) != then.get(key) for key in OF_BROKER):
        table = document["mqtt"]
        assert isinstance(table, MutableMapping)
        del table["password"]


def _broker(document: tomlkit.TOMLDocument) -> Mapping[str, object]:
    table = document.unwrap().get("mqtt")
    return table if isinstance(table, Mapping) else {}


def _password(document: tomlkit.TOMLDocument) -> object:
    return _broker(document).get("password", "")


def _set_password(document: tomlkit.TOMLDocument, password: object) -> None:
    table = document["mqtt"]
    assert isinstance(table, MutableMapping)
    table["password"] = password


def _without_passwords(text: str) -> str:
    """Hide the passwords in addresses of network cameras."""
    return PASSWORD_IN_PATH.sub(rf"\1{UNCHANGED}", PASSWORD_IN_URL.sub(rf"\1:{UNCHANGED}@", text))
