"""Every fault of a ruleset file at once, each with its line: `tock rules check FILE`.

Reading a file for a game stops at the first fault (`ruleset_files`); this goes on, with the same questions.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tock_rules.actions import ROW_NAMES, CardAction
from tock_rules.card_actions import ROWS, row_faults
from tock_rules.dealing import deal_plan
from tock_rules.errors import BadInputError, nearest, quoted
from tock_rules.ruleset import Ruleset, shape_for
from tock_rules.ruleset_files import (
    FAMILY,
    TEXTS,
    WORDS,
    fields_of,
    name_of,
    preset_table,
    texts_of,
    value_of,
)
from tock_rules.ruleset_unused import unused_actions, unused_entries
from tock_rules.seating import player_counts

MAX_SYNTAX_FAULTS = 20
LANGUAGES = ("fr", "en")
_NUMBER = re.compile(r"[A-Z][A-Z0-9]*-[0-9]+")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


@dataclass(frozen=True, order=True)
class Fault:
    """A fault of a file: the line, from 1, and the fault with its remedy."""

    line: int
    what: str
    stops: bool = True
    """Whether the file cannot be played; else an entry has no effect."""


def faults_of(raw: bytes) -> list[Fault]:
    """All faults of a ruleset file, in the order of its lines."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        return [Fault(line, "is not UTF-8: save the file with that encoding")]
    if text.startswith("\ufeff"):
        return [Fault(1, "begins with a byte order mark: save the file as UTF-8 without it"), *_in(text[1:])]
    return _in(text)


def _in(text: str) -> list[Fault]:
    table, syntax = _parsed(text.replace("\r\n", "\n"))
    lines = _Lines(text)
    found = {Fault(lines.of(*place), what) for *place, what in _faults(table)}
    return sorted(syntax) or sorted(
        found or {Fault(lines.of(*place), what, False) for *place, what in _unused(table)}
    )


def _parsed(text: str) -> tuple[dict[str, Any], list[Fault]]:
    """The file without the lines that are no TOML, and these lines."""
    lines, syntax = text.split("\n"), list[Fault]()
    while len(syntax) < MAX_SYNTAX_FAULTS:
        try:
            return tomllib.loads("\n".join(lines)), syntax
        except tomllib.TOMLDecodeError as error:
            at = _AT_LINE.search(str(error))
            line = int(at[1]) if at else len(lines)
            what = _AT_LINE.sub("", str(error)).removesuffix(" (at end of document)")
            syntax.append(Fault(line, f"is no TOML: {what[:1].lower()}{what[1:]}"))
            if not lines[line - 1]:
                break
            lines[line - 1] = ""
    return {}, syntax


class _Lines:
    """The lines of sections and entries."""

    def __init__(self, text: str) -> None:
        self.known: dict[tuple[str, str], int] = {}
        section = ""
        for number, line in enumerate(text.splitlines(), 1):
            if head := re.match(r"\s*\[\s*([^]]+?)\s*\]", line):
                section = head[1]
                self.known.setdefault((section, ""), number)
            elif entry := re.match(r"\s*[\"']?([^\"'=#]+?)[\"']?\s*=", line):
                self.known.setdefault((section, entry[1]), number)

    def of(self, section: str, name: str) -> int:
        """The line of an entry, else of its section, else of an entry of that name anywhere, else the first."""
        if (section, name) in self.known:
            return self.known[section, name]
        anywhere = (line for (_, known), line in self.known.items() if name and known == name)
        return next(anywhere, self.known.get((section, ""), 1))


def _faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Section, entry and fault."""
    bad = list(_bad_entries(table))
    try:
        name_of(table)
    except BadInputError as error:
        bad.append(("", "name", str(error)))
    yield from bad
    own = table.get("name") not in TEXTS
    for word in ("title", "line") if own else ():
        yield from _no_words("", word, table.get(word))
    for section in ("cards", "statements", "other"):
        for key, entry in _section(table, section).items():
            try:
                texts_of(key, entry)
            except BadInputError as error:
                bad.append((section, key, str(error)))
                yield bad[-1]
            if section != "cards" and key not in _keys(section):
                yield section, key, f"no such thing: {quoted(key)}; {nearest(key, _keys(section))}"
    rows = {key: tuple(entry) for key, entry in _section(table, "cards").items() if _is_texts(entry)}
    wrong_rows = [("cards", *fault) for fault in row_faults(rows)]
    yield from wrong_rows
    yield from _missing_rows(table)
    yield from _no_sentences(table) if own else ()
    if not bad and not wrong_rows and _is_name(table):
        yield from _faults_of_game(Ruleset(**fields_of(table)))


def _unused(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The entries without effect of a file without faults."""
    rules = Ruleset(**fields_of(table))
    yield from (("cards", *fault) for fault in unused_actions(rules))
    written = {name: section for section in table if section not in WORDS for name in table[section]}
    yield from ((written[name], name, why) for name, why in unused_entries(rules) if name in written)


