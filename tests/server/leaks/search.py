"""One search for hands, seeds and nonces in all that is told to anybody, in every form in which they could stand."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Set
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import RANKS, SUITS, card_text, cards_text, read_cards
from liarspoker.games.cards.record_words import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from liarspoker.games.digits.hands import packed_counts
from liarspoker.tables.export import sittings_of
from liarspoker.tables.fair.document import FULL
from liarspoker.tables.state import ENDED, ROUND, Table
from tests.server.leaks.hidden import (
    NO_CARDS,
    Cards,
    hidden_hands,
    hidden_numbers,
    known_cards,
    known_of_round,
    plays_digits,
)
from tests.server.leaks.world import BOT, BUS, LOG, METRICS, Told

FEWEST_CARDS = 4
"""Lists of fewer whole numbers are found in any text."""

LARGEST_HAND = 12
"""More cards are a deck, and nobody holds one: sorted it is the same for all."""

_CARD = rf"(?:[{RANKS}][{SUITS}{SUIT_SIGNS}]|Jk)"
_JOINED = re.compile(rf"(?<![A-Za-z0-9?=+/_-])(?:{_CARD})+(?![A-Za-z0-9?=+/_-])")
_ONE = re.compile(_CARD)
_NAMED = re.compile(rf"\b({'|'.join(RANK_NAMES)}) of ({'|'.join(SUIT_NAMES)})\b")
_HARMLESS = re.compile(r'"proof_words":\[[^]]*\]|as in discard TsTd')
"""What names cards and tells none: a proof's missing card, which is in nobody's hand, and a refusal's example."""

_DIGITS_IN_PLAY = re.compile(r'"digits":"[0-9]+"')
"""What an audit tells of every draw; it is also each number of as many different digits, sorted."""

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_BLANK = re.compile(r"[\s\"'\\]")
_SIGN = {sign: suit for signs in (SUITS, SUIT_SIGNS) for suit, sign in zip(SUITS, signs, strict=True)}


def leaks(told: Told, seeds: list[bytes], nonces: Set[bytes] = frozenset()) -> list[str]:
    """What stands in something that was told and may not.

    Args:
        told: it.
        seeds: all seeds that the server has drawn so far.
        nonces: those that are not opened yet.
    """
    table, text = told.table, told.text
    if table.stage == ENDED and table.settings.audit == FULL and told.channel.endswith("/audit"):
        return []
    found = [f"seed {seed.hex()[:8]}" for seed in seeds if any(form in text for form in secret_forms(seed))]
    found += [f"nonce {nonce.hex()[:8]}" for nonce in nonces if any(form in text for form in secret_forms(nonce))]
    nobody = told.channel in (BUS, LOG, METRICS)
    if plays_digits(table):
        found += _numbers_in(text, hidden_numbers(table, None if nobody else told.user))
        return found
    found += _hands_in(text, hidden_hands(table, None if nobody else told.user))
    if told.channel == BOT:
        return found
    if told.channel.endswith(("/records", "/audit")):
        return [*found, *_rounds_in(told)]
    known = NO_CARDS if nobody else known_cards(table, told.user) | cards_in(told.sent)
    return [*found, *(f"card {card_text(card)}" for card in cards_in(text) - known)]


def stored_leaks(table: Table, text: str, seeds: list[bytes]) -> list[str]:
    """What stands in the log of a table that should be sealed or follows from what is.

    In Thorin's game the log has what was discarded; it could not tell the game again without.
    """
    found = [f"seed {seed.hex()[:8]}" for seed in seeds if any(form in text for form in secret_forms(seed))]
    if plays_digits(table):
        return found + _numbers_in(text, hidden_numbers(table, None))
    hands = {hand for hand in hidden_hands(table, None) if catalogue.row(table.settings.game).family == "queen_annes"}
    return found + _hands_in(text, hands)


def _numbers_in(text: str, numbers: set[str]) -> list[str]:
    bare = _BLANK.sub("", _HASH.sub("#", _DIGITS_IN_PLAY.sub("", text)))
    return [f"number {number}" for number in sorted(numbers) if any(form in bare for form in number_forms(number))]


def _hands_in(text: str, hands: set[tuple[int, ...]]) -> list[str]:
    bare = _BLANK.sub("", _HASH.sub("#", text))
    return [
        f"hand {cards_text(hand[:7])}"
        for hand in sorted(hands)
        if len(hand) >= FEWEST_CARDS and any(form in bare or form in text for form in hand_forms(hand))
    ]


