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

void Assembler::addFacts(const Record& record, Stream& stream)
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
    if (record.input_tokens)
        stream.input_tokens = record.input_tokens;
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
    if (m_streams.size() >= m_limits.most_senders && !m_streams.contains(sender.id)) {
        m_counts.too_many += isSpan(record.kind) ? 1 : 0;
        return;
    }
    Stream& stream = m_streams[sender.id];
    if (record.kind == RecordKind::Facts)
        return addFacts(record, stream);
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
        return addToken(record, time, stream, sender.id);
    if (record.name == name(Section::ModelLoad))
        return addLoad(time);
    // So that a sender without tokens leaves room for the others.
    if (stream.pending.size() >= m_limits.most_waiting - m_waiting) {
        ++m_counts.too_many;
        return;
    }
    if (time.end_ns <= stream.last_end) {
        ++m_counts.late;
        return;
    }
    const std::uint32_t part = partIndex(record);
    if (m_parts[part].part.kind == PartKind::Unknown && !m_parts[part].of_next) {
        const std::string name(record.name.substr(0, kLongestName));
        if (m_unknown.size() < kMaxUnknown || m_unknown.contains(name))
            ++m_unknown[name];
    }
    stream.pending.push_back({.time = time,
                              .part = part,
                              .layer = record.layer,
                              .work = workOf(record),
                              .stats = record.stats});
    ++m_waiting;
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

// Several processes may load at the same time: that is one section.
void Assembler::addLoad(const TimeRange& time)
{
    constexpr std::size_t kMaxLoads = 1000;
    SectionSpan load;
    load.section = Section::ModelLoad;
    load.time = time;
    std::erase_if(m_loads, [&](const SectionSpan& other) {
        if (intersection(other.time, load.time).empty())
            return false;
        load.time = {std::min(load.time.begin_ns, other.time.begin_ns),
                     std::max(load.time.end_ns, other.time.end_ns)};
        return true;
    });
    if (m_loads.size() < kMaxLoads)
        m_loads.push_back(load);
    else
        ++m_counts.too_many;
}

// Returns the spans within a forward pass; those around it become sections of its generation.
std::vector<Assembler::Kept> Assembler::takePending(Stream& stream, const TimeRange& time)
{
    m_waiting -= stream.pending.size();
    std::vector<Kept> inside;
    inside.reserve(stream.pending.size());
    for (; !stream.pending.empty(); stream.pending.pop_front()) {
        const Kept& one = stream.pending.front();
        const Part& part = m_parts[one.part].part;
        if (time.contains(one.time)) {
            inside.push_back(one);
        } else if (part.kind == PartKind::Section && one.time.end_ns <= time.begin_ns
                   && m_sections < m_limits.most_sections) {
            Generation& generation = *stream.current;
            SectionSpan& section = generation.sections.emplace_back();
            section.phase = generation.steps.empty() ? Phase::Prefill : Phase::Decode;
            section.section = part.section;
            section.time = one.time;
            section.work = one.work;
            ++generation.spans;
            ++m_spans;
            ++m_sections;
            ++m_counts.kept;
        } else {
            ++m_counts.overlapping;
        }
    }
    return inside;
}

void Assembler::addToken(const Record& record, const TimeRange& time, Stream& stream,
                         std::int64_t sender)
{
    if (time.begin_ns < stream.last_end || time.empty()) {
        ++m_counts.overlapping;
        return;
    }
    const bool clean = record.name == kCleanPass;
    if (!stream.current || record.token == 0 || stream.current->clean != clean) {
        if (m_begun >= m_limits.most_generations) {
            ++m_counts.too_many;
            return;
        }
        ++m_begun;
        endGeneration(stream);
        stream.current = Generation{.summary = {.time = {time.begin_ns, time.begin_ns},
                                                .sender = sender,
                                                .input_tokens = stream.input_tokens},
                                    .clean = clean};
    }
    // A pass of a batch makes a token of each sequence.
    constexpr std::int32_t kMaxBatch = 1'024; // so that the tokens of a run fit into 32 bits
    const std::int32_t sequences = std::clamp(record.sequence, 0, kMaxBatch - 1) + 1;
    Generation& generation = *stream.current;
    generation.summary.tokens += sequences;
    generation.summary.time.end_ns = time.end_ns;
    stream.last_end = time.end_ns;
    std::vector<Kept> inside = takePending(stream, time);
    if (m_spans >= m_limits.most_spans || m_sections >= m_limits.most_sections
        || m_steps >= m_limits.most_steps) { // counted, not shown
        m_counts.too_many += static_cast<std::int64_t>(inside.size()) + 1;
        return;
    }
    Step& step = generation.steps.emplace_back();
    step.token.index = static_cast<std::int32_t>(generation.steps.size() - 1);
    step.token.position = step.token.index;
    if (m_budget.take(kTextCopies * record.text.size()))
        step.token.text = replaceInvalidUtf8(record.text);
    step.token.phase = step.token.index == 0 ? Phase::Prefill : Phase::Decode;
    step.token.time = time;
    step.token.sequences = sequences;
    assemble(step, inside);
    generation.spans += step.spans();
    generation.step_sections += step.sections.size();
    m_spans += step.spans();
    m_sections += step.sections.size();
    ++m_steps;
    ++m_counts.kept;
}

void Assembler::forget(const Generation& generation)
{
    m_spans -= generation.spans;
    m_sections -= generation.sections.size() + generation.step_sections;
    m_steps -= generation.steps.size();
}

void Assembler::endGeneration(Stream& stream)
{
    if (!stream.current)
        return;
    Generation ended = *std::exchange(stream.current, std::nullopt);
    stream.taken = 0;
    if (ended.clean) { // a pass before it only warmed up
        forget(ended);
        m_steps -= stream.clean_steps.size();
        stream.clean_steps.clear();
        for (const Step& step : ended.steps)
            stream.clean_steps.push_back(step.token.time);
        m_steps += stream.clean_steps.size();
        return;
    }
    m_generations.push_back(ended.summary);
    const auto rank = [](const Generation& one) {
        return std::pair(one.summary.tokens, -one.summary.time.begin_ns);
    };
    if (m_longest && rank(*m_longest) >= rank(ended))
        return forget(ended);
    if (m_longest)
        forget(*m_longest);
    ended.clean_steps = stream.clean_steps;
    m_longest = std::move(ended);
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
    constexpr std::size_t kMostSpans = 16'384;
    std::vector<Step> taken;
    std::size_t spans = 0;
    for (auto& [id, stream] : m_streams) {
        if (!stream.current || stream.current->clean)
            continue;
        for (; stream.taken < stream.current->steps.size(); ++stream.taken) {
            if (taken.size() == most)
                return taken;
            const Step& step = stream.current->steps[stream.taken];
            spans += step.spans();
            taken.push_back(spans <= kMostSpans ? step : Step{.token = step.token});
        }
    }
    return taken;
}

} // namespace ep::spans
