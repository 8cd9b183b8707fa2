// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/assembler.h"

#include "ep/core/own_part.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>

namespace ep::spans {
namespace {

bool isContext(PartKind kind)
{
    return kind == PartKind::Layer || kind == PartKind::Container;
}

bool holdsOperations(PartKind kind)
{
    return kind == PartKind::Component || kind == PartKind::Container
        || kind == PartKind::Operation;
}

// Nests the parts of one forward pass by their times. Time between the parts of a container
// belongs to the container (attention between projections, activation between those of an MLP).
// Time between the parts of a layer belongs to its residual additions, so that all of the layer is
// accounted for. Parts with unknown names become components and sections of their own.
class NestedParts {
public:
    explicit NestedParts(Step& step)
        : m_step(step)
    {
    }

    // Parts come in the order of their beginnings, the longer one first. False: it overlaps
    // another part, or has no place in the tree.
    bool add(const Part& part, const OwnPath& own, const Span& span)
    {
        closeUntil(span.time.begin_ns);
        if (!m_open.empty() && !m_open.back().span.time.contains(span.time))
            return false;
        switch (part.kind) {
        case PartKind::Section:
            return addSection(part, own, span);
        case PartKind::Layer:
            return addLayer(part, span);
        case PartKind::Component:
        case PartKind::Container:
            return addComponent(part, span);
        case PartKind::Operation:
            return addOperation(part, own, span);
        case PartKind::Through:
            open({part, span});
            return true;
        case PartKind::Unknown:
            break;
        }
        return addUnknown(part, own, span);
    }

    void finish()
    {
        closeUntil(std::numeric_limits<Nanoseconds>::max());
        std::ranges::stable_sort(m_step.components, {},
                                 [](const Span& one) { return one.time.begin_ns; });
        if (!m_step.layers.empty())
            emit(Section::Layers,
                 {.token = m_step.token.index,
                  .time = {m_step.layers.front().time.begin_ns, m_step.layers.back().time.end_ns}});
        std::ranges::stable_sort(m_step.sections, {},
                                 [](const Span& one) { return one.time.begin_ns; });
        // A run has millions of spans, so spare capacity would add up.
        m_step.sections.shrink_to_fit();
        m_step.layers.shrink_to_fit();
        m_step.components.shrink_to_fit();
        m_step.operations.shrink_to_fit();
    }

    Nanoseconds mapped() const { return m_mapped; } // in parts with known names

private:
    struct Frame {
        Part part;
        Span span; // with work and statistics, for a container that turns out to have no parts
        const OwnPath* own = nullptr; // for a part outside of layers with an unknown name
        Nanoseconds cursor = span.time.begin_ns; // the end of what is accounted for in the frame
    };
    static constexpr std::size_t kPartKinds = 7;

    bool addSection(const Part& part, const OwnPath& own, const Span& span)
    {
        if (within(PartKind::Layer))
            return addUnknown(part, own, span);
        if (!within(PartKind::Section)) {
            markHolders();
            emit(part.section, span);
            m_mapped += span.time.duration_ns();
        }
        open({part, span});
        return true;
    }

    bool addLayer(const Part& part, const Span& span)
    {
        const std::int32_t layer =
            part.layer != kNoLayer ? part.layer : static_cast<std::int32_t>(m_step.layers.size());
        const bool known = m_layers.contains(layer);
        const bool cuts =
            !m_step.layers.empty() && span.time.begin_ns < m_step.layers.back().time.end_ns;
        if (known || cuts || span.time.empty())
            return false;
        m_layer = layer;
        m_layers.insert(layer);
        markHolders();
        m_step.layers.push_back(Span::ofLayer(span.token, layer, span.time));
        m_step.layers.back().stats = span.stats;
        Part own = part;
        own.layer = layer;
        open({own, span});
        return true;
    }

    bool addComponent(const Part& part, const Span& span)
    {
        Frame* around = context();
        if (within(PartKind::Component)) { // already inside a component
            Part through = part;
            through.kind = PartKind::Through;
            open({through, span});
            return true;
        }
        if (around == nullptr && !extendLayer(part.layer, span.time))
            return false;
        if (around != nullptr)
            fillUntil(*around, span.time.begin_ns);
        if (part.kind == PartKind::Component) {
            emit(part.component, span);
            if (around != nullptr)
                around->cursor = span.time.end_ns;
        }
        open({part, span});
        return true;
    }

