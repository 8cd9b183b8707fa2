# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the engine with llama.cpp, alternately; called by bench_against_llama.sh, which explains the arguments.

Models with random weights are written once per shape and type, for both programs with the same numbers: a pattern of a
quarter of a million values, repeated (neither program's speed depends on them). llama.cpp's own quantizer makes the
other GGUF types from the f16 file of a shape, or from a real file. Every figure is the median of the
ratios of pairs of processes that ran directly after each other, each first in half of the pairs.
"""
import argparse
import array
import json
import os
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys

SHAPES = {  # hidden, layers, heads, key heads, inner, vocabulary
    "25M": (384, 8, 6, 6, 1024, 8192),
    "110M": (768, 12, 12, 12, 2048, 32000),
    "1.1B": (2048, 4, 32, 4, 5632, 32000),  # four of its layers
    "7B": (4096, 4, 32, 32, 11008, 32000),  # four of its layers
}
DEFAULT_SHAPES = ("25M", "110M", "1.1B")
# Hidden, layers, inner and vocabulary of models whose layers keep a state; both programs read one GGUF file.
STATES = {"qwen3_5-135M": (576, 24, 1536, 49152), "lfm2-135M": (576, 26, 1536, 49152)}
TYPES = ("f32", "bf16", "f16", "int8")
# Types for which llama-quantize has no recipe: every matrix gets this type.
WITHOUT_RECIPE = ("mxfp4", "nvfp4")
CONTEXT = 8192
PATTERN = 1 << 18  # number of values, a multiple of 32

ALIGNMENT = 32


def patterns():
    """The bytes of the repeated values in each type; q8_0 is llama.cpp's int8, in blocks of 32 with a factor."""
    generator = random.Random(1)
    values = array.array("f", (generator.uniform(-0.04, 0.04) for _ in range(PATTERN)))
    words = array.array("I", values.tobytes())
    blocks = []
    for start in range(0, PATTERN, 32):
        block = values[start:start + 32]
        factor = max(map(abs, block)) / 127
        blocks.append(struct.pack("<e32b", factor, *(round(value / factor) for value in block)))
    return {
        "f32": values.tobytes(),
        "bf16": array.array("H", (word >> 16 for word in words)).tobytes(),
        "f16": struct.pack(f"<{PATTERN}e", *values),
        "q8_0": b"".join(blocks),
        "minus one": struct.pack("<f", -1.0) * PATTERN,
    }


def write_repeated(file, pattern, count):
    size = len(pattern) * count // PATTERN
    for _ in range(size // len(pattern)):
        file.write(pattern)
    file.write(pattern[:size % len(pattern)])


def write_safetensors(folder, shape, kind, pattern):
    hidden, layers, heads, key_heads, inner, vocabulary = shape
    keys = hidden // heads * key_heads
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {"model.embed_tokens.weight": [vocabulary, hidden], "model.norm.weight": [hidden],
               "lm_head.weight": [vocabulary, hidden]}
    for i in range(layers):
        layer = f"model.layers.{i}."
        tensors.update({
            layer + "input_layernorm.weight": [hidden],
            layer + "self_attn.q_proj.weight": [hidden, hidden],
            layer + "self_attn.k_proj.weight": [keys, hidden],
            layer + "self_attn.v_proj.weight": [keys, hidden],
            layer + "self_attn.o_proj.weight": [hidden, hidden],
            layer + "post_attention_layernorm.weight": [hidden],
            layer + "mlp.gate_proj.weight": [inner, hidden],
            layer + "mlp.up_proj.weight": [inner, hidden],
            layer + "mlp.down_proj.weight": [hidden, inner],
        })
    size = len(pattern) // PATTERN
    header = {}
    end = 0
    for name, dimensions in tensors.items():
        begin, end = end, end + size * product(dimensions)
        header[name] = {"dtype": kind.upper(), "shape": dimensions, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for dimensions in tensors.values():
            write_repeated(file, pattern, product(dimensions))
    (folder / "config.json").write_text(json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": hidden,
        "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": key_heads,
        "intermediate_size": inner, "vocab_size": vocabulary, "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-5, "hidden_act": "silu", "tie_word_embeddings": False, "bos_token_id": 1,
        "eos_token_id": 2}))


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def gguf_string(text):
    return struct.pack("<Q", len(text)) + text.encode()


def gguf_value(key, value):
    if isinstance(value, str):
        packed = struct.pack("<I", 8) + gguf_string(value)
    elif isinstance(value, float):
        packed = struct.pack("<If", 6, value)
    elif isinstance(value, int):
        packed = struct.pack("<II", 4, value)
    elif isinstance(value[0], str):
        packed = struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(gguf_string, value))
    elif isinstance(value[0], bool):
        packed = struct.pack(f"<IIQ{len(value)}?", 9, 7, len(value), *value)
    elif isinstance(value[0], float):
        packed = struct.pack(f"<IIQ{len(value)}f", 9, 6, len(value), *value)
    else:
        packed = struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)
    return gguf_string(key) + packed


