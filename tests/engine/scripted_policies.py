"""One policy per family that can play in several ways, chosen by its data, so that it is compiled only once."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance, below, random_float
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.auction import OPEN as OPEN_BID
from liarspoker.games.digits.kernel_policies import answer, answers, count_bids, nth_bid
from liarspoker.games.digits.kernel_policies import uniform as uniform_bids
from liarspoker.games.queen_annes.kernel_policies import legal_claims
from liarspoker.games.queen_annes.kernel_policies import uniform as uniform_claims
from liarspoker.games.queen_annes.state import OPEN
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.kernel_policies import (
    answer_count,
    claim_count,
    discard_count,
    is_answer,
    nth_answer,
    nth_claim,
    nth_discard,
)
from liarspoker.games.thorin.kernel_policies import uniform as uniform_declarations
from liarspoker.games.thorin.state import DECLARE, DISCARDING

UNIFORM, VARIED, CHEAT, OPENER, MODEST, BRAGGART, TOP_BID = range(7)
"""VARIED plays so that rounds of every kind occur; CHEAT plays illegal actions; the others are for digit games only."""


def scripted_digits(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    claim: int = data[0][1]
    phase = seen.auction.phase
    if way == VARIED:
        return hasty(seen, chance)
    if way == OPENER and phase == OPEN_BID:
        return claim
    if way == MODEST:  # opens with its bid, raises an opening of 3 by one, and challenges everything else
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
    """Challenge often enough that half of all bids stand, and raise only a little."""
    rules, auction = seen.rules, seen.auction
    bids = count_bids(auction, seen.bids, rules)
    if answers(auction, rules) and (bids == 0 or random_float(chance) < 1 - 0.6 / (rules.seats - 1)):
        return answer(auction, rules)
    little = bids if random_float(chance) < 0.1 else min(bids, 1 + rules.symbols)
    return nth_bid(below(chance, little), auction, seen.bids, rules)


def scripted_queen_annes(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == VARIED:
        return brave(seen, chance)
    if way == CHEAT and seen.made == 1:
        claim: int = seen.state.claim
        return claim
    return uniform_claims(seen, chance, data)


def brave(seen: Any, chance: Chance) -> int:
    """Challenge early, sometimes out of turn, and raise only a little, so that many claims exist."""
    claims = legal_claims(seen)
    if seen.seat != seen.state.to_act:
        return CHALLENGE if random_float(chance) < 0.1 else 0
    if claims == 0 or (seen.state.phase != OPEN and random_float(chance) < 0.3):
        return CHALLENGE
    some = claims if random_float(chance) < 0.1 else min(claims, 20)
    return int(seen.state.claim + 1 + below(chance, some))


def scripted_thorin(seen: Any, chance: Chance, data: Any) -> int:
    way: int = data[0][0]
    if way == VARIED:
        return long(seen, chance)
    if way == CHEAT and seen.state.phase == DISCARDING:
        return CHALLENGE
    return uniform_declarations(seen, chance, data)


def long(seen: Any, chance: Chance) -> int:
    """Raise only a little, take and pass; sometimes declare the best hand of all."""
    if seen.state.phase == DECLARE:
        claims = claim_count(seen)
        best = random_float(chance) < 0.03
        return nth_claim(claims - 1 if best else below(chance, min(claims, 400)), seen)
    if seen.state.phase == DISCARDING:
        return nth_discard(below(chance, discard_count(seen.hand)), seen.hand)
    if is_answer(PASS, seen) and random_float(chance) < 0.3:
        return PASS
    if is_answer(TAKE, seen) and random_float(chance) < 0.9:
        return TAKE
    return nth_answer(below(chance, answer_count(seen)), seen)


PUPPETS = {"digits": scripted_digits, "queen_annes": scripted_queen_annes, "thorin": scripted_thorin}


def playing(way: int, claim: int = 0, family: str = "digits") -> Policy:
    """Return the policy that plays in this way."""
    return Policy(PUPPETS[family], (np.array([way, claim], np.int64),), out_of_turn=way == VARIED)
