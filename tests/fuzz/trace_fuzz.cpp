// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a trace of torch.profiler: in whatever is read, shares are valid and parts lie
// within their pass.
#include "ep/spans/trace_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto trace = ep::spans::readTraceText(text, "trace.json");
    if (!trace)
        return 0;
    require(trace->mapped_ns >= 0 && trace->operator_ns >= 0);
    ep::Nanoseconds at = 0;
    for (const ep::spans::Step& step : trace->parts.steps) {
        require(step.token.time.begin_ns >= at && step.token.time.end_ns <= trace->duration_ns);
        at = step.token.time.end_ns;
        for (const ep::Span& part : step.components)
            require(step.token.time.contains(part.time));
    }
    return 0;
}