def llama_parts(kind, shape):
    """Facts and tensors (name, type, dimensions) of a GGUF file."""
    hidden, layers, heads, key_heads, inner, vocabulary = shape
    keys = hidden // heads * key_heads
    facts = {
        "general.architecture": "llama", "llama.context_length": CONTEXT,
        "llama.embedding_length": hidden, "llama.block_count": layers, "llama.feed_forward_length": inner,
        "llama.attention.head_count": heads, "llama.attention.head_count_kv": key_heads,
        "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.dimension_count": hidden // heads,
    }
    tensors = [("token_embd.weight", kind, [hidden, vocabulary]), ("output_norm.weight", "f32", [hidden]),
               ("output.weight", kind, [hidden, vocabulary])]
    for i in range(layers):
        block = f"blk.{i}."
        tensors += [(block + "attn_norm.weight", "f32", [hidden]), (block + "attn_q.weight", kind, [hidden, hidden]),
                    (block + "attn_k.weight", kind, [hidden, keys]), (block + "attn_v.weight", kind, [hidden, keys]),
                    (block + "attn_output.weight", kind, [hidden, hidden]), (block + "ffn_norm.weight", "f32", [hidden]),
                    (block + "ffn_gate.weight", kind, [hidden, inner]), (block + "ffn_up.weight", kind, [hidden, inner]),
                    (block + "ffn_down.weight", kind, [inner, hidden])]
    return facts, tensors


def feed_forward(block, kind, hidden, inner):
    return [(block + "ffn_gate.weight", kind, [hidden, inner]), (block + "ffn_up.weight", kind, [hidden, inner]),
            (block + "ffn_down.weight", kind, [inner, hidden])]


def attention(block, kind, hidden, queries, out, keys, head):
    return [(block + "attn_q.weight", kind, [hidden, queries]), (block + "attn_k.weight", kind, [hidden, keys]),
            (block + "attn_v.weight", kind, [hidden, keys]), (block + "attn_output.weight", kind, [out, hidden]),
            (block + "attn_q_norm.weight", "f32", [head]), (block + "attn_k_norm.weight", "f32", [head])]


def qwen35_parts(kind, shape):
    """Three layers of gated DeltaNet to one of gated attention, tied embeddings."""
    hidden, layers, inner, vocabulary = shape
    heads, key_heads, head, state, groups = 8, 2, 64, 64, 8
    recurrent = [i % 4 != 3 for i in range(layers)]
    facts = {"general.architecture": "qwen35"}
    facts.update({"qwen35." + key: value for key, value in {
        "context_length": CONTEXT, "embedding_length": hidden, "block_count": layers, "feed_forward_length": inner,
        "attention.head_count": heads, "attention.head_count_kv": key_heads, "attention.key_length": head,
        "attention.value_length": head, "attention.layer_norm_rms_epsilon": 1e-6, "rope.freq_base": 1e7,
        "rope.dimension_count": head // 4, "rope.dimension_sections": [4, 2, 2, 0], "full_attention_interval": 4,
        "ssm.conv_kernel": 4, "ssm.state_size": state, "ssm.group_count": groups, "ssm.time_step_rank": groups,
        "ssm.inner_size": groups * state, "attention.recurrent_layers": recurrent}.items()})
    tensors = [("token_embd.weight", kind, [hidden, vocabulary]), ("output_norm.weight", "f32", [hidden])]
    width = groups * state
    for i in range(layers):
        block = f"blk.{i}."
        tensors += [(block + "attn_norm.weight", "f32", [hidden]), (block + "post_attention_norm.weight", "f32", [hidden])]
        if recurrent[i]:
            tensors += [(block + "ssm_a", "minus one", [groups]), (block + "ssm_dt.bias", "f32", [groups]),
                        (block + "ssm_conv1d.weight", "f32", [4, 3 * width]),
                        (block + "ssm_alpha.weight", kind, [hidden, groups]),
                        (block + "ssm_beta.weight", kind, [hidden, groups]),
                        (block + "attn_qkv.weight", kind, [hidden, 3 * width]),
                        (block + "attn_gate.weight", kind, [hidden, width]),
                        (block + "ssm_norm.weight", "f32", [state]), (block + "ssm_out.weight", kind, [width, hidden])]
        else:
            tensors += attention(block, kind, hidden, 2 * heads * head, heads * head, key_heads * head, head)
        tensors += feed_forward(block, kind, hidden, inner)
    return facts, tensors


