"""The seven questions about a family's game, their answers, and its own rules, in words."""

from collections.abc import Iterator, Sequence

from tock_companion.language import Text, catalog, in_every_language, same_everywhere
from tock_companion.sisters import SisterRule
from tock_companion.views.phrases import filled
from tock_companion.views.wording.games import title
from tock_companion.views.wording.words import value_label
from tock_rules import Row, Ruleset, Split, Value, own_rules

THINGS = {
    "A": "ace",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "4": "four",
    "5": "five",
    "7": "seven",
    "joker": "joker",
}
"""What the statements of a game call its cards; the others are `value`."""


def question(topic: str) -> Text:
    """The question that is answered by `answer`."""
    words = catalog("house_rules")
    return (
        words[f"question.{topic}"]
        if topic in (own_rules.DEAL, own_rules.PASS)
        else filled(words["question.card"], card=_card(topic))
    )


def answer(topic: str, text: str) -> Text:
    """An answer to a question, or the value of an own rule, without the card's name."""
    if topic == own_rules.DEAL:
        return _deal(text)
    if topic == own_rules.PASS:
        return catalog("house_rules")[f"pass.{text}"]
    return _actions(own_rules.row_of(topic, text))


def rule(option: str, value: Value) -> Text:
    """An own rule, or a switch of the game with its value, as one sentence."""
    words = catalog("house_rules")
    if option in own_rules.CARDS:
        return filled(words["action.sentence"], card=_card(option), actions=answer(option, str(value)))
    if option in (own_rules.DEAL, own_rules.PASS):
        return answer(option, str(value))
    text = {lang: words.rstrip(".") for lang, words in words[f"switch.{option}"].items()}
    return filled(catalog("phrases")["house-rule"], rule=text, value=value_label(option, value))


def rules_changed(rules: Ruleset) -> list[Text]:
    """Everything in which these rules differ from the printed ones."""
    switches = [(name, value) for name, value in rules.values().items() if rules.usual[name] != value]
    return [rule(option, value) for option, value in (*switches, *rules.own.items())]


def sister(found: SisterRule) -> Text:
    """The rule here and that of the sister game, which would allow the move."""
    here, there = rule(found.option, found.here), rule(found.option, found.value)
    return filled(catalog("house_rules")["own.sister"], here=here, game=title(found.game), there=there)


def like_printed(rules: Ruleset) -> Text:
    """A family's own game in one line: the game that it comes from."""
    return filled(catalog("house_rules")["own.like"], game=title(rules.name))


def own_lines(rules: Ruleset, ref: str) -> Iterator[Text]:
    """The own rules that replace a statement of a card."""
    for option, text in rules.own.items():
        thing = THINGS.get(own_rules.CARDS.get(option, ""), "")
        if ref in rules.statements.get(thing, ()):
            yield rule(option, text)


def _card(option: str) -> Text:
    words, row = catalog("things"), own_rules.CARDS[option]
    return words.get(f"cards.{row}") or filled(words["cards.number"], number=row)


def _deal(text: str) -> Text:
    words = catalog("house_rules")
    kind, _, rest = text.partition("-")
    if kind == "keep":
        return filled(words["deal.keep"], n=rest)
    if kind == "down":
        hands = rest.split("-") if "-" in rest else [str(n) for n in range(int(rest), 0, -1)]
        return filled(words["deal.down"], hands=same_everywhere(", ".join(hands[:3]) + "…"))
    way = "on" if text.endswith("-on") else "hands"
    return filled(words[f"deal.{way}"], hands=_numbers(text.removesuffix("-on").split("-"), "and_number"))


def _actions(row: Row) -> Text:
    """The actions of a row, the last one after “or”; effects besides come at the end."""
    parts = list(_parts(row)) or [catalog("house_rules")["action.none"]]
    *first, last = parts
    if not first:
        return last
    joined = in_every_language(lambda lang: ", ".join(part[lang] for part in first))
    return filled(catalog("house_rules")["action.or"], first=joined, last=last)


def _parts(row: Row) -> Iterator[Text]:
    if row.start:
        yield _say("start")
    if row.start_mate:
        yield _say("start_mate")
    yield from _walks(row)
    if row.split:
        yield _shared(row.split)
    if row.both_ways:
        yield _say("split_both", n=str(row.both_ways))
    if row.swap:
        yield _say("any_pawn" if row.swap == "any" else row.swap)
    for name in ("replace", "centre", "wild", "burn", "again", "burns"):
        if getattr(row, name):
            yield _say(name)


def _walks(row: Row) -> Iterator[Text]:
    """The walks; those forwards that take nothing are one action with several numbers."""
    numbers = [step.steps for step in row.steps]
    pushed = row.push if row.pushes == "other" and row.push in numbers else 0
    plain = [step.steps for step in row.steps if step.steps > 0 and not step.takes and step.steps != pushed]
    if both := [steps for steps in plain if -steps in numbers]:
        yield _say("both", n=str(both[0]))
    ahead = [str(steps) for steps in plain if steps not in both]
    if ahead:
        yield _say("ahead", n=_numbers(ahead))
    for step in row.steps:
        if step.takes:
            yield _say("ahead_takes", n=str(step.steps))
        elif step.steps < 0 and -step.steps not in both:
            yield _say("back", n=str(-step.steps))
    if row.push:
        yield _say("any" if pushed else row.pushes, n=str(row.push))


def _numbers(numbers: Sequence[str], code: str = "or_number") -> Text:
    *first, last = numbers
    return _say(code, first=", ".join(first), last=last) if first else same_everywhere(last)


def _shared(split: Split) -> Text:
    code = "split_one" if split.pawns == 1 else "split_few" if split.pawns < Split.pawns else "split"
    text = _say(code, n=str(split.pawns))
    if split.takes:
        text = _say("split_takes", shared=text)
    return _say("split_mates", shared=text) if split.mate_rest else text


def _say(code: str, **params: str | Text) -> Text:
    return filled(catalog("house_rules")[f"action.{code}"], **params)
