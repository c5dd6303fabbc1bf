"""Findings of axe-core on a page."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = """async ([part, rules]) => {
  const { passes, violations } = await axe.run(part, { ...rules, resultTypes: ["violations"] });
  const worst = ({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 120)}`);
  return { passes: passes.length, faults: violations.flatMap(worst) };
}"""
"""Only faults come back: passes take most of the time of a look."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""The only rule that a theme may change the result of."""


def faults(page: Page, part: str = "html", rules: object = None) -> list[str]:
    """Faults that axe finds on a part of the page as shown, by all rules unless some are named."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    found: Any = page.evaluate(RUN, [part, rules or RULES])
    assert found["passes"], "axe looked at nothing"
    faults: list[str] = found["faults"]
    return faults


def faults_day_and_night(page: Page, part: str = "html") -> list[str]:
    """Faults that axe finds by day, and faults of the colours by night."""
    found = faults(page, part)
    before = set_theme(page, "night")
    found += [f"night {fault}" for fault in faults(page, part, COLORS)]
    set_theme(page, before)
    return found


def set_theme(page: Page, theme: str) -> str:
    """Show the page in another theme; return the one before."""
    before: str = page.evaluate("document.documentElement.dataset.theme")
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    return before
