"""Writes the files that follow from `board.toml`, or compares them with the existing ones."""

from collections.abc import Callable, Iterator
from pathlib import Path

from tock_companion.boardfile import BoardFile, to_text
from tock_hardware.bom import Sensing, bill, bill_csv, bills_page, load_prices, volumes_mm3
from tock_hardware.drawing.dxf import to_dxf
from tock_hardware.drawing.pdf import to_pdf
from tock_hardware.drawing.svg import to_svg
from tock_hardware.electronics import kicad
from tock_hardware.electronics.assembly import assembly, main_board
from tock_hardware.electronics.panel import panel_board, panel_settings
from tock_hardware.electronics.power import budget, budget_page
from tock_hardware.electronics.sector import sector_board
from tock_hardware.electronics.sheet import sheet
from tock_hardware.electronics.wirelist import input_labels, wire_table
from tock_hardware.guide.drawings import overview, section
from tock_hardware.guide.pages import LANGUAGES, guide, safety, steps
from tock_hardware.magnetics.report import windows_page
from tock_hardware.parts.picture import to_png
from tock_hardware.parts.solids import solids
from tock_hardware.parts.stl import to_stl
from tock_hardware.project import Project
from tock_hardware.templates.board import drill_template, underside
from tock_hardware.templates.markers import marker_pages
from tock_hardware.templates.paper import paper_board
from tock_hardware.templates.tiles import A4, LETTER, tiles

Products = Iterator[tuple[str, bytes]]
PAPERS = (A4, LETTER)
FOLDERS = ("boards", "templates", "electronics", "magnetics", "parts", "bom", "guide")
"""Folders with nothing but generated files, so that leftovers are noticed."""
PICTURES = "guide/images/build/"


def products(project: Project) -> Products:
    """Yield path below the hardware folder and content of every file, in a fixed order."""
    shown = {str(step["picture"]) for step in steps()}
    for name, content in _originals(project):
        # The site shows the guide without this folder, so the guide holds its pictures.
        picture = name.rpartition("/")[2]
        yield f"{PICTURES}{picture}" if picture in shown else name, content


def is_only_built(name: str) -> bool:
    """Whether the repository leaves this file to `tock hardware build`.

    It holds the pages, the parts to print, and the guide's files for a board of four zones; programs read the rest.
    """
    is_read = name.startswith("guide/") or name.endswith((".md", ".stl", "panel.svg", "panel.toml"))
    return not is_read and "-4" not in name


def _originals(project: Project) -> Products:
    for board in project.boards:
        yield f"boards/board-{board.zones}.json", to_text(board).encode()
        yield from _templates(board)
    yield from _electronics(project)
    yield from _parts(project)
    yield from _texts(project)
    yield "magnetics/windows.md", windows_page(project).encode()


def _templates(board: BoardFile) -> Products:
    drill = drill_template(board)
    yield f"templates/drill-{board.zones}.dxf", to_dxf(drill).encode()
    for paper in PAPERS:
        for name, drawing in (
            ("drill", drill),
            ("underside", underside(board, input_labels(board))),
            ("paper", paper_board(board)),
        ):
            file = f"templates/{name}-{board.zones}-{paper.name.lower()}.pdf"
            yield file, to_pdf(drawing.title, tiles(drawing, paper))
        markers = to_pdf(f"Tock, {board.name}: marqueurs / markers", marker_pages(board, paper))
        yield f"templates/markers-{board.zones}-{paper.name.lower()}.pdf", markers


def _electronics(project: Project) -> Products:
    yield "electronics/tock.kicad_sym", kicad.symbol_library().encode()
    yield "electronics/sym-lib-table", kicad.library_table().encode()
    fuse = f"PTC {project.leds.fuse_ma / 1000:g} A"
    for circuit in (main_board(fuse), sector_board(project.leds.resistor_ohm), panel_board()):
        yield f"electronics/{circuit.name}.kicad_sch", kicad.schematic(circuit).encode()
        yield f"electronics/{circuit.name}.kicad_pro", b"{}\n"
        yield f"electronics/{circuit.name}.svg", to_svg(sheet(circuit)).encode()
    yield "electronics/panel.toml", panel_settings().encode()
    budgets = {}
    for board in project.boards:
        circuit = assembly(board.shape, project.leds.resistor_ohm, fuse)
        budgets[board.zones] = budget(circuit, board.shape, project.leds.fuse_ma)
        yield f"electronics/wires-{board.zones}.csv", wire_table(board).encode()
    yield "electronics/power.md", budget_page(budgets).encode()


def _parts(project: Project) -> Products:
    shown = {step["picture"] for step in steps()}
    for solid in solids(project):
        yield f"parts/{solid.name}.stl", to_stl(solid.body)
        if f"{solid.name}.png" in shown:
            yield f"{PICTURES}{solid.name}.png", to_png(solid.body)


def _texts(project: Project) -> Products:
    prices, volumes = load_prices(project.prices), volumes_mm3(project)
    for board in project.boards:
        for way in Sensing:
            text = bill_csv(bill(project, board, way, volumes), prices)
            yield f"bom/bom-{board.zones}-{way.value}.csv", text.encode()
    yield "bom/bom.md", bills_page(project, prices).encode()
    for language in LANGUAGES:
        yield f"guide/{language}/build.md", guide(project, language).encode()
        yield f"guide/{language}/safety.md", safety(project, language).encode()
    for name, drawing in (
        ("overview", overview()),
        ("section", section(project)),
        ("paper", paper_board(project.boards[0])),
    ):
        yield f"{PICTURES}{name}.svg", to_svg(drawing).encode()


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
    """Count the files and list those that differ from what `board.toml` gives; only built ones may be missing."""
    found = []
    names = set()
    for name, content in products(project):
        names.add(name)
        path = folder / name
        if not path.exists():
            found += [] if is_only_built(name) else [f"{name}: missing"]
        elif path.read_bytes() != content:
            found.append(f"{name}: differs")
    strange = [path.relative_to(folder).as_posix() for path in _strange(folder, names)]
    return len(names), found + [f"{name}: not made from board.toml" for name in strange]


def _strange(folder: Path, names: set[str]) -> list[Path]:
    found = [path for name in FOLDERS for path in (folder / name).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.relative_to(folder).as_posix() not in names)
