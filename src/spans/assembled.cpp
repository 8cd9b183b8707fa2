// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a run of what has arrived: chooses the generation that it shows.
#include "ep/core/utf8.h"
#include "ep/spans/assembler.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace ep::spans {

void Assembler::endAll()
{
    for (auto& [id, stream] : m_streams) {
        endGeneration(stream);
        m_counts.overlapping += static_cast<std::int64_t>(stream.pending.size()); // outside of any
    }
    std::ranges::stable_sort(m_generations, {},
                             [](const Summary& one) { return one.time.begin_ns; });
    for (Summary& one : m_generations) {
        if (!one.input_tokens) // stated later, or by another sender
            one.input_tokens = m_streams[one.sender].input_tokens;
        if (!one.input_tokens)
            one.input_tokens = m_facts.input_tokens;
    }
}

void Assembler::choose(Assembled& result)
{
    if (!m_longest)
        return;
    const Summary& best = m_longest->summary;
    std::set<std::int64_t> senders;
    result.input_tokens = 0;
    for (const Summary& one : m_generations) {
        const bool shown = one.time == best.time && one.sender == best.sender;
        if (shown) {
            result.shown = result.generations;
            result.shown_input_tokens = one.input_tokens;
        }
        ++result.generations;
        senders.insert(one.sender);
        result.tokens += one.tokens;
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (result.input_tokens && one.input_tokens && *one.input_tokens <= kMost)
            result.input_tokens = *result.input_tokens + *one.input_tokens;
        else
            result.input_tokens.reset();
        result.overlapping =
            result.overlapping || (!shown && !intersection(one.time, best.time).empty());
    }
    result.senders = senders.size();
    result.clean_steps = std::move(m_longest->clean_steps);
    result.steps = std::move(m_longest->steps);
}

// Sections between the steps shown, and loads, which belong to the phase that holds them.
void Assembler::placeSections(Assembled& result)
{
    if (result.steps.empty())
        return;
    const TimeRange shown{result.steps.front().token.time.begin_ns,
                          result.steps.back().token.time.end_ns};
    for (const SectionSpan& section : m_longest->sections) {
        if (shown.contains(section.time))
            result.sections.push_back(section);
    }
    for (SectionSpan load : m_loads) {
        const auto phase = std::ranges::find_if(
            result.phases, [&](const PhaseSpan& one) { return one.time.contains(load.time); });
        if (phase == result.phases.end()) {
            ++m_counts.overlapping;
            continue;
        }
        load.phase = phase->phase;
        ++m_counts.kept;
        result.sections.push_back(load);
    }
}

Assembled Assembler::finish(Nanoseconds end)
{
    Assembled result;
    endAll();
    choose(result);
    for (const Step& step : result.steps) {
        if (!step.operations.empty())
            result.depth = Depth::Deep;
        else if (!step.components.empty() && result.depth == Depth::None)
            result.depth = Depth::Module;
    }
    result.phases = m_phases;
    std::erase_if(result.phases, [&](const PhaseSpan& one) { return one.time.end_ns > end; });
    std::erase_if(result.steps, [&](const Step& one) {
        if (one.token.time.end_ns <= end)
            return false;
        ++m_counts.outside;
        return true;
    });
    if (result.phases.empty() && !result.steps.empty()) {
        const auto phase = [&](Phase which, Nanoseconds from, Nanoseconds to) {
            if (from < to)
                result.phases.push_back({which, {from, to}, {}});
        };
        const TimeRange first = result.steps.front().token.time;
        const Nanoseconds whole = m_longest->summary.time.end_ns; // with steps that were not kept
        const Nanoseconds last = whole <= end ? whole : result.steps.back().token.time.end_ns;
        phase(Phase::PreInference, m_begin, first.begin_ns);
        phase(Phase::Prefill, first.begin_ns, first.end_ns);
        phase(Phase::Decode, first.end_ns, last);
        phase(Phase::PostInference, last, end);
    }
    std::ranges::sort(result.phases, {}, [](const PhaseSpan& one) { return one.time.begin_ns; });
    placeSections(result);
    if (m_forward > 0)
        m_counts.mapped_share = static_cast<double>(m_mapped) / static_cast<double>(m_forward);
    for (const auto& [name, count] : m_unknown)
        m_counts.unknown.push_back(replaceInvalidUtf8(name) + " (" + std::to_string(count) + ')');
    result.counts = m_counts;
    return result;
}

void appendTo(RunTrace& trace, Assembled&& assembled)
{
    const auto append = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    };
    append(trace.phases, assembled.phases);
    append(trace.sections, assembled.sections);
    std::array<std::size_t, 4> counts{};
    for (const Step& step : assembled.steps) {
        counts[0] += step.sections.size();
        counts[1] += step.layers.size();
        counts[2] += step.components.size();
        counts[3] += step.operations.size();
    }
    trace.tokens.reserve(assembled.steps.size());
    trace.sections.reserve(trace.sections.size() + counts[0]);
    trace.layers.reserve(counts[1]);
    trace.components.reserve(counts[2]);
    trace.operations.reserve(counts[3]);
    for (; !assembled.steps.empty(); assembled.steps.pop_front()) { // so that memory grows little
        Step& step = assembled.steps.front();
        append(trace.sections, step.sections);
        append(trace.layers, step.layers);
        append(trace.components, step.components);
        append(trace.operations, step.operations);
        trace.tokens.push_back(std::move(step.token));
    }
    std::ranges::stable_sort(trace.sections, {},
                             [](const SectionSpan& one) { return one.time.begin_ns; });
}

} // namespace ep::spans
