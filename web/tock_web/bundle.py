"""Bundles the modules of a page into one script: fifty requests over Wi-Fi would be a phone's longest wait.

Modules keep to one form: `import { a, b } from "./path.js";` and `export` before a function, class or const. They are
written one after the other, in dependency order, into one scope; one whose names others have already gets a scope of
its own. A module that is asked for with `import("./path.js")` becomes a script beside it, fetched when it is needed.
Indentation, comments on lines of their own and all that begin with `/**` are dropped, so a template string must hold
none of these and not run over several lines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, normpath

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
FETCH = re.compile(r'\bimport\("([^"]+)"\)')
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+|\{[^}]*\}|\[[^\]]*\])", re.MULTILINE)
TYPES = re.compile(r"/\*\*(?:(?!\*/)[\s\S])*\*/ ?")
ASIDE = re.compile(r"^(?:[ \t]*(?://.*)?\n|[ \t]+)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)
BROWSERS_OWN = frozenset(
    ("close", "event", "fetch", "find", "focus", "history", "location", "name", "open", "print", "screen",
     "scroll", "self", "status", "stop", "top")
)  # fmt: skip
"""Names with which a module may mean the browser's own."""


def bundle(texts: Mapping[str, str], start: str) -> dict[str, str]:
    """The scripts of a page by their file names, from the path of its first module.

    Raises ValueError for modules of another form.
    """
    page, first = basename(start).removesuffix(".js"), _order(texts, start, ())
    lent: set[str] = set()
    scripts: dict[str, str] = {}
    fetched_by: dict[str, str] = {}
    for path in dict.fromkeys(fetched for module in first for fetched in _fetched(texts, module)):
        modules = [module for module in _order(texts, path, ()) if module not in first]
        for module in modules:
            if fetched_by.setdefault(module, path) != path:
                raise ValueError(
                    f"{module}: {path} and {fetched_by[module]} would each have one of their own"
                )
        borrowed = sorted(
            name for module in modules for name, where in _imports(texts, module) if where not in modules
        )
        lent.update(borrowed)
        text = _joined(texts, modules, page, borrowed)
        scripts[_beside_page(page, path)] = (
            f'import {{ {_list(borrowed)} }} from "./{page}.js";\n{text}export {{ {_list(_exports(texts, path))} }};\n'
        )
    # In a block, for nobody imports from it, and its names are the likeliest to mean something else to others.
    own = f"{{\n{_text(texts, start, page)}}}\n" if len(first) > 1 else _text(texts, start, page)
    scripts[f"{page}.js"] = _joined(texts, first[:-1], page) + own
    if lent:
        scripts[f"{page}.js"] += f"export {{ {_list(sorted(lent))} }};\n"
    return scripts


def _order(texts: Mapping[str, str], path: str, above: tuple[str, ...]) -> list[str]:
    """A module and all that it imports, each after its own imports."""
    if path in above:
        raise ValueError(f"{path} needs itself: {' > '.join((*above, path))}")
    found: dict[str, None] = {}
    for _, wanted in IMPORT.findall(texts[path]):
        module = _beside(path, wanted)
        # A module that is listed already has all its imports before it.
        if module not in found:
            found.update(dict.fromkeys(_order(texts, module, (*above, path))))
    return [*found, path]


def _beside(path: str, wanted: str) -> str:
    return normpath(join(dirname(path), wanted))


def _beside_page(page: str, path: str) -> str:
    return f"{page}.{basename(path)}"


def _list(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _fetched(texts: Mapping[str, str], path: str) -> list[str]:
    """The modules that a module imports on demand."""
    return [_beside(path, wanted) for wanted in FETCH.findall(TYPES.sub("", texts[path]))]


def _imports(texts: Mapping[str, str], path: str) -> Iterator[tuple[str, str]]:
    """Each name that a module imports, and from which module."""
    for names, wanted in IMPORT.findall(texts[path]):
        for name in names.split(","):
            if name.strip():
                yield name.strip(), _beside(path, wanted)


def _exports(texts: Mapping[str, str], path: str) -> list[str]:
    return EXPORT.findall(texts[path])


def _text(texts: Mapping[str, str], path: str, page: str) -> str:
    """The text of a module without its imports: their names are in its scope."""
    if any(" as " in name for name, _ in _imports(texts, path)):
        raise ValueError(f"{path}: a name that is another one here cannot be put into one script with others")
    text = TYPES.sub("", EXPORT.sub("", IMPORT.sub("", texts[path])))
    text = FETCH.sub(lambda found: f'import("./{_beside_page(page, found[1])}")', text)
    text = ASIDE.sub("", text)
    other = OTHER.search(text)
    if other is not None:
        raise ValueError(f"{path}: cannot be put into one script with others: {other[0]}")
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise ValueError(f"{path}: a text over several lines would lose its indentation in one script")
    return text


def _joined(texts: Mapping[str, str], modules: Sequence[str], page: str, taken: Sequence[str] = ()) -> str:
    """Modules in one scope; one that declares a name already taken gets a scope of its own."""
    names = {*BROWSERS_OWN, *taken}
    for path in modules:
        if not names.isdisjoint(_exports(texts, path)):
            raise ValueError(f"{path}: another module in one script with it exports the same name")
        names.update(_exports(texts, path))
    parts = []
    for path in modules:
        text, exported = _text(texts, path, page), _exports(texts, path)
        own = set(_declared(texts[path])).difference(exported)
        if own.isdisjoint(names):
            parts.append(text)
            names |= own
        else:
            out = f"{{ {_list(exported)} }}"
            parts.append(f"const {out} = (() => {{\n{text}return {out};\n}})();\n")
    return "".join(parts)


def _declared(text: str) -> Iterator[str]:
    """The names that a module declares outside all functions."""
    for found in DECLARED.findall(EXPORT.sub("", TYPES.sub("", text))):
        for part in found.strip("{}[]").split(","):
            name = part.partition("=")[0].rpartition(":")[2].strip(" \n.")
            if name:
                yield name
