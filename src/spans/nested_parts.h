// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/assembler.h"

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
        bool holds = false; // contains another part: a separate section would count it twice
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
    void markHolders(); // marks all open frames as containing a part
    void closeUntil(Nanoseconds time);
    Frame* context(); // the innermost layer or container; null: none
    bool within(PartKind kind) const;
    bool extendLayer(std::int32_t layer, const TimeRange& time); // when only its nodes are sent
    void fillUntil(Frame& frame, Nanoseconds time);
    void emit(Component component, const TimeRange& time, const std::optional<SpanWork>& work = {},
              const std::optional<ActivationStats>& stats = {});

    Step& m_step;
    std::vector<Frame> m_open;
    std::int32_t m_layer = kNoLayer; // layer of the following spans
    Nanoseconds m_mapped = 0;
};

} // namespace ep::spans