def lfm2_parts(kind, shape):
    """Short convolutions in three of four layers, tied embeddings."""
    hidden, layers, inner, vocabulary = shape
    heads, key_heads = 9, 3
    head = hidden // heads
    attends = [i % 4 == 2 for i in range(layers)]
    facts = {"general.architecture": "lfm2"}
    facts.update({"lfm2." + key: value for key, value in {
        "context_length": CONTEXT, "embedding_length": hidden, "block_count": layers, "feed_forward_length": inner,
        "attention.head_count": heads, "attention.head_count_kv": [key_heads if on else 0 for on in attends],
        "attention.layer_norm_rms_epsilon": 1e-5, "rope.freq_base": 1e6, "vocab_size": vocabulary,
        "shortconv.l_cache": 3}.items()})
    tensors = [("token_embd.weight", kind, [hidden, vocabulary]), ("token_embd_norm.weight", "f32", [hidden])]
    for i in range(layers):
        block = f"blk.{i}."
        tensors += [(block + "attn_norm.weight", "f32", [hidden]), (block + "ffn_norm.weight", "f32", [hidden])]
        if attends[i]:
            tensors += attention(block, kind, hidden, hidden, hidden, key_heads * head, head)
        else:
            tensors += [(block + "shortconv.conv.weight", "f32", [3, hidden]),
                        (block + "shortconv.in_proj.weight", kind, [hidden, 3 * hidden]),
                        (block + "shortconv.out_proj.weight", kind, [hidden, hidden])]
        tensors += feed_forward(block, kind, hidden, inner)
    return facts, tensors


def parts_of(name, kind):
    if name in SHAPES:
        return llama_parts(kind, SHAPES[name])
    return (qwen35_parts if name.startswith("qwen3_5") else lfm2_parts)(kind, STATES[name])


def write_gguf(path, name, kind, texts):
    number = {"f32": 0, "minus one": 0, "f16": 1, "q8_0": 8, "bf16": 30}
    facts, tensors = parts_of(name, kind)
    vocabulary = tensors[0][2][1]
    facts |= {
        "general.name": path.stem, "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)]
        + [f"t{i}" for i in range(vocabulary - 259)],
        "tokenizer.ggml.scores": [0.0] * vocabulary,
        "tokenizer.ggml.token_type": [2, 3, 3] + [6] * 256 + [1] * (vocabulary - 259),
        "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    head += b"".join(gguf_value(key, value) for key, value in facts.items())
    offset = 0
    for name, tensor_kind, dimensions in tensors:
        head += gguf_string(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions,
                                                number[tensor_kind], offset)
        size = len(texts[tensor_kind]) * product(dimensions) // PATTERN
        offset += size + -size % ALIGNMENT
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % ALIGNMENT))
        for _, tensor_kind, dimensions in tensors:
            write_repeated(file, texts[tensor_kind], product(dimensions))
            file.write(bytes(-file.tell() % ALIGNMENT))


def quantized(arguments, source, kind):
    """The file that llama-quantize makes from a source by its recipe of that name, as users have it."""
    file = arguments.models / f"{source.stem}-{kind}.gguf"
    if file.exists():
        return file
    partial = file.with_suffix(".partial")
    options, recipe = ["--allow-requantize"], kind
    if kind in WITHOUT_RECIPE:
        options += ["--tensor-type", f"blk={kind}", "--token-embedding-type", kind, "--output-tensor-type", kind]
        recipe = "q8_0"
    command = [arguments.llama_bench.with_name("llama-quantize"), *options, source, partial, recipe]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        partial.unlink(missing_ok=True)
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-400:]}")
    partial.rename(file)
    return file


