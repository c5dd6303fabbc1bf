"""The page on a home screen: its manifest, icon and worker, and the page that stands in while the table is away."""

import json

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from tock_web.assets import all_assets, asset_url, catalog
from tock_web.routes.pages import document, language

GROUND = "#f6efe1"
ICONS = ((192, "any"), (512, "any"), (512, "maskable"))
"""Sizes in pixels; a launcher cuts its own form out of a maskable one."""

home_screen = Blueprint("home_screen", __name__)


@home_screen.get("/app.webmanifest")
def manifest() -> ResponseReturnValue:
    """The name, colours and icons of the page on a home screen."""
    icons = [
        {"src": asset_url(f"icons/{px}.png"), "sizes": f"{px}x{px}", "type": "image/png", "purpose": purpose}
        for px, purpose in ICONS
    ]
    known = {
        "id": "/",
        "name": "Tock",
        "short_name": "Tock",
        "description": catalog(language())["about"],
        "lang": language(),
        "start_url": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return Response(json.dumps(known, ensure_ascii=False), mimetype="application/manifest+json")


@home_screen.get("/apple-touch-icon.png")
def touch_icon() -> ResponseReturnValue:
    """The icon that an iPhone asks for by itself."""
    return _asset("icons/180.png")


@home_screen.get("/worker.js")
def worker() -> ResponseReturnValue:
    """The worker; here, at the root, it is that of all pages."""
    return _asset("js/worker.js")


@home_screen.get("/away")
def away() -> ResponseReturnValue:
    """The page that a phone keeps for when the table is out of reach; it tries again by itself."""
    return document("away")


def _asset(path: str) -> Response:
    asset = all_assets()[path]
    return Response(asset.plain, mimetype=asset.kind, headers={"Cache-Control": "no-cache"})
