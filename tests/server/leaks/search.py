"""Search for hands, seeds and nonces in all output, in every plausible encoding."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Set
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import RANKS, SUITS, card_text, cards_text, read_cards
from liarspoker.games.cards.wording import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
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
    known_numbers,
    known_of_round,
    plays_digits,
)
from tests.server.leaks.server_world import BOT, BUS, LOG, METRICS, Output

FEWEST_CARDS = 4
"""Shorter lists of integers occur in any text."""

FEWEST_DIGITS = 6
"""Shorter integers occur in any text: the packed counts of `02201101` are 563."""

LARGEST_HAND = 12
"""More cards than this are a deck, not a hand; its sorted form is the same for all."""

_CARD = rf"(?:[{RANKS}][{SUITS}{SUIT_SIGNS}]|Jk)"
_JOINED = re.compile(rf"(?<![A-Za-z0-9?=+/_-])(?:{_CARD})+(?![A-Za-z0-9?=+/_-])")
_ONE = re.compile(_CARD)
_NAMED = re.compile(rf"\b({'|'.join(RANK_NAMES)}) of ({'|'.join(SUIT_NAMES)})\b")
_HARMLESS = re.compile(r'"proof_words":\[[^]]*\]|as in discard TsTd')
"""Harmless mentions of cards: a proof's missing card, which is in no hand, and an example in a refusal."""

_DIGITS_IN_PLAY = re.compile(r'"digits":"[0-9]+"')
"""The digits of a draw, which an audit contains; they equal the sorted form of some numbers."""

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_TIME = re.compile(r"\b[0-9]{10}\.[0-9]+\b")
"""Seconds since 1970: in an hour of play, their digits contain some numbers by chance."""
_ROWS = re.compile(r'"(?:rows_played|free)":\s*\[[0-9,\s]*\]')
"""The rows of a slip that were played, and the cards that may be picked: ascending lists, as sorted digits are."""
_BLANK = re.compile(r"[\s\"'\\]")
_SIGN = {sign: suit for signs in (SUITS, SUIT_SIGNS) for suit, sign in zip(SUITS, signs, strict=True)}


def leaks(output: Output, seeds: list[bytes], nonces: Set[bytes] = frozenset()) -> list[str]:
    """Return the secrets found in an output.

    Args:
        output: the output.
        seeds: all seeds that the server has drawn so far.
        nonces: nonces that haven't been opened.
    """
    table, text = output.table, output.text
    if table.stage == ENDED and table.settings.audit == FULL and output.channel.endswith("/audit"):
        return []
    found = [f"seed {seed.hex()[:8]}" for seed in seeds if any(form in text for form in secret_forms(seed))]
    found += [f"nonce {nonce.hex()[:8]}" for nonce in nonces if any(form in text for form in secret_forms(nonce))]
    nobody = output.channel in (BUS, LOG, METRICS)
    if plays_digits(table):
        viewer = None if nobody else output.user
        found += numbers_in(text, hidden_numbers(table, viewer), known_numbers(table, viewer))
        return found
    found += _hands_in(text, hidden_hands(table, None if nobody else output.user))
    if output.channel == BOT:
        return found
    if output.channel.endswith(("/records", "/audit")):
        return [*found, *_rounds_in(output)]
    known = NO_CARDS if nobody else known_cards(table, output.user) | cards_in(output.sent)
    return [*found, *(f"card {card_text(card)}" for card in cards_in(text) - known)]


def stored_leaks(table: Table, text: str, seeds: list[bytes]) -> list[str]:
    """Return the secrets found in the stored log of a table.

    In Thorin's game the log contains discards, which are needed to replay the game.
    """
    found = [f"seed {seed.hex()[:8]}" for seed in seeds if any(form in text for form in secret_forms(seed))]
    if plays_digits(table):
        return found + numbers_in(text, hidden_numbers(table, None), known_numbers(table, None))
    hands = {
        hand for hand in hidden_hands(table, None) if catalogue.preset(table.settings.game).family == "queen_annes"
    }
    return found + _hands_in(text, hands)


def numbers_in(text: str, hidden: set[str], known: set[str]) -> list[str]:
    """Return the hidden numbers found in a text.

    The known numbers are left out of it: among thousands of numbers, some are the digits of another one in order or
    backwards, and then the viewer's own number would look like that one.
    """
    for number in known:
        text = text.replace(f'"{number}"', "#")
    bare = _BLANK.sub("", _HASH.sub("#", _TIME.sub("#", _DIGITS_IN_PLAY.sub("", _ROWS.sub("", text)))))
    found = ((number, next((form for form in number_forms(number) if form in bare), None)) for number in sorted(hidden))
    return [f"number {number} as {form}" for number, form in found if form is not None]


