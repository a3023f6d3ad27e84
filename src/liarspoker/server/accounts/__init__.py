"""Who plays: guests, accounts with a login and a passphrase, their sessions and API tokens.

`accounts.Accounts` is the way in.
"""
