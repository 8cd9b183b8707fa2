# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells Energy Profiler what a Python program computes, while it records the program (docs/spans.md).

    from energy_profiler_spans import span, attach

    attach(model)                          # a model of transformers or mlx-lm, or a llama_cpp.Llama
    with span("prefill", kind="phase"):    # or by hand
        ...

Without a recorder every call does nothing. Nothing here waits for the recorder or raises because of it: what
cannot be sent at once is dropped and counted.
"""
from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.machinery
import importlib.util
import json
import os
import socket
import struct
import sys
import threading
import time
from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

__all__ = ["span", "attach", "facts", "flush"]

KINDS = {"phase": 0, "section": 1, "token": 2, "layer": 3, "component": 4, "operation": 5}
_MARK, _SPAN, _NAME, _JSON = 0xEB, 1, 2, 3
_HEAD, _BODY, _INTEGER = struct.Struct("<BBH"), struct.Struct("<HBBiiiqq"), struct.Struct("<q")
_FLUSH_BYTES, _FLUSH_NS = 32_768, 50_000_000
_MOST_BYTES = 4_194_304  # waiting to be sent; more is dropped
_LONGEST_TEXT = 4_096

if sys.platform == "darwin":  # the clock of the recorder
    _now: Callable[[], int] = functools.partial(time.clock_gettime_ns, time.CLOCK_MONOTONIC_RAW)
else:
    _now = time.monotonic_ns

class _Sender:
    """Packs records and hands them to a local socket or a file without ever waiting."""

    def __init__(self, address: str) -> None:
        way, _, path = address.partition(":")
        self._lock = threading.Lock()
        self._names: Dict[str, int] = {}
        self._buffer, self._rest = bytearray(), b""  # what waits, and the rest of what is being sent
        self._new_names = bytearray()  # in the buffer; these are never dropped
        self._count, self._dropped, self._flushed = 0, 0, _now()  # spans in the buffer
        self._socket: Optional[socket.socket] = None
        self._file: Optional[int] = None
        if way == "unix":
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.connect(path)
            self._socket.setblocking(False)
        else:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.facts(clock_ns=_now())

    def facts(self, **stated: Any) -> None:
        known = {key: value for key, value in stated.items() if value is not None}
        with self._lock:
            self._add(_JSON, json.dumps({"kind": "facts", **known}).encode())
        self.flush()

    def _add(self, kind: int, body: bytes) -> bytes:
        packed = _HEAD.pack(_MARK, kind, len(body)) + body if len(body) <= 0xFFFF else b""
        self._buffer += packed
        return packed

    def span(self, kind: int, name: str, start: int, duration: int, layer: int = -1, token: int = -1,
             sequence: int = 0, text: Optional[str] = None, flops: Optional[int] = None,
             size: Optional[int] = None) -> None:
        with self._lock:
            number = self._names.get(name)
            if number is None:
                number = self._names[name] = min(len(self._names), 0xFFFF)
                self._new_names += self._add(_NAME, name.encode("utf-8", "replace")[:_LONGEST_TEXT])
            has, more = 0, b""
            if size is not None:
                has, more = has | 1, more + _INTEGER.pack(size)
            if flops is not None:
                has, more = has | 2, more + _INTEGER.pack(flops)
            if text is not None:
                has, more = has | 4, more + text.encode("utf-8", "replace")[:_LONGEST_TEXT]
            self._add(_SPAN, _BODY.pack(number, kind, has, layer, token, sequence, start, duration) + more)
            self._count += 1
            # A pass is sent at once: servers end their engines by a signal or os._exit.
            full = kind == KINDS["token"] or len(self._buffer) > _FLUSH_BYTES \
                or start + duration - self._flushed > _FLUSH_NS
        if full:
            self.flush()

    def flush(self) -> None:
        global _sender
        with self._lock:
            self._flushed = _now()
            try:
                self._send()
            except (BlockingIOError, InterruptedError):
                if len(self._buffer) > _MOST_BYTES:
                    self._dropped += self._count
                    self._buffer, self._count = bytearray(self._new_names), 0
            except OSError:  # the recorder has gone
                _sender = None

    def _send(self) -> None:
        if self._dropped and not self._rest:
            self._add(_JSON, json.dumps({"kind": "dropped", "count": self._dropped}).encode())
            self._dropped = 0
        if self._file is not None:  # other processes and threads may write to it as well
            if self._buffer:
                whose = json.dumps({"kind": "facts", "sender": threading.get_native_id()}).encode()
                os.write(self._file, _HEAD.pack(_MARK, _JSON, len(whose)) + whose + self._buffer)
            self._buffer.clear()
            self._names.clear()
            self._new_names.clear()
        while self._socket is not None and (self._rest or self._buffer):
            if not self._rest:
                self._rest, self._count = bytes(self._buffer), 0
                self._buffer.clear()
                self._new_names.clear()
            self._rest = self._rest[self._socket.send(self._rest):]

    def close(self) -> None:
        if self._socket is not None:  # the last records may take a moment, but not more
            self._socket.settimeout(0.2)
        self.flush()

_sender: Optional[_Sender] = None
_threads = threading.local()

def _sender_of_thread() -> Optional[_Sender]:
    """The connection for the passes of this thread: those of two generations at once must not mix."""
    if _sender is None or threading.current_thread() is threading.main_thread():
        return _sender
    own: Optional[_Sender] = getattr(_threads, "sender", None)
    if own is None:
        with contextlib.suppress(OSError):
            own = _threads.sender = _Sender(os.environ["EP_SPANS"])
    return own

def _start() -> None:
    """Opens the connection: at the start, and in a forked child, whose connections belong to its parent."""
    global _sender, _threads
    _threads = threading.local()
    try:
        _sender = _Sender(os.environ["EP_SPANS"]) if os.environ.get("EP_SPANS") else None
    except (OSError, ValueError, AttributeError):
        _sender = None

def flush() -> None:
    """Sends the spans that wait; they are sent about 20 times a second anyway."""
    if _sender is not None:
        _sender.flush()

def facts(**stated: Any) -> None:
    """Describes the run: engine, model, device, dtype (texts), layers, input_tokens (numbers)."""
    if _sender is not None:
        _sender.facts(**stated)

@contextlib.contextmanager
def _timed(name: str, kind: int, more: Dict[str, Any]) -> Iterator[None]:
    start = _now()
    try:
        yield
    finally:
        if _sender is not None:
            _sender.span(kind, name, start, _now() - start, **more)

_NOTHING = contextlib.nullcontext()

def span(name: str, kind: str = "component", layer: int = -1, token: int = -1, sequence: int = 0,
         text: Optional[str] = None, flops: Optional[int] = None, bytes: Optional[int] = None) -> Any:
    """A context: what runs in it is a phase, section, token, layer, component or operation."""
    if _sender is None:
        return _NOTHING
    return _timed(name, KINDS[kind], {"layer": layer, "token": token, "sequence": sequence, "text": text,
                                      "flops": flops, "size": bytes})

_DTYPES = {"torch.float32": "f32", "torch.float16": "f16", "torch.bfloat16": "bf16"}
Row = Tuple[int, str, Any, Any]  # kind, name, start, end

class _Pass(threading.local):
    """The pass that a thread computes."""

    def __init__(self) -> None:
        self.clean, self.inside = False, False  # without its parts; computing with them
        self.rows: List[Row] = []
        self.token, self.prompt = -1, 0  # tokens of the whole prompt, if they are known
        self.beams, self.sequences = 1, 1  # rows for each sequence, and sequences of a batch
        self.waiting: Optional[List[Tuple[List[Row], int, int]]] = None  # passes whose token is not known yet
        self.held: Optional[Tuple[int, int, List[Row]]] = None  # begin, tokens and parts of prompts without a token yet
        self.products: List[str] = []  # names of the next products of eager attention, in reverse order

class _Steps:
    """The forward passes of a model: numbers them and sends the parts of each when it is over."""

    def __init__(self, depth: Optional[str] = None) -> None:
        self.depth = depth or os.environ.get("EP_SPANS_DEPTH", "module")
        self.twin = os.environ.get("EP_SPANS_TWIN", "") == "1"
        self.now = _Pass()
        self.stated: Dict[str, Any] = {}  # facts, sent with the first prompt

    def parts_on(self) -> bool:
        return self.depth != "none" and not self.now.clean

    def begin(self, tokens: int, batch: int = 1) -> None:
        now = self.now
        now.rows, now.sequences = [], max(1, batch // now.beams)
        now.inside = self.parts_on()
        if tokens != 1 or now.token < 0:  # a prompt begins a generation
            now.token = 0
            sender = None if now.clean else _sender_of_thread()
            if sender is not None:
                sender.facts(input_tokens=now.prompt or tokens * now.sequences, **self.stated)
        else:
            now.token += 1

    @contextlib.contextmanager
    def clean_pass(self) -> Iterator[None]:
        """Whatever runs in this context is recorded without its parts."""
        self.now.clean, self.now.token = True, -1
        try:
            yield
        finally:
            self.now.clean, self.now.token = False, -1

    def timed(self, call: Any, name: str, stamp: Any) -> Any:
        """Wraps the function so that it is timed within a pass."""
        @functools.wraps(call)
        def run(*args: Any, **kwargs: Any) -> Any:
            if not self.now.inside:
                return call(*args, **kwargs)
            start, result = stamp(), call(*args, **kwargs)
            self.now.rows.append((KINDS["component"], name, start, stamp()))
            return result
        return run

    def end(self, start: int, end: int) -> None:
        sender, now = _sender_of_thread(), self.now
        now.inside = False
        if sender is None:
            return
        for kind, name, first, last in now.rows:
            sender.span(kind, name, first, last - first, -1, now.token)
        sender.span(KINDS["token"], "twin" if now.clean else "forward", start, end - start, -1, now.token, now.sequences - 1)

def _kind_of(path: str) -> int:
    holder, _, last = path.rpartition(".")
    return KINDS["layer" if last.isdigit() and holder.split(".")[-1] in ("layers", "h", "blocks") else "component"]

_calls: Dict[Tuple[Any, str], Dict[int, Any]] = {}  # of a class and method: its modules by their ids

def _time_calls(module: Any, method: str, steps: _Steps, path: str, stamp: Any, done: Any = None) -> None:
    """Times the module's calls by the method of its class: a hook costs PyTorch microseconds for each call."""
    owner = next((one for one in type(module).__mro__ if method in one.__dict__), None)
    if method in getattr(module, "__dict__", ()):  # one of its own, as accelerate gives it
        setattr(module, method, steps.timed(getattr(module, method), path, stamp))
    elif owner is not None:
        known = _calls.get((owner, method)) or _timed_method(owner, method)
        known[id(module)] = (steps, _kind_of(path), path, stamp, done)

