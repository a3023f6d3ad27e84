"""What a live table must know of each family of games; the rest of the room never asks which game it is."""
