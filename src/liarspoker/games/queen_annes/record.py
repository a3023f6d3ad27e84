"""The records of Queen Anne's games: hands, further cards, losses, and what a replay tells of each round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import cast

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.elimination import check_opener
from liarspoker.core.errors import NO_SUCH_CLAIM, UNREADABLE_ACTION, IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.cards.record_outcome import outcome, tell_outcome
from liarspoker.games.cards.record_refusals import explain_pooled as explain
from liarspoker.games.cards.record_spoken import spoken_claim
from liarspoker.games.queen_annes.deal import QueenAnnesDeal
from liarspoker.games.queen_annes.game import QueenAnnesGame
from liarspoker.games.queen_annes.ladder import claim_of
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions
from liarspoker.games.queen_annes.record_deal import deal_of, deal_parts, draw_parts, needs_again, play_again, read_draw
from liarspoker.games.queen_annes.record_text import tell_round
from liarspoker.games.queen_annes.round import CHALLENGE, NOBODY, Extra, QueenAnnesRound
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.records.family import MOST_ACTIONS_LISTED, Table
from liarspoker.records.shapes import LISTS_OF_TEXTS, TEXTS, WHOLE, WHOLES, Key

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

_CLAIM = re.compile(r"\s*claim\s+(\S.*)", re.DOTALL)


def record_keys(game: Game) -> Mapping[str, Key]:
    """`losses`, with which a match may begin."""
    return {"losses": Key(WHOLES)}


def round_keys(game: Game, record: Table) -> Mapping[str, Key]:
    """A round's keys; `extras` where further cards come off the deck."""
    keys = {"opener": Key(WHOLE), "deal": Key(LISTS_OF_TEXTS, required=True)}
    return {**keys, "extras": Key(TEXTS)} if cast(QueenAnnesGame, game).row.dealing.faces else keys


def begin(game: Game, record: Table, options: QueenAnnesOptions) -> QueenAnnesSession:
    """The match before its first round.

    Raises:
        BadStart: losses with which no match begins.
    """
    return cast(QueenAnnesGame, game).session(len(record["players"]), options, losses=record.get("losses"))


def deal(session: QueenAnnesSession, record: Table, table: Table) -> QueenAnnesSession:
    """The match with the round of `table` dealt.

    Raises:
        NotNow: the round before it has not ended, or the match is won.
        BadRound: an opener who is no living seat.
        BadDeal: cards that cannot be dealt so.
    """
    opener = table.get("opener")
    session.chance_spec()
    check_opener(opener, session.alive)
    drawn = QueenAnnesDeal(tuple(map(read_cards, table["deal"])), read_cards(table.get("extras", ())))
    return session.deal(drawn, RoundSetup(opener))


def check_round(session: QueenAnnesSession) -> None:
    """Nothing is left to check once the actions have been played."""


def read(session: QueenAnnesSession, text: str) -> int:
    """The action that `text` writes: notation first, then words.

    Raises:
        IllegalAction: it is neither, or a hand that cannot be named.
    """
    try:
        return session.read(text)
    except IllegalAction as error:
        said = _CLAIM.fullmatch(text)
        spelt = spoken_claim(said[1]) if said and error.refusal == UNREADABLE_ACTION else None
        if spelt is None:
            raise
        claim = claim_of(spelt, session.setup.rules)
        if claim is None:
            raise IllegalAction(text, NO_SUCH_CLAIM) from error
        return claim


def finished(session: QueenAnnesSession) -> Table:
    """The challenged round on the table."""
    result = session.round_result
    assert result is not None
    told: Table = {
        "opener": result.opener,
        "final_claim": write_claim(result.final_claim, session.setup.rules),
        "claimant": result.claimant,
        "challenger": result.challenger,
        "exists": result.exists,
        "loser": result.loser,
        "losses": list(result.losses),
        "alive": list(result.alive),
        "next_opener": result.next_opener,
    }
    return {**told, "extras": _extras(result.extras)} if session.setup.rules.extras else told


def unfinished(session: QueenAnnesSession) -> Table:
    """The round in play: what stands, who is to act, and what is legal."""
    dealt = session.round
    assert dealt is not None
    standing, rules = dealt.standing, session.setup.rules
    named = standing.claimant != NOBODY
    told: Table = {
        "opener": dealt.terms.opener,
        "claim": write_claim(standing.claim, rules) if named else None,
        "claimant": standing.claimant if named else None,
        "to_act": session.to_act,
        "phase": session.phase,
        "alive": list(session.alive),
        "losses": list(session.losses),
        "legal": _legal(session),
    }
    return {**told, "extras": _extras(dealt.extras)} if rules.extras else told


def all_known(session: QueenAnnesSession) -> bool:
    """Whether all cards that may yet come in the round in play are known; the hands always are."""
    dealt, rules = session.round, session.setup.rules
    if dealt is None or not session.in_play or not rules.extras:
        return True
    return sum(map(len, dealt.hands)) + len(dealt.deck) == rules.deck_size


def _legal(session: QueenAnnesSession) -> Table:
    legal = session.legal()
    told: Table = {
        "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim, session.setup.rules),
        "challenge": CHALLENGE in legal.answers,
    }
    if len(legal.claims) + len(legal.answers) <= MOST_ACTIONS_LISTED:
        told["actions"] = [session.write(action) for action in legal.actions]
    return told


def _extras(extras: Iterable[Extra]) -> list[Table]:
    return [
        {
            "seat": extra.seat,
            "turn": extra.turn,
            "card": card_text(extra.card),
            "face": "up" if extra.face_up else "down",
        }
        for extra in extras
    ]


def record_parts(session: QueenAnnesSession, rounds: int | None = None) -> Table:
    """The losses with which the match began, if there were any."""
    return {"losses": list(session.setup.losses)} if any(session.setup.losses) else {}


def round_parts(session: QueenAnnesSession) -> list[Table]:
    """The rounds of this match; the opener only where the table named him."""
    rounds = [dealt for dealt, _ in session.rounds]
    if session.in_play and session.round is not None:
        rounds.append(session.round)
    return [_round_part(session, dealt) for dealt in rounds]


def _round_part(session: QueenAnnesSession, dealt: QueenAnnesRound) -> Table:
    table: Table = {"opener": dealt.terms.opener} if dealt.terms.opener_agreed else {}
    table["deal"] = [list(map(card_text, hand)) for hand in dealt.hands]
    if dealt.deck:
        table["extras"] = list(map(card_text, dealt.deck))
    return {**table, "actions": [session.write(action) for _, action in dealt.moves]}
