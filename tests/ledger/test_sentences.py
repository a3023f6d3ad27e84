"""Splitting documents into sentences, with documents written for these tests."""

import pytest

from tests.ledger.sentences import digest, normalised, opening, split


@pytest.mark.parametrize(
    ("document", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "five sevens." Then he left.', ['He said "five sevens."', "Then he left."]),
        ('They ask, "Slips anyone?" It is late.', ['They ask, "Slips anyone?"', "It is late."]),
        ("A bill (of a dollar (the old kind.)). The next.", ["A bill (of a dollar (the old kind.)).", "The next."]),
        ('A higher rank (e.g., "5 nines") or more.', ['A higher rank (e.g., "5 nines") or more.']),
        ('Numbers e.g. "my hand" or yours, i.e. 8.', ['Numbers e.g. "my hand" or yours, i.e. 8.']),
        ("The U.S. Congress met. It left.", ["The U.S. Congress met.", "It left."]),
        ("So 1-0.185302 = 0.814698. But less for two.", ["So 1-0.185302 = 0.814698.", "But less for two."]),
        ("Hand. 5 more is double.", ["Hand.", "5 more is double."]),
    ],
)
def test_a_paragraph_is_split_at_sentence_ends(document: str, sentences: list[str]) -> None:
    assert split(document) == sentences


@pytest.mark.parametrize("number", ["1.", "12.", "3)", "14)", "a)", "Rules2)"])
def test_the_number_of_a_step_belongs_to_its_first_sentence(number: str) -> None:
    assert split(f"  {number} None Bid. It wins.") == [f"{number} None Bid.", "It wins."]


def test_headings_and_rows_of_tables_are_sentences() -> None:
    document = "The Sixes Rule\n\nSixes pay twice.\n\nPlayer 1: 06742088\nPlayer 2: 92859819\n1 0.382638 0.329426\n"
    assert split(document) == [
        "The Sixes Rule",
        "Sixes pay twice.",
        "Player 1: 06742088",
        "Player 2: 92859819",
        "1 0.382638 0.329426",
    ]


def test_a_sentence_split_by_a_page_break_is_joined() -> None:
    assert split("Challenged by all the other\n\nplayers, he counts. So be it.") == [
        "Challenged by all the other players, he counts.",
        "So be it.",
    ]
    assert split("It ends.\n\nlow letters begin anew") == ["It ends.", "low letters begin anew"]
    assert split("of a kind = 1\nof a kind = 2") == ["of a kind = 1", "of a kind = 2"]


def test_empty_documents_have_no_sentences() -> None:
    assert split("") == split("\n \n") == []


def test_no_text_of_a_document_is_lost() -> None:
    document = 'A (b). "C?" D e.g. F\n1) G. H\n\n\ni j.  K!'
    assert normalised(" ".join(split(document))) == normalised(document)


def test_a_digest_ignores_white_space_only() -> None:
    assert digest("a  bid\nis") == digest(" a bid is ")
    assert digest("a bid is") != digest("a bid is.")
    assert len(digest("")) == 16


def test_an_opening_is_six_words_at_most() -> None:
    assert opening("one  two three four five six seven") == "one two three four five six"
    assert opening("Extensions") == "Extensions"