def _timed_method(owner: Any, method: str) -> Dict[int, Any]:
    known: Dict[int, Any] = {}
    _calls[owner, method], original = known, owner.__dict__[method]
    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        one = known.get(id(self))
        if one is None or not one[0].now.inside:
            return original(self, *args, **kwargs)
        steps, kind, path, stamp, done = one
        start, result = stamp(), original(self, *args, **kwargs)
        if done is not None:
            done(result)
        steps.now.rows.append((kind, path, start, stamp()))
        return result
    setattr(owner, method, call)
    return known

def attach(model: Any, depth: Optional[str] = None) -> Any:
    """Sends the parts of this model from now on; returns the model. depth: none, module or deep."""
    if _sender is None:
        return model
    libraries = {base.__module__.split(".")[0] for base in type(model).__mro__}
    if libraries & {"torch", "mlx"}:  # llama.cpp's models have their callback since they were made
        (_attach_torch if "torch" in libraries else _attach_mlx)(model, depth)
    return model

class _DeviceClock(threading.local):
    """Stamps of an accelerator: events, read once a pass is over; without them the host's, after waiting."""

    def __init__(self, torch: ModuleType, device: str) -> None:
        self._device = getattr(torch, device)
        self._event = getattr(getattr(self._device, "event", self._device), "Event", None)
        self.note = "events of the device" if self._event else "waits for the device at each span"

    def stamp(self) -> Any:
        if self._event is None:
            self._device.synchronize()
            return _now()
        event = self._event(enable_timing=True)
        event.record()
        return event

    def begin(self) -> None:
        self._device.synchronize()
        self._base_ns, self._base = _now(), self.stamp()

    def times(self, rows: List[Row]) -> List[Row]:
        self._device.synchronize()
        if self._event is None:
            return rows
        at = [[self._base_ns + int(self._base.elapsed_time(one) * 1e6) for one in row[2:]] for row in rows]
        return [(kind, name, first, last) for (kind, name, _, _), (first, last) in zip(rows, at)]

