"""Everything that follows from `board.toml`, as files: written, or compared with those that are there."""

from collections.abc import Callable, Iterator
from pathlib import Path

from tock_companion.boardfile import BoardFile, to_text
from tock_hardware.drawing import to_dxf, to_pdf, to_svg
from tock_hardware.magnetics.report import windows_page, windows_plot
from tock_hardware.project import Project
from tock_hardware.templates import (
    A4,
    LETTER,
    drill_template,
    marker_pages,
    paper_board,
    tiles,
    underside,
    whole,
)

Products = Iterator[tuple[str, bytes]]
PAPERS = (A4, LETTER)
FOLDERS = ("boards", "templates", "magnetics")
"""Folders that hold nothing but what is made here, so that a file left over in one is noticed."""


def products(project: Project) -> Products:
    """Yield path below the hardware folder and content of every file, in a fixed order."""
    for board in project.boards:
        yield f"boards/board-{board.zones}.json", to_text(board).encode()
        yield from _templates(board)
    yield "magnetics/windows.md", windows_page(project).encode()
    yield "magnetics/windows.svg", to_svg(windows_plot(project)).encode()


def _templates(board: BoardFile) -> Products:
    drill = drill_template(board)
    yield f"templates/drill-{board.zones}.dxf", to_dxf(drill).encode()
    yield f"templates/drill-{board.zones}.svg", to_svg(drill).encode()
    yield f"templates/drill-{board.zones}.pdf", to_pdf(drill.title, whole(drill))
    for paper in PAPERS:
        for name, drawing in (
            ("drill", drill),
            ("underside", underside(board)),
            ("paper", paper_board(board)),
        ):
            file = f"templates/{name}-{board.zones}-{paper.name.lower()}.pdf"
            yield file, to_pdf(drawing.title, tiles(drawing, paper))
        markers = to_pdf(f"Tock, {board.name}: marqueurs / markers", marker_pages(board, paper))
        yield f"templates/markers-{board.zones}-{paper.name.lower()}.pdf", markers


def write(project: Project, folder: Path, tell: Callable[[str], None]) -> int:
    """Write all files below a folder and return how many; those that are the same already are left alone."""
    names = set()
    for name, content in products(project):
        names.add(name)
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            tell(f"{name}: written")
    for path in _strange(folder, names):
        path.unlink()
        tell(f"{path.relative_to(folder).as_posix()}: removed, no longer made from board.toml")
    return len(names)


def differences(project: Project, folder: Path) -> tuple[int, list[str]]:
    """Return the number of files and what is not as `board.toml` says."""
    found = []
    names = set()
    for name, content in products(project):
        names.add(name)
        path = folder / name
        if not path.exists():
            found.append(f"{name}: missing")
        elif path.read_bytes() != content:
            found.append(f"{name}: differs")
    strange = [path.relative_to(folder).as_posix() for path in _strange(folder, names)]
    return len(names), found + [f"{name}: not made from board.toml" for name in strange]


def _strange(folder: Path, names: set[str]) -> list[Path]:
    found = [path for name in FOLDERS for path in (folder / name).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.relative_to(folder).as_posix() not in names)
