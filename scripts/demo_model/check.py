# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an exported model folder with NumPy alone and prints greedy continuations.

Shares no code with the training but the tokenizer, so it also checks what the export wrote. Run as
`PYTHONPATH=scripts python3 -m demo_model.check FOLDER`. Shapes: T positions, C hidden size.
"""

import argparse
import json
import struct
import sys
from pathlib import Path

import numpy as np

from .bpe import Tokenizer

PROMPTS = (
    "The old man walked to the house and",
    "In the morning the children",
    "She opened the door and",
    "The king said to his servants,",
    "It was a cold night, and the wind",
    "My brother has a new",
    "When the war was over, the soldiers",
    "I do not know what",
    "The teacher asked the students to",
    "There was once a young woman who",
    "The capital of France is",
    "A computer is",
    "Energy is",
    "We went to the city because",
    "The doctor told her that",
    "Once upon a time",
    "Dear sister, I am very",
    "He took the book from the table and",
    "The river runs through",
    "What do you think of",
)


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """All tensors of a BF16 file, dequantized to float32."""
    data = path.read_bytes()
    size = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        words = np.frombuffer(data[8 + size + begin:8 + size + end], "<u2")
        wide = (words.astype(np.uint32) << 16).view(np.float32)
        tensors[name] = wide.reshape(entry["shape"])
    return tensors


class Reference:
    """A Llama forward pass in float32, without a cache."""

    def __init__(self, folder: Path):
        self.config = json.loads((folder / "config.json").read_text())
        self.tensors = read_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.load(folder / "tokenizer.json")

    def encode(self, text: str) -> list[int]:
        return [self.tokenizer.bos, *self.tokenizer.encode(text)]

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        power = (x * x).mean(-1, keepdims=True) + np.float32(self.config["rms_norm_eps"])
        return x / np.sqrt(power) * self.tensors[name]

    def _rotate(self, x: np.ndarray) -> np.ndarray:
        """Rotary embedding of [heads, T, D]; element i is paired with element i + D/2."""
        half = x.shape[2] // 2
        rates = self.config["rope_theta"] ** (-np.arange(half, dtype=np.float64) / half)
        angles = np.outer(np.arange(x.shape[1]), rates)
        cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        a, b = x[..., :half], x[..., half:]
        return np.concatenate((a * cos - b * sin, b * cos + a * sin), -1)

    def _attention(self, x: np.ndarray, prefix: str, trace: dict) -> np.ndarray:
        heads, kv = self.config["num_attention_heads"], self.config["num_key_value_heads"]
        t, d = len(x), self.config["head_dim"]

        def project(name: str, count: int) -> np.ndarray:
            rows = x @ self.tensors[f"{prefix}.{name}.weight"].T
            return rows.reshape(t, count, d).swapaxes(0, 1)

        query = self._rotate(project("q_proj", heads))
        key = np.repeat(self._rotate(project("k_proj", kv)), heads // kv, axis=0)
        value = np.repeat(project("v_proj", kv), heads // kv, axis=0)
        scores = query @ key.swapaxes(1, 2) / np.float32(d ** 0.5)  # [heads, T, T]
        scores = np.where(np.tril(np.ones((t, t), bool)), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        trace["attention"].append(weights[:, -1])
        mixed = (weights @ value).swapaxes(0, 1).reshape(t, heads * d)
        return mixed @ self.tensors[f"{prefix}.o_proj.weight"].T

    def _mlp(self, x: np.ndarray, prefix: str, trace: dict) -> np.ndarray:
        gate = x @ self.tensors[f"{prefix}.gate_proj.weight"].T
        up = x @ self.tensors[f"{prefix}.up_proj.weight"].T
        trace["gate"].append(gate)
        return (gate / (1 + np.exp(-gate)) * up) @ self.tensors[f"{prefix}.down_proj.weight"].T

    def forward(self, ids: list[int]) -> dict:
        """Logits [T, vocab] and the intermediate results, all float32."""
        trace: dict = {"layers": [], "attention": [], "gate": []}
        x = trace["embedding"] = self.tensors["model.embed_tokens.weight"][ids]  # [T, C]
        for index in range(self.config["num_hidden_layers"]):
            layer = f"model.layers.{index}"
            x = x + self._attention(self._norm(x, f"{layer}.input_layernorm.weight"),
                                    f"{layer}.self_attn", trace)
            x = x + self._mlp(self._norm(x, f"{layer}.post_attention_layernorm.weight"),
                              f"{layer}.mlp", trace)
            trace["layers"].append(x)
        trace["final_norm"] = self._norm(x, "model.norm.weight")
        trace["logits"] = trace["final_norm"] @ self.tensors["model.embed_tokens.weight"].T
        return trace

    def greedy(self, ids: list[int], count: int) -> tuple[list[int], list[float], list[float]]:
        """The next `count` ids, each with its lead over the second choice and its logit."""
        ids, new, leads, tops = list(ids), [], [], []
        for _ in range(count):
            logits = self.forward(ids)["logits"][-1]
            second, top = np.sort(logits)[-2:]
            new.append(int(logits.argmax()))
            leads.append(float(top - second))
            tops.append(float(top))
            ids.append(new[-1])
        return new, leads, tops


def longest_loop(ids: list[int]) -> int:
    """How many tokens at the end repeat what directly precedes them, whatever the period."""
    best = 0
    for period in range(1, len(ids) // 2 + 1):
        run = 0
        while run + period < len(ids) and ids[-1 - run] == ids[-1 - run - period]:
            run += 1
        best = max(best, run if run >= period else 0)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--prompt", action="append", help="instead of the built-in prompts")
    parser.add_argument("--tokens", type=int, default=48, help="(default %(default)s)")
    options = parser.parse_args()
    reference = Reference(options.folder)
    for prompt in options.prompt or PROMPTS:
        new, _, _ = reference.greedy(reference.encode(prompt), options.tokens)
        note = f"   [repeats its last {loop} tokens]" if (loop := longest_loop(new)) > 5 else ""
        print(f"> {prompt}\n{reference.tokenizer.decode(new)}{note}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