def _attach_torch(model: Any, depth: Optional[str]) -> None:
    import torch
    if getattr(model, "_energy_profiler", None) is not None:
        return
    steps = model._energy_profiler = _Steps(depth)
    parameter = next(model.parameters(), None)
    device = parameter.device.type if parameter is not None else "cpu"
    clock = _DeviceClock(torch, device) if device in ("cuda", "mps") else None
    config = getattr(model, "config", None)
    engine = sys.modules.get(type(model).__module__.split(".")[0], torch)
    note = f" ({clock.note})" if clock else ""
    steps.stated = {"engine": f"{engine.__name__} {getattr(engine, '__version__', '')}".strip() + note,
              "model": os.path.basename(str(getattr(config, "_name_or_path", "")) or type(model).__name__),
              "device": device, "dtype": _DTYPES.get(str(getattr(parameter, "dtype", ""))),
              "layers": getattr(config, "num_hidden_layers", None), "clock": "device" if clock and clock._event else "host"}
    stamp, started = clock.stamp if clock else _now, threading.local()
    def before_pass(module: Any, args: Any, kwargs: Any) -> None:
        ids = kwargs.get("input_ids", kwargs.get("inputs_embeds", args[0] if args else None))
        steps.begin(*(reversed(ids.shape[:2]) if ids is not None and ids.dim() > 1 else (1,)))
        if clock:
            clock.begin()
        started.at = _now()
    def after_pass(module: Any, args: Any, output: Any) -> None:
        if clock:
            steps.now.rows = clock.times(steps.now.rows)
        steps.end(started.at, _now())
    if steps.depth != "none":
        for path, module in model.named_modules():
            if path and not isinstance(module, (torch.nn.ModuleList, torch.nn.Dropout, torch.nn.Identity)):
                _time_calls(module, "forward", steps, path, stamp)
    model.register_forward_pre_hook(before_pass, with_kwargs=True)
    model.register_forward_hook(after_pass)
    code = sys.modules.get(type(model).__module__)
    for name in [one for one in dir(code) if one.startswith("create_") and one.endswith("_mask")]:
        setattr(code, name, steps.timed(getattr(code, name), "attention_mask", stamp))
    if steps.depth == "deep":
        _time_eager_attention(torch, code, model, steps, stamp)

