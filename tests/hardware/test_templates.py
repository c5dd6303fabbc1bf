"""Prints and cuts are where the board file says: read back with other people's readers."""

import io
import sys
from collections.abc import Sequence
from math import dist
from xml.etree import ElementTree

import cv2
import ezdxf
import numpy as np
import pdfplumber
import pypdfium2
import pytest

from tock_app.cli.main import main
from tock_companion.boardfile import BoardFile
from tock_hardware.drawing.pdf import to_pdf
from tock_hardware.drawing.shapes import Box, Circle, Drawing, Text, text_width_mm
from tock_hardware.project import Project
from tock_hardware.templates import export
from tock_hardware.templates.board import drill_template, underside
from tock_hardware.templates.markers import marker_pages
from tock_hardware.templates.paper import paper_board
from tock_hardware.templates.tiles import A4, LETTER, Paper, one_page, tiles

MM_PER_POINT = 25.4 / 72
Place = tuple[float, float, float]


def holes_of(board: BoardFile) -> dict[str, Place]:
    return {hole.id: (hole.x_mm, hole.y_mm, hole.d_mm / 2) for hole in board.holes}


def pdf_circles(page: pdfplumber.page.Page, radius_mm: float) -> list[Place]:
    """Closed curves of that radius: centre and radius in millimetres from the top left corner."""
    found = []
    for curve in page.curves:
        box = [float(curve[key]) * MM_PER_POINT for key in ("x0", "x1", "top", "bottom")]
        circle = ((box[0] + box[1]) / 2, (box[2] + box[3]) / 2, (box[1] - box[0]) / 2)
        if abs(circle[2] - radius_mm) < 0.01 and abs((box[3] - box[2]) / 2 - radius_mm) < 0.01:
            found.append(circle)
    return found


def assert_same_places(found: Sequence[Place], wanted: Sequence[Place]) -> None:
    assert len(found) == len(wanted)
    for place in wanted:
        assert min(dist(place, other) for other in found) < 0.01


@pytest.mark.whole
def test_holes_are_those_of_the_rules(board: BoardFile) -> None:
    assert sorted(hole.id for hole in board.holes) == sorted(board.shape.hole_ids())
    each = board.zone_length + 2 * board.pawns_per_seat
    assert len(board.holes) == each * board.zones + board.shape.has_centre


@pytest.mark.whole
def test_the_svg_has_every_hole_in_its_place(board: BoardFile) -> None:
    root = ElementTree.fromstring(export(board, "svg"))
    assert root.get("width") == f"{board.size_mm[0]:g}mm"
    assert root.get("viewBox") == f"0 0 {board.size_mm[0]:g} {board.size_mm[1]:g}"
    circles = {
        circle.get("id"): tuple(float(circle.get(key, "nan")) for key in ("cx", "cy", "r"))
        for circle in root.iter("{http://www.w3.org/2000/svg}circle")
    }
    assert circles.keys() == holes_of(board).keys()
    assert all(dist(circles[name], place) < 0.01 for name, place in holes_of(board).items())


@pytest.mark.whole
def test_the_dxf_has_every_hole_in_its_place_and_says_millimetres(board: BoardFile) -> None:
    document = ezdxf.read(io.StringIO(export(board, "dxf").decode()))  # type: ignore[attr-defined]
    assert document.audit().errors == []
    assert document.audit().fixes == []
    assert document.units == ezdxf.units.MM
    circles = [
        (circle.dxf.center.x, board.size_mm[1] - circle.dxf.center.y, circle.dxf.radius)
        for circle in document.modelspace().query('CIRCLE[layer=="DRILL"]')
    ]
    assert_same_places(circles, list(holes_of(board).values()))
    names = {text.dxf.text for text in document.modelspace().query("TEXT")}
    assert names >= holes_of(board).keys()


@pytest.mark.whole
def test_two_drawings_of_one_board_are_the_same_bytes_in_ascii(board: BoardFile) -> None:
    first, second = export(board, "dxf"), export(board, "dxf")
    assert first == second
    assert first.isascii()


@pytest.mark.whole
def test_the_pdf_has_every_hole_in_its_place(board: BoardFile) -> None:
    with pdfplumber.open(io.BytesIO(export(board, "pdf"))) as pdf:
        page = pdf.pages[0]
        assert float(page.width) * MM_PER_POINT == pytest.approx(board.size_mm[0], abs=0.01)
        assert_same_places(pdf_circles(page, board.holes[0].d_mm / 2), list(holes_of(board).values()))


@pytest.mark.whole
@pytest.mark.parametrize(("zones", "paper"), [(4, A4), (4, LETTER)], ids=["A4", "Letter"])
def test_no_sheet_is_out_of_scale(project: Project, zones: int, paper: Paper) -> None:
    board = next(board for board in project.boards if board.zones == zones)
    wanted = holes_of(board)
    with pdfplumber.open(io.BytesIO(to_pdf("tiles", tiles(drill_template(board), paper)))) as pdf:
        for page in pdf.pages:
            sides = sorted((float(page.width) * MM_PER_POINT, float(page.height) * MM_PER_POINT))
            assert sides == pytest.approx(sorted((paper.width_mm, paper.height_mm)), abs=0.01)
            names = {word["text"]: word for word in page.extract_words() if word["text"] in wanted}
            circles = pdf_circles(page, board.holes[0].d_mm / 2)
            offsets = set()
            for name, word in names.items():
                x = (float(word["x0"]) + float(word["x1"])) / 2 * MM_PER_POINT
                y = float(word["top"]) * MM_PER_POINT
                circle = min(circles, key=lambda circle: dist(circle[:2], (x, y - 4)))
                place = wanted[name]
                if dist(circle[:2], (x, y - 4)) < 4:
                    offsets.add((round(circle[0] - place[0], 1), round(circle[1] - place[1], 1)))
            assert len(offsets) <= 1
            bar = [line for line in page.lines if abs(float(line["width"]) * MM_PER_POINT - 100) < 0.01]
            assert bar


