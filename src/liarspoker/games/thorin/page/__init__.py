"""Thorin's game: the hand that goes around, what was said of it, and what you may say next."""

from liarspoker.games.thorin.page.scene import ThorinScene, scene

__all__ = ["ThorinScene", "scene"]
