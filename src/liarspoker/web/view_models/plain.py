"""Generic pages for game families without pages of their own, and the choice of a game's pages.

They show what every game has: the actions in notation, the fields of its views, and the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GamePreset
from liarspoker.core.session import Session
from liarspoker.core.simple import SimpleSession
from liarspoker.language import N_, _, ngettext
from liarspoker.protocol.views import HandView, PrivateView, PublicView, RoundView
from liarspoker.records.reader import Replay
from liarspoker.records.words import name_shown, said_of, with_names
from liarspoker.web.view_models.family import (
    NO_HINT,
    Difference,
    FamilyPages,
    Hint,
    Holder,
    PlayedSample,
    RoundContext,
    RoundViewModel,
    Tally,
    context_parts,
    round_title,
)
from liarspoker.web.view_models.round_replay import ALL, Player, Ply, Position, RoundReplay, player_of, round_replay
from liarspoker.web.words import sentence, signed

MOST_BUTTONS = 12
"""If more actions of one kind are legal, the page shows a text field instead of buttons."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A field of a view: its label and its text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainViewModel(RoundViewModel):
    """A round on the generic pages.

    Attributes:
        moves: names and actions in notation, newest first.
        facts: the other fields of the public view.
        own: the user's hand; empty for spectators.
        buttons: legal actions shown as buttons.
        typed: there are further legal actions, which must be typed.
        example: one of those actions.
        outcome: the outcome in sentences; empty before the end.
    """

    moves: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]
    own: tuple[Fact, ...]
    buttons: tuple[str, ...]
    typed: bool
    example: str
    outcome: tuple[str, ...]


def view_model(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> PlainViewModel:
    """Return the view model of a round for the user of a view."""
    view, hand, me, seat = context_parts(public, you, RoundView, HandView)
    seen = RoundContext(public=public, view=view, hand=hand, me=me, seat=seat)
    moves = tuple((seen.names[by], text) for by, text in reversed(view.moves))
    groups = tuple(_groups(getattr(hand, "legal", None)))
    typed = [group for group in groups if len(group) > MOST_BUTTONS]
    outcome = _outcome(view)
    stake = getattr(view, "stake", None)
    return PlainViewModel(
        kind="plain",
        heading=round_title(catalogue.preset(public.settings.game), public.round_number),
        said=_said(seen, outcome),
        over=view.to_act is None,
        stake=stake if isinstance(stake, int) else None,
        acts={view.users[by]: text for by, text in view.moves},
        marked=_marks(view),
        moves=moves,
        facts=tuple(_facts(view, RoundView.__struct_fields__, view.names)),
        own=tuple(_facts(hand, ("legal",))),
        buttons=tuple(text for group in groups if len(group) <= MOST_BUTTONS for text in group),
        typed=bool(typed),
        example=typed[0][0] if typed else "",
        outcome=outcome,
    )


def _groups(legal: object) -> Iterator[tuple[str, ...]]:
    """Return the legal actions in notation, one group for each field of `legal`."""
    for name in getattr(legal, "__struct_fields__", ()):
        value = getattr(legal, name)
        if isinstance(value, str):
            yield (value,)
        elif _texts(value):
            yield value


def _texts(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, str) for one in value)


def _facts(view: Struct, without: Sequence[str], names: Sequence[str] = ()) -> Iterator[Fact]:
    """Return the texts of a view, except `result` and `without`; texts by seat are labelled with the names."""
    for name in view.__struct_fields__:
        value = getattr(view, name)
        label = name.replace("_", " ").capitalize()
        if name in without or name == "result" or not value:
            continue
        if isinstance(value, str):
            yield Fact(label, value)
        elif _texts(value) and len(value) == len(names):
            yield Fact(label, ", ".join(f"{who} {text}" for who, text in zip(names, value, strict=True) if text))
        elif _texts(value):
            yield Fact(label, " ".join(value))


def _outcome(view: RoundView) -> tuple[str, ...]:
    """Return the outcome in sentences."""
    result = getattr(view, "result", None) or ()
    if isinstance(result, Struct):
        return tuple(fact.text for fact in _facts(result, ()))
    return (
        *(sentence(with_names(line, view.names)) for line in result),
        *_won(getattr(view, "winner", None), view.names),
    )


def _won(winner: int | None, names: Sequence[str]) -> tuple[str, ...]:
    if winner is None:
        return ()
    return (said_of(names[winner], N_("You win the match."), N_("{name} wins the match.")),)


def _said(seen: RoundContext[RoundView, HandView], outcome: tuple[str, ...]) -> str:
    if outcome:
        return " ".join(outcome)
    if not seen.view.moves:
        return said_of(seen.names[seen.view.opener], N_("You open."), N_("{name} opens."))
    by, text = seen.view.moves[-1]
    return _played(seen.names[by], text)


def _played(name: str, action: str) -> str:
    return said_of(name, N_("You play {action}."), N_("{name} plays {action}."), action=action)


