"""Positions of Thorin's game: the hand is followed from where the seat last saw it, and weighed by what was heard."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.coach.cards.positions import RARE, CardPosition, Deals, chance_of, weighed
from liarspoker.coach.cards.words import CardWording
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, cards_in, full_deck, mask_of
from liarspoker.core.cards.hand_values import CATEGORIES, FOUR, HIGH, PAIR, THREE, TWO_PAIR
from liarspoker.engine.chance import CHOICES, Chance, begin, below, seed_of
from liarspoker.engine.kernel import Array, Ints
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, TAKE, cards_of, discard_of, face_down, is_discard
from liarspoker.games.thorin.bots import beginner, binomial, bluffer
from liarspoker.games.thorin.claim_table import Ladder, keeps_promise
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.kernel import KERNEL, State, store
from liarspoker.games.thorin.kernel_policies import BITS, hand_rank
from liarspoker.games.thorin.known_discards import discards_known_in
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.review_words import HandWording
from liarspoker.games.thorin.state import RESPOND

LIES = 0.2
"""How likely a declaration is that the hand doesn't keep, compared with one that it keeps."""

UNUSUAL = 0.3
"""How likely a discard is of another number of cards than those that belong to no set, compared with the usual one."""

_AT_RANDOM = 4
"""One exchange in this many is chosen at random; in the others, cards in sets and high ones are kept."""

_VARIED = 6
"""The number of times that a bot is asked, if it varies what it does."""

_DEALS = 20_000
"""The number of deals from which the probability without anything heard is computed."""

_ANSWERED, _DRAWN = 0, 1


class Followed(NamedTuple):
    """What is known of a hand that was passed on.

    Attributes:
        known: the hand from which it is followed, as a mask; 0 if it is the first hand, which is unknown.
        steps: int64 `[steps, 3]`, what happened since then: `_DRAWN`, the seat and the number of cards exchanged, or
            `_ANSWERED`, the seat and its declaration.
        out: int64, the cards that the seat knows to be in the pile of discards.
        pile: the number of cards in the pile of discards.
        stock: the number of cards in the stock.
    """

    known: int
    steps: Ints
    out: Ints
    pile: int
    stock: int


