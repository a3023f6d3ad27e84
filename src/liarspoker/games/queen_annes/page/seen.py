"""A round of Queen Anne's games from one viewer's point of view, and text that describes it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM, Spelling
from liarspoker.core.cards.deck import RANKS, UNKNOWN, UNKNOWN_TEXT, read_cards
from liarspoker.core.cards.match import mask_of
from liarspoker.games.cards.wording import name_category, rank_names, rank_plurals, said_of_two
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.messages import ExtraCard, QueenAnnesHand, QueenAnnesResult, QueenAnnesRound
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules, packed
from liarspoker.games.queen_annes.record_text import describe_hand
from liarspoker.games.queen_annes.session import QueenAnnesGame
from liarspoker.games.queen_annes.state import NOBODY, PHASES, RoundState, refusal
from liarspoker.language import N_, _
from liarspoker.odds.pools import PartialPool, partial_pool
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import capital, said_of
from liarspoker.web.view_models.family import RoundContext, context_parts, options_key


@dataclass(frozen=True, kw_only=True)
class SeenRound(RoundContext[QueenAnnesRound, QueenAnnesHand]):
    """A round from one viewer's point of view, with the options in effect, plain and packed."""

    options: QueenAnnesOptions
    rules: QueenAnnesRules

    @property
    def result(self) -> QueenAnnesResult | None:
        """The result of the challenge; `None` before it."""
        return self.view.result

    @cached_property
    def losses_before(self) -> tuple[int, ...]:
        """Each seat's losses when the round began; the view has those after the challenge."""
        loser = None if self.result is None else self.result.loser
        return tuple(lost - (seat == loser) for seat, lost in enumerate(self.view.losses))

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The seats that hold cards in this round."""
        return tuple(seat for seat, size in enumerate(self.view.hand_sizes) if size)

    @property
    def holds(self) -> bool:
        """Whether the viewer holds cards in this round."""
        return self.seat is not None and self.seat in self.playing

    @cached_property
    def claim(self) -> int:
        """The last claim; `NO_CLAIM` before the first."""
        return NO_CLAIM if self.view.claim is None else read_claim(self.view.claim, self.rules)

    def cards_of(self, seat: int) -> tuple[str, ...]:
        """Return the cards dealt to a seat at the start; unseen ones are `??`."""
        if self.result is not None:
            return tuple(self.result.hands[seat])
        known = self.hand.seen[seat] if self.hand.seen else ()
        return known or (UNKNOWN_TEXT,) * self.view.hand_sizes[seat]

    @cached_property
    def extras(self) -> tuple[ExtraCard, ...]:
        """The extra cards; unseen ones are `??`."""
        if self.result is not None:
            return tuple(self.result.extras)
        own = {(extra.seat, extra.turn): extra for extra in self.hand.extras}
        return tuple(own.get((extra.seat, extra.turn), extra) for extra in self.view.extras)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """All cards in play that the viewer sees."""
        dealt = [card for seat in self.playing for card in self.cards_of(seat)]
        cards = read_cards([*dealt, *(extra.card for extra in self.extras)])
        return tuple(card for card in cards if card != UNKNOWN)

    @property
    def in_play(self) -> int:
        """The number of cards in play, seen or not."""
        return sum(self.view.hand_sizes) + len(self.extras)

    @cached_property
    def _pool(self) -> PartialPool:
        return partial_pool(self.known, self.in_play - len(self.known), self.rules)

    def chance(self, named: Spelling) -> Fraction | None:
        """Return the probability that a hand exists; `None` if help is off or the viewer holds no cards."""
        return self._pool.probability(named) if self.help and self.holds and self.result is None else None

    def chance_of_any(self, named: Spelling) -> Fraction:
        """Return the probability that this many random cards make the hand."""
        return partial_pool((), self.in_play, self.rules).probability(named)

    def refusal(self, claim: int) -> int:
        """Return why the seat to act can't make a claim now, 0 if it can."""
        view, alive = self.view, self.playing
        claimant = NOBODY if view.claimant is None else view.claimant
        to_act = NOBODY if view.to_act is None else view.to_act
        state = RoundState(self.claim, claimant, NOBODY, to_act, PHASES.index(view.phase), 0, 0, 0)
        return refusal(state, claim, mask_of(alive), self.rules)


