"""Nobody reads a seat's code: on every page, in every sheet and list, people have names or colours."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import HOST_SHEETS, TABLET, OpenPage, drag, live, seated
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser
CODE = re.compile(r"\bP[0-7]\b")
ALL_THAT_IS_READ = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (!node.parentElement.closest("script, style, [aria-hidden=true], textarea")) found.push(node.data);
  for (const node of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
    for (const name of ["aria-label", "title", "alt", "placeholder"]) found.push(node.getAttribute(name) ?? "");
  return found.filter((text) => text.trim());
}"""


def codes(page: Page) -> list[str]:
    """Everything on a page that names a seat by its code, folded sheets and screen readers' names too."""
    texts: list[str] = page.evaluate(ALL_THAT_IS_READ)
    assert len(texts) > 20, page.url
    return [text for text in texts if CODE.search(text)]


def test_no_page_shows_the_code_of_a_seat(table: Table, site: str, open_page: OpenPage) -> None:
    pages = {path: live(open_page(f"{site}{path}", TABLET)) for path in ("/table", "/watch", "/sim", "/host")}
    host = pages["/host"]
    host.get_by_test_id("become-host").click()
    anna = seated(open_page, site, "P0", "Anna")
    anna.get_by_test_id("hand-card-8H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    for sheet in HOST_SHEETS:
        host.get_by_test_id(f"open-{sheet}").click()
        host.get_by_test_id("menu-close").click()
    drag(pages["/sim"], "T4", "T13")
    expect(anna.get_by_test_id("warning")).to_be_visible()
    for page in (anna, *pages.values()):
        expect(page.get_by_test_id("warning").or_(page.get_by_test_id("repair-step")).first).to_be_attached()
        assert codes(page) == []
    drag(pages["/sim"], "T13", "T12")
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    assert table.request(parse_request("propose_back", {"to": 2}, Role.SEAT, Seat.P0)) is not None
    for page in (anna, *pages.values()):
        page.get_by_test_id("language").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        assert codes(page) == []
