# SPDX-License-Identifier: GPL-3.0-or-later
"""Byte-level byte-pair encoding: trainer, encoder and the HuggingFace tokenizer.json around it."""

import heapq
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterable

BOS = "<|begin_of_text|>"
EOS = "<|end_of_text|>"

# The pattern of the ByteLevel pre-tokenizer, written for Python's re.
_PIECES = re.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def _byte_alphabet() -> list[str]:
    """The printable character that stands for each byte value, as GPT-2 chose them."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spare = iter(range(256, 512))
    return [chr(b) if b in plain else chr(next(spare)) for b in range(256)]


ALPHABET = _byte_alphabet()
_BYTE_OF = {char: byte for byte, char in enumerate(ALPHABET)}


def pieces(text: str) -> Iterable[str]:
    """Splits text as the pre-tokenizer does; each piece is spelled in ALPHABET characters."""
    for match in _PIECES.finditer(text):
        yield "".join(ALPHABET[byte] for byte in match[0].encode())


def train(texts: Iterable[str], vocabulary: int) -> list[tuple[str, str]]:
    """Returns the merges, best first, that fill a vocabulary with two special tokens in it."""
    words = Counter(piece for text in texts for piece in pieces(text))
    spelled = [(list(word), count) for word, count in sorted(words.items())]
    counts: Counter = Counter()
    where = defaultdict(set)
    for index, (symbols, count) in enumerate(spelled):
        for pair in zip(symbols, symbols[1:]):
            counts[pair] += count
            where[pair].add(index)
    heap = [(-count, pair) for pair, count in counts.items()]
    heapq.heapify(heap)
    merges: list[tuple[str, str]] = []
    known = set(ALPHABET)
    while heap and len(known) < vocabulary - 2:
        count, best = heapq.heappop(heap)
        if counts[best] != -count:
            continue
        merges.append(best)
        known.add(best[0] + best[1])
        changed = set()
        for index in where.pop(best):
            symbols, count = spelled[index]
            for pair in zip(symbols, symbols[1:]):
                counts[pair] -= count
                changed.add(pair)
            symbols[:] = _merge(symbols, best)
            for pair in zip(symbols, symbols[1:]):
                counts[pair] += count
                changed.add(pair)
                where[pair].add(index)
        for pair in changed:
            if counts[pair] > 0 and pair != best:
                heapq.heappush(heap, (-counts[pair], pair))
    return merges


def _merge(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


class Tokenizer:
    """Encodes and decodes with a list of merges; ids are bytes, merges, BOS, EOS in this order."""

    def __init__(self, merges: list[tuple[str, str]]):
        self.merges = merges
        names = sorted(ALPHABET) + [a + b for a, b in merges] + [BOS, EOS]
        self.vocab = {name: index for index, name in enumerate(dict.fromkeys(names))}
        self.names = list(self.vocab)
        self.bos, self.eos = self.vocab[BOS], self.vocab[EOS]
        self._rank = {pair: rank for rank, pair in enumerate(merges)}
        self._cache: dict[str, list[int]] = {}

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Reads a tokenizer.json that save() wrote."""
        model = json.loads(path.read_text())["model"]
        tokenizer = cls([tuple(merge.split(" ")) for merge in model["merges"]])
        if any(tokenizer.vocab[name] != index for name, index in model["vocab"].items()):
            raise ValueError(f"{path}: the vocabulary is not in the order of the merges")
        return tokenizer

    def _piece_ids(self, piece: str) -> list[int]:
        if piece not in self._cache:
            symbols = list(piece)
            while len(symbols) > 1:
                pair = min(zip(symbols, symbols[1:]), key=lambda p: self._rank.get(p, 1 << 30))
                if pair not in self._rank:
                    break
                symbols = _merge(symbols, pair)
            self._cache[piece] = [self.vocab[symbol] for symbol in symbols]
        return self._cache[piece]

    def encode(self, text: str) -> list[int]:
        """Ids of plain text, without BOS."""
        return [token for piece in pieces(text) for token in self._piece_ids(piece)]

    def decode(self, ids: Iterable[int]) -> str:
        """Text of ids, special tokens left out."""
        names = "".join(self.names[i] for i in ids if i not in (self.bos, self.eos))
        return bytes(_BYTE_OF[char] for char in names).decode("utf-8", "replace")

    def save(self, folder: Path, longest: int) -> None:
        """Writes tokenizer.json and tokenizer_config.json; `longest` is the model's context."""
        special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                   "special": True}
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                      "use_regex": True}
        bos = {"SpecialToken": {"id": BOS, "type_id": 0}}
        first = {"Sequence": {"id": "A", "type_id": 0}}
        second = [{"SpecialToken": {"id": BOS, "type_id": 1}},
                  {"Sequence": {"id": "B", "type_id": 1}}]
        document = {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [{"id": self.vocab[name], "content": name, **special}
                             for name in (BOS, EOS)],
            "normalizer": None,
            "pre_tokenizer": byte_level,
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [bos, first],
                "pair": [bos, first, *second],
                "special_tokens": {BOS: {"id": BOS, "ids": [self.bos], "tokens": [BOS]}},
            },
            "decoder": byte_level,
            "model": {
                "type": "BPE", "dropout": None, "unk_token": None,
                "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False,
                "byte_fallback": False, "ignore_merges": False,
                "vocab": {name: index for name, index in self.vocab.items()
                          if name not in (BOS, EOS)},
                "merges": [f"{a} {b}" for a, b in self.merges],
            },
        }
        config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": BOS, "eos_token": EOS,
                  "clean_up_tokenization_spaces": False, "model_max_length": longest}
        for name, content in (("tokenizer.json", document), ("tokenizer_config.json", config)):
            text = json.dumps(content, ensure_ascii=False, indent=2)
            (folder / name).write_text(text + "\n", encoding="utf-8")
