"""A round of Queen Anne's games as somebody sees it, in the rules' terms and in words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM, Spelling
from liarspoker.core.cards.deck import RANKS, UNKNOWN, UNKNOWN_TEXT, read_cards
from liarspoker.core.cards.match import mask_of
from liarspoker.games.cards.record_words import RANK_PLURALS, bare, claim_in_words
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.messages import ExtraCard, QueenAnnesHand, QueenAnnesResult, QueenAnnesRound
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules, packed
from liarspoker.games.queen_annes.record_text import hand_in_words
from liarspoker.games.queen_annes.session import QueenAnnesGame
from liarspoker.games.queen_annes.state import NOBODY, PHASES, RoundState, refusal
from liarspoker.odds.pools import HalfKnownPool, half_known_pool
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import capital, object_of, subject
from liarspoker.web.view_models.family import SeenView, options_key, seen_parts


@dataclass(frozen=True, kw_only=True)
class SeenRound(SeenView[QueenAnnesRound, QueenAnnesHand]):
    """A round as somebody sees it, with the options in force, plain and packed."""

    options: QueenAnnesOptions
    rules: QueenAnnesRules

    @property
    def result(self) -> QueenAnnesResult | None:
        """How the challenge came out; `None` before it."""
        return self.view.result

    @cached_property
    def losses_before(self) -> tuple[int, ...]:
        """Each seat's losses when the round began; after a challenge the view tells those of its end."""
        loser = None if self.result is None else self.result.loser
        return tuple(lost - (seat == loser) for seat, lost in enumerate(self.view.losses))

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The seats that hold cards in this round."""
        return tuple(seat for seat, size in enumerate(self.view.hand_sizes) if size)

    @property
    def holds(self) -> bool:
        """Whether who looks holds cards in this round."""
        return self.seat is not None and self.seat in self.playing

    @cached_property
    def claim(self) -> int:
        """The hand named last; `NO_CLAIM` before the first."""
        return NO_CLAIM if self.view.claim is None else read_claim(self.view.claim, self.rules)

    def cards_of(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat was dealt at once, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result.hands[seat])
        known = self.hand.seen[seat] if self.hand.seen else ()
        return known or (UNKNOWN_TEXT,) * self.view.hand_sizes[seat]

    @cached_property
    def extras(self) -> tuple[ExtraCard, ...]:
        """The cards that came off the deck, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result.extras)
        own = {(extra.seat, extra.turn): extra for extra in self.hand.extras}
        return tuple(own.get((extra.seat, extra.turn), extra) for extra in self.view.extras)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """All cards in play that are seen."""
        dealt = [card for seat in self.playing for card in self.cards_of(seat)]
        cards = read_cards([*dealt, *(extra.card for extra in self.extras)])
        return tuple(card for card in cards if card != UNKNOWN)

    @property
    def in_play(self) -> int:
        """How many cards are in play, seen or not."""
        return sum(self.view.hand_sizes) + len(self.extras)

    @cached_property
    def _pool(self) -> HalfKnownPool:
        return half_known_pool(self.known, self.in_play - len(self.known), self.rules)

    def chance(self, named: Spelling) -> Fraction | None:
        """The chance that a hand is there, given what is seen; `None` where no help is given, or he holds nothing."""
        return self._pool.chance(named) if self.help and self.holds and self.result is None else None

    def chance_of_any(self, named: Spelling) -> Fraction:
        """The chance that as many cards as are in play hold it, whatever they are."""
        return half_known_pool((), self.in_play, self.rules).chance(named)

    def refusal(self, claim: int) -> int:
        """Why a claim may not be named now by the seat to act, 0 if it may."""
        view, alive = self.view, self.playing
        claimant = NOBODY if view.claimant is None else view.claimant
        to_act = NOBODY if view.to_act is None else view.to_act
        state = RoundState(self.claim, claimant, NOBODY, to_act, PHASES.index(view.phase), 0, 0, 0)
        return refusal(state, claim, mask_of(alive), self.rules)


@lru_cache(maxsize=256)
def _rules(game: str, options: tuple[tuple[str, object], ...], seats: int) -> tuple[QueenAnnesOptions, QueenAnnesRules]:
    pooled = cast(QueenAnnesGame, catalogue.load(game))
    chosen = pooled.options(dict(options))
    return chosen, packed(chosen, pooled.row.dealing, seats)


def seen_round(public: PublicView, you: PrivateView | None) -> SeenRound:
    """The round of a view, for who looks."""
    view, hand, me, seat = seen_parts(public, you, QueenAnnesRound, QueenAnnesHand)
    options, rules = _rules(public.settings.game, options_key(public.settings), len(view.users))
    return SeenRound(public=public, view=view, hand=hand, me=me, seat=seat, options=options, rules=rules)


def titled(named: Spelling) -> str:
    """A hand as it stands in large letters.

    >>> titled(Spelling("full-house", (12, 8))), titled(Spelling("high", (2,)))
    ('Full house, aces over tens', 'High card four')
    """
    return capital(bare(hand_in_words(named)))