def _rounds_in(told: Told) -> Iterator[str]:
    """Cards of finished rounds, each by the round in which it was dealt."""
    try:
        given = json.loads(told.text)
    except ValueError:
        given = None
    records = given.get("records") if isinstance(given, dict) else given
    if not isinstance(records, list):
        yield from (f"card {card_text(card)}" for card in cards_in(told.text))
        return
    table, user = told.table, None if isinstance(given, dict) else told.user
    played = sittings_of(table)
    for number, record in enumerate(records):
        for place, round_told in enumerate(record["rounds"]):
            known = known_of_round(played[number], place, user)
            yield from _beyond(round_told, known, f"record {number}, round {place}")
        yield from _beyond({**record, "rounds": []}, NO_CARDS, f"record {number}")
    for number, deal in enumerate(given["deals"] if isinstance(given, dict) else ()):
        place = deal["record"]
        known = NO_CARDS if place is None else known_of_round(played[place[0]], place[1], None)
        yield from _beyond(deal, known, f"deal {number}")


def _beyond(told: object, known: Cards, where: str) -> Iterator[str]:
    beyond = cards_in(json.dumps(told, ensure_ascii=False)) - known
    yield from (f"{where}: card {card_text(card)}" for card in beyond)


def cards_in(text: str) -> Cards:
    """Every card that a text names."""
    bare = _HARMLESS.sub("", text)
    joined = [one for run in _JOINED.findall(bare) for one in _ONE.findall(run)]
    plain = {one if one == "Jk" else one[0] + _SIGN[one[1]] for one in joined}
    named = {RANKS[RANK_NAMES.index(rank)] + SUITS[SUIT_NAMES.index(suit)] for rank, suit in _NAMED.findall(bare)}
    return frozenset(read_cards(sorted(plain | named)))


@lru_cache(maxsize=100_000)
def number_forms(number: str) -> tuple[str, ...]:
    """A number in every form in which it could be told, without blanks and quotes."""
    found = Counter(number)
    histogram = [found[str(digit)] for digit in range(10)]
    forms = {number, number[::-1], "".join(sorted(number)), "".join(sorted(number, reverse=True))}
    forms |= {"".join(sorted(number, key="1234567890".index))}
    forms |= {",".join(form) for form in set(forms)} | {"-".join(number), ".".join(number)}
    forms |= {str(packed_counts(number)), ",".join(map(str, histogram))}
    for held in (found, dict(sorted(found.items())), dict(found.most_common())):
        forms |= {",".join(f"{digit}:{times}" for digit, times in held.items())}
    forms |= {",".join(f"{digit}:{times}" for digit, times in enumerate(histogram))}
    forms |= encoded(number.encode())
    if not number.startswith("0"):
        forms |= {hex(int(number))[2:]}
    return tuple(forms)


@lru_cache(maxsize=100_000)
def hand_forms(hand: tuple[int, ...]) -> tuple[str, ...]:
    """A hand of cards in every form in which it could be told whole, without blanks and quotes."""
    forms: set[str] = set()
    alike = () if len(hand) > LARGEST_HAND else (tuple(sorted(hand)), tuple(sorted(hand, reverse=True)))
    for order in (hand, hand[::-1], *alike):
        forms |= {",".join(map(str, order)), cards_text(order), ",".join(map(card_text, order))}
        forms |= encoded(cards_text(order).encode()) | encoded(bytes(order))
        forms |= {"".join(map(chr, order)), "".join(f"K{chr(card)}" for card in order)}  # the latter as pickle has it
    return tuple(forms)


@lru_cache(maxsize=10_000)
def secret_forms(secret: bytes) -> tuple[str, ...]:
    """A seed or a nonce in every form in which it could be told."""
    return (*encoded(secret), str(int.from_bytes(secret)), secret.decode("latin-1"), repr(secret)[2:-1])


def encoded(raw: bytes) -> set[str]:
    """Bytes in hexadecimal digits, in base64, and reversed in both."""
    forms = {raw.hex(), raw.hex().upper(), raw[::-1].hex()}
    for encode in (b64encode, urlsafe_b64encode):
        forms |= {encode(raw).decode().rstrip("="), encode(raw[::-1]).decode().rstrip("=")}
    return forms


def covered_nonces(table: Table, nonces: dict[str, bytes]) -> set[bytes]:
    """The nonces that are promised for the next deal and were not opened to anybody."""
    if table.gathering is None or table.stage == ROUND:
        return set()
    promised = table.gathering.nonce_commitments.values()
    return {nonces[promise] for promise in promised if promise in nonces}