def _time_eager_attention(torch: ModuleType, code: Any, model: Any, steps: _Steps, stamp: Any) -> None:
    """The parts of eager attention, from the calls it makes; fused attention has no parts."""
    original = getattr(code, "eager_attention_forward", None)
    if original is None or getattr(getattr(model, "config", None), "_attn_implementation", "") != "eager":
        return
    @functools.wraps(original)
    def eager(*args: Any, **kwargs: Any) -> Any:
        steps.now.products = ["value_matmul", "softmax", "qk_matmul"] if steps.now.inside else []
        try:
            return original(*args, **kwargs)
        finally:
            steps.now.products = []
    setattr(code, "eager_attention_forward", eager)
    def time_products(holder: Any, name: str) -> None:
        call = getattr(holder, name)
        @functools.wraps(call)
        def product(*args: Any, **kwargs: Any) -> Any:
            waiting = steps.now.products
            if not waiting or name not in waiting[-1]:
                return call(*args, **kwargs)
            word, start = waiting.pop(), stamp()
            result = call(*args, **kwargs)
            steps.now.rows.append((KINDS["operation"], word, start, stamp()))
            return result
        setattr(holder, name, product)
    time_products(torch, "matmul")
    time_products(torch.nn.functional, "softmax")

def _attach_mlx(model: Any, depth: Optional[str]) -> Any:
    """Times calls of modules. mx.eval at their ends cuts MLX's lazy evaluation; the recorder reports this."""
    import mlx.core as mx
    known = getattr(model, "_energy_profiler", None)
    if known is not None:
        return known
    steps = _Steps(depth)
    object.__setattr__(model, "_energy_profiler", steps)
    lm = sys.modules.get("mlx_lm")
    steps.stated = {"engine": f"mlx-lm {getattr(lm, '__version__', '')}".strip() if lm else "mlx",
              "model": str(getattr(model, "model_type", "")) or type(model).__name__,
              "device": str(mx.default_device().type).split(".")[-1],
              "layers": getattr(getattr(model, "args", None), "num_hidden_layers", None)}
    if steps.depth == "none":
        return steps
    for path, module in model.named_modules():
        if path and (steps.depth == "deep" or not path.endswith(".rope")):  # which is an operation of attention
            _time_calls(module, "__call__", steps, path, _now, mx.eval)
        _time_calls(module, "as_linear", steps, "lm_head", _now, mx.eval)  # of an embedding that is the head too
    owner = next(one for one in type(model).__mro__ if "__call__" in one.__dict__)
    original = owner.__call__
    @functools.wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self is not model or not steps.parts_on():
            return original(self, *args, **kwargs)
        now = steps.now
        if now.waiting is None:
            steps.begin(*(reversed(args[0].shape[:2]) if args and args[0].ndim > 1 else (1,)))
        else:
            now.rows, now.inside = [], True
        start, result = _now(), original(self, *args, **kwargs)
        mx.eval(result)
        if now.waiting is None:
            steps.end(start, _now())
        else:
            now.inside = False
            now.waiting.append((now.rows, start, _now()))
        return result
    setattr(owner, "__call__", call)
    return steps

