"""Rendering a family of games in the terminal, and a plain renderer for families without one of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from liarspoker.core import catalogue
from liarspoker.core.session import Game, PlayerView, RoundSetup, Session
from liarspoker.language import N_, _
from liarspoker.records.words import YOU, signed_units, with_names
from liarspoker.terminal.screen import Screen, show_units

if TYPE_CHECKING:
    from liarspoker.protocol.settings import Settings
    from liarspoker.protocol.views import HandView, RoundView

Ask = Callable[[str], str]
"""Asks with a prompt; returns the first line that isn't a command such as `odds` or `score`."""

MOST_EXAMPLES = 3
"""Number of example claims that the plain renderer shows."""

S = TypeVar("S", bound=Session)
V = TypeVar("V", bound=PlayerView)


@dataclass(frozen=True, slots=True)
class Position(Generic[S, V]):
    """A session as one seat sees it.

    Attributes:
        session: the session as far as it is known here, for checking and writing actions; nothing is shown from it.
        view: what the seat may know; everything shown comes from it.
        names: the players, seat by seat; the player is `You`, unless they chose a name.
        number: the number of the round at a live table, which counts from 1; 0 elsewhere.
    """

    session: S
    view: V
    names: tuple[str, ...]
    number: int = 0

    def numbered(self, index: int) -> int:
        """Return the number of the round, given its index in its session."""
        return self.number or index + 1


Question = Callable[[Screen, Position[S, V], str], S | None]
"""Answers a question, given the text after its first word; returns a session if it changes that, as `numbers` does."""


@dataclass(frozen=True, slots=True)
class LiveRound:
    """A round as a server sends it.

    Attributes:
        hand: what the seat alone may know; `None` for a spectator, and after the end of the table.
        seat: the player's; `None` for a spectator.
    """

    game: Game
    settings: Settings
    round: RoundView
    hand: HandView | None
    seat: int | None

    def begun(self, losses: tuple[int, ...] | None = None) -> Any:
        """Return a session of the game with the table's options and these losses, before its first round."""
        options = self.game.options(dict(self.settings.options))
        return self.game.session(len(self.round.users), options, self.settings.from_slips, losses)

    def is_over(self, moves: int) -> bool:
        """Whether the round has ended with its first `moves` moves."""
        return self.round.to_act is None and moves == len(self.round.moves)


