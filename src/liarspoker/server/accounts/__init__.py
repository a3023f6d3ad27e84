"""Users: guests and accounts with a login and a passphrase, with their sessions and API tokens.

`accounts.Accounts` is the entry point.
"""
