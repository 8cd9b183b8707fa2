# SPDX-License-Identifier: GPL-3.0-or-later
"""A short second training that teaches the model not to run in circles.

A small model under greedy decoding soon repeats itself. Each step here lets the model continue some
prompts greedily, finds the tokens that complete a four-token sequence seen before in the same text,
and lowers their probability (sequence-level unlikelihood, Welleck et al. 2019), while an ordinary
batch keeps the language.
"""

import time

import torch
from torch.nn import functional as F

from . import optimizer
from .dataset import Dataset
from .model import Llama
from .train import REPORT_SECONDS, TOKENS_PER_PASS, loss_of, validate

PEAK_RATE = 8e-4
ROWS = 24  # continuations per step
PROMPT = 12  # tokens, BOS included
NEW_TOKENS = 100
NGRAM = 4
WINDOW = 256  # of the ordinary batch


def repeated(ids: torch.Tensor, prompt: int) -> torch.Tensor:
    """Marks in [B, T - 1] which targets ids[:, 1:] past the prompt complete a repeated sequence."""
    marks = torch.zeros(ids.shape[0], ids.shape[1] - 1, dtype=torch.bool)
    for row, tokens in enumerate(ids.tolist()):
        seen = set()
        for at in range(NGRAM - 1, len(tokens)):
            sequence = tuple(tokens[at - NGRAM + 1:at + 1])
            if sequence in seen and at >= prompt:
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
    """Share of the greedy tokens after unseen prompts that complete a repeated sequence."""
    prompts = torch.cat([data.held_out(name, 16, PROMPT - 1) for name in data.names])
    marks = repeated(continuations(model, prompts), PROMPT)
    return marks[:, PROMPT - 1:].float().mean().item()


def run(model: Llama, data: Dataset, minutes: float, bf16: bool) -> None:
    """Trains for `minutes` of wall time with a rate that falls to zero."""
    optimizers = optimizer.build(model, PEAK_RATE)
    groups = [group for one in optimizers for group in one.param_groups]
    print(f"polish: {repetition(model, data):.1%} of greedy tokens repeat a sequence", flush=True)
    begin = reported = time.monotonic()
    step = 0
    average = None
    while (share := (time.monotonic() - begin) / (60 * minutes)) < 1.0:
        for group in groups:
            group["lr"] = max(PEAK_RATE * min((step + 1) / 10, 1.0 - share), 1e-6)
        model.zero_grad(set_to_none=True)
        loss = loss_of(model, data.batch(TOKENS_PER_PASS // WINDOW, WINDOW), bf16)
        loss.backward()
        ids = continuations(model, data.batch(ROWS, PROMPT - 1))
        marks = repeated(ids, PROMPT)
        if marks.any():
            unlikelihood(model, ids, marks, bf16).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for one in optimizers:
            one.step()
        step += 1
        rate = marks[:, PROMPT - 1:].float().mean().item()
        average = rate if average is None else 0.9 * average + 0.1 * rate
        now = time.monotonic()
        if step in (1, 5, 20) or now - reported > REPORT_SECONDS:
            reported = now
            print(f"{(now - begin) / 60:6.1f} min  step {step:4d}  loss {loss.item():.3f}  "
                  f"repeated {average:.1%}", flush=True)
    held = {name: round(value, 3) for name, value in validate(model, data).items()}
    print(f"end of polish: {step} steps, {repetition(model, data):.1%} of greedy tokens repeat a "
          f"sequence, held out {held}", flush=True)
