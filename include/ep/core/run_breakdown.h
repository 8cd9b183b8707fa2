// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ep {

// Several spans added up.
struct SpanSum {
    Nanoseconds duration_ns = 0;
    std::int64_t spans = 0;
    std::optional<Millijoules> energy_mj; // of the spans that have one
    std::int64_t energy_spans = 0;
    Nanoseconds energy_duration_ns = 0; // of the spans that have energy

    bool operator==(const SpanSum&) const = default;
    bool partial() const { return energy_spans > 0 && energy_spans < spans; }
    void add(Nanoseconds duration, std::optional<Millijoules> energy);
    void add(const SpanSum& other);
};

// Figures that only operations at depth deep have, added up. One by head counts as the mean of its
// heads, one that is not a number not at all.
struct ExtrasSum {
    struct Figure {
        double sum = 0.0;
        std::int64_t count = 0;

        bool operator==(const Figure&) const = default;
        void add(std::optional<double> value);
        void add(const Figure& other);
        std::optional<double> mean() const; // over the operations that have it
    };
    Figure attention_entropy;
    Figure activation_kill_ratio;
    Figure variance_ratio;

    bool operator==(const ExtrasSum&) const = default;
    bool empty() const { return *this == ExtrasSum(); }
    void add(const OperationExtras& extras);
    void add(const ExtrasSum& other);
};

// The spans of a run added up along what its charts show; keys without spans are left out, and what
// was cut short is not in it. Phases are Prefill (step 0) and Decode.
struct RunBreakdown {
    struct OfLayer {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        SpanSum sum;

        bool operator==(const OfLayer&) const = default;
    };
    struct OfComponent {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        SpanSum sum;

        bool operator==(const OfComponent&) const = default;
    };
    struct OfOperation {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        Operation operation = Operation::QkMatmul;
        SpanSum sum;

        bool operator==(const OfOperation&) const = default;
    };
    struct OfExtras {
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        ExtrasSum sum; // over the component's operations of all tokens

        bool operator==(const OfExtras&) const = default;
    };
    struct OfTokenLayer {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        SpanSum sum; // of the layer's span, or of its components where it has none

        bool operator==(const OfTokenLayer&) const = default;
    };
    struct OfTokenComponent {
        std::int32_t token = 0;
        Component component = Component::InputLayernorm;
        SpanSum sum; // over the layers

        bool operator==(const OfTokenComponent&) const = default;
    };

    // Each sorted by its key.
    std::vector<OfLayer> layers;
    std::vector<OfComponent> components;
    std::vector<OfOperation> operations;
    std::vector<OfExtras> extras; // of components with such operations
    std::vector<OfTokenLayer> token_layers;
    std::vector<OfTokenComponent> token_components;

    bool operator==(const RunBreakdown&) const = default;
    bool empty() const { return components.empty() && layers.empty(); }
};

// Collects spans in any order. Not synchronised: one thread owns it.
class BreakdownBuilder {
public:
    void addLayer(std::int32_t token, std::int32_t layer, Nanoseconds duration,
                  std::optional<Millijoules> energy);
    void addComponent(std::int32_t token, std::int32_t layer, Component component,
                      Nanoseconds duration, std::optional<Millijoules> energy);
    void addOperation(std::int32_t token, std::int32_t layer, Component component,
                      Operation operation, Nanoseconds duration, std::optional<Millijoules> energy);
    void addExtras(std::int32_t layer, Component component, const ExtrasSum& extras);
    RunBreakdown finish() const;

private:
    std::map<std::tuple<Phase, std::int32_t>, SpanSum> m_layers;
    std::map<std::tuple<Phase, std::int32_t, Component>, SpanSum> m_components;
    std::map<std::tuple<Phase, std::int32_t, Component, Operation>, SpanSum> m_operations;
    std::map<std::tuple<std::int32_t, Component>, ExtrasSum> m_extras;
    std::map<std::tuple<std::int32_t, std::int32_t>, SpanSum> m_tokenLayers;
    std::map<std::tuple<std::int32_t, std::int32_t>, SpanSum> m_tokenLayerParts;
    std::map<std::tuple<std::int32_t, Component>, SpanSum> m_tokenComponents;
};

// Of a trace that is whole in memory.
RunBreakdown breakDown(const RunTrace& trace);

} // namespace ep
