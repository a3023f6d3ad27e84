"""Highlights of a table: its best bluff, its highest win and its longest streak, updated after every round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from liarspoker import language
from liarspoker.language import speaking
from liarspoker.protocol.views import BestRoundView, BluffView, HighlightsView, StreakView
from liarspoker.tables.fair.document import FULL
from liarspoker.tables.settings import table_rules
from liarspoker.tables.state import ENDED, Highlights, Sitting, Table


def after_round(table: Table, sitting: Sitting, units: Mapping[str, int]) -> Highlights:
    """Return the highlights after a round of `sitting` in which users won or lost `units`.

    `table.rounds_played` doesn't include the round yet.
    """
    highlights = with_bluffs(table, sitting, table.rounds_played)
    best, streak = highlights.best_round, highlights.streak
    streaks = {**highlights.streaks, **dict.fromkeys(units, 0)}
    for user, won in units.items():
        if won <= 0:
            continue
        name = table.names[user]
        if best is None or won > best.units:
            best = BestRoundView(user=user, name=name, round=table.rounds_played, units=won)
        streaks[user] = length = highlights.streaks.get(user, 0) + 1
        if streak is None or length > streak.rounds:
            streak = StreakView(user=user, name=name, rounds=length)
    return replace(highlights, best_round=best, streak=streak, streaks=streaks)


def with_bluffs(table: Table, sitting: Sitting, number: int) -> Highlights:
    """Return the highlights with the bluffs of the round that `sitting` has just finished, whose number is `number`."""
    highlights, rules = table.highlights, table_rules(table.settings.game)

    def best(before: BluffView | None, revealed: bool) -> BluffView | None:
        with speaking("en"):
            bluff = rules.bluff(sitting.session, revealed)
        if bluff is None or (before is not None and bluff.margin <= before.margin):
            return before
        in_languages = {}
        for code in language.translated():  # now, since the session isn't kept
            with speaking(code):
                said = rules.bluff(sitting.session, revealed)
            if said is not None:
                in_languages[code] = said.claim_words, said.truth_words
        return BluffView(
            user=sitting.users[bluff.seat],
            name=sitting.names[bluff.seat],
            round=number,
            margin=bluff.margin,
            claim_words=bluff.claim_words,
            truth_words=bluff.truth_words,
            in_languages=in_languages,
        )

    return replace(
        highlights,
        shown_bluff=best(highlights.shown_bluff, revealed=False),
        bluff=best(highlights.bluff, revealed=True),
    )


def highlights_view(table: Table) -> HighlightsView | None:
    """Return the highlights of a table that has ended; `None` before, and if no round was played.

    A bluff that follows only from hands that weren't shown is included if the audit reveals all hands anyway.
    """
    if table.stage != ENDED or not table.rounds_played:
        return None
    kept = table.highlights
    bluff = kept.bluff if table.settings.audit == FULL and table.deals_revealed else kept.shown_bluff
    return HighlightsView(bluff=bluff, best_round=kept.best_round, streak=kept.streak)