def kind_titled(word: str) -> str:
    """A kind of hand with a capital.

    >>> kind_titled("three"), kind_titled("high"), kind_titled("royal-flush")
    ('Three of a kind', 'High card', 'Royal flush')
    """
    return capital(bare(claim_in_words(Spelling(word))))


def with_article(named: Spelling) -> str:
    """A hand within a sentence.

    >>> with_article(Spelling("high", (2,))), with_article(Spelling("pair", (2,)))
    ('a high card, four', 'a pair of fours')
    """
    words = hand_in_words(named)
    return f"a {words.replace('high card ', 'high card, ')}" if named.word == "high" else words


def per_cent(chance: Fraction) -> str:
    """A chance in whole per cent; what is not certain never looks so.

    >>> [per_cent(Fraction(*parts)) for parts in ((1, 3), (1, 1000), (0, 1), (999, 1000), (1, 1))]
    ['33 %', 'under 1 %', '0 %', 'over 99 %', '100 %']
    """
    if 0 < chance < Fraction(1, 200):
        return "under 1 %"
    if Fraction(199, 200) < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


def small_figure(chance: Fraction) -> str:
    """The same for a key: whole per cent, a dot for next to nothing.

    >>> [small_figure(Fraction(*parts)) for parts in ((1, 3), (1, 1000), (1, 1))]
    ['33', '·', '100']
    """
    whole = round(100 * chance)
    return "·" if whole == 0 else str(min(whole, 99) if chance < 1 else 100)


def wilds(seen: SeenRound) -> str:
    """Which cards are wild; empty for none."""
    jokers = ("", "the joker", "both jokers")[seen.rules.jokers]
    ranks = [f"all {RANK_PLURALS[RANKS.index(rank)]}" for rank in sorted(seen.options.wild_ranks, key=RANKS.index)]
    parts = [jokers, *ranks] if jokers else ranks
    if not parts:
        return ""
    said = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{capital(said)} {'is' if parts == ['the joker'] else 'are'} wild"


def what_happened(seen: SeenRound) -> str:
    """One sentence on the last action, or on the round that begins."""
    view, names = seen.view, seen.names
    if seen.result is not None:
        return f"{verdict(seen)} {cost(seen)}"
    if not view.moves:
        return f"Round {view.round + 1}: {subject(names[view.opener], 'opens')}."
    seat, action = view.moves[-1]
    said = f"{subject(names[seat], 'names')} {with_article(_hand(action, seen))}"
    to_act = view.to_act
    return f"{said}." if to_act is None else f"{said}; {_within(names[to_act], 'is')} to answer."


def _hand(action: str, seen: SeenRound) -> Spelling:
    return named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules)


def verdict(seen: SeenRound) -> str:
    """Who challenged whom, and whether the hand is there."""
    result, names = _result(seen), seen.names
    claimant = names[result.claimant]
    whose = "your" if claimant == "You" else f"{claimant}’s"
    hand = bare(hand_in_words(named_hand(seen.claim, seen.rules)))
    there = "it is there" if result.exists else "it is not there"
    return f"{subject(names[result.challenger], 'challenges')} {whose} {hand}: {there}."


def cost(seen: SeenRound) -> str:
    """What the challenge costs whom, with who opens next or who has won the match."""
    result, names = _result(seen), seen.names
    loser, opener = result.loser, result.next_opener
    if opener is None:
        (winner,) = result.alive
        return f"{subject(names[loser], 'is')} out, and {_within(names[winner], 'wins')} the match."
    if loser not in result.alive:
        said = f"{subject(names[loser], 'is')} out"
    else:
        takes = (
            "a card" if seen.rules.loss_costs_card else "an extra card" if _takes_extra(seen, loser) else "the round"
        )
        said = f"{subject(names[loser], 'loses')} {takes}"
    if not seen.goes_on:
        return f"{said}."
    if opener == loser:
        return f"{said} and {'open' if names[opener] == 'You' else 'opens'} the next round."
    return f"{said}; {_within(names[opener], 'opens')} the next round."


def _within(name: str, verb: str) -> str:
    """Name and verb within a sentence: `Bea opens`, `you open`."""
    said = subject(name, verb)
    return f"you{said.removeprefix('You')}" if name == "You" else said


def _takes_extra(seen: SeenRound, seat: int) -> bool:
    """Whether the loss that has just come takes an extra card; beyond the last there is none to take."""
    return bool(seen.view.losses[seat] <= seen.rules.extras)


def who_against_whom(seen: SeenRound) -> str:
    """Who named what is challenged, and who challenged: `Marta named, Deng challenged`."""
    result, names = _result(seen), seen.names
    return f"{names[result.claimant]} named, {object_of(names[result.challenger])} challenged"


def _result(seen: SeenRound) -> QueenAnnesResult:
    assert seen.result is not None
    return seen.result