def _patch_transformers(module: ModuleType) -> None:
    mixin = module.GenerationMixin
    original = mixin.generate
    @functools.wraps(original)
    def generate(self: Any, *args: Any, **kwargs: Any) -> Any:
        attach(self)
        steps: Optional[_Steps] = getattr(self, "_energy_profiler", None)
        if steps is None:
            return original(self, *args, **kwargs)
        if steps.twin and kwargs.get("past_key_values") is None:
            short = {} if self.device.type != "cpu" else {"max_new_tokens": 2, "min_new_tokens": None, "max_length": None}
            for fewer in (short, {}):  # the first warms up, whole where libraries prepare themselves for each length
                with sys.modules["torch"].random.fork_rng(), steps.clean_pass(), contextlib.suppress(Exception):
                    original(self, *args, **{**kwargs, "streamer": None, **fewer})
        settings = kwargs.get("generation_config") or self.generation_config
        steps.now.token, steps.now.beams = -1, int(kwargs.get("num_beams") or getattr(settings, "num_beams", 1) or 1)
        return original(self, *args, **kwargs)
    mixin.generate = generate

def _patch_loading(owner: str, name: str) -> Callable[[ModuleType], None]:
    """Times a function that loads a model. owner: the class that has it; empty: the module."""
    def patch(module: ModuleType) -> None:
        holder: Any = getattr(module, owner) if owner else module
        known, busy = vars(holder)[name], threading.local()
        original = getattr(known, "__func__", known)
        @functools.wraps(original)
        def load(*args: Any, **kwargs: Any) -> Any:
            if _sender is None or getattr(busy, "now", False):  # one that it calls is part of it
                return original(*args, **kwargs)
            busy.now = True
            try:
                with span("model_load", kind="section"):
                    return original(*args, **kwargs)
            finally:
                busy.now = False
        setattr(holder, name, classmethod(load) if isinstance(known, classmethod) else load)
    return patch