@dataclass(frozen=True, slots=True)
class HandPosition(CardPosition):
    """A position of Thorin's game."""

    playouts: ClassVar[int] = 1_000
    wording: ClassVar[type[CardWording]] = HandWording

    @property
    def standing(self) -> int:
        """The declaration that the seat answers; -1 for none, or if the seat knows whether it was true."""
        return int(self._round.state.claim) if self._is_hidden else NO_CLAIM

    @property
    def moves(self) -> Array:
        """The actions so far: int64 `[made, 2]`, seat and action, with discards face down."""
        moves = [(seat, face_down(action)) for seat, action in self._round.moves]
        return np.array(moves, np.int64).reshape(-1, 2)

    @property
    def is_known(self) -> bool:
        """Whether the record has all cards that the seat sees or has seen."""
        stints = [stint for stint in self._round.stints if stint.seat == self.seat]
        return all(card >= 0 for stint in stints for card in (*stint.taken, *stint.discarded, *stint.drawn))

    @property
    def _is_hidden(self) -> bool:
        return bool(self._round.state.phase == RESPOND)

    def sensible(self, chosen: int) -> list[int]:
        """Return the chosen action, the legal answers, and what the bots would do."""
        view = self.sessions[-1].view(self.seat)
        if self._is_hidden:
            return list(dict.fromkeys((chosen, *view.legal.answers)))
        varied = (bluffer(view, Random(number)) for number in range(_VARIED))
        found = dict.fromkeys((chosen, beginner(view, Random(1)), binomial(view, Random(1)), *varied))
        if is_discard(chosen):
            found |= dict.fromkeys((DISCARD, discard_of(self._round.hand)))
        return list(found)

    def deals(self, number: int, chance: np.random.Generator, *, hears: bool = True) -> Deals:
        """Draw deals that agree with what the seat sees; without `hears`, whatever the others have done."""
        rules, followed = self.table.rules, self._followed()
        unseen = list(full_deck(rules.jokers))
        for card in (*_cards(followed.known), *followed.out.tolist()):
            unseen.remove(card)
        cards = chance.permuted(np.tile(np.array(unseen, np.int64), (number, 1)), axis=1)
        lines, weights = np.repeat(self._line(), number), np.zeros(number)
        ladder, ranks = self.table.extra
        seed = seed_of(int(chance.integers(1 << 62)))
        stream, gone = np.zeros(1, np.uint64), np.zeros(HAND_CARDS * len(followed.steps) + followed.out.size, np.int64)
        gone[: followed.out.size] = followed.out
        run = KERNEL.runnable(follow)
        run(seed, cards, followed, rules, ladder, ranks, stream, gone, lines, weights)
        return Deals(lines, weighed(weights) if hears else np.ones(number))

    def _followed(self) -> Followed:
        """Return what is known of the hand since the seat last saw it."""
        dealt, seat, view = self._round, self.seat, self.sessions[-1].view(self.seat)
        out = np.array(discards_known_in(view), np.int64)
        if not self._is_hidden:
            return Followed(mask_of(dealt.hand), np.zeros((0, 3), np.int64), out, view.discards, view.stock_left)
        known, steps = 0, list[tuple[int, int, int]]()
        for mover, action in dealt.moves:
            if mover == seat and action >= 0:
                steps.clear()
            elif action >= 0:
                steps.append((_ANSWERED, mover, action))
            elif is_discard(action):
                steps.append((_DRAWN, mover, len(cards_of(action))))
        if view.stints:
            known = mask_of(view.stints[-1].held)
        return Followed(known, np.array(steps, np.int64).reshape(-1, 3), out, view.discards, view.stock_left)

    def _line(self) -> Any:
        """Return what the seat knows of the line: a record `[1]`."""
        dealt, line, seat = self._round, KERNEL.lines(1), self.seat
        piles, places = dealt.stock.piles, [place for place, stint in enumerate(dealt.stints) if stint.seat == seat]
        store(line[0], State(dealt.state, dealt.terms.alive_mask, 0))
        line[0].opener = dealt.terms.opener
        line[0].drawn, line[0].end, line[0].discards = piles.drawn, piles.end, piles.discards
        line[0].had[:] = 0
        if not places:
            return line
        last = dealt.stints[places[-1]]
        if places[-1] > 0:
            line[0].had[dealt.stints[places[-1] - 1].seat] = mask_of(last.taken)
        if self._is_hidden:
            line[0].had[seat] = mask_of(last.held)
        else:
            line[0].taken, line[0].discarded = mask_of(last.taken), mask_of(last.discarded)
        return line

    @staticmethod
    def was_believed(answer: int) -> bool | None:
        """Return whether the next action after a declaration shows that it was believed; `None` after a pass."""
        return {TAKE: True, CHALLENGE: False}.get(answer)

    def possible(self, claim: int, share: float) -> float:
        """Return the share of deals in which a declaration is true, but 0 or 1 only if the seat has the hand."""
        return min(max(share, RARE), 1.0 - RARE) if self._is_hidden else share

    def odds(self, chance: np.random.Generator) -> float:
        """Return the probability that the declaration is true, whatever the others have done."""
        return chance_of(self.standing, self, self.deals(_DEALS, chance, hears=False))

    def is_there(self, claim: int, deals: Deals) -> Any:
        """Return in which deals a declaration is true: bool `[deals]`."""
        found = np.zeros(deals.lines.size, np.bool_)
        ladder, ranks = self.table.extra
        KERNEL.runnable(kept)(deals.lines["hand"].copy(), claim, self.table.rules.by_words, ladder, ranks, found)
        return found

    def hands(self, lines: Any) -> tuple[tuple[str, float], ...] | None:
        """Return how likely the hand that is passed on is of each category; `None` if the seat has it."""
        if not self._is_hidden:
            return None
        found, (ladder, ranks) = np.zeros(lines.size, np.int64), self.table.extra
        KERNEL.runnable(categories)(lines["hand"].copy(), ladder, ranks, found)
        counts = np.bincount(found, minlength=len(CATEGORIES))
        return tuple((word, int(count) / lines.size) for word, count in zip(CATEGORIES, counts, strict=True) if count)


def _cards(mask: int) -> list[int]:
    """Return the cards of a mask; jokers are interchangeable."""
    return [*(card for card in range(JOKER) if mask >> card & 1), *[JOKER] * (mask >> JOKER)]


