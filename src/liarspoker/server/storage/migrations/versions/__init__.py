"""The steps; the names of the files give their order."""
