"""Fair deals, "liarspoker-fair-1": nobody chooses a deal, and everybody can check it once the table has ended.

Before a deal the server commits itself to a seed and each player to a nonce; players may also pick a bill, a slip or a
cut face down. Then the nonces are opened, and the deal follows from all of it. `docs/reference/fair-deals.md` tells it
byte by byte. What it does not give: the server knows the hands.

* `deal`: promises of seeds and nonces, the key of a deal, what follows from it, and proofs of single numbers and cards.
* `document`, `stated`: the document of a finished table, as it is written, and as it is read with distrust.
* `audit`: `check`, which finds what is wrong with one.

>>> from liarspoker.core import catalogue
>>> from liarspoker.core.session import RoundSetup
>>> from liarspoker.tables.fair.deal import Shares, deal_key, dealt
>>> session = catalogue.load("dollar-bill").session(seats=2)
>>> shares = Shares(nonces=(b"shuffle well", b""), picks=(3, None))
>>> key = deal_key(bytes(32), "table-1", 0, "dollar-bill", shares)
>>> deal, opener = dealt(session, key)
>>> session = session.deal(deal, RoundSetup(opener))
"""