@lru_cache(maxsize=256)
def _rules(game: str, options: tuple[tuple[str, object], ...], seats: int) -> tuple[QueenAnnesOptions, QueenAnnesRules]:
    pooled = cast(QueenAnnesGame, catalogue.load(game))
    chosen = pooled.options(dict(options))
    return chosen, packed(chosen, pooled.preset.dealing, seats)


def seen_round(public: PublicView, you: PrivateView | None) -> SeenRound:
    """Return the round of a view for a viewer."""
    view, hand, me, seat = context_parts(public, you, QueenAnnesRound, QueenAnnesHand)
    options, rules = _rules(public.settings.game, options_key(public.settings), len(view.users))
    return SeenRound(public=public, view=view, hand=hand, me=me, seat=seat, options=options, rules=rules)


def titled(named: Spelling) -> str:
    """Return a hand as a heading.

    >>> titled(Spelling("full-house", (12, 8))), titled(Spelling("high", (2,)))
    ('Full house, aces over tens', 'High card four')
    """
    return capital(describe_hand(named, label=True))


def kind_titled(word: str) -> str:
    """Return a category as a heading.

    >>> kind_titled("three"), kind_titled("high"), kind_titled("royal-flush")
    ('Three of a kind', 'High card', 'Royal flush')
    """
    return capital(name_category(word))


def with_article(named: Spelling) -> str:
    """Return a hand as part of a sentence.

    >>> with_article(Spelling("high", (2,))), with_article(Spelling("pair", (2,)))
    ('a high card, four', 'a pair of fours')
    """
    if named.word == "high":
        return _("a high card, {rank}", rank=rank_names()[named.ranks[0]])
    return describe_hand(named)


def small_figure(chance: Fraction) -> str:
    """Format a probability for a key: a whole percentage, or a dot for less than half a percent.

    >>> [small_figure(Fraction(*parts)) for parts in ((1, 3), (1, 1000), (1, 1))]
    ['33', '·', '100']
    """
    whole = round(100 * chance)
    return "·" if whole == 0 else str(min(whole, 99) if chance < 1 else 100)


def wilds(seen: SeenRound) -> str:
    """Describe the wild cards; empty if there are none."""
    jokers = ("", N_("the joker"), N_("both jokers"))[seen.rules.jokers]
    ranks = [rank_plurals()[rank] for rank in sorted(map(RANKS.index, seen.options.wild_ranks))]
    # Translators: {ranks} is a message such as "twos".
    parts = [*([_(jokers)] if jokers else []), *(_("all {ranks}", ranks=each) for each in ranks)]
    if not parts:
        return ""
    if len(parts) > 1:
        # Translators: each is a message such as "the joker" or "all twos".
        return capital(_("{cards} and {last} are wild", cards=", ".join(parts[:-1]), last=parts[-1]))
    if seen.rules.jokers == 1:
        return _("The joker is wild")
    return capital(_("{cards} are wild", cards=parts[0]))


def what_happened(seen: SeenRound) -> str:
    """Describe the last action, or the start of the round."""
    view, names = seen.view, seen.names
    if seen.result is not None:
        return f"{verdict(seen)} {cost(seen)}"
    if not view.moves:
        messages = N_("Round {number}: You open."), N_("Round {number}: {name} opens.")
        return said_of(names[view.opener], *messages, number=seen.public.round_number)
    seat, action = view.moves[-1]
    hand = with_article(_hand(action, seen))
    if view.to_act is None:
        return said_of(names[seat], N_("You name {hand}."), N_("{name} names {hand}."), hand=hand)
    return said_of_two(
        names[seat],
        names[view.to_act],
        N_("You name {hand}; {second} is to act."),
        N_("{name} names {hand}; you are to act."),
        N_("{name} names {hand}; {second} is to act."),
        hand=hand,
    )


def _hand(action: str, seen: SeenRound) -> Spelling:
    return named_hand(read_claim(action.removeprefix("claim "), seen.rules), seen.rules)


