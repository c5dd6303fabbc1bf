"""A player with a key of the host (“also sit down and play”): `python seat_bot.py http://tock.local KEY P1`.

It lays cards from a pack of its own. Where the table has eyes, somebody moves its pawn; elsewhere it says the move.
"""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url, key, seat = sys.argv[1:4]
HEAD = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "X-Tock": "1"}
RANKS = ("A", *map(str, range(2, 11)), *"JQK")
hand: list[str] = []


def ask(path: str, **data: object) -> bool:
    """Send something; False where the table refuses it."""
    try:
        with urlopen(Request(f"{url}/api/v1/{path}", json.dumps(data).encode(), HEAD), timeout=10):
            return True
    except HTTPError:
        return False


def views() -> Iterator[dict[str, Any]]:
    """All that happens, as this seat sees it."""
    with urlopen(Request(f"{url}/api/v1/events?role=seat&tab=seat-bot-{seat}", headers=HEAD)) as lines:
        for line in lines:
            if line.startswith(b'data: {"') and b'"expects"' in line:
                yield json.loads(line.removeprefix(b"data: "))


ask("join", name=f"Bot {seat}", seat=seat)
for view in views():
    if view["expects"] == "over":
        break
    if view["your_turn"] and view["expects"] == "move":
        moves = view["legal_moves"]
        if not (moves and ask("request", kind="move", data={"text": random.choice(moves)["text"]})):
            ask("request", kind="discard", data={"card": view["card"]})
    elif view["your_turn"] and view["expects"] == "card":
        hand = hand or random.sample([rank + suit for rank in RANKS for suit in "CDHS"], 5)
        card = next((card for card in hand if ask("request", kind="play_card", data={"card": card})), hand[0])
        hand.remove(card)
