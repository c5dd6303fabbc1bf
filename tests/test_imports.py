"""Imports that import-linter cannot see: packages named in a string, and effects that need no import."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = (
    "app/tock_app", "companion/tock_companion", "rules/tock_rules", "vision/tock_vision", "web/tock_web",
    "hardware/tock_hardware",
)  # fmt: skip
COMPUTED = "computed"
FOUND_OUT = {
    ("app/tock_app/cli/commands/bench.py", COMPUTED),
    ("app/tock_app/cli/commands/__init__.py", COMPUTED),
}
"""The benches are part of the checkout alone; a command is a module of its own package, loaded when it is asked for."""

_COMPANION = "companion/tock_companion"
PURE = ("rules/tock_rules", f"{_COMPANION}/referee", f"{_COMPANION}/tournament", f"{_COMPANION}/core")
EFFECTS = {"open", "print", "input", "breakpoint", "exec", "eval"}
"""Functions that reach files, the terminal or a caller's names, and that every module has."""


def nodes(path: Path, wanted: re.Pattern[str]) -> Iterator[ast.AST]:
    """The syntax tree of a file whose text has a match; parsing all of them takes seconds."""
    source = path.read_text(encoding="utf-8")
    return ast.walk(ast.parse(source)) if wanted.search(source) else iter(())


def called(function: ast.expr) -> str:
    """The last name of a called function such as `a.b`; else nothing."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def named_imports(path: Path) -> Iterator[str]:
    """Every name given to `import_module`, `COMPUTED` for one that is not written out."""
    for node in nodes(path, re.compile("import_module|__import__")):
        if isinstance(node, ast.Call) and called(node.func) in {"import_module", "__import__"}:
            match node.args[0]:
                case ast.Constant(value=str(name)):
                    yield name
                case _:
                    yield COMPUTED


def test_no_package_of_ours_is_imported_by_its_name_in_a_string() -> None:
    found = {
        (str(path.relative_to(ROOT)), name)
        for folder in SHIPPED
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in named_imports(path)
    }
    assert {(path, name) for path, name in found if name.startswith("tock_") or name == COMPUTED} == FOUND_OUT
    assert ("vision/tock_vision/grabbers.py", "picamera2") in found


def effects(source: str) -> set[str]:
    """The functions with effects that some code calls by their bare names."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EFFECTS
    }


def test_pure_packages_call_no_function_with_effects() -> None:
    paths = [path for name in PURE for path in (ROOT / name).rglob("*.py")]
    assert len(paths) > 80
    assert {path.name: found for path in paths if (found := effects(path.read_text(encoding="utf-8")))} == {}
    assert effects("def rule():\n    return open('/etc/passwd')") == {"open"}


ONLY_IN = {
    "club": ("companion/tock_companion/club/", "companion/tock_companion/tournament/matching.py"),
    "workshop": ("hardware/tock_hardware/drawing/dxf.py",),
    "hardware": ("hardware/tock_hardware/parts/",),
}
"""For each extra that no table needs, the places that import its libraries: an installation without it has the rest."""


def imported(path: Path, of: Iterable[str]) -> set[str]:
    """Those of some packages that a file imports anywhere."""
    names: list[str] = []
    for node in nodes(path, re.compile("|".join(of))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return {name.partition(".")[0] for name in names} & set(of)


def test_libraries_of_an_extra_are_imported_where_only_it_is_needed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        re.split("[<>=;[]", text)[0]: name
        for name in ONLY_IN
        for text in project["optional-dependencies"][name]
        if not text.startswith("tock-companion")
    }
    assert set(extras) == {"alembic", "ezdxf", "manifold3d", "rustworkx", "sqlalchemy"}
    assert not any(text.startswith(tuple(extras)) for text in project["dependencies"])
    for folder in SHIPPED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            used = {extras[name] for name in imported(path, extras)}
            assert all(place.startswith(ONLY_IN[extra]) for extra in used), place
