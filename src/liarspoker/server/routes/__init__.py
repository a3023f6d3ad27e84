"""The HTTP API, a file for each thing that it is about."""
