"""The card games in the terminal: `pooled` and `passed` are their faces, the other modules what those are made of."""
