"""A reviewed hand of a digit game, action by action; the review is a report of `liarspoker.coach`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from liarspoker.bots import catalogue as bots
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.page.replay import _hand
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import _, number
from liarspoker.records.words import YOU, capital, digit_name, name_shown, verdict_in_words
from liarspoker.web.view_models.review import Belief, CoachViewModel, Considered, Mark
from liarspoker.web.view_models.round_replay import ALL, RoundReplay
from liarspoker.web.words import MINUS

MOST_COUNTS = 5
"""The number of columns of a belief: none of a digit, one, two, three, and four or more."""


def marks(review: Mapping[str, Any], replay: RoundReplay) -> dict[int, Mark]:
    """Return the verdict on each ply that was reviewed."""
    found = {}
    for ply, action in enumerate(_actions(review), 1):
        decision = action["decision"]
        if decision is not None and decision["verdict"] is not None:
            verdict, loss = decision["verdict"], decision["appraisal"]["loss"]
            is_bad = verdict not in ("best", "fine")
            loss_words = number(f"{MINUS}{loss:.2f}") if is_bad else ""
            best = decision["appraisal"]["best"]
            better = (best, _in_words(replay, ply, best)) if is_bad else None
            found[ply] = Mark(verdict, verdict_in_words(verdict), loss_words, loss, better)
    return found


def coach(review: Mapping[str, Any], replay: RoundReplay, at: int) -> CoachViewModel:
    """Return what the coach says of a ply: of the action that led to it, and of what everybody may hold."""
    session = cast(DigitSession, replay.sessions[at])
    action = _actions(review)[at - 1] if at else None
    beliefs = _beliefs(review, replay, session, at)
    shared = _(bots.row(review["model"]).title), _beliefs_title(session), beliefs
    if action is None:
        return CoachViewModel(None, "", (), (), "", *shared)
    seat, played = _hand(session).moves[-1]
    said = f"{name_shown(replay.names[seat])}: {action_in_words(played, _hand(session).rules)}"
    decision = action["decision"]
    if decision is None or decision["appraisal"] is None:
        reasons = () if decision is None else tuple(decision["reasons"])
        return CoachViewModel(None, said, reasons, (), action["about_bluff"], *shared)
    shown = _values(decision, replay, at, action["action"])
    mark = marks(review, replay)[at]
    lesson = at - 1 if mark.loss_words and seat == replay.me else None
    return CoachViewModel(mark, said, tuple(decision["reasons"]), shown, action["about_bluff"], *shared, lesson=lesson)


def lesson(review: Mapping[str, Any], replay: RoundReplay, at: int, guess: str) -> CoachViewModel | None:
    """Return what the coach asks before the reader's decision, or says of their guess.

    Args:
        review: the review.
        replay: the hand.
        at: the ply before the decision.
        guess: the action that they now choose, in notation; anything else than a choice isn't a guess.
    """
    if at + 1 >= len(replay.sessions) or replay.moves[at][0] != replay.me:
        return None
    action = _actions(review)[at]
    decision = action["decision"]
    if decision is None or decision["appraisal"] is None:
        return None
    session = cast(DigitSession, replay.sessions[at])
    shared = _(bots.row(review["model"]).title), _beliefs_title(session), _beliefs(review, replay, session, at)
    worth = {value["action"]: value["mean"] for value in decision["appraisal"]["values"]}
    best = decision["appraisal"]["best"]
    listed = [
        *list(worth)[:MOST_COUNTS],
        *([action["action"]] if action["action"] not in list(worth)[:MOST_COUNTS] else []),
    ]
    if guess not in worth:
        ordered = sorted(listed, key=session.read, reverse=True)[::-1]
        choices = tuple((text, capital(_in_words(replay, at + 1, text))) for text in ordered)
        return CoachViewModel(None, "", (), (), "", *shared, choices=choices)
    said = f"{name_shown(YOU)}: {_in_words(replay, at + 1, guess)}"
    mark = _mark_of(guess, decision, action["action"], review["thresholds"])
    reasons = tuple(decision["reasons"])[: None if guess == action["action"] else 1 if guess == best else 0]
    return CoachViewModel(mark, said, reasons, _values(decision, replay, at + 1, guess), "", *shared)


def _mark_of(guess: str, decision: Mapping[str, Any], played: str, thresholds: Mapping[str, float]) -> Mark:
    """Return the verdict on a guess, by the loss that is certain."""
    values = {value["action"]: value for value in decision["appraisal"]["values"]}
    best, mine = values[decision["appraisal"]["best"]], values[guess]
    loss = best["mean"] - mine["mean"]
    if guess == played:
        verdict, loss = decision["verdict"], decision["appraisal"]["loss"]
    elif mine is best:
        verdict = "best"
    else:
        certain = loss - (best["half_width"] ** 2 + mine["half_width"] ** 2) ** 0.5
        verdict = next((name for name, least in reversed(list(thresholds.items())) if certain >= least), "fine")
    is_bad = verdict not in ("best", "fine")
    return Mark(verdict, verdict_in_words(verdict), number(f"{MINUS}{loss:.2f}") if is_bad else "", loss)


def _values(decision: Mapping[str, Any], replay: RoundReplay, at: int, chosen: str) -> tuple[Considered, ...]:
    """Return the best actions before a ply with their values, and the chosen one."""
    values = [
        Considered.of(
            capital(_in_words(replay, at, value["action"])),
            value["mean"],
            value["half_width"],
            value["action"] == chosen,
        )
        for value in decision["appraisal"]["values"]
    ]
    return tuple(value for place, value in enumerate(values) if place < MOST_COUNTS or value.chosen)


def _actions(review: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = review["hands"][0]["actions"]
    return found


def _in_words(replay: RoundReplay, at: int, text: str) -> str:
    """Return an action of the position before a ply in words."""
    before = cast(DigitSession, replay.sessions[at - 1])
    return action_in_words(before.read(text), _hand(before).rules)


def _beliefs_title(session: DigitSession) -> str:
    """Return what the beliefs are about; empty before the first bid."""
    hand = _hand(session)
    if hand.auction.claim < 0:
        return ""
    digits = digit_name(digit_of(hand.auction.claim, hand.rules), 2, hand.rules)
    return _("How many {digits} each may hold", digits=digits)


def _beliefs(review: Mapping[str, Any], replay: RoundReplay, session: DigitSession, at: int) -> tuple[Belief, ...]:
    """Return how likely each seat holds how many of the standing bid's digit, by the bids up to a ply."""
    hand = _hand(session)
    if hand.auction.claim < 0:
        return ()
    digit = str(digit_of(hand.auction.claim, hand.rules))
    rank = review["digits"].index(digit)
    actions = _actions(review)
    prior = actions[0]["before"]
    found = []
    for seat, name in enumerate(replay.names):
        heard = [action["after"] for action in actions[:at] if action["seat"] == seat]
        chances = (heard[-1] if heard else prior)[rank]
        most = min(MOST_COUNTS, len(chances))
        columns = (*chances[: most - 1], sum(chances[most - 1 :]))
        held = hand.numbers[seat] if replay.view == ALL or seat == replay.seat else HIDDEN
        known = None if HIDDEN in held else held.count(digit)
        mean = sum(count * chance for count, chance in enumerate(chances))
        found.append(Belief(name_shown(name), number(f"{mean:.1f}"), columns, known))
    return tuple(found)
