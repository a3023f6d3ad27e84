"""Seats that play by themselves: a bot sees what its seat may see, and answers with an action.

`catalogue` lists the bots and loads the one you ask for; `protocol` says what a bot is, `asking` what it is shown, and
`contest` lets bots play many hands against each other. All of them are light: the standard library and the rules, and
no engine.
"""
