#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the types that llama-quantize gives the tensors of models (README.md).

  make.py shapes LLAMA_QUANTIZE > shapes.txt      models of the shapes below
  make.py files LLAMA_QUANTIZE FILE... > files.txt  GGUF files in f32, named as their HuggingFace folders

Needs gguf-py (PyPI: gguf)."""
import pathlib
import re
import subprocess
import sys
import tempfile

import gguf
import numpy

FORMATS = ("q2_k q3_k_s q3_k_m q3_k_l iq4_xs q4_0 iq4_nl q4_k_s q4_k_m mxfp4_moe q4_1 q5_0 q5_k_s "
           "q5_k_m q5_1 q6_k q8_0").split()
FORMATS_OF_FILES = "q2_k q3_k_m iq4_xs q4_0 q4_k_s q4_k_m mxfp4_moe q6_k q8_0".split()
LINE = re.compile(r"^\[ *\d+/ *\d+\] +(\S+) +- \[([^\]]*)\], type = +(\w+), size = .*?(?:\((\w+)\))?$")


def dense(hidden, ffn, q=None, kv=None):
    q = q or hidden
    return {"attn_norm": 0, "attn_q": hidden, "attn_k": hidden, "attn_v": hidden, "attn_output": q,
            "ffn_norm": 0, "ffn_gate": hidden, "ffn_up": hidden, "ffn_down": ffn}


def experts(hidden, ffn, shared=0):
    parts = {"attn_norm": 0, "attn_q": hidden, "attn_k": hidden, "attn_v": hidden,
             "attn_output": hidden, "ffn_norm": 0, "ffn_gate_inp": hidden, "ffn_gate_exps": -hidden,
             "ffn_up_exps": -hidden, "ffn_down_exps": -ffn}
    if shared:
        parts |= {"ffn_gate_shexp": hidden, "ffn_up_shexp": hidden, "ffn_down_shexp": shared}
    return parts


def latent(hidden, rank, plain):
    return {"attn_norm": 0, "attn_q_a": hidden, "attn_q_a_norm": 0, "attn_q_b": 1536,
            "attn_kv_a_mqa": hidden, "attn_kv_a_norm": 0, "attn_k_b": -plain, "attn_v_b": -rank,
            "attn_output": 2048, "ffn_norm": 0}


# Columns of each matrix; negative: a tensor of several matrices; 0: a vector. "1-26": these layers.
SHAPES = {
    "smollm2-135m": ("llama", 30, 9, 3, 0, {"token_embd": 576}, dense(576, 1536)),
    "llama-3-8b": ("llama", 32, 32, 8, 0, {"token_embd": 4096, "output": 4096}, dense(4096, 14336)),
    "llama-2-7b": ("llama", 32, 32, 32, 0, {"token_embd": 4096, "output": 4096}, dense(4096, 11008)),
    "llama-3-70b": ("llama", 80, 64, 8, 0, {"token_embd": 8192, "output": 8192}, dense(8192, 28672)),
    "qwen2.5-72b": ("qwen2", 80, 64, 8, 0, {"token_embd": 8192, "output": 8192}, dense(8192, 29568)),
    "gemma-3-1b": ("gemma3", 26, 4, 1, 0, {"token_embd": 1152}, dense(1152, 6912, 1024)),
    "odd-rows": ("llama", 3, 4, 2, 0, {"token_embd": 80, "output": 80}, dense(80, 96)),
    "gpt2": ("gpt2", 12, 12, 12, 0, {"token_embd": 768, "position_embd": 768},
             {"attn_norm": 0, "attn_qkv": 768, "attn_output": 768, "ffn_norm": 0, "ffn_up": 768,
              "ffn_down": 3072}),
    "phi-3-mini": ("phi3", 32, 32, 32, 0, {"token_embd": 3072, "output": 3072},
                   {"attn_norm": 0, "attn_qkv": 3072, "attn_output": 3072, "ffn_norm": 0,
                    "ffn_up": 3072, "ffn_down": 8192}),
    "mixtral-8x7b": ("llama", 32, 32, 8, 8, {"token_embd": 4096, "output": 4096},
                     experts(4096, 14336)),
    "qwen3-30b-a3b": ("qwen3moe", 48, 32, 4, 128, {"token_embd": 2048, "output": 2048},
                      experts(2048, 768)),
    "qwen2-57b-a14b": ("qwen2moe", 28, 28, 4, 64, {"token_embd": 3584, "output": 3584},
                       experts(3584, 2560, 20480)),
    "gpt-oss-20b": ("gpt-oss", 24, 64, 8, 32, {"token_embd": 2880, "output": 2880},
                    experts(2880, 2880) | {"attn_output": 4096}),
    "deepseek-v2": ("deepseek2", 60, 128, 1, 160, {"token_embd": 5120, "output": 5120},
                    {"0": latent(5120, 512, 128) | {"ffn_gate": 5120, "ffn_up": 5120,
                                                    "ffn_down": 12288},
                     "1-59": latent(5120, 512, 128) | experts(5120, 1536, 3072)}),
    "lfm2-1.2b": ("lfm2", 16, 32, [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0], 0,
                  {"token_embd": 2048},
                  {"0-1,3-4,6-7,9,11,13,15": {"attn_norm": 0, "shortconv.in_proj": 2048,
                                              "shortconv.conv": 3, "shortconv.out_proj": 2048,
                                              "ffn_norm": 0, "ffn_gate": 2048, "ffn_up": 2048,
                                              "ffn_down": 8192},
                   "2,5,8,10,12,14": dense(2048, 8192)}),
}


def layers_in(text):
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def as_text(numbers):
    """0-3,7"""
    text, numbers = [], sorted(numbers)
    while numbers:
        end = 1
        while end < len(numbers) and numbers[end] == numbers[0] + end:
            end += 1
        text.append(str(numbers[0]) if end == 1 else f"{numbers[0]}-{numbers[end - 1]}")
        numbers = numbers[end:]
    return ",".join(text)


def types_in(quantize, file, name):
    out = subprocess.run([quantize, "--dry-run", str(file), name], capture_output=True, text=True)
    found = {}
    for line in (out.stdout + out.stderr).splitlines():
        if match := LINE.match(re.sub(r"warning:.*?\[", "[", line).strip()):
            found[match[1]] = (match[4] or match[3]).lower()
    if not found:
        sys.exit(f"no types for {file} in {name}:\n{out.stdout[-2000:]}{out.stderr[-2000:]}")
    return found


def compact(word, types):
    """The tensors of each type, "q4_k_m q4_k: attn_q, attn_v 0-2,5; q6_k: ..."; f32 is left out."""
    places = {}
    count = {}
    for name, kind in types.items():
        match = re.match(r"blk\.(\d+)\.(.*)", name)
        part, layer = (match[2], int(match[1])) if match else (name, None)
        part = part.removesuffix(".weight")
        count[part] = count.get(part, 0) + 1
        places.setdefault(kind, {}).setdefault(part, []).append(layer)
    texts = []
    for kind, parts in sorted(places.items()):
        if kind != "f32":
            texts.append(f"{kind}: " + ", ".join(
                part if len(layers) == count[part] else f"{part} {as_text(layers)}"
                for part, layers in sorted(parts.items())))
    return f"{word} " + "; ".join(texts)


def write(path, arch, layers, heads, keys, count, ends, parts):
    writer = gguf.GGUFWriter(path, arch)
    for key, value in {"context_length": 64, "embedding_length": 64, "feed_forward_length": 64,
                       "rope.dimension_count": 16, "attention.key_length": 16,
                       "attention.value_length": 16, "attention.sliding_window": 16,
                       "attention.q_lora_rank": 16, "attention.kv_lora_rank": 16,
                       "expert_feed_forward_length": 16, "shortconv.l_cache": 3,
                       "leading_dense_block_count": 1, "expert_shared_count": 1,
                       "expert_shared_feed_forward_length": 16}.items():
        writer.add_uint32(f"{arch}.{key}", value)
    for key in ("layer_norm_rms_epsilon", "layer_norm_epsilon"):
        writer.add_float32(f"{arch}.attention.{key}", 1e-5)
    writer.add_float32(f"{arch}.expert_weights_scale", 1.0)
    writer.add_uint32(f"{arch}.block_count", layers)
    writer.add_uint32(f"{arch}.attention.head_count", heads)
    if isinstance(keys, list):
        writer.add_array(f"{arch}.attention.head_count_kv", keys)
    else:
        writer.add_uint32(f"{arch}.attention.head_count_kv", keys)
    if count:
        writer.add_uint32(f"{arch}.expert_count", count)
        writer.add_uint32(f"{arch}.expert_used_count", 2)

    def add(name, columns):
        shape = (4,) if columns == 0 else (2, 2, -columns) if columns < 0 else (2, columns)
        writer.add_tensor(name, numpy.zeros(shape, dtype=numpy.float32))

    for name, columns in ends.items():
        add(f"{name}.weight", columns)
    add("output_norm.weight", 0)
    if not isinstance(next(iter(parts.values())), dict):
        parts = {f"0-{layers - 1}": parts}
    for which, names in parts.items():
        for layer in layers_in(which):
            for name, columns in names.items():
                add(f"blk.{layer}.{name}.weight", columns)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return parts


def shapes(quantize):
    for name, (arch, layers, heads, keys, count, ends, parts) in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.gguf"
            parts = write(file, arch, layers, heads, keys, count, ends, parts)
            first = keys[0] if isinstance(keys, list) else keys
            large = name in ("llama-3-70b", "qwen2.5-72b")
            print(f"model {name} layers {layers} experts {count} "
                  f"queries_per_key {heads // first if first else 0} seventy_b {int(large)}")
            for tensor, columns in (ends | {"output_norm": 0}).items():
                print(f"tensor {tensor} {columns}")
            for which, names in parts.items():
                for tensor, columns in names.items():
                    print(f"tensor {tensor} {columns} {which}")
            for word in FORMATS:
                print(compact(word, types_in(quantize, file, word)))


def files(quantize, paths):
    for path in paths:
        print(f"model {pathlib.Path(path).stem}")
        for word in FORMATS_OF_FILES:
            print(compact(word, types_in(quantize, path, word)))


if sys.argv[1] == "shapes":
    shapes(sys.argv[2])
else:
    files(sys.argv[2], sys.argv[3:])
