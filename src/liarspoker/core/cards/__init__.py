"""The card games: `passed`, where one hand goes around (Thorin), and `pooled`, where all hands are thrown together.

What other rooms build on, and may count on staying:

```python
session = catalogue.load("thorin").session(seats=4, options=...)
session = session.deal(session.chance_spec().draw(below))     # ThorinDeal(deck, seed)
session = catalogue.load("queen-annes-stud").session(seats=4, options=..., losses=(0, 2, 5, 0))
session = session.deal(session.chance_spec().draw(below))     # QueenAnnesDeal(hands, extras)
session.apply(session.read("claim pair 7"))
```

- Cards are ints (`deck`): `4 * rank + suit`, `JOKER`, `UNKNOWN`; `read_cards`, `read_joined_cards`, `card_text`.
- Actions are ints: claims are 0 and above, everything else below. `passed.actions` has `CHALLENGE`, `TAKE`, `PASS`,
  `discard_of(cards)`, `show_of(cards)`, `cards_of(action)`; `pooled.round` has `CHALLENGE` and `challenge_by(seat)`.
- A claim of the pooled games is its place on the ladder, from 0 to `ladder_length(rules) - 1`: `pooled.ladder` has
  `named_hand(claim, rules)`, `claim_of(spelling, rules)` and `wanted(named)`, what must be in the pool; `pooled.pool`
  has `prove(named, pool, rules)`.
- A claim of Thorin's game keeps what it promises and which ranks it names: `passed.ladder` has `floor_of(claim)`, a
  value, `claim_of(spelling, rules)`, `spelling_of(claim)`, `full_claim(value)`, `keeps_promise(value, claim, rules)`.
  A value is the worth of five cards: `hand_values.hand_value(hand, double_any)`, `KEYS[value]`.
- A spelling (`claims.Spelling`) is a category's word, ranks and a suit; `claims` reads and writes it. `read_claim` and
  `write_claim` in each `notation` go from text to claims at once; `passed.notation.write_value` writes a hand's worth.
- `session.round` is the round on the table: `terms` (opener, `opener_agreed`, ...), `standing` (claim, claimant,
  to_act, ...), `moves`; the pooled have `hands`, `deck`, `extras`, Thorin's has `hand`, `stock.deck` (the list as a
  record writes it, discards shuffled in included; `None` if no card is known), `stints` and `passes_left()`.
- `session.rounds` has every finished round with its result; `session.round_result` the one on the table. Beside the
  protocol, a session has `alive`, `next_opener`, and `losses` (pooled) or `passes` (Thorin).
- `session.score` is 0 for all until the match is won; then every other seat has lost one unit to the winner.
- `session.view(seat)` is a `QueenAnnesView` or a `ThorinView`: all that a bot, page or socket is given.
"""