def verdict(seen: SeenRound) -> str:
    """Describe the challenge and whether the hand exists."""
    result, names = _result(seen), seen.names
    # Translators: {hand} is a message such as "pair of sevens".
    exists = (
        N_("You challenge {second}’s {hand}: it exists."),
        N_("{name} challenges your {hand}: it exists."),
        N_("{name} challenges {second}’s {hand}: it exists."),
    )
    missing = (
        N_("You challenge {second}’s {hand}: it does not exist."),
        N_("{name} challenges your {hand}: it does not exist."),
        N_("{name} challenges {second}’s {hand}: it does not exist."),
    )
    hand = describe_hand(named_hand(seen.claim, seen.rules), label=True)
    messages = exists if result.exists else missing
    return said_of_two(names[result.challenger], names[result.claimant], *messages, hand=hand)


def cost(seen: SeenRound) -> str:
    """Describe what the loser loses, and who opens the next round or wins the match."""
    result, names = _result(seen), seen.names
    loser, opener = result.loser, result.next_opener
    if opener is None:
        (winner,) = result.alive
        return said_of_two(
            names[loser],
            names[winner],
            N_("You are out, and {second} wins the match."),
            N_("{name} is out, and you win the match."),
            N_("{name} is out, and {second} wins the match."),
        )
    lost = _lost(seen, loser)
    if not seen.goes_on:
        return said_of(names[loser], *lost.alone)
    if opener == loser:
        return said_of(names[loser], *lost.opening)
    return said_of_two(names[loser], names[opener], *lost.before_another)


class _Cost(NamedTuple):
    """Messages about what a loss costs: alone, if the loser opens the next round, and if another player does."""

    alone: tuple[str, str]
    opening: tuple[str, str]
    before_another: tuple[str, str, str]


_IS_OUT = N_("You are out."), N_("{name} is out.")
_OUT = _Cost(
    _IS_OUT,
    _IS_OUT,
    (
        N_("You are out; {second} opens the next round."),
        N_("{name} is out; you open the next round."),
        N_("{name} is out; {second} opens the next round."),
    ),
)
_LOST_CARD = _Cost(
    (N_("You lose a card."), N_("{name} loses a card.")),
    (N_("You lose a card and open the next round."), N_("{name} loses a card and opens the next round.")),
    (
        N_("You lose a card; {second} opens the next round."),
        N_("{name} loses a card; you open the next round."),
        N_("{name} loses a card; {second} opens the next round."),
    ),
)
_LOST_EXTRA = _Cost(
    (N_("You lose an extra card."), N_("{name} loses an extra card.")),
    (
        N_("You lose an extra card and open the next round."),
        N_("{name} loses an extra card and opens the next round."),
    ),
    (
        N_("You lose an extra card; {second} opens the next round."),
        N_("{name} loses an extra card; you open the next round."),
        N_("{name} loses an extra card; {second} opens the next round."),
    ),
)
_LOST_ROUND = _Cost(
    (N_("You lose the round."), N_("{name} loses the round.")),
    (N_("You lose the round and open the next round."), N_("{name} loses the round and opens the next round.")),
    (
        N_("You lose the round; {second} opens the next round."),
        N_("{name} loses the round; you open the next round."),
        N_("{name} loses the round; {second} opens the next round."),
    ),
)


def _lost(seen: SeenRound, loser: int) -> _Cost:
    if loser not in _result(seen).alive:
        return _OUT
    if seen.rules.loss_costs_card:
        return _LOST_CARD
    return _LOST_EXTRA if _takes_extra(seen, loser) else _LOST_ROUND


def _takes_extra(seen: SeenRound, seat: int) -> bool:
    """Return whether the last loss costs an extra card; after the last one there are none left."""
    return bool(seen.view.losses[seat] <= seen.rules.extras)


def who_against_whom(seen: SeenRound) -> str:
    """Return who named the hand and who challenged it: `Marta named, Deng challenged`."""
    result, names = _result(seen), seen.names
    return said_of_two(
        names[result.claimant],
        names[result.challenger],
        N_("You named, {second} challenged"),
        N_("{name} named, you challenged"),
        N_("{name} named, {second} challenged"),
    )


def _result(seen: SeenRound) -> QueenAnnesResult:
    assert seen.result is not None
    return seen.result
