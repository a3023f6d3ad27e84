"""Messages of live tables: typed classes for everything that is stored, sent or received, and one validating codec.

Commands and frames come in and are checked while they are decoded; events go to the log and back; views, answers, chat
and presence go out. Inside the process they are passed on as objects and encoded only at its edge. The JSON Schema and
the browser's TypeScript types are generated from these classes by `tools/protocol.py`.
"""