class Both:
    """A model of one shape, or of one file, and one type for both programs, and how to run each."""

    def __init__(self, arguments, name, kind, texts):
        self.arguments = arguments
        self.kind = kind
        self.kernels = "?"
        if pathlib.Path(name).suffix == ".gguf":
            source = pathlib.Path(name)
            self.file = source if kind == "stored" else quantized(arguments, source, kind)
            self.folder, self.dtype = self.file, "auto"
            return
        if kind not in TYPES:
            self.file = quantized(arguments, self.random_file(name, "f16", texts), kind)
            self.folder, self.dtype = self.file, "auto"
            return
        self.file = self.random_file(name, "q8_0" if kind == "int8" else kind, texts)
        if name in STATES:
            self.folder, self.dtype = self.file, "auto"
        else:
            stored = "bf16" if kind == "int8" else kind
            self.folder, self.dtype = arguments.models / f"{name}-{stored}", kind
            if not (self.folder / "config.json").exists():
                write_safetensors(self.folder, SHAPES[name], stored, texts[stored])

    def random_file(self, shape, kind, texts):
        file = self.arguments.models / f"{shape}-{kind}.gguf"
        if not file.exists():
            partial = file.with_suffix(".partial")
            write_gguf(partial, shape, kind, texts)
            partial.rename(file)
        return file

    def our_command(self, prompt, tokens, batch=1, repetitions=None):
        command = [self.arguments.program, self.folder, self.dtype, self.arguments.threads, prompt, tokens, batch,
                   repetitions or self.arguments.repetitions]
        if self.arguments.kernels:
            command.append(self.arguments.kernels)
        return command

    def ours(self, prompt, tokens, batch=1, repetitions=None):
        """Seconds for the prompt and for the tokens after it."""
        command = self.our_command(prompt, tokens, batch, repetitions)
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
        self.kernels = done.stderr.strip()
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {what: statistics.median(line[what] for line in lines) for what in lines[0]}

    def their_command(self, options, repetitions=None):
        return [self.arguments.llama_bench, "-m", self.file, "-t", self.arguments.threads, "-r",
                repetitions or self.arguments.repetitions, "-o", "json", *options]

    def theirs(self, options, repetitions=None):
        """Seconds of one repetition."""
        command = self.their_command(options, repetitions)
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
        return statistics.median(json.loads(done.stdout)[-1]["samples_ns"]) / 1e9

    def their_batch(self, context, tokens, batch):
        """Seconds for so many tokens after the context, for a batch of sequences."""
        command = [self.arguments.batched_bench, "-m", self.file, "-t", self.arguments.threads, "-tb",
                   self.arguments.threads, "-c", (context + tokens + 8) * batch, "-npp", context, "-ntg", tokens, "-npl",
                   batch, "--output-format", "jsonl"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode != 0 or not lines:
            sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
        return lines[-1]["t_tg"]


def peak_memory(command):
    """The program's peak memory, in MB."""
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}")
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


class Meter:
    """Joules of all processors by RAPL; where it cannot be read, seconds of all processors, which at one frequency are
    proportional to the energy of computing, though not to that of memory."""

    def __init__(self):
        self.packages = []
        for counter in pathlib.Path("/sys/class/powercap").glob("intel-rapl:?/energy_uj"):
            try:
                self.packages.append((counter, int((counter.parent / "max_energy_range_uj").read_text())))
                counter.read_text()
            except OSError:
                self.packages = []
                break
        self.unit = "J" if self.packages else "CPU s"

    def read(self):
        times = os.times()
        return ([int(counter.read_text()) for counter, _ in self.packages],
                times.children_user + times.children_system)

    def used(self, run):
        (counters, seconds) = self.read()
        run()
        (later, later_seconds) = self.read()
        if not self.packages:
            return later_seconds - seconds
        return sum((after - before) % (most + 1) for before, after, (_, most) in zip(counters, later, self.packages)) / 1e6

    def per_repetition(self, run):
        """The cost of a repetition without loading the model: half the difference of three and one."""
        return (self.used(lambda: run(3)) - self.used(lambda: run(1))) / 2


