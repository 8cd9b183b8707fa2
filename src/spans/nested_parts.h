// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/assembler.h"

#include <vector>

namespace ep::spans {

// Nests the parts of one forward pass by their times. Time between the parts of a container belongs
// to the container (attention between the projections, the activation between those of an MLP), and
// time between the parts of a layer to its residual additions, so that all of the layer is
// accounted for. Parts whose names are unknown count as the layer's remainder.
class NestedParts {
public:
    explicit NestedParts(Step& step)
        : m_step(step)
    {
    }

    // In the order of their beginnings, the longer one first. False: it cuts another one, or has no
    // place in the tree.
    bool add(const Part& part, const TimeRange& time, const std::optional<SpanWork>& work,
             const std::optional<ActivationStats>& stats);
    void finish();
    Nanoseconds mapped() const { return m_mapped; } // time of sections and components

private:
    struct Frame {
        Part part;
        TimeRange time;
        Nanoseconds cursor = 0; // of layers and containers: how far they are accounted for
        bool blocks = false; // is nothing of the layer's: a part of an unknown name
    };

    bool addSection(const Part& part, const TimeRange& time, const std::optional<SpanWork>& work,
                    const std::optional<ActivationStats>& stats);
    bool addLayer(const Part& part, const TimeRange& time,
                  const std::optional<ActivationStats>& stats);
    bool addComponent(const Part& part, const TimeRange& time, const std::optional<SpanWork>& work,
                      const std::optional<ActivationStats>& stats);
    bool addOperation(const Part& part, const TimeRange& time, const std::optional<SpanWork>& work,
                      const std::optional<ActivationStats>& stats);
    bool addUnknown(const Part& part, const TimeRange& time);
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
