"""A player's claims in a finished round of a card game, and the claims of others that they answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from liarspoker.core.cards.claims import WORDS
from liarspoker.games.cards.wording import name_category
from liarspoker.records.words import capital
from liarspoker.web.view_models.profile import Bids, Heard, Made, sums
from liarspoker.web.view_models.round_replay import ALL, RoundReplay

BLUFF = Fraction(1, 2)
"""A claim is a bluff if it is true with a lower probability, given what its claimant sees: if it is more likely false
than true."""

Probability = Callable[[RoundReplay, int], Fraction | None]
"""Returns the probability that the claim after a number of actions is true, given what the viewpoint knows; `None` if
it knows too little."""


def answer_to(replay: RoundReplay, at: int) -> tuple[int | None, bool]:
    """Return the index of the answer to a claim, which is the next action that isn't a pass, and if it is a challenge.

    Args:
        replay: a finished round.
        at: the number of actions after the claim.
    """
    for place, (_by, answer) in enumerate(replay.moves[at:], at):
        if answer != "pass":
            return place, answer.startswith("challenge")
    return None, False


def truth(everything: RoundReplay, at: int, probability: Probability) -> bool | None:
    """Return whether a claim was true when it was answered; `None` if the record doesn't show it.

    Args:
        everything: a finished round, from the viewpoint `ALL`.
        at: the number of actions after the claim.
        probability: of the family.
    """
    place, is_challenged = answer_to(everything, at)
    # The last claim is judged by what the end of the round shows, and one that was taken by the hand that was.
    if is_challenged:
        at = len(everything.moves)
    elif place is not None and place + 1 not in everything.claims:
        at = place + 1
    chance = probability(everything, at)
    return chance == 1 if chance in (0, 1) else None


def claims(replay: RoundReplay, probability: Probability) -> Bids:
    """Return the claims of the viewpoint's seat, and the claims of others that it answered.

    Which claims are bluffs follows from `BLUFF`. The keys of `Bids.made` are indices of
    `liarspoker.core.cards.claims.WORDS`.

    Args:
        replay: a finished round.
        probability: of the family.
    """
    everything, result = replace(replay, view=ALL), replay.sessions[-1].round_result
    made, heard = list[tuple[int, Made]](), list[tuple[str, Heard]]()
    for at in replay.claims:
        by, text = replay.moves[at - 1]
        assert by is not None
        place, is_challenged = answer_to(replay, at)
        if by == replay.seat:
            chance = probability(replay, at)
            is_bluff = chance is not None and chance < BLUFF
            is_counted = at == replay.claims[-1] and result.challenger is not None
            failed = is_counted and result.loser == by
            one = Made(
                bids=1,
                known=int(chance is not None),
                bluffs=int(is_bluff),
                challenged=int(is_challenged),
                bluffs_challenged=int(is_bluff and is_challenged),
                counted=int(is_counted),
                failed=int(failed),
                caught=int(is_bluff and failed),
            )
            made.append((WORDS.index(text.split()[1]), one))  # after "claim" or "declare"
        elif place is not None and replay.moves[place][0] == replay.seat:
            was_true = truth(everything, at, probability)
            is_known, is_true = was_true is not None, bool(was_true)
            if is_challenged:
                answered = Heard(challenged=1, challenged_known=int(is_known), challenged_there=int(is_true))
            else:
                answered = Heard(raised=1, raised_known=int(is_known), raised_missing=int(is_known and not is_true))
            heard.append((replay.names[by], answered))
    return Bids(1, made=sums(made, Made()), heard=sums(heard, Heard()))


def label(key: int) -> str:
    """Return the name of a category of hands.

    >>> label(WORDS.index("two-pair"))
    'Two pair'
    """
    return capital(name_category(WORDS[key]))
