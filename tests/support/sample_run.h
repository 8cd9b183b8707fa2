// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep::test {

// The size of the made-up run, and which parts it has.
struct SampleRunShape {
    std::string id = "11111111-2222-4333-8444-555555555555";
    std::int64_t created_at_ms = 1'769'862'896'789; // 2026-01-31T12:34:56.789Z
    int input_tokens = 5;
    int tokens = 4; // generated tokens: the first by the prefill, the others by decoding
    int layers = 2;
    bool deep = true; // with operations of attention
    bool power = true; // with samples and energies; false: every energy is missing
};

// A complete run of a small Llama with every part filled in: the same values at every call, so that
// tests may name them. Energies are exact integrals of the samples, so children never exceed their
// parent and every level has a small remainder. The `dram` rail is missing, `ane` is a true zero.
Run makeSampleRun(const SampleRunShape& shape = {});

} // namespace ep::test
