// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/command_record.h"
#include "ep/core/message.h"
#include "ep/core/server_record.h"
#include "ep/core/time_range.h"
#include "ep/core/units.h"
#include "ep/core/words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ep {

// Two executions of one prompt and seed: first without recording, then with the requested settings.
// Energies, times and figures of the run are those of the second execution.
struct TwinRecord {
    Nanoseconds clean_prefill_ns = 0;
    Nanoseconds clean_decode_ns = 0; // sum over the tokens that both executions have
    Nanoseconds prefill_ns = 0; // prefill of the instrumented run
    Nanoseconds decode_ns = 0;
    std::int64_t tokens = 0; // tokens compared
    std::int64_t different_tokens = 0; // number of tokens after the first difference
    // Energy of the compared steps in both executions; absent unless samples cover all of them.
    std::optional<double> clean_mj{};
    std::optional<double> instrumented_mj{};
    // Time ranges of the clean execution, from the first to the last of its steps. Relative to the
    // start of the run and therefore negative; empty if there is no such step.
    TimeRange clean_prefill{};
    TimeRange clean_decode{};

    bool operator==(const TwinRecord&) const = default;
};

// Tokens that a run took from its prompt cache, and tokens that its draft proposed.
struct TokenCounts {
    std::optional<std::int64_t> cached{}; // prompt tokens from the prompt cache; absent without one
    std::string draft{}; // source of proposed tokens: "ngram", or the name of a model; empty: none
    std::int64_t drafted = 0;
    std::int64_t accepted = 0;

    std::int64_t rejected() const { return drafted - accepted; }
    bool any() const { return cached || !draft.empty(); }
    bool operator==(const TokenCounts&) const = default;
};
// A setting of a run as its record keeps it: its name in the table of settings, and its value.
struct RecordedSetting {
    std::string name;
    std::variant<bool, std::int64_t, double, std::string> value;

    bool operator==(const RecordedSetting&) const = default;
};
using RecordedSettings = std::vector<RecordedSetting>;

// How a run was recorded, and what recording cost.
struct ProfilingRecord {
    std::string computation; // text about how matmuls are computed, and why
    std::string kernels; // the kernels used; equal texts for equal kernels, empty if unknown
    std::string clock = "host"; // clock of the spans: host, device, synchronised
    Message clock_note; // why this clock; empty: as requested
    std::int64_t statistics_every = 1; // one in this many tokens has statistics
    std::int64_t spans = 0; // number of recorded spans
    std::int64_t statistics = 0; // number of computed statistics
    double span_cost_ns = 0.0; // cost of one span, calibrated at the start
    double statistic_cost_ns = 0.0; // cost of one statistic, as measured in this run
    Nanoseconds cost_ns = 0; // total cost
    std::int64_t memory_bytes = 0; // memory held by the recording
    std::optional<TokenCounts> token_counts{}; // absent without prompt cache and draft
    std::optional<double> exact_slowdown{}; // time per token, synchronised / not synchronised
    std::optional<TwinRecord> twin{};
    // Present for a request to another server, whose run has phases and perhaps tokens, but no
    // layers.
    std::optional<ServerRecord> server{};
    // Present for a recorded command, whose run has the layers and tokens that the command sent.
    std::optional<CommandRecord> command{};
    // The requested settings that differ from their defaults. Absent if not known, as in runs from
    // earlier versions.
    std::optional<RecordedSettings> settings{};

    bool operator==(const ProfilingRecord&) const = default;
};

} // namespace ep