def _marks(view: RoundView) -> dict[str, tuple[str, ...]]:
    winner, alive = getattr(view, "winner", None), getattr(view, "alive", None)
    marks: dict[str, tuple[str, ...]] = {}
    for seat, user in enumerate(view.users):
        out = alive is not None and seat not in alive
        marks[user] = ("won",) if seat == winner else ("out",) if out else ()
    return marks


class PlainReplay:
    """A replay of a game of any family; see `ReplayPage`."""

    def heading(self, replay: RoundReplay) -> str:
        """Return the number of players in words."""
        return ngettext("{count} player", "{count} players", len(replay.names))

    def position(self, replay: RoundReplay, at: int) -> Position:
        """Return the table after `at` actions."""
        session: Session = replay.sessions[at]
        players = tuple(self._player(replay, at, seat) for seat in range(len(replay.names)))
        by, text = replay.moves[at - 1] if at else (None, "")
        who = "" if by is None else replay.names[by]
        outcome = outcome_of(session, replay.names)
        said = " ".join(outcome) or (_played(who, text) if who else _("The round begins."))
        return Position(who or _("No actions yet"), None, text or _("The deal"), (), (), players, outcome, said)

    def plies(self, replay: RoundReplay) -> tuple[Ply, ...]:
        """Return the deal and every action."""
        listed = [Ply(0, "", _("The deal."), "deal")]
        for number, (by, text) in enumerate(replay.moves, 1):
            listed.append(Ply(number, "" if by is None else replay.names[by], text, "other"))
        return tuple(listed)

    def probability(self, replay: RoundReplay, at: int) -> None:
        """Return `None`: an unknown game's claims have no known probability."""

    def _player(self, replay: RoundReplay, at: int, seat: int) -> Player:
        session: Session = replay.sessions[at]
        act = next((text for by, text in reversed(replay.moves[:at]) if by == seat), "")
        marks = [*(["turn"] if session.to_act == seat else []), *([] if seat in session.alive else ["out"])]
        units = None if session.has_winner else session.score[seat]
        return player_of(replay, seat, act, marks, units=units, number=_held(replay, session, seat))


def _held(replay: RoundReplay, session: Session, seat: int) -> str:
    """Return what the viewpoint sees of a hand, in notation."""
    view = session.view(seat) if replay.view == ALL else replay.seen(session)
    shown = getattr(view, "shown", ())
    if shown:
        return str(shown[seat])
    held = getattr(view, "hand", "")
    return held if isinstance(held, str) and (replay.view == ALL or seat == replay.seat) else ""


def outcome_of(session: Session, names: Sequence[str]) -> tuple[str, ...]:
    """Return the outcome of a round in sentences; empty before its end."""
    if session.in_play:
        return ()
    if isinstance(session, SimpleSession):
        return (*(sentence(with_names(line, names)) for line in session.result_text()), *_won(session.winner, names))
    return tuple(
        f"{name_shown(name)} {signed(units)}." for name, units in zip(names, session.units(), strict=True) if units
    )


class PlainRules:
    """The rules page of any family: text, options and samples, without tables; see `RulesPage`."""

    def tables(self, game: str, players: int) -> None:
        """Return no tables."""

    def differences(self, relatives: Sequence[GamePreset]) -> list[Difference]:
        """Return no differences, since those of the options are added anyway."""
        return []

    def sample(self, played: Replay) -> PlayedSample:
        """Return the last round of a record, action by action."""
        replay = round_replay(played, len(played.rounds) - 1, ALL)
        session = replay.sessions[-1]
        lines = tuple(f"{'' if by is None else replay.names[by]}: {text}" for by, text in replay.moves)
        holders = tuple(Holder(name, _held(replay, session, seat)) for seat, name in enumerate(replay.names))
        return PlayedSample(lines, holders, outcome_of(session, replay.names))


def units_tally(session: Session, seat: int) -> Tally:
    """Return the tally of `seat` for a finished round: the claimant won or lost a bid; others were right or wrong."""
    units = (session.payoffs() if isinstance(session, SimpleSession) else session.units())[seat]
    won, lost = int(units > 0), int(units < 0)
    if isinstance(session, SimpleSession) and session.claimant == seat:
        return Tally(rounds=1, bids_won=won, bids_lost=lost)
    return Tally(rounds=1, right=won, wrong=lost)


PLAIN = FamilyPages(round=view_model, replay=PlainReplay(), rules=PlainRules(), tally=units_tally)
"""The pages of a family without its own."""


def pages_for(game: GamePreset) -> FamilyPages:
    """Return the pages of a game: those of its family, or the generic ones."""
    return catalogue.family(game.family).pages() or PLAIN


def hint_of(public: PublicView, you: PrivateView | None, revealing: bool) -> Hint:
    """Return a hint on the current round for a beginner."""
    if public.round is None:
        return NO_HINT
    return pages_for(catalogue.preset(public.settings.game)).hint(public, you, revealing)


def round_view_model(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> RoundViewModel | None:
    """Return the view model of the current round; `None` before the first."""
    if public.round is None:
        return None
    return pages_for(catalogue.preset(public.settings.game)).round(public, you, draft)