def compare(pairs, ours, theirs):
    """Medians of theirs / ours (above 1: ours is faster) with the least and the largest, and the ratio of the best times:
    other programs' activity slows down a program more if it waits for its slowest thread."""
    measured = []
    for pair in range(pairs):
        if pair % 2 == 0:
            a, b = ours(), theirs()
        else:
            b, a = theirs(), ours()
        measured.append((a, b))
    ratios = [b / a for a, b in measured]
    return {"ratio": statistics.median(ratios), "least": min(ratios), "largest": max(ratios),
            "best": min(b for _, b in measured) / min(a for a, _ in measured),
            "ours": min(a for a, _ in measured), "llama": min(b for _, b in measured)}


def processor():
    try:
        names = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        return names[0]
    except (OSError, IndexError):
        return subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True).stdout.strip()


def tests(both, wanted, meter):
    """name -> (ours, theirs): functions that return the seconds of the same work."""
    table = {}
    known = {
        "decode": lambda: (lambda: both.ours(1, 64)["tokens_s"], lambda: both.theirs(["-p", 0, "-n", 64])),
        "prefill128": lambda: (lambda: both.ours(128, 1)["prompt_s"], lambda: both.theirs(["-p", 128, "-n", 0])),
        "prefill512": lambda: (lambda: both.ours(512, 1)["prompt_s"], lambda: both.theirs(["-p", 512, "-n", 0])),
        "energy": lambda: (lambda: meter.per_repetition(lambda times: both.ours(1, 64, repetitions=times)),
                           lambda: meter.per_repetition(lambda times: both.theirs(["-p", 0, "-n", 64], times))),
        "memory": lambda: (lambda: peak_memory(both.our_command(128, 32)),
                           lambda: peak_memory(both.their_command(["-p", 128, "-n", 32]))),
    }
    for name, context, batch in (("batch4", 16, 4), ("batch8", 16, 8), ("context4096", 4096, 1)):
        known[name] = lambda context=context, batch=batch: (
            lambda: both.ours(context, 32, batch)["tokens_s"], lambda: both.their_batch(context, 32, batch))
    for name in wanted:
        table[name] = known[name]()
    return table


def main():
    parser = argparse.ArgumentParser(prog="bench_against_llama.sh")
    parser.add_argument("llama_bench", type=pathlib.Path)
    parser.add_argument("--batched-bench", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/bin/ep-engine-speed"))
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("build/llama-models"))
    parser.add_argument("--shapes", default=",".join(DEFAULT_SHAPES),
                        help="of " + ",".join([*SHAPES, *STATES]) + ", and GGUF files")
    parser.add_argument("--types", default=",".join(TYPES),
                        help="of " + ",".join(TYPES) + ", names that llama-quantize knows, " + ",".join(WITHOUT_RECIPE)
                        + ", and for files \"stored\": as it is")
    parser.add_argument("--tests", default="decode,prefill128,prefill512,batch4,batch8,context4096,energy")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--kernels", default="")
    arguments = parser.parse_args()
    if not arguments.llama_bench.exists():
        sys.exit(f"{arguments.llama_bench} does not exist: give the path of a built llama-bench.")
    arguments.batched_bench = arguments.batched_bench or arguments.llama_bench.with_name("llama-batched-bench")
    wanted = arguments.tests.split(",")
    if not arguments.batched_bench.exists():
        wanted = [name for name in wanted if not name.startswith(("batch", "context"))]
    meter = Meter()
    texts = patterns()
    arguments.models.mkdir(parents=True, exist_ok=True)
    print(f"{processor()}, {arguments.threads} threads, medians of {arguments.pairs} pairs; above 1: ahead of llama.cpp\n")
    print("| model | test | ratio | least | largest | of the best | ours | llama.cpp |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for shape in arguments.shapes.split(","):
        for kind in arguments.types.split(","):
            both = Both(arguments, shape, kind, texts)
            for name, (ours, theirs) in tests(both, wanted, meter).items():
                result = compare(arguments.pairs, ours, theirs)
                unit = {"energy": meter.unit, "memory": "MB"}.get(name, "s")
                print("| {} {} | {} | {ratio:.2f} | {least:.2f} | {largest:.2f} | {best:.2f} | {ours:.4f} {unit} | "
                      "{llama:.4f} {unit} |".format(shape.rsplit("/", 1)[-1].removesuffix(".gguf"), kind, name, unit=unit, **result), flush=True)
            print(f"{shape} {kind}: {both.kernels}", file=sys.stderr)


if __name__ == "__main__":
    main()
