"""`python -m tock_web.generate` writes the generated files; `tests/web/test_schema.py` finds stale ones."""

from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, Flask

from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_web.answers.devices import Bootstrap
from tock_web.app import BLUEPRINTS
from tock_web.club.desk import AT_A_DESK, add_pages, desk_blueprints
from tock_web.club.tables import club_routes
from tock_web.describe.openapi import definitions_of, routes_of
from tock_web.describe.reference import reference
from tock_web.describe.rights import AT_A_TABLE, rights_of, table_of
from tock_web.describe.tables import with_generated
from tock_web.describe.typescript import declarations, routes
from tock_web.routes.camera_pictures import phone
from tock_web.streams import StreamRegistry

ROOT = Path(__file__).resolve().parents[2]
TYPES = ROOT / "web" / "types" / "api.d.ts"
REFERENCE = ROOT / "build" / "page-api-reference.md"
SECURITY = ROOT / "docs" / "security.md"


def described_app() -> Flask:
    """An app with every route of the API (table, club and desk) and no state."""
    club = Club(BrokerAddress("localhost"))
    app = Flask("described", static_folder=None)
    ours = (*BLUEPRINTS, phone)
    for blueprint in (*ours, club_routes(club, StreamRegistry(1)), *desk_blueprints()):
        app.register_blueprint(blueprint)
    return app


def rights() -> str:
    """The rights at a table, at its camera's page and at a club's desk."""
    doors: dict[str, tuple[Sequence[Blueprint], Sequence[str]]] = {
        "### At a table": (BLUEPRINTS, AT_A_TABLE),
        "### On the camera's page (HTTPS)": ((phone,), AT_A_TABLE),
        "### At a club's desk": (desk_blueprints(), AT_A_DESK),
    }
    parts = []
    for title, (blueprints, parties) in doors.items():
        app = Flask("described", static_folder=None)
        for blueprint in blueprints:
            app.register_blueprint(blueprint)
        if parties is AT_A_DESK:
            add_pages(app)
        parts.append(f"{title}\n\n{table_of(rights_of(app), parties)}\n")
    return "\n".join(parts)


def api_reference() -> str:
    """Every route, request and field, as Markdown; too long to commit."""
    app = described_app()
    return f"# The data of the page: reference\n\n{reference(app, definitions_of(app, Bootstrap))}"


def generated() -> dict[Path, str]:
    """Every generated file that is committed, and its expected content."""
    app = described_app()
    shapes = definitions_of(app, Bootstrap)
    return {
        TYPES: f"{declarations(shapes.named)}\n{routes(routes_of(app), shapes)}",
        SECURITY: with_generated(SECURITY.read_text(encoding="utf-8"), rights()),
    }


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
    REFERENCE.parent.mkdir(exist_ok=True)
    REFERENCE.write_text(api_reference(), encoding="utf-8")
