"""Thorin's game: the hand that goes around, what was said of it, and what you may say next."""

from liarspoker.games.thorin.page.scene import PassedScene, scene

__all__ = ["PassedScene", "scene"]
