"""Notices to users who have no page of a table open: that it is their turn there, or that they are invited."""