def _bad_entries(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    seen: set[str] = set()
    for section, entries in table.items():
        if section in WORDS:
            if section not in ("name", "title", "line") and not isinstance(entries, Mapping):
                yield "", section, f"{section}: write a section, [{section}]"
        elif not isinstance(entries, Mapping):
            yield "", section, f"{section}: write entries in a section, as [board]; {nearest(section, WORDS)}"
        else:
            for name, entry in entries.items():
                try:
                    value_of(name, entry)
                except BadInputError as error:
                    yield section, name, str(error)
                if name in seen:
                    yield section, name, f"{name} has two values"
                seen.add(name)


def _missing_rows(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    missing = [rank for rank in ROWS[:13] if rank not in _section(table, "cards")]
    if missing:
        yield (
            "cards",
            "",
            f'no actions for {", ".join(missing)}: write a row for each card, such as 6 = ["+6"]',
        )


def _faults_of_game(rules: Ruleset) -> Iterator[tuple[str, str, str]]:
    """The faults of a game whose entries are all right one by one."""
    yield from (("", name, fault) for name, fault in rules.game_faults())
    for why in rules.file_contradictions():
        yield "", next((name for name in rules.options if f"option {name}" in why), ""), why
    actions = [CardAction(rules, code) for code in range(1, len(ROW_NAMES))]
    if not any(action.start or action.start_mate or action.replace for action in actions):
        yield "cards", "", "no card brings a pawn out: give one the action start"
    ring = min(rules.zones, default=2) * rules.zone_length
    for action in actions:
        if max(map(abs, action.values), default=0) >= ring:
            row = ROW_NAMES[action.code]
            yield (
                "cards",
                row,
                f"card {row}: it walks {max(map(abs, action.values))} holes on a ring of {ring}",
            )
    players = player_counts(rules)
    if not players:
        yield "", "most_players", "nobody can play: fewest_players is more than most_players"
    if players and players[-1] > max(rules.zones):
        needed = f"zones are {list(rules.zones)}, and {players[-1]} players need a board of as many zones"
        yield "", "zones", f"{needed}: lower most_players"
    for count in players:
        try:
            deal_plan(rules, count)
        except BadInputError as error:
            name = "hands" if rules.dealing == "table" else "hand_size"
            yield "", name, f"{count} players: {error}"
    for zones in rules.zones:
        try:
            shape_for(rules, zones)
        except BadInputError as error:
            yield "", "entrance_back", str(error)


def _no_sentences(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The statements that are named without a sentence, and the sentences that miss a language."""
    worded: set[str] = set()
    for heading, sentences in _section(table, "sentences").items():
        section = f"sentences.{heading}"
        if heading not in headings():
            yield section, "", f"no such heading: {quoted(heading)}; {nearest(heading, headings())}"
        if not isinstance(sentences, Mapping):
            yield "sentences", heading, f'{section}: write entries, {heading}-01 = {{ en = "…" }}'
            continue
        for ref, words in sentences.items():
            worded.add(ref)
            yield from _no_words(section, ref, words)
            if not _NUMBER.fullmatch(ref):
                yield section, ref, f"a statement is numbered as KEZ-01, not {quoted(ref)}"
    for section, entries in table.items():
        if section in ("statements", "other") or section not in WORDS:
            for name, entry in entries.items() if isinstance(entries, Mapping) else ():
                refs = entry.get("rests_on", ()) if isinstance(entry, Mapping) else entry
                if section in ("statements", "other") or isinstance(entry, Mapping):
                    for ref in refs if _is_texts(refs) else ():
                        if ref not in worded:
                            yield (
                                section,
                                name,
                                f"{name}: {ref} has no sentence: write it under [sentences.…]",
                            )


def _no_words(section: str, name: str, words: object) -> Iterator[tuple[str, str, str]]:
    given = words if isinstance(words, Mapping) else {}
    if not any(isinstance(given.get(lang), str) and given[lang].strip() for lang in LANGUAGES):
        yield section, name, f'{name} needs words in {" or ".join(LANGUAGES)}: {name} = {{ en = "…" }}'


def _section(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = table.get(name, {})
    return found if isinstance(found, Mapping) else {}


def _is_texts(entry: object) -> bool:
    return isinstance(entry, list) and all(isinstance(text, str) for text in entry)


def _is_name(table: Mapping[str, Any]) -> bool:
    return all(
        isinstance(table.get(section, {}), Mapping) for section in ("cards", "statements")
    ) and isinstance(table.get("name"), str)


def headings() -> tuple[str, ...]:
    """The headings of sentences."""
    return _keys("sentences")


def things() -> tuple[str, ...]:
    """The mistakes that rest on statements, and their kinds."""
    return _keys("statements")


@cache
def _keys(section: str) -> tuple[str, ...]:
    """The entries that the games of the library have in a section, and the kinds that stand for several statements."""
    tables = [preset_table(name) for name in (*TEXTS, *FAMILY)]
    keys = dict.fromkeys(key for table in tables for key in table.get(section, {}))
    kinds = Counter(key.partition("_")[0] for key in keys) if section == "statements" else Counter[str]()
    return (*keys, *sorted(kind for kind, count in kinds.items() if count > 1 and kind not in keys))
