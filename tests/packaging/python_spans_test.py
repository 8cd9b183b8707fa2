# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python sender of spans: what it sends, and that it never affects the program."""
import ast
import importlib.util
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
FILE = SOURCE / "resources/python/energy_profiler_spans.py"
MOST_LINES = 620


def records_of(data):
    """Spans as (kind, name, start, duration, layer, token, text, sequence), and the JSON records."""
    names, spans, others = [], [], []
    while data:
        mark, kind, size = struct.unpack_from("<BBH", data)
        assert mark == 0xEB, mark
        body, data = data[4:4 + size], data[4 + size:]
        if kind == 2:
            names.append(body.decode())
        elif kind == 3:
            others.append(json.loads(body))
        else:
            name, what, has, layer, token, sequence, start, duration = struct.unpack_from("<HBBiiiqq", body)
            rest = body[32 + 8 * bin(has & 3).count("1"):]
            spans.append((what, names[name], start, duration, layer, token, rest.decode(), sequence))
    return spans, others


class Recorder:
    """A socket that stores what it receives, or does not read at all."""

    def __init__(self, reads=True):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "spans")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(self.path)
        self.socket.listen(8)
        self.data = []
        self.reads = reads
        self.threads = [threading.Thread(target=self.accept, daemon=True)]
        self.threads[0].start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.data.append(bytearray())
            self.threads.append(threading.Thread(target=self.read, args=(connection, self.data[-1]), daemon=True))
            self.threads[-1].start()

    def read(self, connection, data):
        while self.reads:
            got = connection.recv(1 << 16)
            if not got:
                return
            data += got
        while not self.reads:
            time.sleep(0.01)

    def run(self, script, **environment):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "PYTHONPATH": str(FILE.parent), "PYTHONDONTWRITEBYTECODE": "1",
                                   "EP_SPANS": "unix:" + self.path, **environment})
        deadline = time.monotonic() + 20
        while any(thread.is_alive() for thread in self.threads[1:]) and self.reads and time.monotonic() < deadline:
            time.sleep(0.01)
        return done

    def close(self):
        self.socket.close()
        self.folder.cleanup()


class File(unittest.TestCase):
    def test_is_one_annotated_file_of_the_standard_library(self):
        text = FILE.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), MOST_LINES)
        tree = ast.parse(text, feature_version=(3, 9))
        packages = {"torch", "mlx", "llama_cpp"}  # imported only when the program has them
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                self.assertIsNotNone(node.returns, node.name)
                for argument in node.args.args + node.args.kwonlyargs:
                    self.assertTrue(argument.annotation or argument.arg == "self", f"{node.name}: {argument.arg}")
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
                for name in names:
                    first = name.split(".")[0]
                    self.assertTrue(first in sys.stdlib_module_names or first in packages, name)

    def test_does_nothing_without_a_recorder(self):
        script = ("import energy_profiler_spans as s, socket\n"
                  "with s.span('a', kind='phase', token=3): pass\n"
                  "s.facts(engine='x'); s.flush(); s.start_auto()\n"
                  "model = object()\n"
                  "assert s.attach(model) is model\n"
                  "print('done')")
        for address in ("", "unix:/no/such/socket", "nonsense"):
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(FILE.parent), "EP_SPANS": address,
                                       "PYTHONDONTWRITEBYTECODE": "1"})
            self.assertEqual((done.stdout, done.stderr), ("done\n", ""), address)


