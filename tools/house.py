"""Draws the packages of the companion as rows of rooms, from their imports, as Mermaid for docs/architecture.md.

`python tools/house.py [COMMIT]` reads a commit of this repository instead of its working tree.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tock_companion"
FOLDER = f"companion/{PACKAGE}/"


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _sources(commit: str) -> Iterator[tuple[str, str]]:
    listed = _git("ls-tree", "-r", "--name-only", commit, FOLDER) if commit else _git("ls-files", FOLDER)
    for name in listed.splitlines():
        if name.endswith(".py"):
            yield name, _git("show", f"{commit}:{name}") if commit else (ROOT / name).read_text("utf-8")


def _room(module: str) -> str:
    """The part that a module belongs to: a package of tock_companion, one deeper for its table."""
    parts = module.split(".")
    return ".".join(parts[1 : 3 if parts[1] == "table" and len(parts) > 2 else 2])


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{PACKAGE}."):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def picture(commit: str = "") -> str:
    """The rooms with their lines; an arrow points to a room that is imported and not reached otherwise."""
    lines: dict[str, int] = defaultdict(int)
    needs: dict[str, set[str]] = defaultdict(set)
    for name, text in _sources(commit):
        room = _room(name.removeprefix("companion/").removesuffix(".py").replace("/", "."))
        lines[room] += text.count("\n")
        needs[room] |= {_room(found) for found in _imports(text)} - {room}
    rooms = {
        room: needs[room] & set(lines) for room in sorted(lines) if room.rpartition(".")[2] != "__init__"
    }
    below: dict[str, set[str]] = {}
    for room in TopologicalSorter(rooms).static_order():
        below[room] = rooms[room].union(*(below[other] for other in rooms[room]))
    drawn = []
    for room, others in rooms.items():
        shown = [other for other in sorted(others) if not any(other in below[via] for via in others)]
        drawn += [f"  {room}[{room}: {lines[room]:,}]", *(f"  {room} --> {other}" for other in shown)]
    return "\n".join(["```mermaid", "flowchart TD", *drawn, "```", ""])


if __name__ == "__main__":
    sys.stdout.write(picture(*sys.argv[1:2]))
