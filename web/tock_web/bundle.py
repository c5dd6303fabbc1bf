"""Bundles the modules of a page into one script: fifty requests over Wi-Fi would be a phone's longest wait.

Modules keep to one form: `import { a, b as c } from "./path.js";` and `export` before a function, class or const. Each
becomes a function that returns its exports, in dependency order. Indentation, comments on lines of their own and all
that begin with `/**` are dropped, so a template string must hold none of these and not run over several lines.
"""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
TYPES = re.compile(r"/\*\*(?:(?!\*/)[\s\S])*\*/ ?")
ASIDE = re.compile(r"^(?:[ \t]*(?://.*)?\n|[ \t]+)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(texts: Mapping[str, str], start: str) -> str:
    """The script of a page, from the path of its first module; raises ValueError for modules of another form."""
    order = _order(texts, start, ())
    return "".join(_scoped(texts, path) for path in order[:-1]) + _linked(texts, start)


def _order(texts: Mapping[str, str], path: str, above: tuple[str, ...]) -> list[str]:
    """A module and all that it imports, each after its own imports."""
    if path in above:
        raise ValueError(f"{path} needs itself: {' > '.join((*above, path))}")
    found: list[str] = []
    for _, wanted in IMPORT.findall(texts[path]):
        below = _order(texts, _beside(path, wanted), (*above, path))
        found += [module for module in below if module not in found]
    return [*found, path]


def _beside(path: str, wanted: str) -> str:
    return normpath(join(dirname(path), wanted))


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _linked(texts: Mapping[str, str], path: str) -> str:
    """The text of a module with its imports read from the constants of other modules."""

    def link(found: re.Match[str]) -> str:
        names = re.sub(r"\s+as\s+", ": ", found[1])
        return f"const {{{names}}} = {_name(_beside(path, found[2]))};\n"

    text = ASIDE.sub("", TYPES.sub("", EXPORT.sub("", IMPORT.sub(link, texts[path]))))
    other = OTHER.search(text)
    if other is not None:
        raise ValueError(f"{path}: cannot be put into one script with others: {other[0]}")
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise ValueError(f"{path}: a text over several lines would lose its indentation in one script")
    return text


def _scoped(texts: Mapping[str, str], path: str) -> str:
    names = ", ".join(EXPORT.findall(texts[path]))
    return f"const {_name(path)} = (() => {{\n{_linked(texts, path)}return {{ {names} }};\n}})();\n"