class Sending(unittest.TestCase):
    def recorder(self, **more):
        recorder = Recorder(**more)
        self.addCleanup(recorder.close)
        return recorder

    def test_sends_spans_with_their_fields(self):
        recorder = self.recorder()
        before = time.monotonic_ns()
        done = recorder.run("from energy_profiler_spans import span, facts\n"
                            "facts(engine='mine 1', layers=2, model=None)\n"
                            "with span('prefill', kind='phase'):\n"
                            "    with span('q_proj', layer=1, token=0, flops=5, bytes=6): pass\n"
                            "with span('t', kind='token', token=0, text='hé'): pass\n")
        self.assertEqual(done.stderr, "")
        spans, others = records_of(bytes(recorder.data[0]))
        self.assertEqual([(one[0], one[1], one[4], one[5], one[6]) for one in spans],
                         [(4, "q_proj", 1, 0, ""), (0, "prefill", -1, -1, ""), (2, "t", -1, 0, "hé")])
        if sys.platform == "linux":
            self.assertTrue(all(before < one[2] < time.monotonic_ns() for one in spans))
        self.assertIn("clock_ns", others[0])
        self.assertEqual(others[1], {"kind": "facts", "engine": "mine 1", "layers": 2})

    def test_sends_what_happens_in_threads_and_after_a_fork(self):
        recorder = self.recorder()
        done = recorder.run("import os, threading\n"
                            "from energy_profiler_spans import span, flush\n"
                            "def work():\n"
                            "    for _ in range(1000):\n"
                            "        with span('x'): pass\n"
                            "threads = [threading.Thread(target=work) for _ in range(4)]\n"
                            "[t.start() for t in threads]; [t.join() for t in threads]\n"
                            "pid = os.fork()\n"
                            "if pid == 0:\n"
                            "    with span('child'): pass\n"
                            "    flush(); os._exit(0)\n"
                            "os.waitpid(pid, 0)\n")
        self.assertEqual(done.stderr, "")
        all_spans = [records_of(bytes(data))[0] for data in recorder.data]
        self.assertEqual(sorted(len(one) for one in all_spans), [1, 4000])

    def test_never_waits_for_a_recorder_that_does_not_read(self):
        recorder = self.recorder(reads=False)
        done = recorder.run("from energy_profiler_spans import span\n"
                            "import energy_profiler_spans as s\n"
                            "for _ in range(300_000):\n"
                            "    with span('x'): pass\n"
                            "assert s._sender._dropped > 0 and len(s._sender._buffer) < 10_000_000\n"
                            "print('done')")
        self.assertEqual((done.stdout, done.stderr), ("done\n", ""))

    def test_survives_a_recorder_that_goes(self):
        recorder = self.recorder()
        done = recorder.run("import os, socket\n"
                            "from energy_profiler_spans import span, flush\n"
                            "import energy_profiler_spans as s\n"
                            "s._sender._socket.shutdown(socket.SHUT_RDWR)\n"
                            "for _ in range(100_000):\n"
                            "    with span('x'): pass\n"
                            "flush(); print(s._sender)")
        self.assertEqual((done.stdout, done.stderr), ("None\n", ""))

    def test_writes_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "spans")
            subprocess.run([sys.executable, "-c", "from energy_profiler_spans import span\nwith span('a'): pass"],
                           check=True, env={**os.environ, "PYTHONPATH": str(FILE.parent), "EP_SPANS": "file:" + file})
            spans, _ = records_of(pathlib.Path(file).read_bytes())
            self.assertEqual(spans[0][1], "a")

    def test_times_the_modules_of_the_model_alone(self):
        recorder = self.recorder()
        done = recorder.run("import copy\nimport energy_profiler_spans as s\n"
                            "class Part:\n"
                            "    def forward(self, x): return x + 1\n"
                            "class Other(Part): pass\n"
                            "steps = s._Steps('module')\n"
                            "a, b, own = Part(), Other(), Part()\n"
                            "own.forward = lambda x: 2 * x\n"
                            "for name, one in (('q_proj', a), ('k_proj', b), ('v_proj', own)):\n"
                            "    s._time_calls(one, 'forward', steps, 'layers.0.' + name, s._now)\n"
                            "a.forward(3)\n"  # outside a pass
                            "steps.begin(4)\n"
                            "print([one.forward(3) for one in (a, b, own, Part(), copy.copy(a))])\n"
                            "print([row[1] for row in steps.now.rows])")
        self.assertEqual((done.stdout, done.stderr),
                         ("[4, 4, 6, 4, 4]\n['layers.0.q_proj', 'layers.0.k_proj', 'layers.0.v_proj']\n", ""))

    def test_hooks_transformers(self):
        for package in ("torch", "transformers"):
            if importlib.util.find_spec(package) is None:
                self.skipTest(f"{package} is not installed")
        recorder = self.recorder()
        done = recorder.run("import energy_profiler_spans\nenergy_profiler_spans.start_auto()\n"
                            "import torch\nfrom transformers import LlamaConfig, LlamaForCausalLM\n"
                            "c = LlamaConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2,\n"
                            "                num_attention_heads=4, vocab_size=50)\n"
                            "m = LlamaForCausalLM(c)\n"
                            "m.generate(torch.ones((1, 4), dtype=torch.long), max_new_tokens=3, do_sample=False)\n",
                            EP_SPANS_TWIN="1")
        spans, others = records_of(bytes(recorder.data[0]))
        tokens = [one[1] for one in spans if one[0] == 2]
        self.assertEqual(tokens, ["twin"] * (2 + 3) + ["forward"] * 3, done.stderr)
        numbers = [one[5] for one in spans if one[0] == 2]
        self.assertEqual(numbers, [0, 1] + [0, 1, 2] * 2, "the first pass warms up")
        names = {one[1] for one in spans}
        self.assertIn("model.layers.1.self_attn.q_proj", names)
        self.assertIn("attention_mask", names)
        self.assertEqual(others[1]["input_tokens"], 4)

    def test_a_pass_of_a_batch_counts_its_sequences(self):
        def sequences(settings):
            sent, done = self.transformers_run(
                "model().generate(torch.ones((2, 4), dtype=torch.long), max_new_tokens=3, do_sample=False, "
                f"{settings})\n")
            data, inputs = sent[0]
            self.assertEqual(self.passes(data), [0, 1, 2], done.stderr)
            return inputs[1]["input_tokens"], [one[7] for one in data if one[0] == 2]
        self.assertEqual(sequences(""), (8, [1, 1, 1]))
        self.assertEqual(sequences("num_beams=3"), (8, [1, 1, 1]), "beams are no sequences")

    def test_counts_the_tokens_of_mlx(self):
        for package in ("mlx", "mlx_lm"):
            if importlib.util.find_spec(package) is None:
                self.skipTest(f"{package} is not installed")
        script = ("import energy_profiler_spans\nenergy_profiler_spans.start_auto()\n"
                  "import mlx.core as mx\nfrom mlx_lm.generate import BatchGenerator, generate_step\n"
                  "from mlx_lm.models.llama import Model, ModelArgs\n"
                  "m = Model(ModelArgs(model_type='llama', hidden_size=32, num_hidden_layers=2, intermediate_size=64,\n"
                  "    num_attention_heads=4, rms_norm_eps=1e-5, vocab_size=50))\n")
        one = "list(generate_step(mx.array([1, 2, 3, 4]), m, max_tokens=5))\n"
        served = ("b = BatchGenerator(m, max_tokens=5)\nb.insert([[1, 2, 3], [4, 5, 6, 7]])\n"
                  "while len(b.next_generated()): pass\n")
        for depth in ("none", "module"):
            for call, prompt, sequence in ((one, 4, 0), (served, 7, 1)):
                recorder = self.recorder()
                done = recorder.run(script + call, EP_SPANS_DEPTH=depth)
                spans, others = records_of(bytes(recorder.data[0]))
                self.assertEqual(self.passes(spans), [0, 1, 2, 3, 4], done.stderr)
                self.assertEqual([one[7] for one in spans if one[0] == 2], [sequence] * 5)
                self.assertEqual(others[1]["input_tokens"], prompt)
                self.assertEqual(any("q_proj" in one[1] for one in spans), depth == "module")

    def transformers_run(self, script, **variables):
        for package in ("torch", "transformers"):
            if importlib.util.find_spec(package) is None:
                self.skipTest(f"{package} is not installed")
        recorder = self.recorder()
        done = recorder.run("import energy_profiler_spans\nenergy_profiler_spans.start_auto()\n"
                            "import os, tempfile, threading, torch\n"
                            "from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM\n"
                            "torch.set_num_threads(1)\n"
                            "def model():\n"
                            "    return LlamaForCausalLM(LlamaConfig(\n"
                            "        hidden_size=32, intermediate_size=64, num_hidden_layers=2,\n"
                            "        num_attention_heads=4, vocab_size=50, eos_token_id=None))\n"
                            "def generate(m, n):\n"
                            "    m.generate(torch.ones((1, n), dtype=torch.long), max_new_tokens=n, do_sample=False)\n"
                            + script, **variables)
        return [records_of(bytes(data)) for data in recorder.data], done

    def passes(self, spans):
        return [one[5] for one in spans if one[0] == 2]

    def test_sends_all_passes_of_processes_that_end_without_a_word(self):
        for ending in ("os._exit(0)", "os.kill(os.getpid(), 15)"):
            sent, _ = self.transformers_run(f"generate(model(), 5)\n{ending}\n")
            self.assertEqual([self.passes(spans) for spans, _ in sent], [[0, 1, 2, 3, 4]], ending)

    def test_a_forked_process_has_its_own_connection(self):
        sent, _ = self.transformers_run("m = model()\ngenerate(m, 3)\n"
                                        "pid = os.fork()\n"
                                        "generate(m, 4 if pid == 0 else 5)\n"
                                        "os._exit(0) if pid == 0 else os.waitpid(pid, 0)\n")
        self.assertEqual(sorted(self.passes(spans) for spans, _ in sent),
                         [[0, 1, 2, 0, 1, 2, 3, 4], [0, 1, 2, 3]])

    def test_generations_of_two_threads_do_not_mix(self):
        sent, done = self.transformers_run("m = model()\n"
                                           "threads = [threading.Thread(target=generate, args=(m, n)) for n in (6, 9)]\n"
                                           "[t.start() for t in threads]; [t.join() for t in threads]\n")
        self.assertEqual(sorted(self.passes(spans) for spans, _ in sent),
                         [[], list(range(6)), list(range(9))], done.stderr)
        for spans, others in sent:
            tokens = len(self.passes(spans))
            if tokens:
                self.assertEqual(others[1]["input_tokens"], tokens)
                names = [one[1] for one in spans]
                self.assertEqual(names.count("model.layers.1.self_attn.q_proj"), tokens)

    def test_loading_is_a_section(self):
        sent, done = self.transformers_run("with tempfile.TemporaryDirectory() as folder:\n"
                                           "    model().save_pretrained(folder)\n"
                                           "    generate(AutoModelForCausalLM.from_pretrained(folder), 3)\n")
        spans, _ = sent[0]
        loads = [one for one in spans if one[1] == "model_load"]
        self.assertEqual([one[0] for one in loads], [1], done.stderr)
        first = next(one for one in spans if one[0] == 2)
        self.assertLessEqual(loads[0][2] + loads[0][3], first[2])

    def test_processes_may_share_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "spans")
            subprocess.run([sys.executable, "-c", "import os\nfrom energy_profiler_spans import span\n"
                            "pid = os.fork()\nfor i in range(3):\n"
                            "    with span(f'{\"child\" if pid == 0 else \"parent\"}{i}', kind='token'): pass\n"
                            "pid == 0 or os.waitpid(pid, 0)\n"],
                           check=True, env={**os.environ, "PYTHONPATH": str(FILE.parent), "EP_SPANS": "file:" + file})
            data, names = pathlib.Path(file).read_bytes(), set()
            for piece in data.split(b'{"kind": "facts", "sender"')[1:]:  # each write numbers its own names
                piece = piece[piece.index(b"}") + 1:]
                end = piece.rfind(b"\xeb\x03")
                spans, _ = records_of(piece if end < 0 or len(piece) - end > 4 else piece[:end])
                names |= {one[1] for one in spans}
            self.assertEqual(names, {f"{who}{i}" for who in ("parent", "child") for i in range(3)})


if __name__ == "__main__":
    unittest.main()
