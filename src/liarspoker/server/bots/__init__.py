"""The bots of live tables, each of which thinks in a process that is not the server's.

`workers.BotWorkers` is the way in: it asks a bot for an action, with a deadline. `process` is the server's end of one
worker process, `worker` is what runs in it, and `wire` is what the two say to each other. A bot that crashes or thinks
for too long takes down its own worker at most; no table and no other bot notices.
"""
