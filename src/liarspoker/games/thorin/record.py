"""Records of Thorin's game: decks, the options of a round, and the report of each round in a replay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.match import check_opener
from liarspoker.core.errors import NO_SUCH_CLAIM, WRONG_PHASE, BadDeal, IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.cards.spoken_claims import as_thorin_claim, parse_spoken_claim
from liarspoker.games.cards.wording import describe_claim, format_value_ranks
from liarspoker.games.thorin import record_text
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.deal import HAND_CARDS, ThorinChance, ThorinDeal
from liarspoker.games.thorin.ladder import claim_of, floor_of, spelling_of
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.record_text import describe_action
from liarspoker.games.thorin.round import Legal, Stint, ThorinRound
from liarspoker.games.thorin.session import ThorinGame, ThorinSession
from liarspoker.games.thorin.state import DECLARE, DISCARDING, NOBODY, RESPOND
from liarspoker.language import N_, _
from liarspoker.records.family import MAX_LISTED_ACTIONS, RecordFormat, Table
from liarspoker.records.schema import INTEGER, STRING, STRINGS, TABLE, Key, check, is_private

MOST_JOKERS = 2

_KEYS = {"kind": Key(STRING, required=True), "jokers": Key(INTEGER, required=True)}
_DECLARE = re.compile(r"\s*declare\s+(\S.*)", re.DOTALL)
_HOW_TO_DECLARE = N_(
    "a category and as many of its ranks as you like, high first: two-pair, two-pair 73, pair _A, high KT"
)


class ThorinRecords(RecordFormat[ThorinSession]):
    """Record format of Thorin's game."""

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """Return the keys of a round, with `options` under `dealers_choice`."""
        keys = {"opener": Key(INTEGER), "deck": Key(STRINGS)}
        chosen = record.get("options", {}).get("dealers_choice", False)
        return {"opener": Key(INTEGER), "options": Key(TABLE), "deck": Key(STRINGS)} if chosen else keys

    def begin(self, game: Game, record: Table, options: ThorinOptions) -> ThorinSession:
        """Return the match before its first round."""
        return cast(ThorinGame, game).session(len(record["players"]), options)

    def deal(self, session: ThorinSession, record: Table, table: Table) -> ThorinSession:
        """Return the match with the round of `table` dealt."""
        opener, deck = table.get("opener"), table.get("deck")
        session.chance_spec()
        check_opener(opener, session.alive)
        named = {name: value for name, value in table.get("options", {}).items() if not is_private(name)}
        session.chance_spec(named)
        return session.deal(ThorinDeal(None if deck is None else read_cards(deck)), RoundSetup(opener, options=named))

    def read_spoken(self, session: ThorinSession, text: str) -> int | None:
        """Return the declaration that `text` makes in words; `None` if it isn't one."""
        match = _DECLARE.fullmatch(text)
        spelt = parse_spoken_claim(match[1]) if match else None
        if spelt is None or session.round is None:
            return None
        claim = claim_of(as_thorin_claim(spelt), session.round.rules)
        if claim is None:
            raise IllegalAction(text, NO_SUCH_CLAIM if session.round.state.phase == DECLARE else WRONG_PHASE)
        return claim

    def explain(self, session: ThorinSession, text: str, error: IllegalAction) -> str:
        """Explain why `text` is rejected."""
        dealt = session.round
        assert dealt is not None
        tried = text if isinstance(error.action, str) else describe_action(error.action)
        if error.code == "not-stronger":
            return _not_stronger(session, error, tried)
        match error.code:
            case "round-over":
                return _("the round is over")
            case "unreadable-action":
                return _(
                    "{text} isn't an action of this game; write {actions}",
                    text=repr(text),
                    actions=_what_may_be_done(session),
                )
            case "wrong-phase":
                return _("{text} isn't allowed now; write {actions}", text=text, actions=_what_may_be_done(session))
            case "no-such-claim":
                return _("no hand fits {text}; write {how}", text=repr(tried), how=_(_HOW_TO_DECLARE))
            case "cannot-take":
                hand, actions = _promise(dealt.state.claim), _what_may_be_done(session)
                return _("nothing beats {hand}; write {actions}", hand=hand, actions=actions)
            case "no-pass-left":
                return _("no pass is left; write {actions}", actions=_what_may_be_done(session))
        # Translators: {how} is a message such as "show all 5 of them".
        return _("{text}: the hand doesn't have these cards; {how}", text=text, how=_which_cards(session))

    def report(self, session: ThorinSession) -> Table:
        """Return the report of the current round: the result, or the state with the legal actions."""
        return _in_play(session) if session.in_play else _ended(session)

    def as_seen(self, sessions: tuple[ThorinSession, ...], seat: int, seen: Any) -> tuple[ThorinSession, ...]:
        """Return the sessions of a round with all cards of a seat's stints, from tables with the fields of `Stint`."""
        try:
            stints = [
                Stint(seat, *(read_cards(one[name]) for name in ("taken", "discarded", "drawn")))
                for one in seen
                if one["seat"] == seat
            ]
        except (KeyError, TypeError) as error:
            raise BadDeal(
                _("it must be a list of tables with a seat and the cards taken, discarded and drawn")
            ) from error
        if not stints:
            return sessions
        return tuple([replace(one, round=one.round.as_seen(seat, stints)) for one in sessions if one.round is not None])

    def read_draw(self, parts: Table, seats: int) -> ThorinChance:
        """Return what a round draws, from its parts."""
        check(parts, _KEYS, "draw")
        if parts["kind"] != "deck":
            raise BadDeal(_("draw: kind must be deck in this game"))
        if not 0 <= parts["jokers"] <= MOST_JOKERS:
            raise BadDeal(_("draw: jokers must be from 0 to {most}", most=MOST_JOKERS))
        return ThorinChance(parts["jokers"])

    def describe_round(self, session: ThorinSession, players: tuple[str, ...]) -> list[str]:
        """Describe the current round line by line: the hand, the declarations and the result."""
        return record_text.describe_round(session, players)


