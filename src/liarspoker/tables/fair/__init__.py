"""Fair deals, "liarspoker-fair-1": nobody chooses a deal, and everybody can check it once the table has ended.

Before a deal the server commits itself to a seed and each player to a nonce; players may also pick a bill, a slip or a
cut face down. Then the nonces are opened, and the deal follows from all of it. `docs/reference/fair-deals.md` tells it
byte by byte. What it does not give: the server knows the hands.

* `commitment`: promises of seeds and nonces.
* `derivation`: the key of a deal; the opener and the deal that follow from it.
* `leaves`: one root for a deal, and proofs of single numbers and cards.
* `audit`: the document of a finished table, and `check`, which finds what is wrong with one.

>>> from liarspoker.core import catalogue
>>> from liarspoker.core.session import RoundSetup
>>> session = catalogue.load("dollar-bill").session(seats=2)
>>> shares = Shares(nonces=(b"shuffle well", b""), picks=(3, None))
>>> key = deal_key(bytes(32), "table-1", 0, "dollar-bill", shares)
>>> deal, opener = dealt(session, key)
>>> session = session.deal(deal, RoundSetup(opener))
"""

from liarspoker.tables.fair.commitment import (
    BadPromise,
    nonce_commitment,
    opens_nonce,
    opens_seed,
    seed_commitment,
)
from liarspoker.tables.fair.derivation import Shares, deal_key, dealt, draw_of, opener_by_lot
from liarspoker.tables.fair.leaves import Proof, proofs_of, proves, root_of

__all__ = [
    "BadPromise",
    "Proof",
    "Shares",
    "deal_key",
    "dealt",
    "draw_of",
    "nonce_commitment",
    "opener_by_lot",
    "opens_nonce",
    "opens_seed",
    "proofs_of",
    "proves",
    "root_of",
    "seed_commitment",
]
