# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns the raw sources into clean documents: lists of paragraphs of plain prose."""

import re
from itertools import groupby
from pathlib import Path

from . import sources

Document = list[str]

# Share of the windows taken from each source, in the first and in the second training.
# WordNet teaches words, but a model that has just seen it tends to list unconnected sentences.
WEIGHTS = {"austen": (0.45, 0.58), "bible": (0.33, 0.42), "examples": (0.14, 0.0),
           "definitions": (0.08, 0.0)}

PARAGRAPHS_PER_DOCUMENT = 20
MOST_NAMES = 0.13  # share of capitalised words; a chapter with more is a list of names
LONGEST_DEFINITION = 24  # in words
SHORTEST_EXAMPLE = 4  # in words; shorter quotations are phrases, not sentences

_HEADING = re.compile(r"(volume|chapter|letter)\b.{0,12}$|by jane austen$|finis$|the end$", re.I)
_SENTENCE_END = re.compile(
    r"(?<![A-Z])(?<!Mr)(?<!Dr)(?<!St)(?<!Mrs)(?<!Capt)(?<!Col)[.?!][\"')]*(?= )")


def _clean(text: str) -> str:
    text = re.sub(r"[_*\[\]]", "", text)
    text = re.sub(r"\b[A-Z]{3,}\b", lambda word: word[0].capitalize(), text)
    return re.sub(r"\s+", " ", text).strip()


def bible(root: Path) -> list[Document]:
    """One document per chapter, verses joined without numbers; lists of names are left out."""
    documents = []
    for _, verses in groupby(sources.bible_verses(root), key=lambda verse: verse[0]):
        text = _clean(" ".join(verse for _, verse in verses))
        words = text.split()
        names = len(re.findall(r"(?<=[a-z,;:] )[A-Z][a-z]", text))
        if names < MOST_NAMES * len(words):
            documents.append([text])
    return documents


def austen(root: Path) -> list[Document]:
    """One document per chapter, lines joined into paragraphs, headings left out."""
    documents: list[Document] = []
    for lines in sources.austen_books(root):
        document: Document = []
        for blank, group in groupby(lines, key=lambda line: not line.strip()):
            if blank:
                continue
            paragraph = _clean(" ".join(group))
            if _HEADING.match(paragraph):
                documents.append(document)
                document = []
            elif re.search("[a-z]", paragraph):
                document.append(paragraph)
        documents.append(document)
    return [document for document in documents if document]


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".?!" else text.rstrip(",:;") + "."


def definition(part: str, word: str, gloss: str) -> str | None:
    """A sentence with the meaning of a noun or verb, or None if no simple one can be made."""
    meaning = re.sub(r"\([^)]*\)", "", gloss.split(";")[0]).strip()
    meaning = re.sub(r"\s+", " ", meaning)
    if not meaning or '"' in meaning or len(meaning.split()) > LONGEST_DEFINITION:
        return None
    if part == "verb":
        return _sentence(f"to {word} is to {meaning.removeprefix('to ')}")
    if part != "noun" or not re.match(r"(a|an|the|any) ", meaning):
        return None
    if meaning.startswith("the ") or word[0].isupper():
        return _sentence(f"{word} is {meaning}")
    return _sentence(f"{'an' if word[0] in 'aeiou' else 'a'} {word} is {meaning}")


def _grouped(paragraphs: list[str]) -> list[Document]:
    size = PARAGRAPHS_PER_DOCUMENT
    return [paragraphs[i:i + size] for i in range(0, len(paragraphs), size)]


def wordnet(root: Path) -> tuple[list[Document], list[Document]]:
    """Example sentences and definitions; neighbouring paragraphs are about neighbouring notions."""
    examples, definitions = [], []
    for part, word, gloss in sources.wordnet_synsets(root):
        quotes = [_sentence(quote) for quote in re.findall(r'"([^"]+)"', gloss)
                  if len(quote.split()) >= SHORTEST_EXAMPLE and quote.isascii()]
        if quotes:
            examples.append(_clean(" ".join(quotes)))
        if meaning := definition(part, word, gloss):
            definitions.append(_clean(meaning))
    return _grouped(examples), _grouped(definitions)


def load(root: Path) -> dict[str, list[Document]]:
    """All documents by source name."""
    examples, definitions = wordnet(root)
    return {"austen": austen(root), "bible": bible(root), "examples": examples,
            "definitions": definitions}


def sentences(paragraph: str) -> list[str]:
    """Splits a paragraph after sentence ends; every piece but the first keeps its leading space."""
    cuts = [0] + [match.end() for match in _SENTENCE_END.finditer(paragraph)] + [len(paragraph)]
    return [paragraph[a:b] for a, b in zip(cuts, cuts[1:]) if b > a]
