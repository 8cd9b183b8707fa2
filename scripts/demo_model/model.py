# SPDX-License-Identifier: GPL-3.0-or-later
"""A Llama decoder whose parameter names are those of a HuggingFace checkpoint.

Shapes: B sequences, T positions, C hidden size, H query heads, K key/value heads, D head size.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Config:
    vocab_size: int = 4096
    hidden_size: int = 256
    intermediate_size: int = 704
    layers: int = 6
    heads: int = 8
    kv_heads: int = 2
    context: int = 512
    rope_theta: float = 10000.0
    norm_eps: float = 1e-5

    @property
    def head_dim(self) -> int:
        return self.hidden_size // self.heads


class RmsNorm(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(config.hidden_size))
        self.eps = config.norm_eps

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding over halves of the head, as in HuggingFace's Llama. x is [B, *, T, D]."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


def rotary_tables(config: Config) -> tuple[Tensor, Tensor]:
    steps = torch.arange(0, config.head_dim, 2).float() / config.head_dim
    angles = torch.outer(torch.arange(config.context).float(), config.rope_theta ** -steps)
    angles = torch.cat((angles, angles), dim=-1)  # [context, D]
    return angles.cos(), angles.sin()


class Attention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        width, narrow = config.heads * config.head_dim, config.kv_heads * config.head_dim
        self.q_proj = nn.Linear(config.hidden_size, width, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, narrow, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, narrow, bias=False)
        self.o_proj = nn.Linear(width, config.hidden_size, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor,
                cache: list | None) -> Tensor:
        b, t, _ = x.shape
        h, k, d = self.config.heads, self.config.kv_heads, self.config.head_dim
        query = rotate(self.q_proj(x).view(b, t, h, d).transpose(1, 2), cos, sin)  # [B, H, T, D]
        key = rotate(self.k_proj(x).view(b, t, k, d).transpose(1, 2), cos, sin)  # [B, K, T, D]
        value = self.v_proj(x).view(b, t, k, d).transpose(1, 2)  # [B, K, T, D]
        if cache is not None:
            if cache:
                key, value = torch.cat((cache[0], key), 2), torch.cat((cache[1], value), 2)
            cache[:] = [key, value]
        # The H/K query heads that share a key head are stacked as rows of one product.
        rows = query.reshape(b * k, (h // k) * t, d)
        columns = key.reshape(b * k, -1, d).transpose(1, 2)
        scores = torch.baddbmm(mask, rows, columns, alpha=d ** -0.5)  # [B*K, H/K*T, T']
        mixed = torch.bmm(scores.softmax(-1), value.reshape(b * k, -1, d))
        return self.o_proj(mixed.view(b, h, t, d).transpose(1, 2).reshape(b, t, h * d))


class Mlp(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.gate_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.input_layernorm = RmsNorm(config)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = RmsNorm(config)
        self.mlp = Mlp(config)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor,
                cache: list | None) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask, cache)
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = RmsNorm(config)


class Llama(nn.Module):
    """Causal language model with tied embeddings."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.model = Decoder(config)
        self.cos, self.sin = rotary_tables(config)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=0.02)
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                weight.data.div_((2 * config.layers) ** 0.5)

    def forward(self, ids: Tensor, caches: list[list] | None = None) -> Tensor:
        """Logits [B, T, vocab]. With caches (one list per layer) ids continue the cached text."""
        past = caches[0][0].shape[2] if caches and caches[0] else 0
        t, total = ids.shape[1], past + ids.shape[1]
        cos, sin = self.cos[past:total], self.sin[past:total]
        mask = torch.full((t, total), float("-inf")).triu(past + 1)
        mask = mask.repeat(self.config.heads // self.config.kv_heads, 1)  # [H/K*T, T']
        x = self.model.embed_tokens(ids)
        for index, layer in enumerate(self.model.layers):
            x = layer(x, cos, sin, mask, caches[index] if caches else None)
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight)

    @torch.no_grad()
    def greedy(self, ids: Tensor, count: int) -> Tensor:
        """Appends `count` greedy tokens to each row of ids [B, T]."""
        caches: list[list] = [[] for _ in self.model.layers]
        step = ids
        for _ in range(count):
            step = self(step, caches)[:, -1:].argmax(-1)
            ids = torch.cat((ids, step), 1)
        return ids
