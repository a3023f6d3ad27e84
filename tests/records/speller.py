"""English phrases for bids, generated independently of the lists in the reader."""

from __future__ import annotations

ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SMALL = [*ONES, *(f"{stem}teen" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine"))]
TENS = [f"{stem}ty" for stem in ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")]


def number_in_words(number: int, join: str = "-", link: str = " and ") -> str:
    """Return a number from 1 to 999 in words: `twenty-one`, `one hundred and two`."""
    if number < 20:
        return SMALL[number - 1]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens - 2] + (join + SMALL[ones - 1] if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{SMALL[hundreds - 1]} hundred" + (link + number_in_words(rest, join) if rest else "")


def ways_to_say_level(level: int) -> list[str]:
    """Return the phrases for a level from 1 to 999."""
    ways = {str(level), number_in_words(level), number_in_words(level, " ", " "), number_in_words(level, "-", " ")}
    if level == 1:
        ways |= {"a", "an"}
    if 100 <= level < 200:
        ways |= {way.replace("one hundred", "a hundred") for way in tuple(ways)}
    return sorted(ways)


def ways_to_say_digit(digit: int) -> list[str]:
    """Return the plural names of a digit; 0 has more names than the others."""
    plural = {6: "sixes"}.get(digit, (SMALL[digit - 1] if digit else "ten") + "s")
    more = {0: ["zeros", "zeroes", "noughts"], 1: ["aces"]}.get(digit, [])
    return [plural, *more, f"{digit}s", f"{digit}'s", f"{digit}’s"]


def ways_to_say(level: int, digit: int) -> list[str]:
    """Return the phrases for a bid."""
    return [f"{amount} {name}" for amount in ways_to_say_level(level) for name in ways_to_say_digit(digit)]
