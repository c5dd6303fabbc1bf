"""Style sheets, scripts, icons and words: read once, and cached by phones until any of them changes.

Every address contains a hash of all of them: `/static/<version>/js/bundle/seat.js` is the script of the seat's page;
the modules that it is made of have addresses of their own.
"""

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from posixpath import dirname

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from tock_companion.language import complete
from tock_web.bundle import bundle

STYLE_ORDER = (
    "tokens", "base", "layout", "board", "turn", "cards", "hand", "panels", "settings", "dialogs", "pages", "machine",
    "menu", "lobby", "host-lobby", "ending", "lesson", "play", "boards", "guide", "camera", "faces",
)  # fmt: skip
"""The style sheets; each page gets one file: a phone at the edge of the Wi-Fi makes one request."""
OF_NO_PLAYER = ("boards", "camera", "guide", "machine", "pages")
"""Sheets that players and their table's screen never need."""
OF_A_SEAT = ("hand", "host-lobby", "lesson", "play", "settings")
"""Sheets that the start page and spectators never need."""
STYLES = {
    "seat": [name for name in STYLE_ORDER if name not in OF_NO_PLAYER],
    "public": [name for name in STYLE_ORDER if name not in (*OF_NO_PLAYER, *OF_A_SEAT)],
    "others": STYLE_ORDER,
}
STYLE_OF_PAGE = {"seat": "seat", "practice": "seat", "table": "public", "watch": "public"}
OWN_STYLE = re.compile("css/(?P<base>[a-z]+)/(?P<page>[a-z]+).css")
"""The sheet that the page of a feature has besides those of a base."""
STYLE_ASIDE = (
    (re.compile(rb"/\*.*?\*/", re.DOTALL), b""),
    (re.compile(rb"\s+"), b" "),
    (re.compile(rb" ?([{};,]) ?"), rb"\1"),
    (re.compile(rb": "), b":"),
    (re.compile(rb";}"), b"}"),
)
"""Comments, and spaces that a browser does not need: useful to readers, not sent to phones."""
BUNDLES = "js/bundle"
CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
GZIP_FROM_BYTES = 600
GZIP_LEVEL = 9
"""Compression level: at the edge of the Wi-Fi a kilobyte costs a phone more than tighter packing costs a Pi."""

assets = Blueprint("assets", __name__)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    kind: str
    plain: bytes


@cache
def all_assets() -> Mapping[str, Asset]:
    """Every file by its path below `static`."""
    found = dict(_files(files("tock_web").joinpath("static")))
    scripts = {path: data.decode() for path, data in found.items() if path.endswith(".js")}
    for path in scripts:
        if dirname(path) == "js/pages":
            found.update({f"{BUNDLES}/{name}": text.encode() for name, text in bundle(scripts, path).items()})
    for lang, words in complete("page", _words).items():
        found[f"i18n/{lang}.json"] = json.dumps(words, ensure_ascii=False).encode()
    styles = {style: [f"css/{name}.css" for name in names] for style, names in STYLES.items()}
    for own in filter(None, map(OWN_STYLE.fullmatch, found)):
        styles[own["page"]] = [*styles[own["base"]], own[0]]
    for style, paths in styles.items():
        found[f"css/bundle/{style}.css"] = _sheet([found[path] for path in paths])
    return {
        path: Asset(guess_type(path)[0] or "application/octet-stream", data) for path, data in found.items()
    }


@cache
def _gzipped(path: str) -> bytes:
    """A file, compressed on first use: no phone needs all of them, and no start waits for one."""
    return gzip.compress(all_assets()[path].plain, GZIP_LEVEL, mtime=0)


def _words(language: Traversable) -> Mapping[str, str]:
    """The words of all pages in the folder of a language."""
    parts = [json.loads(text) for _, text in _files(language.joinpath("page"))]
    return {key: text for part in parts for key, text in part.items()}


def _files(folder: Traversable, above: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _files(entry, f"{above}{entry.name}/")
        else:
            found.append((above + entry.name, entry.read_bytes()))
    return found


def _sheet(parts: Sequence[bytes]) -> bytes:
    text = b"".join(parts)
    for what, instead in STYLE_ASIDE:
        text = what.sub(instead, text)
    return text


def style_of(page: str) -> str:
    """The path of the style of a page."""
    own = f"css/bundle/{page.partition('_')[0]}.css"
    return own if own in all_assets() else f"css/bundle/{STYLE_OF_PAGE.get(page, 'others')}.css"


def script_of(page: str) -> str:
    """The path of the bundled script of a page."""
    return f"{BUNDLES}/{page}.js"


@cache
def version() -> str:
    """A hash that changes with any of the files."""
    digest = sha256()
    for path, asset in all_assets().items():
        digest.update(path.encode() + b"\0" + asset.plain)
    return digest.hexdigest()[:10]


def asset_url(path: str) -> str:
    """The address of a file in this version."""
    return f"/static/{version()}/{path}"


@cache
def catalog(lang: str) -> Mapping[str, str]:
    """The words of the page in a language; the browser reads the same file."""
    words: Mapping[str, str] = json.loads(all_assets()[f"i18n/{lang}.json"].plain)
    return words


@assets.get("/static/<path:path>")
def send(path: str) -> ResponseReturnValue:
    """Send a file; the answer is not cached when a page from before an update asks for another version."""
    wanted, rest = path.partition("/")[::2]
    found = next((known for known in (rest, path) if known in all_assets()), None)
    if found is None:
        abort(404)
    keep = found == rest and wanted == version()
    asset = all_assets()[found]
    answer = compressed(Response(asset.plain, mimetype=asset.kind), _gzipped(found))
    answer.headers["Cache-Control"] = CACHE_FOREVER if keep else REVALIDATE
    answer.set_etag(version(), weak=True)
    return answer.make_conditional(request)


def compressed(answer: Response, ready: bytes | None = None) -> Response:
    """Compress an answer for clients that accept gzip, if it is worth it; `ready` is its compressed form."""
    plain = answer.get_data()
    answer.vary.add("Accept-Encoding")
    if len(plain) >= GZIP_FROM_BYTES and request.accept_encodings["gzip"] > 0:
        answer.set_data(gzip.compress(plain, GZIP_LEVEL, mtime=0) if ready is None else ready)
        answer.content_encoding = "gzip"
    return answer
