"""The records of Thorin's game: decks, options named for a round, and what a replay tells of each round."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from liarspoker.core.cards.deck import UNKNOWN, card_text, read_cards
from liarspoker.core.cards.elimination import check_opener
from liarspoker.core.errors import NO_SUCH_CLAIM, UNREADABLE_ACTION, WRONG_PHASE, IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.cards.record_outcome import outcome, tell_outcome
from liarspoker.games.cards.record_refusals import explain_passed as explain
from liarspoker.games.cards.record_spoken import in_thorins_words, spoken_claim
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.game import ThorinGame
from liarspoker.games.thorin.ladder import claim_of
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.record_deal import deal_of, deal_parts, draw_parts, needs_again, play_again, read_draw
from liarspoker.games.thorin.record_text import tell_round
from liarspoker.games.thorin.round import Legal, ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.standing import DECLARE, NOBODY, RESPOND
from liarspoker.records.family import MOST_ACTIONS_LISTED, Table
from liarspoker.records.shapes import TABLE, TEXTS, WHOLE, Key, is_private

__all__ = [
    "all_known",
    "begin",
    "check_round",
    "deal",
    "deal_of",
    "deal_parts",
    "draw_parts",
    "explain",
    "finished",
    "needs_again",
    "outcome",
    "play_again",
    "read",
    "read_draw",
    "record_keys",
    "record_parts",
    "round_keys",
    "round_parts",
    "tell_outcome",
    "tell_round",
    "unfinished",
]

_DECLARE = re.compile(r"\s*declare\s+(\S.*)", re.DOTALL)


def record_keys(game: Game) -> Mapping[str, Key]:
    """None beside those of every record."""
    return {}


def round_keys(game: Game, record: Table) -> Mapping[str, Key]:
    """A round's keys; `options` where the player who begins it names what is in effect."""
    keys = {"opener": Key(WHOLE), "deck": Key(TEXTS)}
    chosen = record.get("options", {}).get("dealers_choice", False)
    return {"opener": Key(WHOLE), "options": Key(TABLE), "deck": Key(TEXTS)} if chosen else keys


def begin(game: Game, record: Table, options: ThorinOptions) -> ThorinSession:
    """The match before its first round."""
    return cast(ThorinGame, game).session(len(record["players"]), options)


def deal(session: ThorinSession, record: Table, table: Table) -> ThorinSession:
    """The match with the round of `table` dealt.

    Raises:
        NotNow: the round before it has not ended, or the match is won.
        BadRound: an opener who is no living seat.
        BadOption: options that cannot be named for a round, or not so.
        BadDeal: a deck that cannot be.
    """
    opener, deck = table.get("opener"), table.get("deck")
    session.chance_spec()
    check_opener(opener, session.alive)
    named = {name: value for name, value in table.get("options", {}).items() if not is_private(name)}
    session.chance_spec(named)
    return session.deal(ThorinDeal(None if deck is None else read_cards(deck)), RoundSetup(opener, options=named))


def check_round(session: ThorinSession) -> None:
    """Refuse a deck that goes on after its last card.

    Raises:
        BadDeal: saying where the deck ends.
    """
    assert session.round is not None
    session.round.stock.check_end()


def read(session: ThorinSession, text: str) -> int:
    """The action that `text` writes: notation first, then words.

    Raises:
        IllegalAction: it is neither, or there is no such claim, or no hand holds such cards.
    """
    try:
        return session.read(text)
    except IllegalAction as error:
        said = _DECLARE.fullmatch(text)
        spelt = spoken_claim(said[1]) if said and error.refusal == UNREADABLE_ACTION else None
        if spelt is None or session.round is None:
            raise
        claim = claim_of(in_thorins_words(spelt), session.round.rules)
        if claim is None:
            declaring = session.round.standing.phase == DECLARE
            raise IllegalAction(text, NO_SUCH_CLAIM if declaring else WRONG_PHASE) from error
        return claim


def finished(session: ThorinSession) -> Table:
    """The round on the table: challenged, thrown in, or lost by taking what nothing beats."""
    result = session.round_result
    assert result is not None
    told: Table = {
        "opener": result.opener,
        "final_claim": write_claim(result.final_claim),
        "claimant": result.claimant,
        "challenger": result.challenger,
        "truthful": result.truthful,
        "loser": result.loser,
        "alive": list(result.alive),
        "next_opener": result.next_opener,
        "floor": write_value(result.floor),
        "hand": None if result.hand is None else list(map(card_text, result.hand)),
        "hand_value": None if result.hand_value is None else write_value(result.hand_value),
        "passes": list(result.passes),
    }
    absent = [name for name in ("challenger", "truthful", "loser", "hand", "hand_value") if told[name] is None]
    told = {name: value for name, value in told.items() if name not in absent}
    return {**told, "thrown_in": True} if result.thrown_in else told


def unfinished(session: ThorinSession) -> Table:
    """The round in play: what stands, who is to act, and what is legal."""
    dealt = session.round
    assert dealt is not None
    standing = dealt.standing
    declared = standing.claimant != NOBODY
    return {
        "opener": dealt.terms.opener,
        "claim": write_claim(standing.claim) if declared else None,
        "claimant": standing.claimant if declared else None,
        "to_act": session.to_act,
        "phase": session.phase,
        "alive": list(session.alive),
        "floor": write_value(dealt.floor) if declared else None,
        "passes": list(session.passes),
        "legal": _legal(dealt),
    }


def all_known(session: ThorinSession) -> bool:
    """Whether the hand of the round in play, its discards and all cards still to come are known."""
    dealt = session.round
    if dealt is None or not session.in_play:
        return True
    deck, end = dealt.stock.deck, dealt.stock.end
    return deck is not None and len(deck) >= end and UNKNOWN not in (*deck, *dealt.hand, *dealt.stock.thrown)


def _legal(dealt: ThorinRound) -> Table:
    legal: Legal = dealt.legal()
    told: Table = {
        "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim),
        "take": TAKE in legal.answers,
        "challenge": CHALLENGE in legal.answers,
        "pass": PASS in legal.answers,
        "discard": legal.discard,
        "show": legal.show,
    }
    if dealt.standing.phase == RESPOND and len(legal.answers) <= MOST_ACTIONS_LISTED:
        told["actions"] = [_ANSWERS[answer] for answer in legal.answers]
    return told


_ANSWERS = {TAKE: "take", CHALLENGE: "challenge", PASS: "pass"}


def record_parts(session: ThorinSession, rounds: int | None = None) -> Table:
    """None beside those of every record."""
    return {}


def round_parts(session: ThorinSession) -> list[Table]:
    """The rounds of this match; the opener and options only where somebody named them."""
    rounds = [dealt for dealt, _ in session.rounds]
    if session.in_play and session.round is not None:
        rounds.append(session.round)
    return [_round_part(session, dealt) for dealt in rounds]


def _round_part(session: ThorinSession, dealt: ThorinRound) -> Table:
    table: Table = {"opener": dealt.terms.opener} if dealt.terms.opener_agreed else {}
    if dealt.terms.named:
        table["options"] = dict(dealt.terms.named)
    if dealt.stock.deck is not None:
        table["deck"] = list(map(card_text, dealt.stock.deck))
    return {**table, "actions": [session.write(action) for _, action in dealt.moves]}
