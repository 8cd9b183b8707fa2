// SPDX-License-Identifier: GPL-3.0-or-later
#include "nested_parts.h"

#include "ep/core/own_part.h"

#include <algorithm>
#include <limits>

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

} // namespace

NestedParts::Frame* NestedParts::context()
{
    return m_contexts.empty() ? nullptr : &m_open[m_contexts.back()];
}

void NestedParts::open(Frame frame)
{
    const PartKind kind = frame.part.kind;
    ++m_within[static_cast<std::size_t>(kind)];
    if (isContext(kind))
        m_contexts.push_back(m_open.size());
    if (holdsOperations(kind))
        m_parts.push_back(m_open.size());
    m_open.push_back(frame);
}

NestedParts::Frame NestedParts::close()
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

void NestedParts::emit(Component component, const TimeRange& time,
                       const std::optional<SpanWork>& work,
                       const std::optional<ActivationStats>& stats)
{
    m_step.components.push_back({.token = m_step.token.index,
                                 .layer = m_layer,
                                 .component = component,
                                 .time = time,
                                 .stats = stats,
                                 .energy_mj = {},
                                 .work = work});
    if (!isOwn(component))
        m_mapped += time.duration_ns();
}

// Accounts for the time between two parts.
void NestedParts::fillUntil(Frame& frame, Nanoseconds time)
{
    if (frame.cursor < time)
        emit(frame.part.kind == PartKind::Layer ? Component::Residual : frame.part.component,
             {frame.cursor, time});
    frame.cursor = std::max(frame.cursor, time);
}

void NestedParts::closeUntil(Nanoseconds time)
{
    while (!m_open.empty() && m_open.back().time.end_ns <= time) {
        const bool holds = m_holders >= m_open.size();
        Frame closed = close();
        m_holders = std::min(m_holders, m_open.size());
        // A layer without parts was recorded as a whole, so its time is its remainder.
        const bool whole =
            closed.part.kind == PartKind::Layer && closed.cursor == closed.time.begin_ns;
        if (closed.part.kind == PartKind::Container && closed.cursor == closed.time.begin_ns
            && !closed.time.empty())
            emit(closed.part.component, closed.time, closed.work, closed.stats);
        else if (isContext(closed.part.kind) && !whole)
            fillUntil(closed, closed.time.end_ns);
        if (Frame* around = context(); around != nullptr && closed.part.kind == PartKind::Container)
            around->cursor = std::max(around->cursor, closed.time.end_ns);
        if (closed.part.kind == PartKind::Layer)
            m_layer = kNoLayer;
        if (closed.own != nullptr)
            closeOwn(closed, holds);
    }
}

void NestedParts::closeOwn(const Frame& closed, bool holds)
{
    if (holds)
        return;
    m_step.sections.push_back({.phase = m_step.token.phase,
                               .section = ownSection(closed.own->path),
                               .token = m_step.token.index,
                               .time = closed.time,
                               .energy = {},
                               .work = closed.work,
                               .stats = closed.stats});
    markHolders();
}

bool NestedParts::add(const Part& part, const OwnPath& own, const TimeRange& time,
                      const std::optional<SpanWork>& work,
                      const std::optional<ActivationStats>& stats)
{
    closeUntil(time.begin_ns);
    if (!m_open.empty() && !m_open.back().time.contains(time))
        return false;
    switch (part.kind) {
    case PartKind::Section:
        return addSection(part, own, time, work, stats);
    case PartKind::Layer:
        return addLayer(part, time, stats);
    case PartKind::Component:
    case PartKind::Container:
        return addComponent(part, time, work, stats);
    case PartKind::Operation:
        return addOperation(part, own, time, work, stats);
    case PartKind::Through:
        open({part, time, time.begin_ns});
        return true;
    case PartKind::Unknown:
        break;
    }
    return addUnknown(part, own, time, work, stats);
}

bool NestedParts::addUnknown(const Part& part, const OwnPath& own, const TimeRange& time,
                             const std::optional<SpanWork>& work,
                             const std::optional<ActivationStats>& stats)
{
    Frame frame{{.kind = PartKind::Through}, time, time.begin_ns, work, stats};
    const bool whole =
        within(PartKind::Component) || within(PartKind::Section) || within(PartKind::Operation);
    const Frame* around = context();
    // Nodes come without frames. If a node does not state its layer, it is in that of the node
    // before.
    const bool node = m_open.empty() && m_layer != kNoLayer;
    if (!whole && (around != nullptr || part.layer != kNoLayer || node)) {
        const bool contained = around != nullptr && around->part.kind == PartKind::Container;
        const LayerBlock block = own.block == LayerBlock::Neither && contained
            ? blockOf(around->part.component)
            : own.block;
        const Part container{.kind = PartKind::Container,
                             .layer = part.layer != kNoLayer ? part.layer : m_layer,
                             .component = ownComponent(block, own.path)};
        if (addComponent(container, time, work, stats))
            return true;
    } else if (!whole) {
        frame.own = &own;
    }
    open(frame);
    return true;
}