    bool addOperation(const Part& part, const OwnPath& own, const Span& span)
    {
        if (m_parts.empty())
            return addUnknown(part, own, span);
        const Part& around = m_open[m_parts.back()].part;
        if (around.kind == PartKind::Operation)
            return true; // already inside such a part
        Span& operation = m_step.operations.emplace_back(span);
        operation.level = SpanLevel::Operation;
        operation.layer = m_layer;
        operation.component = around.component;
        operation.operation = part.operation;
        open({part, span});
        return true;
    }

    bool addUnknown(const Part& part, const OwnPath& own, const Span& span)
    {
        Frame frame{{.kind = PartKind::Through}, span};
        const bool whole =
            within(PartKind::Component) || within(PartKind::Section) || within(PartKind::Operation);
        const Frame* around = context();
        // Nodes come without frames. If a node does not state its layer, it is in the layer of the
        // node before.
        const bool node = m_open.empty() && m_layer != kNoLayer;
        if (!whole && (around != nullptr || part.layer != kNoLayer || node)) {
            const bool contained = around != nullptr && around->part.kind == PartKind::Container;
            const LayerBlock block = own.block == LayerBlock::Neither && contained
                ? blockOf(around->part.component)
                : own.block;
            const Part container{.kind = PartKind::Container,
                                 .layer = part.layer != kNoLayer ? part.layer : m_layer,
                                 .component = ownComponent(block, own.path)};
            if (addComponent(container, span))
                return true;
        } else if (!whole) {
            frame.own = &own;
        }
        open(frame);
        return true;
    }

    void open(Frame frame)
    {
        const PartKind kind = frame.part.kind;
        ++m_within[static_cast<std::size_t>(kind)];
        if (isContext(kind))
            m_contexts.push_back(m_open.size());
        if (holdsOperations(kind))
            m_parts.push_back(m_open.size());
        m_open.push_back(frame);
    }

    // The innermost frame.
    Frame close()
    {
        const Frame closed = m_open.back();
        m_open.pop_back();
        --m_within[static_cast<std::size_t>(closed.part.kind)];
        for (auto* indices : {&m_contexts, &m_parts}) {
            if (!indices->empty() && indices->back() == m_open.size())
                indices->pop_back();
        }
        return closed;
    }

    void closeOwn(const Frame& closed, bool holds)
    {
        if (holds)
            return;
        emit(ownSection(closed.own->path), closed.span);
        markHolders();
    }

    void markHolders() { m_holders = m_open.size(); } // all open frames contain a part

    void closeUntil(Nanoseconds time)
    {
        while (!m_open.empty() && m_open.back().span.time.end_ns <= time) {
            const bool holds = m_holders >= m_open.size();
            Frame closed = close();
            const TimeRange& own = closed.span.time;
            m_holders = std::min(m_holders, m_open.size());
            // A layer without parts was recorded as a whole, so its time is its remainder.
            const bool whole = closed.part.kind == PartKind::Layer && closed.cursor == own.begin_ns;
            if (closed.part.kind == PartKind::Container && closed.cursor == own.begin_ns
                && !own.empty())
                emit(closed.part.component, closed.span);
            else if (isContext(closed.part.kind) && !whole)
                fillUntil(closed, own.end_ns);
            if (Frame* around = context();
                around != nullptr && closed.part.kind == PartKind::Container)
                around->cursor = std::max(around->cursor, own.end_ns);
            if (closed.part.kind == PartKind::Layer)
                m_layer = kNoLayer;
            if (closed.own != nullptr)
                closeOwn(closed, holds);
        }
    }

    // The innermost layer or container; null: none.
    Frame* context() { return m_contexts.empty() ? nullptr : &m_open[m_contexts.back()]; }

    bool within(PartKind kind) const { return m_within[static_cast<std::size_t>(kind)] > 0; }