@pytest.mark.whole
def test_the_underside_is_the_board_turned_over(board: BoardFile) -> None:
    width = board.size_mm[0]
    circles = {
        shape.name: (shape.x, shape.y, shape.r)
        for shape in underside(board).shapes
        if isinstance(shape, Circle) and shape.name
    }
    assert circles == {name: (width - x, y, r) for name, (x, y, r) in holes_of(board).items()}


def detect(pdf: bytes, page: int, dpi: int = 200) -> dict[int, np.ndarray]:
    """Markers that OpenCV finds in a rendered page: their corners in millimetres."""
    sheet = pypdfium2.PdfDocument(pdf)[page]
    picture = sheet.render(scale=dpi / 72, grayscale=True).to_numpy()
    mm_per_px = sheet.get_width() * MM_PER_POINT / picture.shape[1]
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(picture.squeeze()))
    if ids is None:
        return {}
    return {
        int(number): (corner[0] + 0.5) * mm_per_px
        for number, corner in zip(ids.ravel(), corners, strict=True)
    }


@pytest.mark.whole
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_printed_markers_are_found_at_their_size(board: BoardFile, paper: Paper) -> None:
    sheet = marker_pages(board, paper)
    found: dict[int, np.ndarray] = {}
    for page in range(len(sheet)):
        found |= detect(to_pdf("markers", sheet), page)
    assert found.keys() == {marker.id for marker in board.markers}
    for marker in board.markers:
        corners = found[marker.id]
        for one, two in ((0, 1), (1, 2), (2, 3), (3, 0)):
            assert dist(corners[one], corners[two]) == pytest.approx(marker.size_mm, rel=0.005)


@pytest.mark.whole
def test_the_paper_board_has_its_markers_in_their_places(board: BoardFile) -> None:
    drawing = paper_board(board)
    found = detect(to_pdf("paper", one_page(drawing)), 0, dpi=75)
    assert found.keys() == {marker.id for marker in board.markers}
    for marker in board.markers:
        assert dist(found[marker.id].mean(axis=0), (marker.x_mm, marker.y_mm)) < 0.3


@pytest.mark.whole
def test_texts_are_as_long_as_a_reader_finds_them() -> None:
    words = "Plateau-à-découper_WMil.,;:()%&@"
    drawing = Drawing("t", 200, 50, (Text(10, 20, words, 5),))
    with pdfplumber.open(io.BytesIO(to_pdf("t", one_page(drawing)))) as pdf:
        word = pdf.pages[0].extract_words()[0]
        assert word["text"] == words
        length = (float(word["x1"]) - float(word["x0"])) * MM_PER_POINT
    assert length == pytest.approx(text_width_mm(words, 5), rel=0.01)


@pytest.mark.whole
def test_marks_of_the_sheets_stay_clear_of_holes(board: BoardFile) -> None:
    for page in tiles(drill_template(board), A4):
        _, joints, _ = page.groups
        for shape in joints.shapes:
            box = shape.box
            if not getattr(shape, "closed", False):
                continue
            center = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            assert all(dist(center, place[:2]) > place[2] + 3.5 for place in holes_of(board).values())


@pytest.mark.whole
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_every_hole_of_every_board_is_whole_on_a_sheet(board: BoardFile, paper: Paper) -> None:
    whole_on_a_sheet = set()
    for page in tiles(drill_template(board), paper):
        drawing = page.groups[0]
        clip = drawing.clip
        assert clip is not None
        seen = Box(clip.x0 - drawing.dx, clip.y0 - drawing.dy, clip.x1 - drawing.dx, clip.y1 - drawing.dy)
        holes = [shape for shape in drawing.shapes if isinstance(shape, Circle) and shape.name]
        whole_on_a_sheet |= {hole.name for hole in holes if seen.holds(hole.box)}
    assert whole_on_a_sheet == holes_of(board).keys()


EXPORT = ["board", "export", "--zones", "4", "--size", "440", "--format"]


def test_a_dxf_without_its_library_is_refused_in_one_line_and_other_drawings_are_made(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tock_hardware.drawing.dxf", raising=False)
    monkeypatch.setitem(sys.modules, "ezdxf", None)
    assert main([*EXPORT, "dxf"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        "tock board: a DXF needs ezdxf; install it with: pip install 'tock-companion[workshop]', or take svg or pdf\n"
    )
    for form, begins in (("svg", "<"), ("json", "{")):
        assert main([*EXPORT, form]) == 0
        assert capfd.readouterr().out.startswith(begins)
