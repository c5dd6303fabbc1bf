"""Guide and safety page as Markdown."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tock_hardware.magnetics.field import TOY_LIMIT, flux_index
from tock_hardware.project import Project

PICTURES = "../images/build/"
"""The folder of the pictures for the pages of both languages."""


@cache
def steps() -> tuple[Mapping[str, Any], ...]:
    """Load the steps of the guide in their order."""
    return tuple(_table("steps.toml")["step"])


@cache
def _table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("tock_hardware.guide") / name).read_text(encoding="utf-8"))


LANGUAGES = tuple(_table("words.toml"))
"""The languages that the guide is written in."""


def figures(project: Project, language: str) -> dict[str, object]:
    """Collect the project's numbers under the names that the texts use."""
    found: dict[str, object] = {"plate_mm": project.plate.thickness_mm, "depth_mm": project.depth_mm}
    found |= {
        "hole_mm": project.plate.hole_mm,
        "floor_mm": project.plate.floor_mm,
        "stem_mm": project.pawn.stem_mm,
    }
    for zones in (4, 6, 8):
        board = next((board for board in project.boards if board.zones == zones), None)
        found[f"side_{zones}"] = board.size_mm[0] if board else float("nan")
        found[f"holes_{zones}"] = len(board.holes) if board else "-"
    found["pause_mm"] = project.pawn.skin_mm + project.magnet.length_mm + 0.2
    return found | {"magnet": project.magnet.label[language]}


def guide(project: Project, language: str) -> str:
    """Write the guide in one language."""
    words, values = _table("words.toml")[language], figures(project, language)
    hours = sum(step["minutes"] for step in steps() if "reed" in step["for"]) / 60
    camera = sum(step["minutes"] for step in steps() if "camera" in step["for"]) / 60
    lines = [words["title"], "", words["start"], "", words["safety"], ""]
    lines += [words["hours"].format(hours=hours, camera=camera), ""]
    lines += [f"![{words['overview']}]({PICTURES}overview.svg)", ""]
    for number, step in enumerate(steps(), start=1):
        title = step["title"][language]
        about = [
            words["for"].format(who=words[step["for"]]),
            words["time"].format(minutes=step["minutes"]),
            words["tools"].format(tools=step["tools"][language].format_map(values)),
        ]
        lines += [f"## {number}. {title}", "", " · ".join(about), ""]
        lines += [f"![{title}]({PICTURES}{step['picture']})", ""]
        lines += [f"{place}. {text.format_map(values)}" for place, text in enumerate(step[language], start=1)]
        command = step.get("command")
        test = words["test"].format(command=command) if command else words["test_by_hand"]
        lines += ["", f"**{test}** {step['test'][language].format_map(values)}", ""]
    return _with_decimals("\n".join(lines), language)


def _with_decimals(text: str, language: str) -> str:
    """Numbers as they are written in the language; code keeps its points."""
    sign = _table("words.toml")[language]["decimal"]
    return re.sub(r"(`[^`]*`)|(?<=\d)\.(?=\d)", lambda found: found[1] or sign, text)


def safety(project: Project, language: str) -> str:
    """Write the safety page in one language."""
    words = _table("safety.toml")[language]
    index = flux_index(project.magnet)
    side = words["below"] if index < TOY_LIMIT else words["above"]
    values = {
        **figures(project, language),
        "index": index,
        "side": side,
        "limit": TOY_LIMIT,
        "skin_mm": project.pawn.skin_mm,
    }
    lines = [words["title"], "", *(f"- {line.format_map(values)}" for line in words["lines"]), ""]
    return _with_decimals("\n".join(lines), language)
