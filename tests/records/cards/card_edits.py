"""Valid card records with a few edits: those specific to card records, and those that apply to any record."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.games.queen_annes.options import OPTIONS as POOLED_OPTIONS
from liarspoker.games.queen_annes.options import STUD_OPTIONS
from liarspoker.games.thorin.options import OPTIONS
from tests.records.cards.random_matches import random_match
from tests.records.mutation import edit_any_head, edit_anything, edit_text, written

Record = Any

ODD_CARDS = ["??", "Jk", "7c", "Ah", "10c", "1c", "", "Tx", "As ", "7C", 7, None, "7c7d"]
ODD_ACTIONS = [
    *["take", "challenge", "pass", "challenge 0", "challenge 1", "challenge 99", "discard -", "discard ??", "discard"],
    *["discard AhKhQhJhTh9h", "discard 7c7c", "show AcKdQh7s2s", "show ????????Ah", "show AcAc7c2d2h", "show -"],
    *[
        "declare pair",
        "declare two-pair 37",
        "declare two pair, sevens over threes",
        "declare high 75",
        "declare five A",
    ],
    *["declare straight-flush A", "declare royal-flush", "declare pair 7 h", "declare", "declare nothing", "declare _"],
    *["claim pair 7", "claim pair", "claim flush KJ752 c", "claim straight-flush A s", "claim royal-flush s", "claim"],
    *[
        "claim two pair 8 and J",
        "claim full house A over 10",
        "claim high 2",
        "claim flush 98765 c",
        "count",
        "5x7",
        "",
    ],
]


def sound_record(chance: Random) -> Record:
    """Return a small valid record, sometimes with private keys."""
    while True:
        record = random_match(chance, most_rounds=2).document
        if len(record["players"]) <= 5 and record["rounds"]:
            break
    if chance.random() < 0.2:
        chance.choice([record, record["rounds"][0]])["x-note"] = chance.choice(["é", 1, [1, {"a": []}]])
    return record


def edit_action(chance: Random, record: Record) -> None:
    """Insert, replace or delete an action of a round, or swap two."""
    actions = chance.choice(record["rounds"])["actions"]
    at = chance.randint(0, len(actions))
    kind = chance.randrange(4)
    if kind == 0:
        actions[at:at] = [chance.choice([*actions, *ODD_ACTIONS])]
    elif kind == 1:
        actions[at : at + 1] = [chance.choice([*actions, *ODD_ACTIONS])]
    elif kind == 2:
        actions[at : at + 1] = []
    else:
        actions[at : at + 2] = reversed(actions[at : at + 2])


def edit_cards(chance: Random, record: Record) -> None:
    """Insert, replace, delete or duplicate a card in a list."""
    lists = [cards for table in record["rounds"] for cards in card_lists(table)]
    if not lists:
        return
    cards = chance.choice(lists)
    at = chance.randint(0, len(cards))
    any_card = chance.choice(RANKS) + chance.choice(SUITS)
    odd = chance.choice([any_card, chance.choice(ODD_CARDS), *cards[:1]])
    cards[at : at + chance.randint(0, 1)] = chance.choice([[], [odd], cards[at : at + 1] * 2])


def card_lists(table: Record) -> list[list[Any]]:
    """Return the lists of cards in a round."""
    return [*table.get("deal", ()), *[table[key] for key in ("deck", "extras") if key in table]]


def edit_terms(chance: Random, record: Record) -> None:
    """Change the opener, the losses or the options of a round, or delete one of its keys."""
    table = chance.choice(record["rounds"])
    kind = chance.randrange(4)
    if kind == 0:
        table["opener"] = chance.choice([-1, 0, 1, 2, 5, 10**30])
    elif kind == 1:
        record["losses"] = [chance.choice([0, 1, 4, 5, 6, -1]) for _ in record["players"]]
    elif kind == 2:
        table["options"] = {chance.choice(OPTIONS).name: chance.choice([0, 1, True, "any", "words"])}
    else:
        table.pop(chance.choice(list(table)))


def edit_head(chance: Random, record: Record) -> None:
    """Change the version, the game, the players or an option, or duplicate all rounds."""
    edit_any_head(chance, record, [*OPTIONS, *POOLED_OPTIONS, *STUD_OPTIONS])


EDITS: list[Callable[[Random, Record], None]] = [edit_action, edit_cards, edit_terms, edit_head, edit_anything]


def edit_tree(chance: Random, record: Record) -> None:
    """Make one edit of a parsed record."""
    chance.choices(EDITS, [4, 3, 1, 1, 3])[0](chance, record)


def one_edit_away(chance: Random, record: Record, toml: bool) -> bytes:
    """Return a valid record with one edit, usually of the document, sometimes of the text."""
    if chance.random() < 0.8:
        edit_tree(chance, record)
        return written(record, toml)
    return edit_text(chance, written(record, toml))


def several_edits_away(chance: Random, record: Record, toml: bool) -> bytes:
    """Return a valid record with up to three edits of the document and up to three of the text."""
    if chance.random() < 0.8:
        edit_tree(chance, record)
    for _ in range(chance.randint(0, 2)):
        edit_anything(chance, record)
    text = written(record, toml)
    for _ in range(chance.choice([0, 0, 1, 3])):
        text = edit_text(chance, text)
    return text
