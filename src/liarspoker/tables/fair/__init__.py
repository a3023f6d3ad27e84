"""Provably fair deals, protocol "liarspoker-fair-1": nobody can choose a deal, and anyone can verify it afterwards.

Before a deal the server commits to a seed and each player to a nonce; players may also choose a bill, a slip or a cut
face down. Then the nonces are opened, and the deal is derived from all contributions. `docs/reference/fair-deals.md`
specifies the protocol byte by byte. It doesn't hide the hands from the server.

* `deal`: commitments, the key of a deal, the derivation of the deal, and proofs of single numbers and cards.
* `document`, `parsed`: writing the audit document of a finished table, and parsing an untrusted one.
* `audit`: `check`, which verifies an audit document.

>>> from liarspoker.core import catalogue
>>> from liarspoker.core.session import RoundSetup
>>> from liarspoker.tables.fair.deal import Shares, deal_key, dealt
>>> session = catalogue.load("dollar-bill").session(seats=2)
>>> shares = Shares(nonces=(b"shuffle well", b""), picks=(3, None))
>>> key = deal_key(bytes(32), "table-1", 0, "dollar-bill", shares)
>>> deal, opener = dealt(session, key)
>>> session = session.deal(deal, RoundSetup(opener))
"""