def _hands_in(text: str, hands: set[tuple[int, ...]]) -> list[str]:
    bare = _BLANK.sub("", _HASH.sub("#", text))
    return [
        f"hand {cards_text(hand[:7])}"
        for hand in sorted(hands)
        if len(hand) >= FEWEST_CARDS and any(form in bare or form in text for form in hand_forms(hand))
    ]


def _rounds_in(output: Output) -> Iterator[str]:
    """Yield hidden cards of finished rounds, checked against the round in which they were dealt."""
    try:
        given = json.loads(output.text)
    except ValueError:
        given = None
    records = given.get("records") if isinstance(given, dict) else given
    if not isinstance(records, list):
        yield from (f"card {card_text(card)}" for card in cards_in(output.text))
        return
    table, user = output.table, None if isinstance(given, dict) else output.user
    played = sittings_of(table)
    for number, record in enumerate(records):
        for place, shown_round in enumerate(record["rounds"]):
            known = known_of_round(played[number], place, user)
            yield from _beyond(shown_round, known, f"record {number}, round {place}")
        yield from _beyond({**record, "rounds": []}, NO_CARDS, f"record {number}")
    for number, deal in enumerate(given["deals"] if isinstance(given, dict) else ()):
        place = deal["record"]
        known = NO_CARDS if place is None else known_of_round(played[place[0]], place[1], None)
        yield from _beyond(deal, known, f"deal {number}")


def _beyond(output: object, known: Cards, where: str) -> Iterator[str]:
    beyond = cards_in(json.dumps(output, ensure_ascii=False)) - known
    yield from (f"{where}: card {card_text(card)}" for card in beyond)


def cards_in(text: str) -> Cards:
    """Return every card that a text names."""
    bare = _HARMLESS.sub("", text)
    joined = [one for run in _JOINED.findall(bare) for one in _ONE.findall(run)]
    plain = {one if one == "Jk" else one[0] + _SIGN[one[1]] for one in joined}
    named = {RANKS[RANK_NAMES.index(rank)] + SUITS[SUIT_NAMES.index(suit)] for rank, suit in _NAMED.findall(bare)}
    return frozenset(read_cards(sorted(plain | named)))


@lru_cache(maxsize=100_000)
def number_forms(number: str) -> tuple[str, ...]:
    """Return a number in every plausible encoding, without blanks and quotes."""
    found = Counter(number)
    histogram = [found[str(digit)] for digit in range(10)]
    forms = {number, number[::-1], "".join(sorted(number)), "".join(sorted(number, reverse=True))}
    forms |= {"".join(sorted(number, key="1234567890".index))}
    forms |= {",".join(form) for form in set(forms)} | {"-".join(number), ".".join(number)}
    forms |= {",".join(map(str, histogram))}
    if len(packed := str(packed_counts(number))) >= FEWEST_DIGITS:
        forms |= {packed}
    for held in (found, dict(sorted(found.items())), dict(found.most_common())):
        forms |= {",".join(f"{digit}:{times}" for digit, times in held.items())}
    forms |= {",".join(f"{digit}:{times}" for digit, times in enumerate(histogram))}
    forms |= encoded(number.encode())
    if not number.startswith("0"):
        forms |= {hex(int(number))[2:]}
    return tuple(forms)


@lru_cache(maxsize=100_000)
def hand_forms(hand: tuple[int, ...]) -> tuple[str, ...]:
    """Return a complete hand of cards in every plausible encoding, without blanks and quotes."""
    forms: set[str] = set()
    alike = () if len(hand) > LARGEST_HAND else (tuple(sorted(hand)), tuple(sorted(hand, reverse=True)))
    for order in (hand, hand[::-1], *alike):
        forms |= {",".join(map(str, order)), cards_text(order), ",".join(map(card_text, order))}
        forms |= encoded(cards_text(order).encode()) | encoded(bytes(order))
        forms |= {"".join(map(chr, order)), "".join(f"K{chr(card)}" for card in order)}  # the latter is pickle's form
    return tuple(forms)


@lru_cache(maxsize=10_000)
def secret_forms(secret: bytes) -> tuple[str, ...]:
    """Return a seed or a nonce in every plausible encoding."""
    return (*encoded(secret), str(int.from_bytes(secret)), secret.decode("latin-1"), repr(secret)[2:-1])


def encoded(raw: bytes) -> set[str]:
    """Return bytes in hexadecimal and base64, and reversed in both."""
    forms = {raw.hex(), raw.hex().upper(), raw[::-1].hex()}
    for encode in (b64encode, urlsafe_b64encode):
        forms |= {encode(raw).decode().rstrip("="), encode(raw[::-1]).decode().rstrip("=")}
    return forms


def covered_nonces(table: Table, nonces: dict[str, bytes]) -> set[bytes]:
    """Return the committed nonces of the next deal that haven't been opened."""
    if table.ready_phase is None or table.stage == ROUND:
        return set()
    promised = table.ready_phase.nonce_commitments.values()
    return {nonces[promise] for promise in promised if promise in nonces}
