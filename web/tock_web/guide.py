"""The user guide, offline and in the page's own style; a document's Markdown becomes HTML on first use.

`documents` links to `docs/guide`, the only source; a wheel holds copies.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.fenced_code import FencedCodeExtension
from markdown.extensions.tables import TableExtension
from markdown.extensions.toc import TocExtension
from markdown.treeprocessors import Treeprocessor

from tock_companion.language import DEFAULT

CHAPTERS = ("start", "play", "far", "trouble", "board", "build", "safety", "install", "card", "club", "relay")
"""In the order in which a family needs them."""
PICTURES = "../images/"
"""Prefix of picture addresses in the documents."""
_FOLDER = files("tock_web").joinpath("documents")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A rendered document."""

    title: str
    html: str


@cache
def chapter(lang: str, name: str) -> Chapter:
    """One of `CHAPTERS` in a language, or in the default one where it is not translated."""
    files_of = (_FOLDER.joinpath(folder, f"{name}.md") for folder in (lang, DEFAULT))
    text = next(file for file in files_of if file.is_file()).read_text(encoding="utf-8")
    return Chapter(text.partition("\n")[0].removeprefix("# "), to_html(text))


def to_html(text: str) -> str:
    """Render Markdown as HTML that contains only what Markdown can produce."""
    converter = Markdown(
        extensions=[FencedCodeExtension(), TableExtension(), TocExtension(), _Offline()],
        output_format="html",
    )
    # Raw HTML is shown as text.
    converter.preprocessors.deregister("html_block")
    converter.inlinePatterns.deregister("html")
    html: str = converter.convert(text)
    return html


@cache
def titles(lang: str) -> tuple[tuple[str, str], ...]:
    """Name and title of every chapter."""
    return tuple((name, chapter(lang, name).title) for name in CHAPTERS)


@cache
def pictures() -> frozenset[str]:
    """The paths of all pictures below their folder."""
    return frozenset(_files(_FOLDER.joinpath("images")))


def picture(path: str) -> bytes:
    """One of `pictures`."""
    return _FOLDER.joinpath("images", *path.split("/")).read_bytes()


def _files(folder: Traversable, above: str = "") -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield f"{above}{entry.name}"


class _Offline(Extension):
    """Links between documents stay links; others become plain words."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the step after all others."""
        md.treeprocessors.register(_Addresses(md), "offline", 0)


class _Addresses(Treeprocessor):
    def run(self, root: Element) -> None:
        """Rewrite every address of a document into one of the page."""
        for picture in root.iter("img"):
            picture.set("src", f"/guide/images/{picture.get('src', '').removeprefix(PICTURES)}")
            picture.set("loading", "lazy")
        for link in root.iter("a"):
            name, mark, anchor = link.get("href", "").partition("#")
            if name.startswith("https://"):
                link.set("rel", "noopener noreferrer")
            elif name.removesuffix(".md") in CHAPTERS:
                link.set("href", f"/guide/{name.removesuffix('.md')}{mark}{anchor}")
            elif name:
                # Measurements and the like are not installed on the table's machine.
                link.tag = "span"
                link.attrib.clear()