    // Extends a layer of which only the nodes are sent.
    bool extendLayer(std::int32_t layer, const TimeRange& time)
    {
        auto& layers = m_step.layers;
        if (layer == kNoLayer || time.empty())
            return false;
        if (!layers.empty() && layers.back().layer == layer) {
            if (time.begin_ns < layers.back().time.end_ns)
                return false;
            layers.back().time.end_ns = time.end_ns;
        } else {
            if (m_layers.contains(layer)
                || (!layers.empty() && time.begin_ns < layers.back().time.end_ns))
                return false;
            m_layers.insert(layer);
            layers.push_back(Span::ofLayer(m_step.token.index, layer, time));
        }
        m_layer = layer;
        markHolders();
        return true;
    }

    // Accounts for the time between two parts.
    void fillUntil(Frame& frame, Nanoseconds time)
    {
        if (frame.cursor < time)
            emit(frame.part.kind == PartKind::Layer ? Component::Residual : frame.part.component,
                 {.token = m_step.token.index, .time = {frame.cursor, time}});
        frame.cursor = std::max(frame.cursor, time);
    }

    void emit(Section section, Span span)
    {
        span.phase = m_step.token.phase;
        span.section = section;
        m_step.sections.push_back(span);
    }

    void emit(Component component, Span span)
    {
        span.level = SpanLevel::Component;
        span.layer = m_layer;
        span.component = component;
        m_step.components.push_back(span);
        if (!isOwn(component))
            m_mapped += span.time.duration_ns();
    }

    Step& m_step;
    std::vector<Frame> m_open;
    std::array<std::size_t, kPartKinds> m_within{}; // number of open frames of each kind
    std::vector<std::size_t> m_contexts; // indices of open layers and containers
    std::vector<std::size_t> m_parts; // of open components, containers and operations
    // The first so many open frames contain a part: separate sections would count it twice.
    std::size_t m_holders = 0;
    std::unordered_set<std::int32_t> m_layers; // numbers of the layers so far
    std::int32_t m_layer = kNoLayer; // layer of the following spans
    Nanoseconds m_mapped = 0;
};

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
    // A sender without tokens must leave room for the others.
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
    Span load = Span::ofSection(Phase::Idle, Section::ModelLoad, kNoToken, time);
    std::erase_if(m_loads, [&](const Span& other) {
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
            const Phase phase = generation.steps.empty() ? Phase::Prefill : Phase::Decode;
            generation.sections.push_back(Span::ofSection(phase, part.section, kNoToken, one.time));
            generation.sections.back().work = one.work;
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
    generation.spans += step.size();
    generation.step_sections += step.sections.size();
    m_spans += step.size();
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
    if (ended.clean) { // an earlier pass without hooks was only a warm-up
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
        const Span span{
            .token = step.token.index, .time = one.time, .stats = one.stats, .work = one.work};
        if (nested.add(part, named.own, span))
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

std::size_t Step::size() const
{
    std::size_t count = 1;
    for (const SpanLevel level : kSpanLevels)
        count += spans(level).size();
    return count;
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
            spans += step.size();
            taken.push_back(spans <= kMostSpans ? step : Step{{}, step.token});
        }
    }
    return taken;
}

// Makes a run of what has arrived: chooses the generation that it shows.

void Assembler::endAll()
{
    for (auto& [id, stream] : m_streams) {
        endGeneration(stream);
        // Pending spans belong to no generation.
        m_counts.overlapping += static_cast<std::int64_t>(stream.pending.size());
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
    for (const Span& section : m_longest->sections) {
        if (shown.contains(section.time))
            result.sections.push_back(section);
    }
    for (Span load : m_loads) {
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
    for (const SpanLevel level : kSpanLevels) {
        std::size_t count = trace.spans(level).size();
        for (const Step& step : assembled.steps)
            count += step.spans(level).size();
        trace.spans(level).reserve(count);
    }
    trace.tokens.reserve(assembled.steps.size());
    for (; !assembled.steps.empty(); assembled.steps.pop_front()) { // so that memory grows little
        Step& step = assembled.steps.front();
        for (const SpanLevel level : kSpanLevels)
            append(trace.spans(level), step.spans(level));
        trace.tokens.push_back(std::move(step.token));
    }
    std::ranges::stable_sort(trace.sections, {}, [](const Span& one) { return one.time.begin_ns; });
}

} // namespace ep::spans
