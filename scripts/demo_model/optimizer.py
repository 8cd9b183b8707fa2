# SPDX-License-Identifier: GPL-3.0-or-later
"""Muon for the weight matrices, AdamW for embeddings and norms, under one learning rate.

Muon takes the momentum of a matrix and replaces its singular values by about one. That costs a few
matrix products a step; small language models need clearly fewer steps with it than with AdamW.
"""

import torch
from torch import Tensor


def orthogonalised(matrix: Tensor, steps: int = 5) -> Tensor:
    """The matrix with its singular values replaced by about one (Newton-Schulz iteration)."""
    a, b, c = 3.4445, -4.7750, 2.0315
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.t()
    x = (x / (x.norm() + 1e-7)).bfloat16()  # the iteration tolerates low precision
    for _ in range(steps):
        gram = x @ x.t()
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x if wide else x.t()).float()


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr: float, momentum: float = 0.95, weight_decay: float = 0.0):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                velocity = self.state[weight].setdefault("velocity", torch.zeros_like(weight))
                velocity.lerp_(weight.grad, 1 - group["momentum"])
                update = orthogonalised(weight.grad.lerp(velocity, group["momentum"]))
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                # The factor gives the update the RMS of a typical AdamW update.
                weight.add_(update, alpha=-group["lr"] * 0.2 * max(weight.shape) ** 0.5)


def build(model: torch.nn.Module, lr: float) -> list[torch.optim.Optimizer]:
    """The optimizers of a model; the schedule sets the learning rate of each of their groups."""
    matrices = [p for n, p in model.named_parameters() if p.dim() == 2 and "embed" not in n]
    others = [p for n, p in model.named_parameters() if p.dim() != 2 or "embed" in n]
    return [Muon(matrices, lr, weight_decay=0.05),
            torch.optim.AdamW(others, lr, betas=(0.9, 0.95), weight_decay=0.0)]
