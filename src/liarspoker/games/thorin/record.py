"""The records of Thorin's game: decks, options named for a round, and what a replay reports of each round."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.match import check_opener
from liarspoker.core.errors import NO_SUCH_CLAIM, WRONG_PHASE, BadDeal, IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.cards.record_spoken import in_thorins_words, spoken_claim
from liarspoker.games.cards.record_words import claim_in_words, value_in_ranks
from liarspoker.games.thorin import record_text
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.deal import HAND_CARDS, ThorinChance, ThorinDeal
from liarspoker.games.thorin.ladder import claim_of, floor_of, spelling_of
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.record_text import said_of
from liarspoker.games.thorin.round import Legal, ThorinRound
from liarspoker.games.thorin.session import ThorinGame, ThorinSession
from liarspoker.games.thorin.state import DECLARE, DISCARDING, NOBODY, RESPOND
from liarspoker.records.family import MOST_ACTIONS_LISTED, RecordFormat, Table
from liarspoker.records.shapes import TABLE, TEXT, TEXTS, WHOLE, Key, check, is_private

MOST_JOKERS = 2

_KEYS = {"kind": Key(TEXT, required=True), "jokers": Key(WHOLE, required=True)}
_DECLARE = re.compile(r"\s*declare\s+(\S.*)", re.DOTALL)
_HOW_TO_DECLARE = "a category and as many of its ranks as you like, high first: two-pair, two-pair 73, pair _A, high KT"


class ThorinRecords(RecordFormat[ThorinSession]):
    """How Thorin's game is written to records."""

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """A round's keys; `options` where the player who begins it names what is in effect."""
        keys = {"opener": Key(WHOLE), "deck": Key(TEXTS)}
        chosen = record.get("options", {}).get("dealers_choice", False)
        return {"opener": Key(WHOLE), "options": Key(TABLE), "deck": Key(TEXTS)} if chosen else keys

    def begin(self, game: Game, record: Table, options: ThorinOptions) -> ThorinSession:
        """The match before its first round."""
        return cast(ThorinGame, game).session(len(record["players"]), options)

    def deal(self, session: ThorinSession, record: Table, table: Table) -> ThorinSession:
        """The match with the round of `table` dealt."""
        opener, deck = table.get("opener"), table.get("deck")
        session.chance_spec()
        check_opener(opener, session.alive)
        named = {name: value for name, value in table.get("options", {}).items() if not is_private(name)}
        session.chance_spec(named)
        return session.deal(ThorinDeal(None if deck is None else read_cards(deck)), RoundSetup(opener, options=named))

    def spoken(self, session: ThorinSession, text: str) -> int | None:
        """The declaration that `text` says; `None` if it says none."""
        said = _DECLARE.fullmatch(text)
        spelt = spoken_claim(said[1]) if said else None
        if spelt is None or session.round is None:
            return None
        claim = claim_of(in_thorins_words(spelt), session.round.rules)
        if claim is None:
            raise IllegalAction(text, NO_SUCH_CLAIM if session.round.standing.phase == DECLARE else WRONG_PHASE)
        return claim

    def explain(self, session: ThorinSession, text: str, error: IllegalAction) -> str:
        """Why `text` is refused in Thorin's game."""
        dealt = session.round
        assert dealt is not None
        said = text if isinstance(error.action, str) else said_of(error.action)
        if error.code == "not-stronger":
            return _not_stronger(session, error, said)
        return {
            "round-over": "the round is over",
            "unreadable-action": f"{text!r} is no action of this game; write {_what_may_be_done(session)}",
            "wrong-phase": f"{text}: not now; write {_what_may_be_done(session)}",
            "no-such-claim": f"{said!r}: no hand can be that; write {_HOW_TO_DECLARE}",
            "cannot-take": f"nothing beats {_promise(dealt.standing.claim)}; write {_what_may_be_done(session)}",
            "no-pass-left": f"pass: this player has none left; write {_what_may_be_done(session)}",
            "cards-not-held": f"{text}: the hand that goes around has not these cards; {_which_cards(session)}",
        }[error.code]

    def report(self, session: ThorinSession) -> Table:
        """The round on the table: how it came out, or what stands, who is to act, and what is legal."""
        return _in_play(session) if session.in_play else _ended(session)

    def read_draw(self, parts: Table, seats: int) -> ThorinChance:
        """What a round draws, from its parts."""
        check(parts, _KEYS, "draw")
        if parts["kind"] != "deck":
            raise BadDeal("draw: kind should be deck in this game")
        if not 0 <= parts["jokers"] <= MOST_JOKERS:
            raise BadDeal(f"draw: jokers should be 0 to {MOST_JOKERS}")
        return ThorinChance(parts["jokers"])

    def tell_round(self, session: ThorinSession, players: tuple[str, ...]) -> list[str]:
        """The round on the table, line by line: the hand as it goes around, what was said of it, how it came out."""
        return record_text.tell_round(session, players)


RECORDS = ThorinRecords()


def _promise(claim: int) -> str:
    """A declaration and the weakest hand that fits it: `two pair (3-3-2-2-4)`."""
    return f"{claim_in_words(spelling_of(claim))} ({value_in_ranks(floor_of(claim))})"


def _not_stronger(session: ThorinSession, error: IllegalAction, said: str) -> str:
    """A declaration that promises too little, with the weakest one that would do."""
    assert session.round is not None
    assert isinstance(error.action, int)
    claim, least = session.round.standing.claim, session.legal().min_claim
    floor = _promise(claim) if session.round.standing.claimant != NOBODY else "7-5-4-3-2, the worst hand of all"
    assert least is not None  # who takes a hand that nothing beats has lost with his discard
    worst = value_in_ranks(floor_of(error.action))
    return f"{said} may be as little as {worst}, which does not beat {floor}; {write_claim(least)} would do"


def _what_may_be_done(session: ThorinSession) -> str:
    """The actions of the present phase, as they are written."""
    assert session.round is not None
    phase = session.round.standing.phase
    if phase == DECLARE:
        return f"declare and a hand: {_HOW_TO_DECLARE}"
    if phase == RESPOND:
        answers = session.legal().answers
        return " or ".join("challenge" if answer == CHALLENGE else session.write(answer) for answer in answers)
    return (
        "discard and up to five cards, as in discard TsTd, or discard -" if phase == DISCARDING else "show and the hand"
    )


def _which_cards(session: ThorinSession) -> str:
    assert session.round is not None
    if session.round.standing.phase == DISCARDING:
        return f"discard up to {HAND_CARDS} of its cards, each once, or -"
    return f"show all {HAND_CARDS} of them, as in show AcKdQh7s2s"


def _ended(session: ThorinSession) -> Table:
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


def _in_play(session: ThorinSession) -> Table:
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
