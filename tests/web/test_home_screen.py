"""The page on a home screen: installed like a program, with a shell that is kept and a hand that is not."""

from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, live, seated, tell
from tock_companion.table.runtime.live import Table
from tock_web import PageServer

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  return found;
}"""


def test_the_manifest_names_icons_of_their_sizes(client: FlaskClient) -> None:
    known = client.get("/app.webmanifest").get_json(force=True)
    assert (known["start_url"], known["display"], known["lang"]) == ("/", "standalone", "fr")
    for icon in known["icons"]:
        picture = Image.open(BytesIO(client.get(icon["src"]).data))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]
    assert Image.open(BytesIO(client.get("/apple-touch-icon.png").data)).size == (180, 180)
    assert '<link rel="manifest" href="/app.webmanifest"' in client.get("/").text


@pytest.fixture
def installed(server: PageServer, open_page: OpenPage) -> Page:
    """A page at an address where browsers let a worker run, once its worker does."""
    page = open_page(f"http://127.0.0.1:{server.port}/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    live(page)
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    return page


@pytest.mark.browser
def test_chromium_finds_nothing_that_keeps_the_page_from_being_installed(installed: Page) -> None:
    asked = installed.context.new_cdp_session(installed)
    errors: Any = asked.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
    assert asked.send("Page.getAppManifest")["errors"] == []


@pytest.mark.browser
def test_a_table_out_of_reach_has_a_page_of_its_own_and_the_table_comes_back(
    installed: Page, server: PageServer
) -> None:
    context = installed.context
    context.set_offline(True)
    installed.goto(f"http://127.0.0.1:{server.port}/")
    expect(installed.get_by_role("heading")).to_have_text("La table ne répond pas")
    assert installed.evaluate("getComputedStyle(document.body).margin") == "0px"
    context.set_offline(False)
    # It asks again by itself.
    expect(installed.get_by_test_id("join-name")).to_be_visible(timeout=20_000)


@pytest.mark.browser
def test_a_phone_keeps_the_shell_and_no_hand(installed: Page, server: PageServer) -> None:
    installed.get_by_test_id("join-name").fill("Anna")
    installed.get_by_test_id("join-seat-P0").click()
    installed.get_by_test_id("join-enter").click()
    installed.wait_for_url("**/seat")
    tell(installed, "JC", "KD", "7S")
    installed.reload()
    live(installed)
    kept = installed.evaluate(KEPT)
    assert "/away" in kept
    assert any(path.endswith("/seat.js") for path in kept)
    assert [path for path in kept if path != "/away" and not path.startswith("/static/")] == []


@pytest.mark.browser
def test_the_screen_stays_on_while_the_own_game_goes_on_and_the_player_wants_it(
    server: PageServer, table: Table, open_page: OpenPage
) -> None:
    page = seated(open_page, f"http://127.0.0.1:{server.port}", "P0", "Anna")
    page.add_init_script(
        """Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
        globalThis.held = true;
        const lock = new EventTarget();
        lock.release = async () => { globalThis.held = false; lock.dispatchEvent(new Event("release")); };
        return lock; } } });"""
    )
    page.reload()
    live(page)
    page.wait_for_function("globalThis.held === true")
    page.get_by_test_id("menu-open").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_label("Garder l’écran allumé pendant la partie").uncheck()
    page.get_by_test_id("menu-close").click()
    # The next view brings it.
    tell(page, "JC", "KD", "7S")
    page.wait_for_function("globalThis.held === false")
