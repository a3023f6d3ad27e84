"""Deals of a duplicate event: every table of the event derives the same seed of each hand.

The server commits to one seed before anyone joins. The shares of all players are mixed into the event's key before the
first hand, and the key gives the seed of every hand. From there on, a hand is dealt as at any other table, under the id
of the event instead of the table's. `docs/reference/fair-deals.md` specifies it byte by byte.

>>> key = event_key(bytes(32), "event-1", "dollar-bill", 4, 8, [("ann", share_of("event-1", "shuffle well"))])
>>> hand_seed(key, 0) == hand_seed(key, 1)
False
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

from liarspoker.core.chance import Stream, fields
from liarspoker.language import _
from liarspoker.protocol.settings import EventProof
from liarspoker.tables.fair.deal import SEED_BYTES, BadDealInput, check_number, check_table

SEED_TAG = "liarspoker-event-1/seed"
SHARE_TAG = "liarspoker-event-1/share"
KEY_TAG = "liarspoker-event-1/key"
HAND_TAG = "liarspoker-event-1/hand"
SEATS = "seats"
"""The label of the stream that draws the players' seats."""


def event_commitment(seed: bytes, event: str) -> bytes:
    """Return the server's commitment to the seed of an event, 32 bytes.

    Raises:
        BadDealInput: the seed doesn't have 32 bytes, or the id isn't 1 to 100 visible ASCII characters.
    """
    check_table(event)
    if len(seed) != SEED_BYTES:
        raise BadDealInput(_("event: seed: must be {most} bytes, not {count}", most=SEED_BYTES, count=len(seed)))
    return sha256(fields(SEED_TAG, event, seed)).digest()


def share_of(event: str, words: str) -> bytes:
    """Return a player's share: the hash of the words that they typed, 32 bytes; empty without words.

    The words themselves are neither stored nor published.
    """
    return sha256(fields(SHARE_TAG, event, words)).digest() if words else b""


def event_key(
    seed: bytes, event: str, game: str, seats: int, hands: int, players: Sequence[tuple[str, bytes]]
) -> bytes:
    """Return the key of an event, 32 bytes.

    Args:
        seed: the server's seed, 32 bytes.
        event: id of the event.
        game: catalogue id of the game.
        seats: number of seats at each table.
        hands: number of hands.
        players: user ids and shares, in the order in which the players joined.

    Raises:
        BadDealInput: a number isn't valid.
    """
    check_number(seats, "seats")
    check_number(hands, "hands")
    given = [value for player in players for value in player]
    return hmac.digest(seed, fields(KEY_TAG, event, game, seats, hands, len(players), *given), "sha256")


def hand_seed(key: bytes, number: int) -> bytes:
    """Return the seed of a hand, numbered from 0, 32 bytes. It reveals nothing about any other hand."""
    return hmac.digest(key, fields(HAND_TAG, number), "sha256")


def drawn_order(key: bytes, count: int) -> list[int]:
    """Return the integers from 0 to `count` - 1 in the random order in which players are allotted to seats."""
    stream, order = Stream(key, SEATS), list(range(count))
    for index in range(count - 1, 0, -1):
        other = stream.below(index + 1)
        order[index], order[other] = order[other], order[index]
    return order


def key_of_proof(proof: EventProof, event: str) -> bytes:
    """Return the key of an event that is over.

    Raises:
        BadDealInput, ValueError: the proof isn't well-formed.
    """
    players = [(player.user, bytes.fromhex(player.share)) for player in proof.players]
    return event_key(bytes.fromhex(proof.seed), event, proof.game, proof.seats, proof.hands, players)


def seed_findings(proof: EventProof, event: str) -> Iterator[str]:
    """Yield what is wrong with the event's own commitment."""
    if event_commitment(bytes.fromhex(proof.seed), event).hex() != proof.commitment:
        yield _("event: the seed doesn't match the server's commitment")


def hand_findings(
    proof: EventProof, key: bytes, number: int, game: str, seats: int, seed: bytes, nonces: Sequence[bytes]
) -> Iterator[str]:
    """Yield how a deal differs from the hand of its event with the same number."""
    if (game, seats) != (proof.game, proof.seats):
        yield _("event: the game or the number of seats differs from the event's")
    if number >= proof.hands:
        yield _("event: it has only {count} hands", count=proof.hands)
    if seed != hand_seed(key, number):
        yield _("event: the seed isn't that of the hand, derived from the event's seed and the players' shares")
    if any(nonces):
        yield _("event: the players contribute to the event, not to a deal")
