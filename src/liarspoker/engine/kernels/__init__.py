"""One kernel for each family of games: see `liarspoker.engine.kernel`."""
