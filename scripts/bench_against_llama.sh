#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the engine with llama.cpp on this machine and prints the table of docs/performance.md.
#   scripts/bench_against_llama.sh PATH_TO_LLAMA_BENCH [--shapes 25M,110M,1.1B,7B,qwen3_5-135M,lfm2-135M,FILE.gguf]
#       [--types f32,bf16,f16,int8,q4_0,q4_k_m,iq4_nl,mxfp4] [--tests decode,prefill128,prefill512,batch4,batch8,context4096,energy,memory]
#       [--pairs 7] [--threads 2] [--kernels WHICH]
# llama-bench is that of a llama.cpp built on this machine, in a folder of its own:
#   cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --target llama-bench llama-batched-bench \
#       llama-quantize
# Without llama-batched-bench beside it there are no tests of batches and of a long context, without llama-quantize only the
# first four types. A FILE.gguf is measured in the types named, or as it is (--types stored).
# A test runs both programs by turns, with one model of random weights for both. "energy" compares joules per 64
# decoded tokens where RAPL can be read; elsewhere seconds of all processors stand in for them. "memory" compares
# what the processes held at most, with a prompt of 128 and 32 tokens.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n '3,/^set/s/^# //p' "$0" >&2; exit 2; }
./scripts/build.sh bench ep-engine-speed >/dev/null
exec python3 scripts/bench_against_llama.py "$@"
