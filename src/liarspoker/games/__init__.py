"""The games: a folder for each family, and what the card games share."""
