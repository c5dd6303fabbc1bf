"""KiCad's own checks of the sheets, where KiCad 8 or later is installed."""

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tock_hardware.electronics import kicad
from tock_hardware.electronics.assembly import main_board
from tock_hardware.electronics.circuit import Circuit
from tock_hardware.electronics.panel import panel_board
from tock_hardware.electronics.sector import sector_board

KICAD = shutil.which("kicad-cli")
CIRCUITS = (main_board("PTC 1.1 A"), sector_board(680.0), panel_board())

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        KICAD is None, reason="KiCad is not installed; test_electronics.py reads the sheets by itself"
    ),
]


def written(circuit: Circuit, folder: Path, sheet: str) -> Path:
    (folder / "tock.kicad_sym").write_text(kicad.symbol_library(), encoding="utf-8")
    (folder / "sym-lib-table").write_text(kicad.library_table(), encoding="utf-8")
    (folder / f"{circuit.name}.kicad_pro").write_text("{}\n", encoding="utf-8")
    file = folder / f"{circuit.name}.kicad_sch"
    file.write_text(sheet, encoding="utf-8")
    return file


def rules_check(file: Path) -> int:
    command = [
        str(KICAD),
        "sch",
        "erc",
        "--severity-all",
        "--exit-code-violations",
        "-o",
        f"{file}.rpt",
        str(file),
    ]
    return subprocess.run(command, capture_output=True, check=False, timeout=100).returncode


@pytest.mark.parametrize("circuit", CIRCUITS, ids=lambda circuit: circuit.name)
def test_the_electrical_rules_check_is_clean_and_finds_a_wire_that_leads_nowhere(
    circuit: Circuit, tmp_path: Path
) -> None:
    sheet = kicad.schematic(circuit)
    assert rules_check(written(circuit, tmp_path, sheet)) == 0
    label = re.search(r'\(label "GND"', sheet)
    assert label is not None
    spoiled = sheet[: label.start()] + '(label "GNDD"' + sheet[label.end() :]
    assert rules_check(written(circuit, tmp_path, spoiled)) != 0


@pytest.mark.parametrize("circuit", CIRCUITS, ids=lambda circuit: circuit.name)
def test_kicad_finds_the_same_nets(circuit: Circuit, tmp_path: Path) -> None:
    file = written(circuit, tmp_path, kicad.schematic(circuit))
    out = tmp_path / "kicad.net"
    subprocess.run(
        [str(KICAD), "sch", "export", "netlist", "-o", str(out), str(file)], check=True, timeout=100
    )
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for entry in re.split(r"\(net\s", out.read_text(encoding="utf-8"))[1:]:
        names = re.findall(r'\(name "/?([^"]*)"', entry)
        for node in re.findall(r'\(node\s+\(ref "([^"]+)"\)\s+\(pin "([^"]+)"', entry):
            if not names[0].startswith("unconnected-"):
                found[names[0].replace("{slash}", "/")].add(node)
    wanted = {net: {node for node in nodes if node[0][0] != "#"} for net, nodes in circuit.nets().items()}
    assert found == wanted
