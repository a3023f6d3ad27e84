"""The part of a table that depends on the family of games; each family has a module of this form in this room."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from liarspoker.core import catalogue
from liarspoker.protocol.codec import encode
from liarspoker.protocol.views import PrivateView, PublicView

Json = dict[str, Any]


class RoundScene(Protocol):
    """The round on the table, in whatever family."""

    @property
    def kind(self) -> str:
        """Which templates draw it: those in `templates/table/KIND`."""

    @property
    def heading(self) -> str:
        """Which round it is, such as `Hand 7`."""

    @property
    def said(self) -> str:
        """One sentence on what has just happened."""

    @property
    def over(self) -> bool:
        """It has been counted or proved."""

    def act(self, user: str) -> str:
        """What `user` has done last, in a few words; empty for nothing."""

    def marks(self, user: str) -> tuple[str, ...]:
        """How his seat is marked: `bidder`, `challenged`, `out`, `won`."""


class RoundPage(Protocol):
    """The part of a table's page that depends on the family of games."""

    def scene(self, public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> RoundScene:
        """The round of a view, for who looks."""


def round_scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> RoundScene | None:
    """The round on the table; `None` before the first."""
    if public.round is None:
        return None
    game = catalogue.row(public.settings.game)
    return catalogue.family(game.family).page().scene(public, you, draft)


def as_json(view: object) -> Json:
    """A view as a client reads it, for pages that look its fields up by name."""
    told: Json = json.loads(encode(view))
    return told


def template_folder(game: catalogue.GameRow) -> str:
    """Which templates show the games of its family: those in `templates/table/FOLDER`."""
    return catalogue.family(game.family).listed_as.rpartition(".")[2]
