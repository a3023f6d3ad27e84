"""Cooperation of several server processes on one database."""
