"""Guide and safety page as Markdown."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tock_hardware.magnetics.field import TOY_LIMIT, flux_index
from tock_hardware.project import Project

LANGUAGES = ("fr", "en")


@cache
def steps() -> tuple[Mapping[str, Any], ...]:
    """Load the steps of the guide in their order."""
    return tuple(_table("steps.toml")["step"])


@cache
def _table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("tock_hardware.guide") / name).read_text(encoding="utf-8"))


def figures(project: Project) -> dict[str, object]:
    """Collect the project's numbers under the names that the texts use."""
    found: dict[str, object] = {
        name: getattr(project, name) for name in ("hole_mm", "plate_mm", "floor_mm", "stem_mm", "depth_mm")
    }
    for zones in (4, 6, 8):
        board = next((board for board in project.boards if board.zones == zones), None)
        found[f"side_{zones}"] = board.size_mm[0] if board else float("nan")
        found[f"holes_{zones}"] = len(board.holes) if board else "-"
    found["pause_mm"] = project.skin_mm + project.magnet.length_mm + 0.2
    return found | {"magnet_fr": project.magnet.fr, "magnet_en": project.magnet.en}


def guide(project: Project, language: str) -> str:
    """Write the guide in one language."""
    words, values = _table("words.toml")[language], figures(project)
    hours = sum(step["minutes"] for step in steps() if "reed" in step["for"]) / 60
    camera = sum(step["minutes"] for step in steps() if "camera" in step["for"]) / 60
    lines = [words["title"], "", words["start"], "", words["safety"], ""]
    lines += [
        words["hours"].format(hours=hours, camera=camera),
        "",
        f"![{words['overview']}](overview.svg)",
        "",
    ]
    for number, step in enumerate(steps(), start=1):
        title = step["title"][language]
        tools = step["tools"][language].format_map(values)
        lines += [
            f"## {number}. {title}",
            "",
            f"{words['for']}: {words[step['for']]} · {words['time']}: {step['minutes']} min · "
            f"{words['tools']}: {tools}",
            "",
            f"![{title}]({step['picture']})",
            "",
        ]
        lines += [f"{place}. {text.format_map(values)}" for place, text in enumerate(step[language], start=1)]
        test = step["test"][language].format_map(values)
        lines += ["", f"**{words['test']}:** `{step['command']}`. {test}", ""]
    return "\n".join(lines)


def safety(project: Project) -> str:
    """Write the safety page in both languages."""
    index = flux_index(project.magnet)
    under = index < TOY_LIMIT
    fr = "sous" if under else "AU-DESSUS DE"
    en = "below" if under else "ABOVE"
    return "\n".join(
        [
            "# Sécurité / safety",
            "",
            "## Français",
            "",
            "- **Ce n'est pas un jouet.** Pour adultes et enfants de plus de 14 ans. Gardez les pions à aimant hors "
            "de portée des petits enfants.",
            "- **Aimants avalés: urgence.** Deux aimants avalés se collent à travers l'intestin. Appelez les secours "
            "tout de suite, même sans douleur (Canada 1-844-764-7669 ou 911, France 15 ou 112).",
            f"- L'aimant de ce projet ({project.magnet.fr}) a un indice de flux calculé de {index:.0f} kG²mm², {fr} "
            f"la limite canadienne de {TOY_LIMIT:g} pour les jouets (DORS/2018-138, art. 43). C'est un calcul, pas une "
            "mesure, et ne fait pas du plateau un jouet conforme.",
            f"- Chaque aimant est enfermé: {project.skin_mm:g} mm de plastique tout autour, et de la colle. Un pion "
            "fendu, ou dont l'aimant bouge, est jeté.",
            "- Porteurs de stimulateur cardiaque: gardez 15 cm entre un pion et l'implant.",
            "- Soudure: lunettes, air frais, mains lavées. Alimentations de 5 V du commerce seulement; rien ici ne se "
            "branche au secteur.",
            "",
            "## English",
            "",
            "- **This is not a toy.** For adults and children over 14. "
            "Keep pawns with magnets away from small children.",
            "- **Swallowed magnets are an emergency.** Two swallowed magnets pinch the bowel between them. Call for "
            "help at once, even without pain (Canada 1-844-764-7669 or 911, Europe 112).",
            f"- The magnet of this project ({project.magnet.en}) has a calculated flux index of {index:.0f} kG²mm², "
            f"{en} the Canadian limit of {TOY_LIMIT:g} for toys (SOR/2018-138, s. 43). This is a calculated "
            "value, not a measured one, and it does not make the board a compliant toy.",
            f"- Every magnet is sealed: {project.skin_mm:g} mm of plastic around it, and glue. Throw away every "
            "pawn that is cracked or whose magnet moves.",
            "- With a pacemaker: keep 15 cm between every pawn and the implant.",
            "- Soldering: glasses, fresh air, washed hands. Use shop-bought 5 V supplies only; nothing here connects "
            "to the mains.",
            "",
        ]
    )
