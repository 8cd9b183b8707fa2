#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes goldens.json: the frequencies that transformers computes for the configurations below.

Needs the Python packages torch and transformers (made with 2.13.0 and 5.24.0). The tests only read
goldens.json. Each row has the configuration as it stands in config.json and, for sequences of
several lengths, the frequencies of the layers that see everything ("full") and, where they differ,
of those with a window ("sliding"), and the factor of cosines and sines.
"""
import importlib
import json
import pathlib
import tempfile

import torch
from transformers import AutoConfig
from transformers.utils import logging

logging.set_verbosity_error()

SIZES = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 4,
         "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 64,
         "max_position_embeddings": 256}
FAMILIES = {  # model_type: architecture, module and rotary class, further keys
    "llama": ("LlamaForCausalLM", "Llama", {}),
    "mistral": ("MistralForCausalLM", "Mistral", {}),
    "mixtral": ("MixtralForCausalLM", "Mixtral", {"head_dim": 32}),
    "qwen2": ("Qwen2ForCausalLM", "Qwen2", {}),
    "qwen3": ("Qwen3ForCausalLM", "Qwen3", {"head_dim": 48}),
    "qwen3_moe": ("Qwen3MoeForCausalLM", "Qwen3Moe", {"head_dim": 32}),
    "phi": ("PhiForCausalLM", "Phi", {}),
    "phi3": ("Phi3ForCausalLM", "Phi3", {"pad_token_id": 0}),
    "stablelm": ("StableLmForCausalLM", "StableLm", {}),
    "gpt_neox": ("GPTNeoXForCausalLM", "GPTNeoX", {}),
    "starcoder2": ("Starcoder2ForCausalLM", "Starcoder2", {}),
    "gemma2": ("Gemma2ForCausalLM", "Gemma2", {"head_dim": 32}),
    "gemma3_text": ("Gemma3ForCausalLM", "Gemma3",
                    {"head_dim": 32, "sliding_window": 16,
                     "layer_types": ["sliding_attention", "full_attention"] * 2}),
}

YARN = {"factor": 4.0, "original_max_position_embeddings": 64}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}
LONG = {"short_factor": [1.0 + i / 8 for i in range(16)],
        "long_factor": [2.0 + i / 2 for i in range(16)]}


def rows():
    def both(model_type, scaling, **keys):
        """The spellings of transformers 4 and 5."""
        theta = keys.pop("rope_theta", 10000.0)
        key = "rotary_emb_base" if model_type == "gpt_neox" else "rope_theta"
        yield model_type, keys | {key: theta, "rope_scaling": scaling}
        yield model_type, keys | {"rope_parameters": scaling | {"rope_theta": theta}}

    for model_type in FAMILIES:
        yield model_type, {}
        if model_type not in ("gemma3_text", "phi3"):
            yield from both(model_type, {"rope_type": "linear", "factor": 3.0}, rope_theta=5000.0)
            yield from both(model_type, {"rope_type": "dynamic", "factor": 2.5})
            yield from both(model_type, {"rope_type": "yarn"} | YARN, rope_theta=1e6)
            yield from both(model_type, LLAMA3, rope_theta=500000.0)
    for version in ("4.44.0", "4.51.0", "4.52.4", "4.55.4", "4.57.1", "5.3.0"):
        yield "llama", {"transformers_version": version, "rope_theta": 1e6,
                        "rope_scaling": {"rope_type": "yarn"} | YARN}
        yield "qwen3", {"transformers_version": version, "rope_theta": 1e6,
                        "max_position_embeddings": 80, "rope_scaling": {"type": "yarn"} | YARN}
        yield "llama", {"transformers_version": version, "rope_scaling": {
            "rope_type": "longrope", "factor": 4.0, "original_max_position_embeddings": 32} | LONG}
    for more in ({"beta_fast": 16, "beta_slow": 2}, {"beta_fast": 0, "beta_slow": 0},
                 {"beta_fast": None, "attention_factor": None}, {"attention_factor": 0.75},
                 {"attention_factor": 1}, {"mscale": 1.0, "mscale_all_dim": 0.7},
                 {"mscale": 0.7}, {"mscale_all_dim": 0.7}, {"mscale": 1.0, "mscale_all_dim": 1.0},
                 {"truncate": False}, {"truncate": False, "beta_fast": 8.0},
                 {"factor": 1.0}, {"factor": 0.5}, {"factor": None},
                 {"finetuned": True},
                 {"partial_rotary_factor": 0.5}, {"mrope_section": [4, 6, 6]}):
        yield from both("llama", {"rope_type": "yarn"} | YARN | more, rope_theta=150000.0)
        yield from both("qwen3", {"type": "yarn"} | YARN | more, max_position_embeddings=512)
    for type_word in ("longrope", "yarn"):
        yield "phi3", {"original_max_position_embeddings": 64,
                       "rope_scaling": {"type": type_word} | LONG}
    yield "phi3", {"original_max_position_embeddings": 64,
                   "rope_scaling": {"type": "longrope", "factor": 3.0} | LONG}
    yield "phi3", {"original_max_position_embeddings": 64, "partial_rotary_factor": 0.5,
                   "rope_scaling": {"type": "longrope", "attention_factor": 1.25,
                                    "short_factor": LONG["short_factor"][:8],
                                    "long_factor": LONG["long_factor"][:8]}}
    for more in ({}, {"factor": 2.0}, {"attention_factor": 1.5},
                 {"original_max_position_embeddings": 32},
                 {"original_max_position_embeddings": 32, "factor": 16.0}):
        yield from both("llama", {"rope_type": "longrope"} | LONG | more)
        yield from both("llama", {"rope_type": "longrope"} | LONG | more,
                        original_max_position_embeddings=128)
        yield "phi3", {"original_max_position_embeddings": 128,
                       "rope_parameters": {"rope_type": "longrope", "rope_theta": 1e4} | LONG | more}
    for scaling in ({"rope_type": "yarn"} | YARN, LLAMA3, {"rope_type": "yarn", "factor": 4.0}):
        yield from both("llama", scaling, original_max_position_embeddings=96)
    for share in (0.25, 0.4, 0.75):
        yield "stablelm", {"partial_rotary_factor": share}
        yield "stablelm", {"rope_parameters": {"rope_type": "default", "rope_theta": 1e5,
                                               "partial_rotary_factor": share}}
        yield "phi", {"partial_rotary_factor": share, "rope_scaling": {"type": "linear",
                                                                       "factor": 2.0}}
        yield "gpt_neox", {"rotary_pct": share, "rotary_emb_base": 20000}
    yield "llama", {"rope_theta": 20000.0, "rope_scaling": None}
    yield "llama", {"rope_theta": 20000.0, "rope_scaling": {}}
    yield "llama", {"rope_theta": 1e6, "rope_parameters": {"rope_type": "default",
                                                           "rope_theta": 1e6},
                    "rope_scaling": {"rope_type": "yarn"} | YARN}
    yield "llama", {"rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6,
                                        "partial_rotary_factor": 0.25}}
    yield "llama", {"rope_parameters": {"rope_type": "proportional", "rope_theta": 1e6,
                                        "partial_rotary_factor": 0.5, "factor": 2.0}}
    linear = {"rope_type": "linear", "factor": 8.0}
    yield "gemma3_text", {"rope_theta": 1e6, "rope_local_base_freq": 5000.0, "rope_scaling": linear}
    yield "gemma3_text", {"rope_theta": 1e6, "rope_local_base_freq": 5000.0}
    yield "gemma3_text", {"rope_parameters": {
        "full_attention": linear | {"rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0}}}
    yield "gemma3_text", {"rope_parameters": {
        "full_attention": {"rope_type": "yarn", "rope_theta": 1e6} | YARN,
        "sliding_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 5000.0}}}


def frequencies(config, family):
    module = importlib.import_module(f"transformers.models.{FAMILY_MODULE.get(family, family)}"
                                     f".modeling_{FAMILY_MODULE.get(family, family)}")
    rotary = getattr(module, FAMILIES[family][1] + "RotaryEmbedding")(config)
    kinds = {"full": "full_attention", "sliding": "sliding_attention"}
    layered = hasattr(rotary, "full_attention_inv_freq")
    result = []
    for length in (16, 65, 200, 300):
        entry = {"length": length}
        for kind, layer_type in kinds.items():
            if not layered and kind == "sliding":
                continue
            ids = torch.arange(length)[None]
            if layered:
                rotary(torch.zeros(1), ids, layer_type)
                values = getattr(rotary, layer_type + "_inv_freq")
                factor = getattr(rotary, layer_type + "_attention_scaling")
            else:
                rotary(torch.zeros(1), ids)
                values, factor = rotary.inv_freq, rotary.attention_scaling
            entry[kind] = [float(f"{v:.8g}") for v in values.tolist()]
            entry["factor" if kind == "full" else "sliding_factor"] = float(f"{factor:.9g}")
        if not result or any(entry[k] != result[-1][k] for k in entry if k != "length"):
            result.append(entry)
    return result


FAMILY_MODULE = {"gemma3_text": "gemma3"}

goldens = []
for family, keys in rows():
    config = {"architectures": [FAMILIES[family][0]], "model_type": family} | SIZES
    config |= FAMILIES[family][2] | keys
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text(json.dumps(config))
        try:
            read = AutoConfig.from_pretrained(folder)
            goldens.append({"config": config, "lengths": frequencies(read, family)})
        except Exception as problem:
            print(family, keys, type(problem).__name__, problem)
text = ",\n".join(json.dumps(row) for row in goldens)
(pathlib.Path(__file__).parent / "goldens.json").write_text("[\n" + text + "\n]\n")
print(len(goldens))
