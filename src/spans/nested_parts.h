// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/assembler.h"

#include <array>
#include <unordered_set>
#include <vector>

namespace ep::spans {

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
    bool add(const Part& part, const OwnPath& own, const TimeRange& time,
             const std::optional<SpanWork>& work, const std::optional<ActivationStats>& stats);
    void finish();
    Nanoseconds mapped() const { return m_mapped; } // in parts with known names

private:
    struct Frame {
        Part part;
        TimeRange time;
        Nanoseconds cursor = 0; // end of the time accounted for in a layer or container
        std::optional<SpanWork> work{}; // of a container that turns out to have no parts
        std::optional<ActivationStats> stats{};
        const OwnPath* own = nullptr; // for a part outside of layers with an unknown name
    };
    // What NestedParts asks of the open frames, kept up to date so that depth costs nothing.
    static constexpr std::size_t kPartKinds = 7;

    bool addSection(const Part& part, const OwnPath& own, const TimeRange& time,
                    const std::optional<SpanWork>& work,
                    const std::optional<ActivationStats>& stats);
    bool addLayer(const Part& part, const TimeRange& time,
                  const std::optional<ActivationStats>& stats);
    bool addComponent(const Part& part, const TimeRange& time, const std::optional<SpanWork>& work,
                      const std::optional<ActivationStats>& stats);
    bool addOperation(const Part& part, const OwnPath& own, const TimeRange& time,
                      const std::optional<SpanWork>& work,
                      const std::optional<ActivationStats>& stats);
    bool addUnknown(const Part& part, const OwnPath& own, const TimeRange& time,
                    const std::optional<SpanWork>& work,
                    const std::optional<ActivationStats>& stats);
    void open(Frame frame);
    Frame close(); // the innermost frame
    void closeOwn(const Frame& closed, bool holds);
    void markHolders() { m_holders = m_open.size(); } // all open frames contain a part
    void closeUntil(Nanoseconds time);
    Frame* context(); // the innermost layer or container; null: none
    bool within(PartKind kind) const { return m_within[static_cast<std::size_t>(kind)] > 0; }
    bool extendLayer(std::int32_t layer, const TimeRange& time); // when only its nodes are sent
    void fillUntil(Frame& frame, Nanoseconds time);
    void emit(Component component, const TimeRange& time, const std::optional<SpanWork>& work = {},
              const std::optional<ActivationStats>& stats = {});

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

} // namespace ep::spans
