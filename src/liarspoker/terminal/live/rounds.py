"""A live round told as it comes: the deal, what each does, how it comes out."""

from __future__ import annotations

from typing import Any

from liarspoker.records.words import subject
from liarspoker.terminal.face import TerminalRenderer, renderer_of
from liarspoker.terminal.live.sights import sight_of
from liarspoker.terminal.live.state import State
from liarspoker.terminal.screen import Screen


class Rounds:
    """Tells what is new in the round on the table.

    Args:
        screen: where.
    """

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._deal: int | None = None
        self._moves: list[list[object]] = []
        self._result = False
        self._shown = False
        self._turn: int | None = None
        self._offered = False
        self._acted: set[int] = set()

    def acted(self, turn: int) -> None:
        """Something has been typed and sent in this turn, so it need not be told."""
        self._acted.add(turn)

    def again(self) -> None:
        """Tell once more whose turn it is, though it was told."""
        self._turn = None

    def tell(self, state: State) -> None:
        """Say all that is new."""
        if not state.dealt:
            return
        if self._deal != state.public["deal"]["deal"]:
            self._tell_deal(state)
        self._tell_moves(state)
        self._tell_result(state)
        if not self._offered and state.out_of_turn is not None:
            self._offered = True
            self._screen.say("You may challenge when it is another's turn, too: type c.")
        if state.my_turn and self._turn != state.turn and not state.public["paused"]:
            self._turn = state.turn
            renderer_of(state.game).tell_turn(self._screen, state.sight.view, state.names)
            if state.seconds is not None:
                self._screen.say(f"You have {state.seconds} second{'' if state.seconds == 1 else 's'}.")

    def _tell_deal(self, state: State) -> None:
        """A round that is new, with what has been done in it already."""
        told = state.public["round"]
        self._deal, self._result, self._shown, self._turn = state.public["deal"]["deal"], False, False, None
        self._moves = told["moves"][:-1] if "result" in told else list(told["moves"])
        self._screen.say()
        view = sight_of(state.setting, len(self._moves)).view
        renderer_of(state.game).tell_deal(self._screen, view, state.names)

    def _tell_moves(self, state: State) -> None:
        moves, known = state.public["round"]["moves"], self._moves
        if moves[: len(known)] != known:
            common = next((n for n, (a, b) in enumerate(zip(moves, known, strict=False)) if a != b), len(moves))
            self._screen.say("The last action is taken back.")
            self._moves = known = known[:common]
        face = renderer_of(state.game)
        before = sight_of(state.setting, len(known)) if len(moves) > len(known) else state.sight
        for count in range(len(known), len(moves)):
            after = sight_of(state.setting, count + 1)
            self._tell_move(face, before.view, after.view, state, state.turn - (len(moves) - count))
            before = after
        self._moves = list(moves)

    def _tell_move(
        self, face: TerminalRenderer[Any, Any], before: object, after: object, state: State, turn: int
    ) -> None:
        seat, action = state.public["round"]["moves"][len(after.moves) - 1]  # type: ignore[attr-defined]
        if seat == state.you.get("seat") and turn not in self._acted:
            self._screen.say(f"Played for you: {action}.")
        face.tell_action(self._screen, before, after, state.names)

    def _tell_result(self, state: State) -> None:
        told = state.public["round"]
        if "result" not in told:
            return
        face, view = renderer_of(state.game), state.sight.view
        if not self._result:
            self._result, self._shown = True, bool(told.get("shown"))
            face.tell_result(self._screen, view, state.names)
            if told.get("winner") is not None:
                self._screen.say(f"{subject(state.names[told['winner']], 'wins')} the match.")
        elif told.get("shown") and not self._shown:
            self._shown = True
            face.own_command(self._screen, state.sight.session, state.you.get("seat") or 0, "numbers", state.names)
