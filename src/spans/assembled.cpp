// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a run of what has arrived: chooses the generation that it shows.
#include "ep/core/utf8.h"
#include "ep/spans/assembler.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ep::spans {

std::vector<Assembler::Found> Assembler::found()
{
    std::vector<Found> all;
    for (auto& [id, stream] : m_streams) {
        std::vector<TimeRange> clean; // of the clean pass before a generation
        for (Generation& one : stream.generations) {
            if (!one.clean()) {
                if (!one.input_tokens) // stated later, or by another sender
                    one.input_tokens =
                        stream.input_tokens ? stream.input_tokens : m_facts.input_tokens;
                all.push_back({&one, &stream, clean});
                continue;
            }
            clean.clear(); // a pass before it only warmed up
            for (const Step& step : one.steps)
                clean.push_back(step.token.time);
        }
    }
    std::ranges::stable_sort(all, {},
                             [](const Found& one) { return one.generation->time().begin_ns; });
    return all;
}

void Assembler::choose(Assembled& result)
{
    std::vector<Found> all = found();
    if (all.empty())
        return;
    const auto best = std::ranges::max_element(
        all, {}, [](const Found& one) { return one.generation->steps.size(); });
    result.generations = all.size();
    result.shown = static_cast<std::size_t>(best - all.begin());
    result.clean_steps = std::move(best->clean_steps);
    result.input_tokens = 0;
    std::set<const Stream*> senders;
    for (auto one = all.begin(); one != all.end(); ++one) {
        const Generation& generation = *one->generation;
        senders.insert(one->stream);
        for (const Step& step : generation.steps)
            result.tokens += step.token.sequences;
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (result.input_tokens && generation.input_tokens && *generation.input_tokens <= kMost)
            result.input_tokens = *result.input_tokens + *generation.input_tokens;
        else
            result.input_tokens.reset();
        result.overlapping = result.overlapping
            || (one != best && !intersection(generation.time(), best->generation->time()).empty());
    }
    result.senders = senders.size();
    result.shown_input_tokens = best->generation->input_tokens;
    result.steps = std::move(best->generation->steps);
}

// Sections between the steps shown, and loads, which belong to the phase that holds them.
void Assembler::placeSections(Assembled& result)
{
    if (result.steps.empty())
        return;
    const TimeRange shown{result.steps.front().token.time.begin_ns,
                          result.steps.back().token.time.end_ns};
    for (const SectionSpan& section : m_sections) {
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
    choose(result);
    for (const auto& [id, stream] : m_streams) // outside of any pass
        m_counts.overlapping += static_cast<std::int64_t>(stream.pending.size());
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
        const Nanoseconds last = result.steps.back().token.time.end_ns;
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
    for (Step& step : assembled.steps) {
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