RECORDS = ThorinRecords()


def _promise(claim: int) -> str:
    """Return a declaration and the weakest hand that fits it: `two pair (3-3-2-2-4)`."""
    return f"{describe_claim(spelling_of(claim))} ({format_value_ranks(floor_of(claim))})"


def _not_stronger(session: ThorinSession, error: IllegalAction, tried: str) -> str:
    """Explain that a declaration promises too little, with the weakest legal one."""
    assert session.round is not None
    assert isinstance(error.action, int)
    claim, least = session.round.state.claim, session.legal().min_claim
    floor = _promise(claim) if session.round.state.claimant != NOBODY else _("7-5-4-3-2, the weakest hand")
    assert least is not None  # a player who takes a hand that can't be beaten is out after the discard
    worst = format_value_ranks(floor_of(error.action))
    return _(
        "{hand} promises only {ranks}, which does not beat {standing}; declare at least {least}",
        hand=tried,
        ranks=worst,
        standing=floor,
        least=write_claim(least),
    )


def _what_may_be_done(session: ThorinSession) -> str:
    """Describe how to write the actions of the current phase."""
    assert session.round is not None
    phase = session.round.state.phase
    if phase == DECLARE:
        # Translators: what to write: the word "declare" and a hand. {how} is a message.
        return _("declare and a hand: {how}", how=_(_HOW_TO_DECLARE))
    if phase == RESPOND:
        answers = session.legal().answers
        return record_text.one_of("challenge" if answer == CHALLENGE else session.write(answer) for answer in answers)
    if phase == DISCARDING:
        # Translators: what to write: the word "discard" and cards.
        return _("discard and up to five cards, as in discard TsTd, or discard -")
    # Translators: what to write: the word "show" and the hand.
    return _("show and the hand")


def _which_cards(session: ThorinSession) -> str:
    assert session.round is not None
    if session.round.state.phase == DISCARDING:
        return _("discard up to {count} of its cards, each once, or -", count=HAND_CARDS)
    return _("show all {count} of them, as in show AcKdQh7s2s", count=HAND_CARDS)


def _ended(session: ThorinSession) -> Table:
    """Return the report of a finished round."""
    result = session.round_result
    assert result is not None
    report: Table = {
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
    absent = [name for name in ("challenger", "truthful", "loser", "hand", "hand_value") if report[name] is None]
    report = {name: value for name, value in report.items() if name not in absent}
    return {**report, "thrown_in": True} if result.thrown_in else report


def _in_play(session: ThorinSession) -> Table:
    """Return the report of an unfinished round."""
    dealt = session.round
    assert dealt is not None
    state = dealt.state
    declared = state.claimant != NOBODY
    return {
        "opener": dealt.terms.opener,
        "claim": write_claim(state.claim) if declared else None,
        "claimant": state.claimant if declared else None,
        "to_act": session.to_act,
        "phase": session.phase,
        "alive": list(session.alive),
        "floor": write_value(dealt.floor) if declared else None,
        "passes": list(session.passes),
        "legal": _legal(dealt),
    }


def _legal(dealt: ThorinRound) -> Table:
    legal: Legal = dealt.legal()
    report: Table = {
        "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim),
        "take": TAKE in legal.answers,
        "challenge": CHALLENGE in legal.answers,
        "pass": PASS in legal.answers,
        "discard": legal.discard,
        "show": legal.show,
    }
    if dealt.state.phase == RESPOND and len(legal.answers) <= MAX_LISTED_ACTIONS:
        report["actions"] = [_ANSWERS[answer] for answer in legal.answers]
    return report


_ANSWERS = {TAKE: "take", CHALLENGE: "challenge", PASS: "pass"}
