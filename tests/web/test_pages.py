"""The documents and the words in them."""

import gzip
import json
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support.page import Phone, catalog
from tests.support.tables import wait_for
from tock_companion.table.runtime.live import Table
from tock_web.assets import version
from tock_web.bundle import bundle

STATIC = files("tock_web").joinpath("static")
SCRIPTS = STATIC.joinpath("js")
FIRST_PAGE_BYTES = 36_000
"""Packed; it was 34.8 kB before there was a lobby."""


def scripts(folder: Traversable = SCRIPTS) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= {f"{entry.name}/{name}": text for name, text in scripts(entry).items()}
        else:
            found[entry.name] = entry.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.5", "fr"),
        ("en-GB,en;q=0.9", "en"),
        ("de-DE", "fr"),
        ("de,en;q=0.7", "en"),
        ("", "fr"),
    ],
)
def test_a_phone_gets_the_language_of_its_browser(client: FlaskClient, header: str, lang: str) -> None:
    text = client.get("/", headers={"Accept-Language": header}).text
    assert f'<html lang="{lang}"' in text
    assert catalog(lang)["join-title"] in text


def test_a_chosen_language_comes_first(client: FlaskClient) -> None:
    client.set_cookie("tock_lang", "en")
    assert '<html lang="en"' in client.get("/", headers={"Accept-Language": "fr"}).text
    client.set_cookie("tock_lang", "../../etc")
    assert '<html lang="fr"' in client.get("/", headers={"Accept-Language": "fr"}).text


@pytest.mark.parametrize("page", ["table", "watch", "host", "sim", "card"])
def test_every_page_names_only_words_that_exist(client: FlaskClient, page: str) -> None:
    text = client.get("/" if page == "table" else f"/{page}").text
    words = catalog("fr")
    for key in re.findall(r'data-t(?:-label)?="([^"]+)"', text):
        assert key in words, key


def test_no_file_is_too_long_and_none_calls_another_host() -> None:
    for name, text in scripts().items():
        assert len(text.splitlines()) <= 250, name
        assert not re.search(r"https?://(?!www\.w3\.org)", text), name


def test_every_rule_of_the_style_stands_once() -> None:
    seen: dict[tuple[str, str], int] = {}
    for sheet in Path(str(STATIC)).joinpath("css").rglob("*.css"):
        around = ""
        for head in re.findall(
            r"([^{};]+)(?=\{)|(?<=\n)\}", re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
        ):
            selector = " ".join(head.split())
            if not selector:
                around = ""
            elif selector.startswith("@"):
                around = selector
            else:
                seen[around, selector] = seen.get((around, selector), 0) + 1
    assert seen
    assert [rule for rule, count in seen.items() if count > 1] == []


