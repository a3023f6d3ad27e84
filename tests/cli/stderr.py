"""What a command writes to standard error, whichever test came first and has had the machine code made."""


def without_compiling(err: str) -> str:
    """The same without the lines that say that something is compiled, once."""
    return "".join(line for line in err.splitlines(keepends=True) if not line.startswith("Compiling "))