bool NestedParts::addSection(const Part& part, const OwnPath& own, const TimeRange& time,
                             const std::optional<SpanWork>& work,
                             const std::optional<ActivationStats>& stats)
{
    if (within(PartKind::Layer))
        return addUnknown(part, own, time, work, stats);
    if (!within(PartKind::Section)) {
        markHolders();
        m_step.sections.push_back({.phase = m_step.token.phase,
                                   .section = part.section,
                                   .token = m_step.token.index,
                                   .time = time,
                                   .energy = {},
                                   .work = work,
                                   .stats = stats});
        m_mapped += time.duration_ns();
    }
    open({part, time, time.begin_ns});
    return true;
}

bool NestedParts::addLayer(const Part& part, const TimeRange& time,
                           const std::optional<ActivationStats>& stats)
{
    const std::int32_t layer =
        part.layer != kNoLayer ? part.layer : static_cast<std::int32_t>(m_step.layers.size());
    const bool known = m_layers.contains(layer);
    const bool cuts = !m_step.layers.empty() && time.begin_ns < m_step.layers.back().time.end_ns;
    if (known || cuts || time.empty())
        return false;
    m_layer = layer;
    m_layers.insert(layer);
    markHolders();
    m_step.layers.push_back({.token = m_step.token.index,
                             .layer = layer,
                             .time = time,
                             .stats = stats,
                             .energy_mj = {}});
    Part own = part;
    own.layer = layer;
    open({own, time, time.begin_ns});
    return true;
}

bool NestedParts::extendLayer(std::int32_t layer, const TimeRange& time)
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
        layers.push_back({.token = m_step.token.index,
                          .layer = layer,
                          .time = time,
                          .stats = {},
                          .energy_mj = {}});
    }
    m_layer = layer;
    markHolders();
    return true;
}

bool NestedParts::addComponent(const Part& part, const TimeRange& time,
                               const std::optional<SpanWork>& work,
                               const std::optional<ActivationStats>& stats)
{
    Frame* around = context();
    if (within(PartKind::Component)) { // already inside a component
        Part through = part;
        through.kind = PartKind::Through;
        open({through, time, time.begin_ns});
        return true;
    }
    if (around == nullptr && !extendLayer(part.layer, time))
        return false;
    if (around != nullptr)
        fillUntil(*around, time.begin_ns);
    if (part.kind == PartKind::Component) {
        emit(part.component, time, work, stats);
        if (around != nullptr)
            around->cursor = time.end_ns;
    }
    open({part, time, time.begin_ns, work, stats});
    return true;
}

bool NestedParts::addOperation(const Part& part, const OwnPath& own, const TimeRange& time,
                               const std::optional<SpanWork>& work,
                               const std::optional<ActivationStats>& stats)
{
    if (m_parts.empty())
        return addUnknown(part, own, time, work, stats);
    const Part& around = m_open[m_parts.back()].part;
    if (around.kind == PartKind::Operation)
        return true; // already inside such a part
    m_step.operations.push_back({.token = m_step.token.index,
                                 .layer = m_layer,
                                 .component = around.component,
                                 .operation = part.operation,
                                 .time = time,
                                 .stats = stats,
                                 .energy_mj = {},
                                 .work = work});
    open({part, time, time.begin_ns});
    return true;
}

void NestedParts::finish()
{
    closeUntil(std::numeric_limits<Nanoseconds>::max());
    std::ranges::stable_sort(m_step.components, {},
                             [](const ComponentSpan& one) { return one.time.begin_ns; });
    if (!m_step.layers.empty())
        m_step.sections.push_back(
            {.phase = m_step.token.phase,
             .section = Section::Layers,
             .token = m_step.token.index,
             .time = {m_step.layers.front().time.begin_ns, m_step.layers.back().time.end_ns},
             .energy = {}});
    std::ranges::stable_sort(m_step.sections, {},
                             [](const SectionSpan& one) { return one.time.begin_ns; });
    // A run has millions of them.
    m_step.sections.shrink_to_fit();
    m_step.layers.shrink_to_fit();
    m_step.components.shrink_to_fit();
    m_step.operations.shrink_to_fit();
}

} // namespace ep::spans
