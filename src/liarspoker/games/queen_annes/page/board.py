"""The cards of each seat, their losses, and the cards that a named hand requires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import RANKS, UNKNOWN_TEXT, card_text, read_cards
from liarspoker.games.cards.wording import describe_required_card
from liarspoker.games.queen_annes.ladder import prove, required_cards
from liarspoker.games.queen_annes.messages import QueenAnnesResult
from liarspoker.games.queen_annes.page.seen import SeenRound
from liarspoker.games.queen_annes.state import NO_SLOT, cards_at_once, extra_slot, face_up


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of a seat: face `up` or `down` in Stud, highlighted or dimmed after a challenge."""

    text: str
    face: str = ""
    lit: bool = False
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A turn, from 1, with the face of its extra card (empty if a loss cost it), and whether it has been dealt."""

    turn: int
    face: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A seat's cards and losses.

    Attributes:
        cards: the cards in display order; none for a player who is out.
        losses: rounds lost, including this one.
        lives: number of losses after which a player is out.
        cards_next: cards dealt at the start of a round with these losses.
        most_cards: cards dealt at the start of a round without losses.
        slots: the turns of this round with their extra cards; empty in games without them.
    """

    seat: int
    name: str
    cards: tuple[Shown, ...]
    hidden: int
    losses: int
    lives: int
    cards_next: int
    most_cards: int
    slots: tuple[Slot, ...]
    out: bool
    opener: bool
    to_act: bool
    claimant: bool
    challenger: bool
    loser: bool
    winner: bool


@dataclass(frozen=True, slots=True)
class RequiredCard:
    """A card that a named hand requires, and in `by` the card that matches it, wild or not; empty if none does."""

    text: str
    rank: str
    words: str
    by: str
    wild: bool


def tiles_of(seen: SeenRound) -> tuple[Tile, ...]:
    """Return the tiles of all seats in order."""
    lit = Counter(() if seen.result is None else seen.result.proof)
    return tuple(_tile(seen, seat, lit) for seat in range(seen.seats))


def _tile(seen: SeenRound, seat: int, lit: Counter[str]) -> Tile:
    view, rules, result = seen.view, seen.rules, seen.result
    losses = view.losses[seat]
    cards = tuple(_cards(seen, seat, lit))
    return Tile(
        seat=seat,
        name=seen.names[seat],
        cards=cards,
        hidden=sum(card.text == UNKNOWN_TEXT for card in cards),
        losses=losses,
        lives=rules.exit_losses,
        cards_next=cards_at_once(losses, rules),
        most_cards=rules.hand_cards,
        slots=tuple(_slots(seen, seat)) if seat in seen.playing else (),
        out=seat not in view.alive,
        opener=seat == view.opener,
        to_act=seat == view.to_act,
        claimant=seat == view.claimant,
        challenger=result is not None and seat == result.challenger,
        loser=result is not None and seat == result.loser,
        winner=seat == view.winner,
    )


def _cards(seen: SeenRound, seat: int, lit: Counter[str]) -> Iterator[Shown]:
    """Yield a seat's cards, hidden ones last, and highlight as many jokers as the hand uses."""
    hand = seen.cards_of(seat)
    order = {text: place for place, text in enumerate(map(card_text, sorted(read_cards(hand), reverse=True)))}
    face = "down" if seen.rules.extras else ""
    dealt = [(text, face) for text in sorted(hand, key=lambda text: order[text])]
    dealt += [(extra.card, extra.face) for extra in seen.extras if extra.seat == seat]
    for text, how in dealt:
        belongs = taken(text, lit)
        yield Shown(text, how, lit=belongs, dim=seen.result is not None and not belongs)


def taken(card: str, left: Counter[str]) -> bool:
    """Return whether `card` is one of those in `left`, the cards that make a hand, and remove it from them.

    Jokers look alike, so as many are found as the hand uses.

    >>> left = Counter(["7h", "Jk"])
    >>> [taken(card, left) for card in ("7h", "Jk", "2c", "Jk")]
    [True, True, False, False]
    """
    belongs = left[card] > 0
    left[card] -= belongs
    return belongs


def _slots(seen: SeenRound, seat: int) -> Iterator[Slot]:
    rules, losses = seen.rules, seen.losses_before
    common = min(losses[other] for other in seen.playing)
    dealt = {extra.turn for extra in seen.extras if extra.seat == seat}
    for turn in range(1, rules.extras + 1):
        slot = extra_slot(turn, losses[seat], common, rules)
        face = "" if slot == NO_SLOT else "up" if face_up(slot, rules) else "down"
        yield Slot(turn, face, turn in dealt)


def required_cards_of(seen: SeenRound, named: Spelling, pool: tuple[int, ...]) -> tuple[RequiredCard, ...]:
    """Return the cards that a hand requires, matched with cards of the pool; wild cards fill in for missing ones."""
    proof = prove(named, pool, seen.rules)
    found, wild = list(proof.cards), list(proof.wilds)
    return tuple(
        _required_card(rank, suit, found, wild) for rank, suit, count in required_cards(named) for _ in range(count)
    )


def _required_card(rank: int, suit: int, found: list[int], wild: list[int]) -> RequiredCard:
    text = "" if suit == NO_SUIT else card_text(4 * rank + suit)
    own = next((card for card in found if card >> 2 == rank and suit in (NO_SUIT, card & 3)), None)
    stands_in = None
    if own is not None:
        found.remove(own)
    elif wild:
        stands_in = wild.pop(0)
    card = stands_in if own is None else own
    return RequiredCard(
        text=text,
        rank=RANKS[rank],
        words=describe_required_card(rank, suit),
        by="" if card is None else card_text(card),
        wild=stands_in is not None,
    )


def proved_pool(seen: SeenRound, result: QueenAnnesResult) -> tuple[int, ...]:
    """Return all cards of a challenged round."""
    hands = [card for hand in result.hands for card in hand]
    return read_cards([*hands, *(extra.card for extra in result.extras)])
