# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a model as a HuggingFace folder with bf16 weights."""

import json
import struct
from pathlib import Path

import torch

from .bpe import Tokenizer
from .model import Config, Llama

TRANSFORMERS_FORMAT = "4.46.0"  # the release whose config.json format is written


def config_json(config: Config, tokenizer: Tokenizer) -> dict:
    return {
        "architectures": ["LlamaForCausalLM"],
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": tokenizer.bos,
        "eos_token_id": tokenizer.eos,
        "head_dim": config.head_dim,
        "hidden_act": "silu",
        "hidden_size": config.hidden_size,
        "initializer_range": 0.02,
        "intermediate_size": config.intermediate_size,
        "max_position_embeddings": config.context,
        "mlp_bias": False,
        "model_type": "llama",
        "num_attention_heads": config.heads,
        "num_hidden_layers": config.layers,
        "num_key_value_heads": config.kv_heads,
        "pretraining_tp": 1,
        "rms_norm_eps": config.norm_eps,
        "rope_scaling": None,
        "rope_theta": config.rope_theta,
        "tie_word_embeddings": True,
        "torch_dtype": "bfloat16",
        "transformers_version": TRANSFORMERS_FORMAT,
        "use_cache": True,
        "vocab_size": config.vocab_size,
    }


def write_safetensors(path: Path, tensors: dict[str, torch.Tensor]) -> None:
    """Writes tensors as BF16, sorted by name, the header padded to a multiple of eight bytes."""
    header: dict = {"__metadata__": {"format": "pt"}}
    body = b""
    for name in sorted(tensors):
        words = tensors[name].detach().contiguous().to(torch.bfloat16).view(torch.int16)
        raw = words.numpy().astype("<i2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(tensors[name].shape),
                        "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    partial = path.with_suffix(".part")
    partial.write_bytes(struct.pack("<Q", len(text)) + text + body)
    partial.replace(path)


def write(folder: Path, model: Llama, tokenizer: Tokenizer) -> None:
    """Writes the whole folder; the output matrix is the embedding, so it is not stored again."""
    folder.mkdir(parents=True, exist_ok=True)
    config = config_json(model.config, tokenizer)
    generation = {"_from_model_config": True, "bos_token_id": tokenizer.bos,
                  "eos_token_id": tokenizer.eos, "transformers_version": TRANSFORMERS_FORMAT}
    for name, content in (("config.json", config), ("generation_config.json", generation)):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")
    tokenizer.save(folder, model.config.context)
    write_safetensors(folder / "model.safetensors", model.state_dict())
