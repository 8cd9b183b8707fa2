# SPDX-License-Identifier: GPL-3.0-or-later
"""The second training, which teaches the model not to repeat itself.

A small model under greedy decoding soon repeats itself. Every few steps the model continues some
prompts greedily here; the words that complete a four-token sequence seen before in the same text
are made less likely (sequence-level unlikelihood, Welleck et al. 2019), while ordinary batches go
on.
"""

import time
from pathlib import Path
from typing import Callable

import torch
from torch.nn import functional as F

from . import optimizer
from .bpe import Tokenizer
from .dataset import Dataset
from .model import Llama
from .train import PASSES_PER_STEP, REPORT_SECONDS, TOKENS_PER_PASS, loss_of, validate

PEAK_RATE = 1.2e-3
WARM_UP = 20  # steps
EVERY = 3  # number of steps between two rounds of continuations
ROWS = 16  # continuations per round
PROMPT = 12  # tokens, BOS included
NEW_TOKENS = 84
NGRAM = 4
WINDOW = 256  # window length of the ordinary batches


def repeated(ids: torch.Tensor) -> torch.Tensor:
    """Marks in [B, T - 1] which targets ids[:, 1:] past the prompt complete a repeated sequence."""
    marks = torch.zeros(ids.shape[0], ids.shape[1] - 1, dtype=torch.bool)
    for row, tokens in enumerate(ids.tolist()):
        seen = set()
        for at in range(NGRAM - 1, len(tokens)):
            sequence = tuple(tokens[at - NGRAM + 1:at + 1])
            if sequence in seen and at >= PROMPT:
                marks[row, at - 1] = True
            seen.add(sequence)
    return marks


def continuations(model: Llama, prompts: torch.Tensor) -> torch.Tensor:
    model.eval()
    ids = model.greedy(prompts, NEW_TOKENS)
    model.train()
    return ids


def unlikelihood(model: Llama, ids: torch.Tensor, marks: torch.Tensor, bf16: bool) -> torch.Tensor:
    """Mean of -log(1 - p) over the marked targets."""
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits = model(ids[:, :-1])
    chosen = F.log_softmax(logits.float()[marks], -1).gather(1, ids[:, 1:][marks][:, None])
    return -torch.log1p(-chosen.exp().clamp(max=1 - 1e-5)).mean()


def repetition(model: Llama, data: Dataset) -> float:
    """Share of greedy tokens after unseen prompts that complete a repeated sequence."""
    prompts = torch.cat([data.held_out(name, 16, PROMPT - 1) for name in data.names])
    return repeated(continuations(model, prompts))[:, PROMPT - 1:].float().mean().item()


def run(model: Llama, data: Dataset, tokenizer: Tokenizer, minutes: float, save_every: float,
        bf16: bool, state: Path, on_save: Callable[[], None]) -> None:
    """Trains for `minutes` of wall time with a rate that falls to zero; saves as train.run does."""
    # Only makes beginnings of words less likely: without its rest, a word would be misspelt.
    starts_word = torch.tensor([name.startswith("\u0120") for name in tokenizer.names])
    optimizers = optimizer.build(model, PEAK_RATE)
    groups = [group for one in optimizers for group in one.param_groups]
    print(f"second training: {repetition(model, data):.1%} of greedy tokens repeat a sequence",
          flush=True)
    begin = reported = saved = time.monotonic()
    step = 0
    average = rate = None
    while (share := (time.monotonic() - begin) / (60 * minutes)) < 1.0:
        for group in groups:
            group["lr"] = max(PEAK_RATE * min((step + 1) / WARM_UP, 1.0 - share), 1e-6)
        model.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(PASSES_PER_STEP):
            loss = loss_of(model, data.batch(TOKENS_PER_PASS // WINDOW, WINDOW), bf16)
            (loss / PASSES_PER_STEP).backward()
            total += loss.item() / PASSES_PER_STEP
        if step % EVERY == 0:
            ids = continuations(model, data.batch(ROWS, PROMPT - 1))
            marks = repeated(ids)
            now_rate = marks[:, PROMPT - 1:].float().mean().item()
            rate = now_rate if rate is None else 0.9 * rate + 0.1 * now_rate
            marks &= starts_word[ids[:, 1:]]
            if marks.any():
                unlikelihood(model, ids, marks, bf16).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for one in optimizers:
            one.step()
        step += 1
        average = total if average is None else 0.97 * average + 0.03 * total
        now = time.monotonic()
        if step in (1, 5, 20) or now - reported > REPORT_SECONDS:
            reported = now
            print(f"{(now - begin) / 60:6.1f} min  step {step:4d}  loss {average:.3f}  "
                  f"repeated {rate:.1%}", flush=True)
        if now - saved > 60 * save_every:
            torch.save(model.state_dict(), state)
            on_save()
            saved = now
    held = {name: round(value, 3) for name, value in validate(model, data).items()}
    print(f"end: {step} steps, loss {average:.3f}, {repetition(model, data):.1%} of greedy tokens "
          f"repeat a sequence, held out {held}", flush=True)
