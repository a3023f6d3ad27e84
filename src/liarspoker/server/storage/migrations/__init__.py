"""The history of the database's tables, one file a step, run by `storage.migrate`."""
