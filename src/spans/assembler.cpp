// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/assembler.h"

#include "nested_parts.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ep::spans {

namespace {

constexpr std::string_view kCleanPass = "twin"; // name of the tokens of a pass without hooks
constexpr std::size_t kMaxUnknown = 100; // unknown names that a run lists at most
constexpr std::size_t kMaxOwn = 40; // names with rows of their own; any others share one
constexpr std::size_t kLongestName = 200;
constexpr std::uint32_t kOtherName = 0; // index of all names beyond the limit
constexpr std::size_t kPerName = 200; // bytes besides its characters
constexpr std::size_t kTextCopies = 8; // in its token, the answer, the display and the database

// Adds a part to a sum unless that would overflow.
bool addTo(std::int64_t& sum, std::int64_t part)
{
    if (part > std::numeric_limits<std::int64_t>::max() - sum)
        return false;
    sum += part;
    return true;
}

} // namespace

Assembler::Assembler(Nanoseconds begin, AssemblerLimits limits)
    : m_begin(begin)
    , m_limits(limits)
    , m_budget(limits.most_bytes)
    , m_parts(1)
{
}

void Assembler::addFacts(const Record& record)
{
    const auto state = [](std::string& field, std::string_view stated) {
        if (field.empty() && !stated.empty())
            field = replaceInvalidUtf8(stated.substr(0, kLongestName));
    };
    state(m_facts.engine, record.engine);
    state(m_facts.model, record.model);
    state(m_facts.device, record.device);
    state(m_facts.dtype, record.dtype);
    state(m_facts.clock, record.clock);
    if (!m_facts.layers)
        m_facts.layers = record.layers;
    if (!m_facts.input_tokens)
        m_facts.input_tokens = record.input_tokens;
}

std::uint32_t Assembler::partIndex(const Record& record)
{
    const std::string key =
        std::to_string(static_cast<int>(record.kind)) + std::string(record.name);
    if (const auto known = m_names.find(key); known != m_names.end())
        return known->second;
    Part part =
        record.kind == RecordKind::Layer ? Part{.kind = PartKind::Layer} : partOf(record.name);
    if (record.kind == RecordKind::Layer)
        part.layer = partOf(record.name).layer;
    if (record.kind == RecordKind::Operation) {
        if (const auto known = operationFromName(record.name))
            part = {.kind = PartKind::Operation, .operation = *known};
    }
    // Names that differ for each span are not useful.
    if (m_parts.size() > m_limits.most_names || !m_budget.take(2 * key.size() + kPerName))
        return kOtherName;
    const auto index = static_cast<std::uint32_t>(m_parts.size());
    NamedPart& named = m_parts.emplace_back(NamedPart{part});
    named.of_next = belongsToNext(record.name);
    if (part.kind == PartKind::Unknown || part.kind == PartKind::Section
        || part.kind == PartKind::Operation) { // sections and operations may be anywhere
        named.own = ownPathOf(record.name);
        if (m_ownPaths.size() < kMaxOwn)
            m_ownPaths.insert(named.own.path);
        else if (!m_ownPaths.contains(named.own.path))
            named.own.path.clear();
    }
    m_names.emplace(key, index);
    return index;
}

void Assembler::add(const Record& record, const Sender& sender)
{
    if (record.kind == RecordKind::Facts)
        return addFacts(record);
    if (record.kind == RecordKind::Dropped) {
        if (!addTo(m_counts.dropped, record.count))
            m_counts.dropped = std::numeric_limits<std::int64_t>::max();
        return;
    }
    ++m_counts.received;
    TimeRange time;
    time.begin_ns = wrappingSum(record.start_ns, sender.shift_ns);
    time.end_ns = wrappingSum(time.begin_ns, record.duration_ns);
    if (time.begin_ns < m_begin || time.end_ns < time.begin_ns) {
        ++m_counts.outside;
        return;
    }
    if (record.kind == RecordKind::Phase)
        return addPhase(record, time);
    if (record.kind == RecordKind::Token)
        return addToken(record, time);
    if (m_kept >= m_limits.most_spans) {
        ++m_counts.too_many;
        return;
    }
    if (time.end_ns <= m_lastEnd) {
        ++m_counts.late;
        return;
    }
    const std::uint32_t part = partIndex(record);
    if (m_parts[part].part.kind == PartKind::Unknown && !m_parts[part].of_next) {
        const std::string name(record.name.substr(0, kLongestName));
        if (m_unknown.size() < kMaxUnknown || m_unknown.contains(name))
            ++m_unknown[name];
    }
    Kept kept{.time = time, .part = part, .layer = record.layer, .kind = record.kind};
    kept.work = workOf(record);
    kept.stats = record.stats;
    m_pending.push_back(kept);
    ++m_kept;
}

// Sums over the spans of a run must not overflow, so work beyond that is left out.
std::optional<SpanWork> Assembler::workOf(const Record& record)
{
    if (!record.bytes && !record.flops)
        return std::nullopt;
    const SpanWork work{record.flops.value_or(0), record.bytes.value_or(0)};
    SpanWork sum = m_work;
    if (!addTo(sum.flops, work.flops) || !addTo(sum.bytes, work.bytes))
        return std::nullopt;
    m_work = sum;
    return work;
}

