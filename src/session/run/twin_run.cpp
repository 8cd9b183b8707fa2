// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/twin_run.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::session {

namespace {

// From the first to the last of these steps; empty if there are none.
TimeRange hull(const std::vector<TimeRange>& steps, std::size_t first, std::size_t last)
{
    if (first >= last)
        return {};
    return {steps[first].begin_ns, steps[last - 1].end_ns};
}

} // namespace

Result<Rehearsal> rehearse(model::Engine& engine, const model::GenerationRequest& request,
                           int maxSteps, model::Observer* observer, const CancelToken& cancel)
{
    auto generation = engine.begin(request, observer, cancel);
    if (!generation)
        return generation.error();
    Rehearsal rehearsal;
    for (int index = 0; index < maxSteps; ++index) {
        const Nanoseconds begin = monotonicNow();
        const auto step = index == 0 ? (*generation)->prefill() : (*generation)->decode();
        const Nanoseconds end = monotonicNow();
        if (!step)
            return step.error();
        rehearsal.steps.push_back({begin, end});
        rehearsal.tokens.push_back(step->sequences.front().token);
        if (step->finished)
            break;
    }
    if (const Status finished = (*generation)->finish(); !finished)
        return finished.error();
    return rehearsal;
}

TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens,
                       Nanoseconds runBegin)
{
    TwinRecord record;
    const std::size_t count = std::min(clean.steps.size(), tokens.size());
    record.tokens = static_cast<std::int64_t>(count);
    bool parted = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Nanoseconds before = clean.steps[i].duration_ns();
        const Nanoseconds now = tokens[i].time.duration_ns();
        (i == 0 ? record.clean_prefill_ns : record.clean_decode_ns) += before;
        (i == 0 ? record.prefill_ns : record.decode_ns) += now;
        parted = parted || clean.tokens[i] != tokens[i].id;
        record.different_tokens += parted ? 1 : 0;
    }
    const auto sinceBegin = [&](TimeRange range) {
        return range.empty() ? range
                             : TimeRange{range.begin_ns - runBegin, range.end_ns - runBegin};
    };
    record.clean_prefill = sinceBegin(hull(clean.steps, 0, std::min<std::size_t>(1, count)));
    record.clean_decode = sinceBegin(hull(clean.steps, 1, count));
    return record;
}

std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens)
{
    const TwinRecord record = compareTwin(rehearsal, tokens, 0);
    if (record.clean_decode_ns <= 0)
        return std::nullopt;
    return static_cast<double>(record.decode_ns) / static_cast<double>(record.clean_decode_ns);
}

} // namespace ep::session
