"""A source document cut into its sentences, always in the same way, so that a ledger can number them.

A line of these documents is a paragraph, a heading, a numbered step or a row of a table. A page break in the middle of
a sentence shows as an empty line before a small letter, and is mended. Headings and rows of tables, which end without
a full stop, are a sentence each; a step's number belongs to its first sentence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

# "Rules2)" is how source 003 lost the line end of a heading.
_ENUMERATOR = re.compile(r"\s*(?:Rules)?(?:\d+[.)]|[a-z]\))\s+")
_ABBREVIATIONS = ("e.g.", "i.e.", "U.S.", "o.a.k.")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*(?=\s+[\"'“($A-Z0-9])")


def normalised(text: str) -> str:
    """`text` with every run of white space made one space, and none at its ends."""
    return " ".join(text.split())


def digest(sentence: str) -> str:
    """The first sixteen hexadecimal digits of the SHA-256 of the normalised sentence."""
    return hashlib.sha256(normalised(sentence).encode()).hexdigest()[:16]


def opening(sentence: str) -> str:
    """The first words of a sentence, six at most, by which a reader finds it."""
    return " ".join(sentence.split()[:6])


def paragraphs(document: str) -> Iterator[str]:
    """The document's lines that are not empty, with sentences that a page break cut in two mended."""
    pending = ""
    after_gap = False
    for line in map(normalised, document.splitlines()):
        if not line:
            after_gap = True
        elif pending and after_gap and line[0].islower() and pending[-1] not in ".!?:":
            pending, after_gap = f"{pending} {line}", False
        else:
            if pending:
                yield pending
            pending, after_gap = line, False
    if pending:
        yield pending


def split(document: str) -> list[str]:
    """All sentences of a document, in order."""
    return [sentence for paragraph in paragraphs(document) for sentence in _sentences_of(paragraph)]


def _sentences_of(paragraph: str) -> Iterator[str]:
    number = _ENUMERATOR.match(paragraph)
    start, scan = 0, number.end() if number else 0
    for match in _SENTENCE_END.finditer(paragraph, scan):
        if not paragraph[: match.end()].endswith(_ABBREVIATIONS):
            yield paragraph[start : match.end()].strip()
            start = match.end()
    rest = paragraph[start:].strip()
    if rest:
        yield rest
