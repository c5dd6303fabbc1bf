"""What import-linter cannot see: packages that are imported by their name in a string."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("companion/tock_companion", "vision/tock_vision", "web/tock_web", "hardware/tock_hardware")
MAY_NAME_PACKAGES = ("companion/tock_companion/cli/", "companion/tock_companion/service/")
"""Commands and the daemon stand above all packages; they load each one only when it is needed."""


def named_imports(path: Path) -> Iterator[str]:
    """The literal beginning of every name given to `import_module`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in {
            "import_module",
            "__import__",
        }:
            argument = node.args[0]
            literals = [part.value for part in ast.walk(argument) if isinstance(part, ast.Constant)]
            yield str(literals[0]) if literals else ""


def test_only_commands_and_the_daemon_import_our_packages_by_name() -> None:
    found = [
        (str(path.relative_to(ROOT)), name)
        for folder in SHIPPED
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in named_imports(path)
    ]
    assert ("companion/tock_companion/cli/commands/board.py", "tock_vision.stills") in found
    assert [
        (path, name)
        for path, name in found
        if name.startswith("tock_") or not name
        if not path.startswith(MAY_NAME_PACKAGES)
    ] == []