def _patch_mlx(module: ModuleType) -> None:
    original = module.generate_step
    def tokens_of(steps: _Steps, prompt: Any, iterator: Iterator[Any]) -> Iterator[Any]:
        start = _now()
        for item in iterator:
            end = _now()
            steps.begin(int(prompt.size) if steps.now.token < 0 else 1)
            steps.end(start, end)
            yield item
            start = end
    def passes_of(steps: _Steps, prompt: Any, iterator: Iterator[Any]) -> Iterator[Any]:
        """One token for each item: the first has all passes of the prompt, and one pass is computed ahead."""
        now = steps.now
        waiting = now.waiting = []
        try:
            for item in iterator:
                taken = (waiting[:-1] or waiting[:]) if now.token < 0 else waiting[:1]
                del waiting[:len(taken)]
                if taken:
                    steps.begin(int(prompt.size) if now.token < 0 else 1)
                    now.rows = taken[0][0]
                    steps.end(taken[0][1], taken[-1][2])
                yield item
        finally:
            now.waiting = None
    @functools.wraps(original)
    def generate_step(prompt: Any, model: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        if _sender is None:
            return original(prompt, model, *args, **kwargs)
        steps = _attach_mlx(model, None)
        steps.now.prompt = int(getattr(prompt, "size", 0))
        if steps.twin and kwargs.get("prompt_cache") is None:
            with steps.clean_pass():
                list(zip(range(2), original(prompt, model, *args, **kwargs)))  # reads the weights
                for _ in tokens_of(steps, prompt, original(prompt, model, *args, **kwargs)):
                    pass
        steps.now.token = -1
        return (passes_of if steps.parts_on() else tokens_of)(steps, prompt, original(prompt, model, *args, **kwargs))
    module.generate_step = generate_step
    if hasattr(getattr(module, "BatchGenerator", None), "_next"):
        _patch_mlx_batches(module.BatchGenerator)

def _patch_mlx_batches(batches: Any) -> None:
    """Requests of mlx_lm.server share their passes: a token for each step, of as many sequences as got one."""
    original = batches._next
    @functools.wraps(original)
    def step(self: Any) -> Any:
        if _sender is None:
            return original(self)
        steps = _attach_mlx(self.model, None)
        now, start = steps.now, _now()
        passes = now.waiting = []
        try:
            result = original(self)
        finally:
            now.waiting = None
        prompts, tokens = result
        if tokens:
            start, now.prompt, rows = now.held or (start, 0, passes[0][0] if passes else [])
            now.token = -1 if now.prompt else now.token
            steps.begin(1, len(tokens))
            now.rows = rows
            steps.end(start, _now())
            now.held, passes, start = None, passes[1:], _now()
        if prompts:
            begun, read, rows = now.held or (start, 0, passes[-1][0] if passes else [])
            now.held = begun, read + sum(one.progress[1] for one in prompts if one.end_of_prompt), rows
        return result
    batches._next = step

def _patch_llama(module: ModuleType) -> None:
    """llama.cpp calls back before and after each node of its graph."""
    import ctypes
    import llama_cpp.llama_cpp as low
    steps, begun = _Steps(), [0]
    for call in (low._lib.ggml_get_name, low._lib.ggml_op_desc):
        call.restype, call.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    def on_node(tensor: int, ask: bool, _: Any) -> bool:
        if ask:  # returns whether this node is computed by itself
            begun[0] = _now()
            return steps.now.inside
        now, name = _now(), low._lib.ggml_get_name(tensor) + b" [" + low._lib.ggml_op_desc(tensor) + b"]"
        steps.now.rows.append((KINDS["component"], name.decode("utf-8", "replace"), begun[0], now))
        return True
    callback = low.ggml_backend_sched_eval_callback(on_node)
    defaults = low.llama_context_default_params
    def default_params() -> Any:
        params = defaults()
        if steps.depth != "none":
            params.cb_eval = callback
        return params
    low.llama_context_default_params = default_params
    if hasattr(module, "llama_context_default_params"):
        module.llama_context_default_params = default_params
    original = module.Llama.eval
    @functools.wraps(original)
    def evaluate(self: Any, tokens: Any) -> None:
        if _sender is None:
            return original(self, tokens)
        steps.stated = {"engine": f"llama-cpp-python {getattr(module, '__version__', '')}", "device": "cpu",
                        "model": os.path.basename(str(getattr(self, "model_path", ""))).rsplit(".gguf", 1)[0]}
        steps.begin(len(tokens))
        start = _now()
        result = original(self, tokens)
        steps.end(start, _now())
        return result
    module.Llama.eval = evaluate
    _patch_loading("Llama", "__init__")(module)

_PATCHES: Dict[str, Callable[[ModuleType], None]] = {
    "transformers.generation.utils": _patch_transformers,
    "transformers.modeling_utils": _patch_loading("PreTrainedModel", "from_pretrained"),
    "mlx_lm.generate": _patch_mlx,
    "mlx_lm.utils": _patch_loading("", "load"),
    "llama_cpp": _patch_llama,
}

class _Finder:
    """An import hook: lets the other finders find a package, and patches it once it is loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        patch = _PATCHES.pop(name, None)
        if patch is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module
        def exec_module(module: ModuleType) -> None:
            load(module)
            try:
                patch(module)
            except Exception as problem:  # another version of the package: the program goes on without spans
                print(f"energy_profiler_spans: {name} is not recorded: {problem!r}", file=sys.stderr)
        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

def start_auto() -> None:
    """Records the packages above as they are imported; `energy-profiler record --auto` calls it."""
    if _sender is not None and not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())  # type: ignore[arg-type]

def run_next_sitecustomize(ours: str) -> None:
    """Runs the sitecustomize that Python would have found without --auto."""
    folder = os.path.dirname(os.path.abspath(ours))
    others = [one for one in sys.path if os.path.abspath(one or ".") != folder]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))

_start()
if _sender is not None:
    os.register_at_fork(after_in_child=lambda: _start() if _sender else None)
    atexit.register(lambda: _sender.close() if _sender else None)