def kept(hands: Ints, claim: int, by_words: int, ladder: Ladder, ranks: Ints, found: NDArray[np.bool_]) -> None:
    """Write which hands make a declaration true. For compiled code."""
    for place in range(hands.size):
        found[place] = keeps_promise(hand_rank(hands[place], ranks), claim, by_words, ladder)


def categories(hands: Ints, ladder: Ladder, ranks: Ints, found: Ints) -> None:
    """Write the category of each hand. For compiled code."""
    for place in range(hands.size):
        found[place] = ladder.categories[hand_rank(hands[place], ranks)]


def follow(
    seed: Any,
    cards: Ints,
    followed: Followed,
    rules: ThorinRules,
    ladder: Ladder,
    ranks: Ints,
    chance: Chance,
    gone: Ints,
    lines: Any,
    weights: NDArray[np.float64],
) -> None:
    """Follow the hand in many deals, and write it, the stock and the pile into lines. For compiled code.

    Args:
        seed: of the discards that are chosen at random, from :func:`~liarspoker.engine.chance.seed_of`.
        cards: int64 `[deals, unseen]`, the cards that the seat hasn't seen, in the order in which they are drawn.
        followed: what is known of the hand.
        rules: the table's rules.
        ladder: the table's claims.
        ranks: the table of hand ranks.
        chance: a random stream.
        gone: int64, the discards that the seat knows, and room for those that are followed.
        lines: records `[deals]`, which already hold what is public.
        weights: float64 `[deals]`, the logarithm of how well each deal explains the steps.
    """
    known, steps, out, pile, stock = followed
    for deal in range(cards.shape[0]):
        begin(chance, seed, deal, CHOICES)
        line, hand, place, weight = lines[deal], known, 0, 0.0
        size = out.size
        if known == 0:
            for _ in range(HAND_CARDS):
                hand += 1 << cards[deal, place]
                place += 1
        for step in range(steps.shape[0]):
            seat, number = steps[step, 1], steps[step, 2]
            if steps[step, 0] == _ANSWERED:
                line.had[seat] = hand
                if not keeps_promise(hand_rank(hand, ranks), number, rules.by_words, ladder):
                    weight += math.log(LIES)
            else:
                if number != usual_discard(hand, ladder.categories[hand_rank(hand, ranks)]):
                    weight += math.log(UNUSUAL)
                is_random = below(chance, _AT_RANDOM) == 0
                for _ in range(number):
                    card = random_card(hand, chance) if is_random else worst_card(hand)
                    hand -= 1 << card
                    gone[size] = card
                    size += 1
                for _ in range(number):
                    hand += 1 << cards[deal, place]
                    place += 1
        line.hand = hand
        weights[deal] = weight
        for number in range(pile):
            if number < size:
                line.pile[number] = gone[size - 1 - number]
            else:
                line.pile[number] = cards[deal, place]
                place += 1
        for number in range(stock):
            if place < cards.shape[1]:
                line.stock[number] = cards[deal, place]
                place += 1
            else:
                size -= 1
                line.stock[number] = gone[size - pile]


def usual_discard(hand: int, category: int) -> int:
    """Return how many cards of a hand belong to no set; 0 for a hand of which all cards count. For compiled code."""
    if category not in (HIGH, PAIR, TWO_PAIR, THREE, FOUR):
        return 0
    singles = 0
    for rank in range(13):
        if BITS[hand >> 4 * rank & 15] == 1:
            singles += 1
    return singles


def worst_card(hand: int) -> int:
    """Return the card of a hand that is in the smallest set, the lowest of them; a joker last. For compiled code."""
    found, fewest = JOKER, HAND_CARDS
    for card in range(JOKER):
        if hand >> card & 1 and BITS[hand >> 4 * (card >> 2) & 15] < fewest:
            found, fewest = card, BITS[hand >> 4 * (card >> 2) & 15]
    return found


def random_card(hand: int, chance: Chance) -> int:
    """Return a random card of a hand. For compiled code."""
    place = below(chance, cards_in(hand))
    for card in range(JOKER):
        if hand >> card & 1:
            if place == 0:
                return card
            place -= 1
    return JOKER


POSITION = HandPosition
