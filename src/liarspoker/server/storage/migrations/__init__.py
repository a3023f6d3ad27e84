"""The migrations of the database schema, run by `storage.migrate`."""
