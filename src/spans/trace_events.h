// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/units.h"
#include "ep/json/stream.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::spans {

// An event with a duration in a trace.
struct TraceEvent {
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;
    std::uint32_t name = 0; // index into the names
    std::uint32_t shape = 0; // index into the shapes; 0: not stated
    std::uint32_t thread = 0;
    // Positions of one sequence that an embedding lookup reads or attention looks back on; 0: not
    // stated, or another operator.
    std::uint32_t positions = 0;
};

// Rows and columns of a matmul's weight.
using WeightShape = std::array<std::int64_t, 2>;

struct TraceEvents {
    std::vector<std::string> names{};
    std::vector<WeightShape> shapes{{}};
    std::vector<TraceEvent> modules{}; // events of torch.nn
    std::vector<TraceEvent> operators{}; // events of ATen
    std::vector<TraceEvent> marks{}; // events of the user
    std::int64_t events = 0;
    std::int64_t kernels = 0;
    Nanoseconds base_ns = 0; // add this to any time to get the time since 1970; 0: not stated
    std::size_t processes = 1; // number of processes that computed operators
    std::string process{}; // name of the process of the events, if there are several
    bool cut = false; // the file ends in the middle
    std::int64_t wrong_at = -1; // position of invalid JSON, where reading ended; -1: none
    bool too_many = false; // events beyond the limit are missing
    bool too_long = false; // names or open events beyond the limit are missing
    std::int64_t impossible = 0; // events that were left out because of their times
};

inline constexpr std::size_t kMostTraceBytes = 32'000'000; // of names and events that have begun

// The events of a JSON document: an object with traceEvents, or a list. An error: not a trace.
Result<TraceEvents> readTraceEvents(const json::ReadBytes& bytes, const std::string& name,
                                    const CancelToken& cancel);

} // namespace ep::spans
