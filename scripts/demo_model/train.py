# SPDX-License-Identifier: GPL-3.0-or-later
"""The first training. Its schedule follows the clock, so that a slow machine ends on time too."""

import time
from pathlib import Path
from typing import Callable

import torch
from torch.nn import functional as F

from . import optimizer
from .dataset import Dataset
from .model import Llama

TOKENS_PER_PASS = 2048  # small enough for activations to stay in the processor's cache
PASSES_PER_STEP = 2
PEAK_RATE = 4e-3
REPORT_SECONDS = 60.0

# (share of the time, window length): short windows are cheaper and teach most of the language.
LENGTHS = ((0.5, 128), (0.85, 256), (1.0, 512))


def learning_rate(share: float) -> float:
    """Rises during the first 2 % of the time, is constant until 40 %, then falls linearly to zero."""
    return PEAK_RATE * min(share / 0.02, 1.0, (1.0 - share) / 0.6)


def loss_of(model: Llama, windows: torch.Tensor, bf16: bool = False) -> torch.Tensor:
    """Mean cross-entropy in nats per token; `bf16` does the matrix products in that precision."""
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits = model(windows[:, :-1])
    return F.cross_entropy(logits.float().flatten(0, 1), windows[:, 1:].flatten())


@torch.no_grad()
def validate(model: Llama, data: Dataset) -> dict[str, float]:
    """Loss on unseen documents, per source."""
    return {name: loss_of(model, data.held_out(name, 16, 256)).item() for name in data.names}


def run(model: Llama, data: Dataset, minutes: float, save_every: float, bf16: bool, state: Path,
        on_save: Callable[[], None]) -> None:
    """Trains for `minutes` of wall time; every `save_every` minutes writes `state`, calls on_save."""
    optimizers = optimizer.build(model, PEAK_RATE)
    groups = [group for one in optimizers for group in one.param_groups]
    begin = reported = saved = time.monotonic()
    step = tokens = 0
    average = None
    while (share := (time.monotonic() - begin) / (60 * minutes)) < 1.0:
        length = next(length for limit, length in LENGTHS if share < limit)
        for group in groups:
            group["lr"] = max(learning_rate(share), 1e-6)
        model.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(PASSES_PER_STEP):
            loss = loss_of(model, data.batch(TOKENS_PER_PASS // length, length), bf16)
            (loss / PASSES_PER_STEP).backward()
            total += loss.item() / PASSES_PER_STEP
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for one in optimizers:
            one.step()
        step, tokens = step + 1, tokens + TOKENS_PER_PASS * PASSES_PER_STEP
        average = total if average is None else 0.97 * average + 0.03 * total
        now = time.monotonic()
        if step in (1, 5, 20) or now - reported > REPORT_SECONDS:
            reported = now
            print(f"{(now - begin) / 60:6.1f} min  step {step:5d}  {tokens / 1e6:6.2f} M tokens "
                  f"({tokens / (now - begin):5.0f}/s)  window {length}  loss {average:.3f}",
                  flush=True)
        if now - saved > 60 * save_every:
            torch.save(model.state_dict(), state)
            on_save()
            saved = now
            print("  held out:", {k: round(v, 3) for k, v in validate(model, data).items()},
                  flush=True)
    torch.save(model.state_dict(), state)
    print(f"end: {step} steps, {tokens / 1e6:.2f} M tokens, loss {average:.3f}, held out "
          f"{ {k: round(v, 3) for k, v in validate(model, data).items()} }", flush=True)
