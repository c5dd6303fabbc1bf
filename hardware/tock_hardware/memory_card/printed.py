"""The sheet that is printed and laid beside the table: both ways to the page, with codes to scan, in both languages."""

import io
import tomllib
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

import segno

from tock_companion.language import LANGUAGES, Language
from tock_companion.machine.network import OWN_ADDRESS
from tock_hardware.memory_card.settings import Card

STYLE = """
@page { size: A5; margin: 10mm }
body { font: 13pt/1.35 system-ui, sans-serif; color: #000; background: #fff }
body { max-width: 130mm; margin: 0 auto; padding: 4mm }
h1 { font-size: 18pt; margin: 0 0 4mm }
h2 { font-size: 15pt; margin: 0 0 1mm }
section { border: 1px solid #999; border-radius: 3mm; padding: 4mm; margin-bottom: 4mm; break-inside: avoid }
.row { display: flex; gap: 4mm; align-items: flex-start }
.row svg { width: 38mm; height: 38mm; flex: none }
dl { margin: 0 }
dt { color: #444; font-size: 11pt }
dd { margin: 0 0 1.5mm; font: bold 15pt ui-monospace, monospace; overflow-wrap: break-word }
ol { margin: 0 0 2mm; padding-left: 6mm }
"""


def sheet(card: Card) -> str:
    """The sheet as one HTML file that needs nothing else."""
    title = " · ".join(words(lang)["title"] for lang in order(card))
    return (
        f'<!doctype html>\n<html lang="{card.language}">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{escape(title)}</h1>\n{_own(card)}\n{_house(card)}\n</html>\n"
    )


def order(card: Card) -> tuple[Language, ...]:
    """Both languages, the card's own first."""
    return (card.language, *(lang for lang in LANGUAGES if lang != card.language))


@cache
def words(lang: Language) -> Mapping[str, str]:
    """The words of the sheet and of the explanations; a list of steps has a line for each."""
    text = files("tock_hardware.memory_card").joinpath("words.toml").read_text(encoding="utf-8")
    return {
        key: "\n".join(found) if isinstance(found, list) else found
        for key, found in tomllib.loads(text)[lang].items()
    }


def own_address() -> str:
    """Where the page is on the table's own Wi-Fi."""
    return f"http://{OWN_ADDRESS}"


def home_address(card: Card) -> str:
    """Where the page is on the house's network."""
    return f"http://{card.host_name}.local"


def _own(card: Card) -> str:
    facts = {"wifi": card.own.name, "password": card.own.password, "address": own_address()}
    return _section(card, "own", facts, card.own.code, card.own.name)


def _house(card: Card) -> str:
    facts = {"wifi": card.house.name} if card.house else {}
    facts["address"] = home_address(card)
    steps = "house" if card.house else "cable"
    return _section(card, "house", facts, home_address(card), card.house.name if card.house else "", steps)


def _section(
    card: Card, heading: str, facts: Mapping[str, str], code: str, name: str, steps: str | None = None
) -> str:
    headings = "".join(f'<h2 lang="{lang}">{escape(words(lang)[heading])}</h2>' for lang in order(card))
    rows = "".join(f"<dt>{_both(card, key)}</dt><dd>{escape(value)}</dd>" for key, value in facts.items())
    lists = "".join(
        f'<ol lang="{lang}">{_steps(words(lang)[f"{steps or heading}_steps"], name)}</ol>'
        for lang in order(card)
    )
    return (
        f'<section>{headings}<div class="row">{_svg(code)}<div><dl>{rows}</dl></div></div>{lists}</section>'
    )


def _both(card: Card, key: str) -> str:
    return " / ".join(dict.fromkeys(escape(words(lang)[key]) for lang in order(card)))


def _steps(lines: str, name: str) -> str:
    return "".join(f"<li>{escape(Template(line).substitute(name=name))}</li>" for line in lines.split("\n"))


def _svg(text: str) -> str:
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=3, xmldecl=False, light="#fff", omitsize=True
    )
    return out.getvalue().decode()