def test_every_colour_stands_in_one_sheet() -> None:
    """Day and night are made there, once; elsewhere a colour goes by its name."""
    for sheet in Path(str(STATIC)).joinpath("css").rglob("*.css"):
        if sheet.name != "tokens.css":
            assert re.findall(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(", sheet.read_text()) == [], sheet.name


def test_every_icon_that_is_used_comes_with_the_document(client: FlaskClient) -> None:
    for path in ("/", "/watch", "/host", "/sim", "/card"):
        text = client.get(path).text
        there = set(re.findall(r'<symbol id="(i-[a-z]+)"', text))
        assert there >= set(re.findall(r'href="#(i-[a-z]+)"', text)), path


def test_the_first_page_is_small(client: FlaskClient) -> None:
    def sent(path: str) -> bytes:
        data: bytes = client.get(path, headers={"Accept-Encoding": "gzip"}).data
        return data

    page = sent("/")
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', gzip.decompress(page).decode())
    assert len(page) + sum(len(sent(part)) for part in parts) < FIRST_PAGE_BYTES


def test_one_script_holds_every_module_once_each_after_those_it_needs() -> None:
    texts = {
        "a/first.js": '// 1st\nimport { two } from "../b/two.js";\n'
        'import { three } from "./three.js";\ntwo(three);\n',
        "b/two.js": 'import { three } from "../a/three.js";\nexport function two() {}\nexport const other = three;\n',
        "a/three.js": '/** A class\n  * of three. */\nexport class three {\n  // Why.\n  at = "http://here";\n}\n',
    }
    assert bundle(texts, "a/first.js") == {
        "first.js": 'class three {\nat = "http://here";\n}\n'
        "function two() {}\nconst other = three;\n"
        "{\ntwo(three);\n}\n"
    }


def test_a_module_whose_names_others_have_gets_a_scope_of_its_own_in_one_script() -> None:
    texts = {
        "a.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "b.js": "const [own, { far: away }] = [1, { far: 2 }];\nexport const b = () => own + away;\n",
        "c.js": "const away = 3;\nexport const c = away;\n",
    }
    assert bundle(texts, "a.js")["a.js"] == (
        "const [own, { far: away }] = [1, { far: 2 }];\nconst b = () => own + away;\n"
        "const { c } = (() => {\nconst away = 3;\nconst c = away;\nreturn { c };\n})();\n"
        "{\nb(c);\n}\n"
    )


def test_a_module_that_is_fetched_when_needed_is_a_script_beside_that_of_the_page() -> None:
    texts = {
        "pages/a.js": 'import { b } from "../b.js";\nb(() => import("../late/l.js"));\n',
        "b.js": "export const b = (f) => f();\n",
        "late/l.js": 'import { b } from "../b.js";\nimport { m } from "./m.js";\nexport const l = () => b(m);\n',
        "late/m.js": "export const m = 2;\n",
    }
    assert bundle(texts, "pages/a.js") == {
        "a.l.js": 'import { b } from "./a.js";\nconst m = 2;\nconst l = () => b(m);\nexport { l };\n',
        "a.js": 'const b = (f) => f();\n{\nb(() => import("./a.l.js"));\n}\nexport { b };\n',
    }


def test_two_modules_that_export_one_name_are_not_put_into_one_script() -> None:
    texts = {
        "a.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\n',
        "b.js": "export const b = 1;\nexport const same = 2;\n",
        "c.js": "export const c = 1;\nexport const same = 3;\n",
    }
    with pytest.raises(ValueError, match="exports the same name"):
        bundle(texts, "a.js")


@pytest.mark.parametrize(
    "text",
    [
        'import all from "./b.js";\n',
        'import { b as c } from "./b.js";\n',
        "export default 3;\n",
        "export let x = 1;\n",
        'export * from "./b.js";\n',
        "const text = `two\n  lines`;\n",
    ],
)
def test_a_module_of_another_form_is_no_part_of_one_script(text: str) -> None:
    with pytest.raises(ValueError, match="one script"):
        bundle({"a.js": text, "b.js": ""}, "a.js")


def test_modules_that_need_each_other_are_no_script() -> None:
    with pytest.raises(ValueError, match="needs itself"):
        bundle({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "a.js")


def test_a_phone_keeps_style_and_scripts_until_the_companion_is_another_one(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert page.content_encoding == "gzip"
    assert page.headers["Cache-Control"] == "no-store"
    paths = re.findall(r'(?:href|src)="(/static/[^"]+)"', gzip.decompress(page.data).decode())
    assert len(paths) == 3
    for path in paths:
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "immutable" in answer.headers["Cache-Control"]
        sent = gzip.decompress(answer.data) if answer.content_encoding else answer.data
        assert len(answer.data) <= len(sent)
        assert sent == client.get(path).data
        older = client.get(path.replace(version(), "0123456789"))
        assert older.headers["Cache-Control"] == "no-cache"
        assert older.status_code == 200


def test_a_name_with_a_tag_in_it_stays_a_name(table: Table, phone: Phone) -> None:
    phone.sit("P0", "</script><b>Eve")
    wait_for(table, lambda view: view["seats"][0]["name"])
    text = phone.client.get("/seat").text
    assert "</script><b>" not in text
    inside = re.search(r'<script type="application/json" id="bootstrap">(.*?)</script>', text, re.DOTALL)
    assert inside
    view = json.loads(inside[1])["view"]
    assert view["role"] == "seat"
    assert view["seats"][0]["name"] == "</script><b>Eve"
