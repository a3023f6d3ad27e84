"""The bots of live tables, each of which thinks in a process that is not the server's.

`workers.BotWorkers` is the way in: it asks a bot for an action, with a deadline. `worker` is what runs in each process.
A bot that crashes or thinks for too long takes down its own worker at most; no table and no other bot notices.
"""
