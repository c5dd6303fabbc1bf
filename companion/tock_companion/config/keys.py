"""Every key of the configuration: its kind, its default, and what it does in both languages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Value = object


@dataclass(frozen=True, slots=True)
class Key:
    """One key; a dot in the name stands for a table: `mqtt.host` is `host` under `[mqtt]`."""

    name: str
    kind: type
    default: Value
    en: str
    fr: str
    least: int | None = None
    most: int | None = None

    def complaint(self, value: Value) -> str:
        """Return what is wrong with a value, nothing when it fits."""
        if not isinstance(value, self.kind) or (isinstance(value, bool) and self.kind is not bool):
            return f"must be {_KIND_NAMES[self.kind]}, not {value!r}"
        if isinstance(value, int) and not isinstance(value, bool) and self.most is not None:
            least = self.least or 0
            if not least <= value <= self.most:
                return f"must be a number from {least} to {self.most}, not {value}"
        return ""


_KIND_NAMES = {
    int: "a whole number",
    str: "a text in quotes",
    bool: "true or false",
    dict: "a table",
    list: "a list in [ ]",
}

KEYS = (
    Key("port", int, 8080, "Port of the page.", "Port de la page.", 1, 65535),
    Key(
        "host",
        str,
        "0.0.0.0",
        "Address to listen on; 0.0.0.0 is the whole home network.",
        "Adresse d'écoute ; 0.0.0.0 pour tout le réseau de la maison.",
    ),
    Key(
        "names",
        list,
        [],
        "Further names under which phones may call this machine.",
        "D'autres noms sous lesquels les téléphones peuvent appeler cette machine.",
    ),
    Key(
        "data",
        str,
        "",
        "Folder of the games, beside this file if relative.",
        "Dossier des parties, à côté de ce fichier si le chemin est relatif.",
    ),
    Key(
        "board",
        str,
        "",
        "Board file; make one with `tock board export --format json`.",
        "Fichier du plateau ; il se fait avec `tock board export --format json`.",
    ),
    Key(
        "zones",
        int,
        4,
        "Zones of the board when no board file is named: 4, 6 or 8.",
        "Zones du plateau sans fichier de plateau : 4, 6 ou 8.",
    ),
    Key(
        "ruleset",
        str,
        "mjc",
        "Rules of the first game; `tock rules list` names them.",
        "Règles de la première partie ; `tock rules list` les nomme.",
    ),
    Key(
        "players",
        int,
        0,
        "Players of the first game; as many as zones when left out.",
        "Joueurs de la première partie ; autant que de zones par défaut.",
    ),
    Key("options", dict, {}, "House rules of the first game.", "Règles maison de la première partie."),
    Key(
        "sources",
        dict,
        {},
        "What senses the board; the simulated table when there is none.",
        "Ce qui lit le plateau ; la table simulée s'il n'y a rien.",
    ),
    Key(
        "panel",
        dict,
        {},
        "Buttons, lights and buzzer on a Raspberry Pi, by pin number; see docs/panel.md.",
        "Boutons, lumières et sonnette d'un Raspberry Pi, par numéro de broche ; voir docs/panel.md.",
    ),
    Key(
        "backup.keep",
        int,
        7,
        "How many daily copies of the games to keep; 0 makes none.",
        "Combien de copies quotidiennes des parties garder ; 0 n'en fait aucune.",
        0,
        1000,
    ),
    Key(
        "backup.folder",
        str,
        "backups",
        "Where the copies go, for example a USB stick.",
        "Où vont les copies, par exemple une clé USB.",
    ),
    Key(
        "retention.recordings_mb",
        int,
        2000,
        "Space for recordings in the data folder; the oldest go first.",
        "Place pour les enregistrements ; les plus vieux partent d'abord.",
        0,
        10_000_000,
    ),
    Key(
        "metrics.enabled",
        bool,
        False,
        "Serve figures for Prometheus at /metrics.",
        "Donner des chiffres pour Prometheus sous /metrics.",
    ),
    Key(
        "mqtt.host",
        str,
        "",
        "MQTT broker to publish the table on; none when empty.",
        "Serveur MQTT où publier la table ; aucun si vide.",
    ),
    Key("mqtt.port", int, 1883, "Port of the broker.", "Port du serveur MQTT.", 1, 65535),
    Key("mqtt.user", str, "", "User at the broker, if it asks.", "Utilisateur, si le serveur en demande un."),
    Key("mqtt.password", str, "", "Password of that user.", "Mot de passe de cet utilisateur."),
    Key(
        "mqtt.table",
        str,
        "table",
        "Name of this table in the club: letters, digits and dashes.",
        "Nom de cette table au club : lettres, chiffres et tirets.",
    ),
)
BY_NAME = {key.name: key for key in KEYS}
TABLES = tuple(dict.fromkeys(key.name.split(".")[0] for key in KEYS if "." in key.name))
OPEN_TABLES = ("options", "sources", "panel")
"""Tables whose keys belong to the ruleset, to the sources and to the panel."""


def flat(values: Mapping[str, Value]) -> Iterable[tuple[str, Value]]:
    """Yield every key that is written, with its table in front."""
    for name, value in values.items():
        if name in TABLES and isinstance(value, dict):
            yield from ((f"{name}.{inner}", given) for inner, given in value.items())
        else:
            yield name, value


def template(lang: str = "en", chosen: Mapping[str, Value] | None = None) -> str:
    """Return a configuration with every key explained; those that are not chosen are comments with the default."""
    chosen = chosen or {}
    title = {"en": "Tock Companion: what this table is made of.", "fr": "Tock Companion : la table d'ici."}
    lines = [f"# {title[lang]}", ""]
    table = ""
    for key in KEYS:
        head, _, tail = key.name.rpartition(".")
        if head != table:
            table = head
            lines += [f"[{table}]"]
        lines.append(f"# {key.fr if lang == 'fr' else key.en}")
        if key.kind is dict:
            example = "camera" if tail == "sources" else None
            lines += [f"# [{tail}{'.' + example if example else ''}]", ""]
            continue
        if key.name in chosen:
            lines += [f"{tail} = {toml_text(chosen[key.name])}", ""]
        else:
            lines += [f"# {tail} = {toml_text(key.default)}", ""]
    return "\n".join(lines)


def toml_text(value: Value) -> str:
    """Return a plain value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(toml_text(item) for item in value) + "]"
    if isinstance(value, int | float):
        return str(value)
    quoted = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
