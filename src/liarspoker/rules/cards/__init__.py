"""The card games: `passed`, where one hand goes around (Thorin), and `pooled`, where all hands are thrown together."""
