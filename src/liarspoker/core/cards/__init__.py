"""Cards and matches, shared by Thorin's game and Queen Anne's games.

- `deck`: cards as ints, their text, and decks.
- `claims`: the spelling of claims in the notation.
- `hand_values`: the values of five-card hands.
- `match`: a match in which players are eliminated until one is left.
"""
