# SPDX-License-Identifier: GPL-3.0-or-later
"""Token streams of the corpus and the training windows cut from them."""

import numpy as np
import torch

from . import corpus
from .bpe import Tokenizer

HELD_OUT = 60  # every 60th document is kept for validation


class Stream:
    """The documents of one source one after another: BOS, text, EOS, BOS, text, ...

    A window begins with BOS and the start of a sentence, as a prompt does. Inside a paragraph a
    sentence starts with a space; `heads` holds its first word spelled without it.
    """

    def __init__(self, tokenizer: Tokenizer, documents: list[corpus.Document]):
        ids: list[int] = []
        self.bos = tokenizer.bos
        self.starts: list[tuple[int, list[int]]] = []
        for document in documents:
            ids.append(tokenizer.bos)
            for number, paragraph in enumerate(document):
                if number:
                    ids += tokenizer.encode("\n")
                for sentence in corpus.sentences(paragraph):
                    head, blank, tail = sentence.lstrip(" ").partition(" ")
                    lead = " " if sentence.startswith(" ") else ""
                    self.starts.append((len(ids) + len(tokenizer.encode(lead + head)),
                                        tokenizer.encode(head)))
                    ids += tokenizer.encode(lead + head) + tokenizer.encode(blank + tail)
            ids.append(tokenizer.eos)
        self.ids = np.array(ids, dtype=np.int64)

    def window(self, number: int, length: int) -> np.ndarray:
        """`length` tokens from sentence `number` on, which counts modulo the usable sentences."""
        at, head = self.starts[number % len(self.starts)]
        begin = [self.bos, *head]
        at = min(at, len(self.ids) - length)
        return np.concatenate((begin, self.ids[at:at + length]))[:length]


class Dataset:
    def __init__(self, tokenizer: Tokenizer, documents: dict[str, list[corpus.Document]],
                 seed: int):
        self.random = np.random.default_rng(seed)
        self.names = list(documents)
        self.select(0)
        self.train, self.held = {}, {}
        for name, items in documents.items():
            kept = [item for i, item in enumerate(items) if i % HELD_OUT != HELD_OUT - 1]
            self.train[name] = Stream(tokenizer, kept)
            self.held[name] = Stream(tokenizer, items[HELD_OUT - 1::HELD_OUT])

    def select(self, training: int) -> None:
        """Uses the shares of the first (0) or the second (1) training."""
        self.shares = [corpus.WEIGHTS[name][training] for name in self.names]

    def batch(self, rows: int, length: int) -> torch.Tensor:
        """Random windows [rows, length + 1], taken from every source according to its share."""
        windows = []
        for name in self.random.choice(self.names, rows, p=self.shares):
            stream = self.train[name]
            windows.append(stream.window(int(self.random.integers(len(stream.starts))), length + 1))
        return torch.from_numpy(np.stack(windows))

    def held_out(self, name: str, rows: int, length: int) -> torch.Tensor:
        """The same evenly spread windows [rows, length + 1] of unseen documents every time."""
        stream = self.held[name]
        stride = max(1, len(stream.starts) // rows)
        return torch.from_numpy(np.stack([stream.window(i * stride, length + 1)
                                          for i in range(rows)]))
