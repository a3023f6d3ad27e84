"""One policy for each family that plays in many ways, so that it is compiled once: its data say how.

A line-up of tests has two of them, even where both play alike: for as many policies there is one kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.auction import OPEN as OPEN_BID
from liarspoker.games.digits.kernel_policies import answer, answers, bid_listed, bids_listed
from liarspoker.games.digits.kernel_policies import uniform as uniform_bids
from liarspoker.games.queen_annes.kernel_policies import legal_claims
from liarspoker.games.queen_annes.kernel_policies import uniform as uniform_claims
from liarspoker.games.queen_annes.state import OPEN
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.kernel_policies import (
    answer_listed,
    answers_listed,
    claim_listed,
    claims_listed,
    discard_listed,
    discards_listed,
    is_answer,
)
from liarspoker.games.thorin.kernel_policies import uniform as uniform_declarations
from liarspoker.games.thorin.state import DECLARE, DISCARDING

UNIFORM, VARIED, CHEAT, OPENER, MODEST, BRAGGART, TOP_BID = range(7)
"""VARIED plays so that rounds of every kind come about; CHEAT does what the rules refuse; the rest know digits only."""


def digits_puppet(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    claim: int = data[0][1]
    phase = seen.auction.phase
    if way == VARIED:
        return hasty(seen, chance)
    if way == OPENER and phase == OPEN_BID:
        return claim
    if way == MODEST:  # opens with its bid, raises an opening of 3 by one, and challenges all else
        if phase == OPEN_BID:
            return claim
        return int(seen.auction.claim) + 1 if seen.made == 1 and seen.auction.claim == 3 else CHALLENGE
    if way == BRAGGART:
        return int(seen.auction.claim) + 1
    if way == TOP_BID:
        return claim if phase == OPEN_BID else COUNT if phase == DECIDE else CHALLENGE
    if way == CHEAT and seen.made == 1:
        return COUNT
    return uniform_bids(seen, chance, data)


def hasty(seen: Any, chance: Chance) -> int:
    """Challenges so often that half of all bids stand, and bids little more than stands."""
    rules, auction = seen.rules, seen.auction
    bids = bids_listed(auction, seen.bids, rules)
    if answers(auction, rules) and (bids == 0 or chance_below_one(chance) < 1 - 0.6 / (rules.seats - 1)):
        return answer(auction, rules)
    little = bids if chance_below_one(chance) < 0.1 else min(bids, 1 + rules.symbols)
    return bid_listed(below(chance, little), auction, seen.bids, rules)


def queen_annes_puppet(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == VARIED:
        return brave(seen, chance)
    if way == CHEAT and seen.made == 1:
        claim: int = seen.course.claim
        return claim
    return uniform_claims(seen, chance, data)


def brave(seen: Any, chance: Chance) -> int:
    """Challenges early, now and then out of turn, and names little more than what stands, so that much of it exists."""
    claims = legal_claims(seen)
    if seen.seat != seen.course.to_act:
        return CHALLENGE if chance_below_one(chance) < 0.1 else 0
    if claims == 0 or (seen.course.phase != OPEN and chance_below_one(chance) < 0.3):
        return CHALLENGE
    some = claims if chance_below_one(chance) < 0.1 else min(claims, 20)
    return int(seen.course.claim + 1 + below(chance, some))


def thorin_puppet(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == VARIED:
        return long(seen, chance)
    if way == CHEAT and seen.course.phase == DISCARDING:
        return CHALLENGE
    return uniform_declarations(seen, chance, data)


def long(seen: Any, chance: Chance) -> int:
    """Declares little more than stands, takes and passes; now and then it declares the best of all."""
    if seen.course.phase == DECLARE:
        claims = claims_listed(seen)
        best = chance_below_one(chance) < 0.03
        return claim_listed(claims - 1 if best else below(chance, min(claims, 400)), seen)
    if seen.course.phase == DISCARDING:
        return discard_listed(below(chance, discards_listed(seen.hand)), seen.hand)
    if is_answer(PASS, seen) and chance_below_one(chance) < 0.3:
        return PASS
    if is_answer(TAKE, seen) and chance_below_one(chance) < 0.9:
        return TAKE
    return answer_listed(below(chance, answers_listed(seen)), seen)


PUPPETS = {"digits": digits_puppet, "queen_annes": queen_annes_puppet, "thorin": thorin_puppet}


def playing(way: int, claim: int = 0, family: str = "digits") -> Policy:
    """A puppet that plays this way."""
    return Policy(PUPPETS[family], (np.array([way, claim], np.int64),), out_of_turn=way == VARIED)