class TerminalRenderer(Generic[S, V]):
    """How the terminal shows a family of games.

    Everything shown comes from the view of one seat, so nothing is shown that the seat may not know. This class works
    for any family: it shows a round in the notation and the results as live tables send them. A family overrides what
    it can show better; a family whose live rounds aren't simple defines `rebuild`.
    """

    help: str = N_("""\
  hand         show your hand again
  score        show the score""")
    """The commands of the game, a line each."""

    has_cards = False
    """Whether the game is played with cards, which a terminal shows with suit symbols."""

    def questions(self) -> Mapping[str, Question[S, V]]:
        """Return the questions that can be asked at any prompt, by their first words: at least these four."""
        return {"hand": self._hand, "odds": self._odds, "why": self._why, "score": self._score}

    def option_changes(self, position: Position[S, V]) -> Mapping[str, object]:
        """Return the options of the current round that differ from the game's."""
        return position.session.option_changes()

    def deal(self, screen: Screen, position: Position[S, V]) -> None:
        """Show how a round begins, with its moves so far."""
        facts = _facts(position)
        opener = position.names[facts["opener"]]
        if position.session.round_word == "hand":
            message = N_("Hand {number}: You open.") if opener == YOU else N_("Hand {number}: {name} opens.")
        else:
            message = N_("Round {number}: You open.") if opener == YOU else N_("Round {number}: {name} opens.")
        screen.say(_(message, number=position.numbered(facts["round"]), name=opener))
        self._hand(screen, position, "")
        for seat, text in facts["moves"]:
            screen.say(f"{position.names[seat]}: {text}")

    def action(self, screen: Screen, before: Position[S, V], after: Position[S, V]) -> None:
        """Show the last action of `after`; of the player's own action, only its consequences."""
        seat, text = _facts(after)["moves"][-1]
        if seat != after.view.seat:
            screen.say(f"{after.names[seat]}: {text}")

    def turn(self, screen: Screen, position: Position[S, V]) -> None:
        """Show what matters when it is the seat's turn; `legal` follows."""
        if _facts(position)["moves"]:
            self._hand(screen, position, "")

    def legal(self, screen: Screen, position: Position[S, V]) -> None:
        """Show what may be typed now."""
        session, legal = position.session, position.view.legal
        claims = ", ".join(session.write(claim) for claim in legal.claims[:MOST_EXAMPLES])
        if len(legal.claims) > MOST_EXAMPLES:
            claims = _("{claims}, or a stronger claim", claims=claims)
        possible = [*([claims] if claims else []), *(session.write(answer) for answer in legal.answers)]
        screen.say(_("Your turn: {actions}.", actions=_(", or ").join(possible)))

    def result(self, screen: Screen, position: Position[S, V]) -> None:
        """Show the result of the round."""
        facts, names = _facts(position), position.names
        shown = facts.get("shown")
        if shown:
            screen.say(_("The hands: {hands}.", hands=_by_seat(shown, names)))
        result = facts.get("result") or ()
        for line in result if not isinstance(result, dict) else _lines(result, names):
            screen.say(f"{with_names(str(line), names)}.")
        units = zip(names, position.session.units(), strict=True)
        paid = [f"{name} {signed_units(number)}" for name, number in units if number]
        if paid:
            screen.say(f"Units: {', '.join(paid)}.")

    def complete(self, screen: Screen, position: Position[S, V], typed: str, ask: Ask) -> str:
        """Return a whole action, as the notation writes it or people say it, from what was typed.

        Args:
            screen: where the player reads.
            position: it is the player's turn.
            typed: what was typed, not empty.
            ask: asks for what is missing.

        Returns:
            The action; empty if the player gave up.
        """
        return typed

    def rebuild(self, live: LiveRound, moves: int) -> tuple[S, V]:
        """Return a live round after its first `moves` moves, as a session and the seat's view of it.

        What the server doesn't send stays unknown. This works for simple sessions.
        """
        from liarspoker.core.simple import HIDDEN, HandDeal
        from liarspoker.protocol.simple import SimpleHand, SimpleRound

        sent, held = live.round, live.hand
        assert isinstance(sent, SimpleRound)
        begun = live.begun(sent.losses_before or None)
        own = held.hand if isinstance(held, SimpleHand) else ""
        unknown = [HIDDEN * size for size in sent.sizes]
        hands = sent.shown or tuple(own if seat == live.seat and own else hand for seat, hand in enumerate(unknown))
        session = begun.deal(HandDeal(hands), RoundSetup(sent.opener, sent.stake))
        for _seat, text in sent.moves[:moves]:
            session = session.apply(session.read(text))
        return session, replace(session.view(live.seat), round=sent.round, score=sent.score)

    def _hand(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        if not _is_dealt(position.session):
            screen.say(_("Nothing has been dealt yet."))
            return
        for line in _lines(_held(position), position.names):
            screen.say(f"Your {line}.")

    def _odds(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        screen.say(_("Not available for this game."))

    _why = _odds

    def _score(self, screen: Screen, position: Position[S, V], rest: str) -> None:
        session = position.session
        if session.has_winner:
            screen.say(_("Still in: {names}.", names=", ".join(position.names[seat] for seat in session.alive)))
        else:
            show_units(screen, position.names, _facts(position)["score"] if _is_dealt(session) else session.score)


def renderer_of(game: Game) -> TerminalRenderer[Any, Any]:
    """Return the renderer of a game."""
    return catalogue.family(game.preset.family).terminal() or TerminalRenderer()


def _is_dealt(session: Session) -> bool:
    return session.in_play or session.round_result is not None


def _facts(position: Position[Any, Any]) -> dict[str, Any]:
    """Return the public fields of the round, as a live table sends them."""
    from msgspec import to_builtins

    from liarspoker.tables.settings import table_rules

    rules = table_rules(position.view.game)
    found: dict[str, Any] = to_builtins(rules.public(position.view, position.names, position.names))
    return found


def _held(position: Position[Any, Any]) -> dict[str, Any]:
    """Return what only the seat may know, apart from its legal actions."""
    from msgspec import to_builtins

    from liarspoker.tables.settings import table_rules

    held: dict[str, Any] = to_builtins(table_rules(position.view.game).private(position.view))
    return {name: value for name, value in held.items() if name != "legal"}


def _lines(facts: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    return [f"{name.replace('_', ' ')}: {_by_seat(value, names)}" for name, value in facts.items() if value is not None]


def _by_seat(value: Any, names: tuple[str, ...]) -> str:
    """Return a value as text; a list with one value per seat gets the players' names."""
    if not isinstance(value, list | tuple):
        return str(value)
    if len(value) == len(names):
        return ", ".join(f"{name} {one}" for name, one in zip(names, value, strict=True) if one not in (None, "", []))
    return " ".join(map(str, value))
