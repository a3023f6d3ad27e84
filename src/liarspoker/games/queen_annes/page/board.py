"""The cards on the table, seat by seat, what each seat has lost, and what the named hand wants of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.core.cards.deck import RANKS, UNKNOWN_TEXT, card_text, read_cards
from liarspoker.games.cards.record_words import wanted_in_words
from liarspoker.games.queen_annes.ladder import prove, wanted
from liarspoker.games.queen_annes.messages import QueenAnnesResult
from liarspoker.games.queen_annes.page.seen import SeenRound
from liarspoker.games.queen_annes.state import NO_SLOT, cards_at_once, extra_slot, face_up


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of a seat: how it lies in games with extra cards, and whether it belongs to the challenged hand."""

    text: str
    lies: str = ""
    lit: bool = False
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A turn, from 1, on which an extra card comes `up` or `down`, or would but for a loss; `dealt` if it has come."""

    turn: int
    lies: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """What lies before a seat.

    Attributes:
        cards: in the order in which he holds them; none for who is out.
        losses: how often he has lost, this round included.
        lives: losses that put a player out.
        cards_next: cards that he is dealt at once with these losses.
        most_cards: cards that he would be dealt without any.
        slots: on which turns extra cards come in this round; none in games without.
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
class Want:
    """A card that a named hand asks for, and the card, wild or not, that is it; empty while it is not seen."""

    text: str
    rank: str
    words: str
    by: str
    wild: bool


def tiles_of(seen: SeenRound) -> tuple[Tile, ...]:
    """All seats of the match, in their order."""
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
    """Hidden cards last; of several jokers as many are lit as belong to the hand."""
    hand = seen.cards_of(seat)
    order = {text: place for place, text in enumerate(map(card_text, sorted(read_cards(hand), reverse=True)))}
    lies = "down" if seen.rules.extras else ""
    dealt = [(text, lies) for text in sorted(hand, key=lambda text: order[text])]
    dealt += [(extra.card, extra.face) for extra in seen.extras if extra.seat == seat]
    for text, how in dealt:
        belongs = lit[text] > 0
        lit[text] -= belongs
        yield Shown(text, how, lit=belongs, dim=seen.result is not None and not belongs)


def _slots(seen: SeenRound, seat: int) -> Iterator[Slot]:
    rules, losses = seen.rules, seen.losses_before
    common = min(losses[other] for other in seen.playing)
    dealt = {extra.turn for extra in seen.extras if extra.seat == seat}
    for turn in range(1, rules.extras + 1):
        slot = extra_slot(turn, losses[seat], common, rules)
        lies = "" if slot == NO_SLOT else "up" if face_up(slot, rules) else "down"
        yield Slot(turn, lies, turn in dealt)


def wants_of(seen: SeenRound, named: Spelling, pool: tuple[int, ...]) -> tuple[Want, ...]:
    """The cards that a hand asks for, and which of the pool's cards are they; wild ones fill what is missing."""
    proof = prove(named, pool, seen.rules)
    found, wild = list(proof.cards), list(proof.wilds)
    return tuple(_want(rank, suit, found, wild) for rank, suit, count in wanted(named) for _ in range(count))


def _want(rank: int, suit: int, found: list[int], wild: list[int]) -> Want:
    text = "" if suit == NO_SUIT else card_text(4 * rank + suit)
    own = next((card for card in found if card >> 2 == rank and suit in (NO_SUIT, card & 3)), None)
    stands_in = None
    if own is not None:
        found.remove(own)
    elif wild:
        stands_in = wild.pop(0)
    card = stands_in if own is None else own
    return Want(
        text=text,
        rank=RANKS[rank],
        words=wanted_in_words(rank, suit),
        by="" if card is None else card_text(card),
        wild=stands_in is not None,
    )


def proved_pool(seen: SeenRound, result: QueenAnnesResult) -> tuple[int, ...]:
    """All cards of a round whose challenge has shown them."""
    hands = [card for hand in result.hands for card in hand]
    return read_cards([*hands, *(extra.card for extra in result.extras)])
