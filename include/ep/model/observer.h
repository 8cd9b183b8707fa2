// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/words.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

// Taps: the decoder announces every part of its work to one observer. A null observer costs one
// branch per tap; an unwanted tap costs one virtual call.
namespace ep::model {

// Identifies a part of the network. `layer` is ep::kNoLayer for sections; `component` is meaningful
// for components and operations, `operation` for operations.
struct Tap {
    SpanLevel level = SpanLevel::Section;
    Section section = Section::Embedding;
    Component component = Component::InputLayernorm;
    Operation operation = Operation::Rotary;
    std::int16_t layer = -1;

    bool operator==(const Tap&) const = default;

    static constexpr Tap ofSection(Section section) { return {.section = section}; }
    static constexpr Tap ofLayer(int layer)
    {
        return {.level = SpanLevel::Layer, .layer = static_cast<std::int16_t>(layer)};
    }
    static constexpr Tap ofComponent(int layer, Component component)
    {
        return {.level = SpanLevel::Component,
                .component = component,
                .layer = static_cast<std::int16_t>(layer)};
    }
    static constexpr Tap ofOperation(int layer, Component component, Operation operation)
    {
        return {.level = SpanLevel::Operation,
                .component = component,
                .operation = operation,
                .layer = static_cast<std::int16_t>(layer)};
    }
};

// Figures that only some operations have (ep/core/operation_extras.h); does not own memory.
struct OperationFigures {
    std::span<const float> attention_entropy{}; // one value per head
    std::span<const float> max_attention_weight{};
    std::span<const float> attention_sparsity{};
    float activation_kill_ratio = std::numeric_limits<float>::quiet_NaN(); // NaN: none
    float variance_ratio = std::numeric_limits<float>::quiet_NaN();
    std::int32_t expert = -1; // -1: none
    std::int32_t rows = 0;
    // Statistics of the output if computing the figures yields them anyway; replaces stats().
    std::optional<ActivationStats> stats{};
};

// The output of a tapped part. Valid only during ended(); everything is computed on demand.
class TensorProbe {
public:
    virtual ~TensorProbe() = default;
    virtual bool hasStats() const { return true; } // false: stats() is meaningless
    // Makes one pass over the values; values below the threshold count as zero for the sparsity.
    virtual ActivationStats stats(float threshold) const = 0;
    // Like stats(), but over all rows instead of a sample; for checks, not for profiling.
    virtual ActivationStats statsOfAllRows(float threshold) const { return stats(threshold); }
    // Number of values, and the share of negative ones (for activation inputs).
    virtual std::int64_t count() const = 0;
    virtual double negativeFraction() const = 0;
    // True if the values are on an accelerator, which computes the statistics now and delivers
    // them at the end of the step through Observer::deferred(). Then stats() need not be called.
    virtual bool defer(float /*threshold*/) const { return false; }
    // Figures of an operation; others have none. The spans are valid until the next call.
    virtual OperationFigures figures(float /*threshold*/) const { return {}; }
};

// Called on the inference thread, in order, properly nested. Must not throw and not block.
class Observer {
public:
    virtual ~Observer() = default;
    virtual bool wants(const Tap& tap) = 0; // called once before each pair of began/ended
    virtual void began(const Tap& tap) = 0;
    // output is null for taps without a tensor (kv_cache_append, sampling and so on).
    virtual void ended(const Tap& tap, const TensorProbe* output) = 0;
    // The threshold of the statistics that will be requested in the step that begins, if any;
    // called once per step.
    virtual std::optional<float> statisticsThreshold() { return 0.01F; }
    // The statistics deferred in this step, in the order in which they were requested.
    virtual void deferred(std::span<const ActivationStats> /*stats*/) { }
};

} // namespace ep::model
