"""What is said on the page of a pooled game: hands with a capital, chances, one sentence after every action."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.core.cards.claims import Spelling
from liarspoker.core.cards.deck import RANKS
from liarspoker.games.cards.record_words import RANK_PLURALS, claim_in_words
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.messages import QueenAnnesResult
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.page.seen import SeenRound
from liarspoker.games.queen_annes.record_text import hand_in_words
from liarspoker.records.words import object_of, subject


def bare(words: str) -> str:
    """Words without the article that they begin with."""
    return words.removeprefix("an ").removeprefix("a ")


def titled(named: Spelling) -> str:
    """A hand as it stands in large letters.

    >>> titled(Spelling("full-house", (12, 8))), titled(Spelling("high", (2,)))
    ('Full house, aces over tens', 'High card four')
    """
    words = bare(hand_in_words(named))
    return words[:1].upper() + words[1:]


def kind_titled(word: str) -> str:
    """A kind of hand with a capital.

    >>> kind_titled("three"), kind_titled("high"), kind_titled("royal-flush")
    ('Three of a kind', 'High card', 'Royal flush')
    """
    words = bare(claim_in_words(Spelling(word)))
    return words[:1].upper() + words[1:]


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
    return f"{said[:1].upper()}{said[1:]} {'is' if parts == ['the joker'] else 'are'} wild"


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
