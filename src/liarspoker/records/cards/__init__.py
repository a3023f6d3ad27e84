"""The records of the card games: `passed` (Thorin) and `pooled` (Queen Anne's games), and the words that both use.

`words` says claims and cards, `spoken` hears them; `tell_passed` and `tell_pooled` tell a round to a person, and
`refusals` says why an action is refused and what would do.
"""
