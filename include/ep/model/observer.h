// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/words.h"

#include <cstdint>

// Taps: the decoder announces every part of its work to one observer. A null observer costs one
// branch for each tap; a tap nobody wants costs one virtual call.
namespace ep::model {

enum class TapKind : std::uint8_t { Section, Layer, Component, Operation };

// Names one place in the network. `layer` is ep::kNoLayer for sections; `component` is meaningful
// for components and operations, `operation` for operations.
struct Tap {
    TapKind kind = TapKind::Section;
    Section section = Section::Embedding;
    Component component = Component::InputLayernorm;
    Operation operation = Operation::Rotary;
    std::int16_t layer = -1;

    bool operator==(const Tap&) const = default;

    static constexpr Tap ofSection(Section section) { return {.section = section}; }
    static constexpr Tap ofLayer(int layer)
    {
        return {.kind = TapKind::Layer, .layer = static_cast<std::int16_t>(layer)};
    }
    static constexpr Tap ofComponent(int layer, Component component)
    {
        return {.kind = TapKind::Component,
                .component = component,
                .layer = static_cast<std::int16_t>(layer)};
    }
    static constexpr Tap ofOperation(int layer, Component component, Operation operation)
    {
        return {.kind = TapKind::Operation,
                .component = component,
                .operation = operation,
                .layer = static_cast<std::int16_t>(layer)};
    }
};

// What came out of a tapped part. Valid only during ended(); nothing is computed until asked.
class TensorProbe {
public:
    virtual ~TensorProbe() = default;
    // One pass over the values; threshold decides what counts as zero for the sparsity.
    virtual ActivationStats stats(float threshold) const = 0;
    // Number of values, and the share of them below zero (for activation inputs).
    virtual std::int64_t count() const = 0;
    virtual double negativeFraction() const = 0;
};

// Called on the inference thread, in order, properly nested. Must not throw and not block.
class Observer {
public:
    virtual ~Observer() = default;
    virtual bool wants(const Tap& tap) = 0; // asked once before the pair began/ended
    virtual void began(const Tap& tap) = 0;
    // output is null for taps without a tensor (kv_cache_append, sampling, ...).
    virtual void ended(const Tap& tap, const TensorProbe* output) = 0;
};

} // namespace ep::model
