// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/assembler.h"

#include <vector>

namespace ep::spans {

// Nests the parts of one forward pass by their times. Time between the parts of a container belongs
// to the container (attention between the projections, the activation between those of an MLP), and
// time between the parts of a layer to its residual additions, so that all of the layer is
// accounted for. Parts whose names are unknown are components and sections under their own names.
class NestedParts {
public:
    explicit NestedParts(Step& step)
        : m_step(step)
    {
    }

    // In the order of their beginnings, the longer one first. False: it cuts another one, or has no
    // place in the tree.
    bool add(const Part& part, const OwnPath& own, const TimeRange& time,
             const std::optional<SpanWork>& work, const std::optional<ActivationStats>& stats);
    void finish();
    Nanoseconds mapped() const { return m_mapped; } // in sections and components of known names

private:
    struct Frame {
        Part part;
        TimeRange time;
        Nanoseconds cursor = 0; // of layers and containers: how far they are accounted for
        std::optional<SpanWork> work{}; // of one that turns out to have no parts
        std::optional<ActivationStats> stats{};
        const OwnPath* own = nullptr; // of a part outside of layers whose name is unknown
        bool holds = false; // another part: a section of its own would count it twice
    };

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
    void closeOwn(const Frame& closed);
    void markHolders(); // all that are open hold a part
    void closeUntil(Nanoseconds time);
    Frame* context(); // the innermost layer or container; null: none
    bool within(PartKind kind) const;
    bool extendLayer(std::int32_t layer, const TimeRange& time); // whose nodes alone are sent
    void fillUntil(Frame& frame, Nanoseconds time);
    void emit(Component component, const TimeRange& time, const std::optional<SpanWork>& work = {},
              const std::optional<ActivationStats>& stats = {});

    Step& m_step;
    std::vector<Frame> m_open;
    std::int32_t m_layer = kNoLayer; // of the spans to come
    Nanoseconds m_mapped = 0;
};

} // namespace ep::spans
