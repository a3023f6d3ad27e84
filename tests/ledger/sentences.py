"""Reproducible splitting of a source document into sentences, so that a ledger can number them.

A line of these documents is a paragraph, a heading, a numbered step or a row of a table. A page break in the middle of
a sentence appears as an empty line before a lower-case letter, and its halves are joined. Headings and table rows,
which have no full stop, count as one sentence each; a step's number belongs to its first sentence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

# In source 003, a heading lost its line end: "Rules2)".
_ENUMERATOR = re.compile(r"\s*(?:Rules)?(?:\d+[.)]|[a-z]\))\s+")
_ABBREVIATIONS = ("e.g.", "i.e.", "U.S.", "o.a.k.")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*(?=\s+[\"'“($A-Z0-9])")


def normalised(text: str) -> str:
    """Return `text` stripped, with each run of white space replaced by one space."""
    return " ".join(text.split())


def digest(sentence: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of the normalized sentence."""
    return hashlib.sha256(normalised(sentence).encode()).hexdigest()[:16]


def opening(sentence: str) -> str:
    """Return the first words of a sentence, at most six."""
    return " ".join(sentence.split()[:6])


def paragraphs(document: str) -> Iterator[str]:
    """Yield the document's non-empty lines, joining sentences that were split by a page break."""
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
    """Return all sentences of a document, in order."""
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
