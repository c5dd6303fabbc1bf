"""The documents for users, offline and in the page's own style: their Markdown becomes HTML when somebody first asks.

`documents` leads to `docs/guide`, the one place where they are written; a wheel holds copies.
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

from tock_companion.language import Language

CHAPTERS = ("start", "play", "trouble", "board", "build", "safety", "install", "card", "club")
"""In the order in which a family needs them."""
PICTURES = "../images/"
"""How documents begin the address of a picture."""
_FOLDER = files("tock_web").joinpath("documents")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One document as it is shown."""

    title: str
    html: str


@cache
def chapter(lang: Language, name: str) -> Chapter:
    """One of `CHAPTERS` in a language."""
    text = _FOLDER.joinpath(lang, f"{name}.md").read_text(encoding="utf-8")
    return Chapter(text.partition("\n")[0].removeprefix("# "), to_html(text))


def to_html(text: str) -> str:
    """A document's Markdown as HTML that holds nothing but what Markdown makes."""
    converter = Markdown(
        extensions=[FencedCodeExtension(), TableExtension(), TocExtension(), _Offline()],
        output_format="html",
    )
    # What looks like HTML is shown as it stands.
    converter.preprocessors.deregister("html_block")
    converter.inlinePatterns.deregister("html")
    html: str = converter.convert(text)
    return html


@cache
def titles(lang: Language) -> tuple[tuple[str, str], ...]:
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
    """Documents lead to each other, and where they lead elsewhere, they say so in words alone."""

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
                # Measurements and the like are not on the table's machine.
                link.tag = "span"
                link.attrib.clear()