void Assembler::addPhase(const Record& record, const TimeRange& time)
{
    const auto phase = phaseFromName(record.name);
    if (!phase || *phase == Phase::Idle) {
        ++m_counts.malformed;
        return;
    }
    const bool known =
        std::ranges::any_of(m_phases, [&](const PhaseSpan& one) { return one.phase == *phase; });
    const bool cuts = std::ranges::any_of(
        m_phases, [&](const PhaseSpan& one) { return !intersection(one.time, time).empty(); });
    if (known || cuts) { // a run has each phase once
        ++m_counts.overlapping;
        return;
    }
    m_phases.push_back({*phase, time, {}});
    ++m_counts.kept;
}

void Assembler::addToken(const Record& record, const TimeRange& time)
{
    if (m_kept >= m_limits.most_spans || m_tokens >= m_limits.most_tokens) {
        ++m_counts.too_many;
        return;
    }
    if (time.begin_ns < m_lastEnd || time.empty()) {
        ++m_counts.overlapping;
        return;
    }
    Step step;
    step.clean = record.name == kCleanPass;
    const bool begins = m_generations.empty() || record.token == 0
        || (!m_generations.back().empty() && m_generations.back().back().clean != step.clean);
    if (begins)
        m_generations.emplace_back();
    std::vector<Step>& generation = m_generations.back();
    step.token.index = static_cast<std::int32_t>(generation.size());
    step.token.position = step.token.index;
    if (m_budget.take(kTextCopies * record.text.size()))
        step.token.text = replaceInvalidUtf8(record.text);
    step.token.phase = step.token.index == 0 ? Phase::Prefill : Phase::Decode;
    step.token.time = time;
    std::vector<Kept> inside;
    std::vector<Kept> before;
    for (Kept& one : m_pending)
        (time.contains(one.time) ? inside : before).push_back(std::move(one));
    m_pending.clear();
    for (const Kept& one : before) { // spans around the passes
        const Part& part = m_parts[one.part].part;
        if (part.kind == PartKind::Section && one.time.end_ns <= time.begin_ns) {
            SectionSpan& section = m_sections.emplace_back();
            section.phase = step.token.phase;
            section.section = part.section;
            section.time = one.time;
            section.work = one.work;
            ++m_counts.kept;
        } else {
            ++m_counts.overlapping;
        }
    }
    assemble(step, inside);
    generation.push_back(std::move(step));
    m_lastEnd = time.end_ns;
    ++m_kept;
    ++m_tokens;
    ++m_counts.kept;
}

void Assembler::assemble(Step& step, std::vector<Kept>& inside)
{
    NestedParts nested(step);
    std::ranges::stable_sort(inside, [](const Kept& a, const Kept& b) {
        return a.time.begin_ns != b.time.begin_ns ? a.time.begin_ns < b.time.begin_ns
                                                  : a.time.end_ns > b.time.end_ns;
    });
    for (std::size_t i = 0; i < inside.size(); ++i) {
        const Kept& one = inside[i];
        const bool halved = m_parts[one.part].of_next && i + 1 < inside.size()
            && inside[i + 1].time.begin_ns >= one.time.end_ns;
        const NamedPart& named = m_parts[halved ? inside[i + 1].part : one.part];
        Part part = named.part;
        if (one.layer != kNoLayer)
            part.layer = one.layer;
        if (nested.add(part, named.own, one.time, one.work, one.stats))
            ++m_counts.kept;
        else
            ++m_counts.overlapping;
    }
    nested.finish();
    if (!inside.empty()) {
        m_forward += step.token.time.duration_ns();
        m_mapped += nested.mapped();
    }
}

std::vector<Step> Assembler::takeNew(std::size_t most)
{
    std::vector<Step> taken;
    for (; m_takenGeneration < m_generations.size(); ++m_takenGeneration, m_taken = 0) {
        const std::vector<Step>& generation = m_generations[m_takenGeneration];
        for (; m_taken < generation.size(); ++m_taken) {
            if (taken.size() == most)
                return taken;
            if (!generation[m_taken].clean)
                taken.push_back(generation[m_taken]);
        }
        if (m_takenGeneration + 1 == m_generations.size())
            break;
    }
    return taken;
}

Assembled Assembler::finish(Nanoseconds end)
{
    Assembled result;
    const auto usable = [](const std::vector<Step>& one) { return !one.empty() && !one[0].clean; };
    std::size_t best = m_generations.size();
    std::vector<TimeRange> clean; // of the clean pass before this generation
    for (std::size_t i = 0; i < m_generations.size(); ++i) {
        if (!usable(m_generations[i])) {
            clean.clear(); // a pass before it only warmed up
            for (const Step& step : m_generations[i])
                clean.push_back(step.token.time);
            continue;
        }
        if (best == m_generations.size() || m_generations[i].size() > m_generations[best].size()) {
            best = i;
            result.shown = result.generations;
            result.clean_steps = clean;
        }
        ++result.generations;
    }
    if (best < m_generations.size())
        result.steps = std::move(m_generations[best]);
    m_counts.overlapping += static_cast<std::int64_t>(m_pending.size()); // outside of any pass
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
    if (!result.steps.empty()) {
        const TimeRange shown{result.steps.front().token.time.begin_ns,
                              result.steps.back().token.time.end_ns};
        for (const SectionSpan& section : m_sections) {
            if (shown.contains(section.time))
                result.sections.push_back(section);
        }
    }
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
