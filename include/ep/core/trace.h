// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/energy_record.h"
#include "ep/core/energy_value.h"
#include "ep/core/maybe_millijoules.h"
#include "ep/core/operation_extras.h"
#include "ep/core/power_sample.h"
#include "ep/core/shared.h"
#include "ep/core/time_range.h"
#include "ep/core/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The recording of one run: plain values without references to live state.
//
// A *step* is one forward pass and produces one token: step 0 is the prefill of the whole prompt
// and produces token 0, step k > 0 decodes and produces token k. So a token's time is its step's
// time.
//
// The two trees; every node has a time and an energy:
//   run > phase > section            (sections of a token carry its index)
//   run > token > layer > component > operation
// A node's energy is at least the sum of its children's; the difference is the node's remainder.
namespace ep {

inline constexpr std::int32_t kNoToken = -1;
inline constexpr std::int32_t kNoLayer = -1;

// Estimated work of a span, from the shapes of its tensors.
struct SpanWork {
    std::int64_t flops = 0; // floating-point operations
    std::int64_t bytes = 0; // bytes read from and written to memory

    bool operator==(const SpanWork&) const = default;
};

struct PhaseSpan {
    Phase phase = Phase::Idle;
    TimeRange time;
    EnergyValue energy;

    bool operator==(const PhaseSpan&) const = default;
};

struct TokenSpan {
    std::int32_t index = 0; // 0-based among the steps of the generation
    // Number of sequences of a batch that produced a token in this step. The fields below refer to
    // the first sequence; once it has ended, the token is from the next one, without text and
    // probability.
    std::int32_t sequences = 1;
    std::int32_t position = 0; // 0-based in the whole sequence, prompt included
    std::int32_t id = 0; // vocabulary id
    std::string text; // text that this token added to the output; UTF-8, may be empty
    Phase phase = Phase::Decode; // Prefill for token 0
    TimeRange time;
    std::optional<float>
        probability; // probability of the chosen token, before temperature and filters
    EnergyValue energy;
    std::optional<Milliwatts>
        power_snapshot_mw; // total power of the sample that covers the middle of the token
    // Adds up all threads of this process; absent if unknown.
    std::optional<Nanoseconds> processor_ns{}; // time on processors
    std::optional<std::int64_t> preemptions{}; // how often the system took a processor away
    // Number of tokens that the draft proposed for this step; absent without a draft.
    std::optional<std::int64_t> drafted{};

    bool operator==(const TokenSpan&) const = default;
};

// A section, layer, component or operation. A run has millions of them, so all levels share one
// small record: fields that a level lacks keep their defaults.
struct Span {
    SpanLevel level = SpanLevel::Section;
    Phase phase = Phase::Idle; // of sections
    Section section = Section::Tokenization; // of sections
    Component component = Component::InputLayernorm; // of components and operations
    Operation operation = Operation::QkMatmul; // of operations: recorded at depth `deep` only
    Provenance provenance = Provenance::Missing; // of sections; others have their token's
    std::int32_t token = kNoToken; // kNoToken in pre_inference and post_inference
    std::int32_t layer = kNoLayer; // of all but sections
    TimeRange time{};
    MaybeMillijoules energy_mj{};
    MaybeMillijoules sd_mj{}; // standard deviation; in single precision except for sections
    MaybeMillijoules alternative_mj{}; // by the other attribution method; precision as for sd_mj
    std::optional<ActivationStats> stats{}; // of the output, if it is a tensor
    std::optional<SpanWork> work{}; // of all but layers
    Shared<PerRail<Millijoules>> rails_mj{}; // of sections
    SharedExtras extras{}; // of operations

    bool operator==(const Span&) const = default;

    static Span ofSection(Phase phase, Section section, std::int32_t token,
                          const TimeRange& time = {}, const EnergyValue& energy = {})
    {
        Span span{.phase = phase, .section = section, .token = token, .time = time};
        span.setEnergy(energy);
        return span;
    }
    static Span ofLayer(std::int32_t token, std::int32_t layer, const TimeRange& time = {},
                        MaybeMillijoules energy = {})
    {
        return {.level = SpanLevel::Layer,
                .token = token,
                .layer = layer,
                .time = time,
                .energy_mj = energy};
    }
    static Span ofComponent(std::int32_t token, std::int32_t layer, Component component,
                            const TimeRange& time = {}, MaybeMillijoules energy = {})
    {
        return {.level = SpanLevel::Component,
                .component = component,
                .token = token,
                .layer = layer,
                .time = time,
                .energy_mj = energy};
    }
    static Span ofOperation(std::int32_t token, std::int32_t layer, Component component,
                            Operation operation, const TimeRange& time = {},
                            MaybeMillijoules energy = {})
    {
        return {.level = SpanLevel::Operation,
                .component = component,
                .operation = operation,
                .token = token,
                .layer = layer,
                .time = time,
                .energy_mj = energy};
    }

    EnergyValue energy() const
    {
        return {.rails_mj = rails_mj ? *rails_mj : PerRail<Millijoules>(),
                .total_mj = energy_mj,
                .provenance = provenance,
                .sd_mj = sd_mj,
                .alternative_mj = alternative_mj};
    }
    void setEnergy(const EnergyValue& energy)
    {
        rails_mj = Shared(energy.rails_mj);
        energy_mj = energy.total_mj;
        provenance = energy.provenance;
        sd_mj = energy.sd_mj;
        alternative_mj = energy.alternative_mj;
    }
};

// The spans of a run, or of a step, by level; sorted by start time. Component spans of one token
// and layer are adjacent.
struct SpanLists {
    std::vector<Span> sections{};
    std::vector<Span> layers{};
    std::vector<Span> components{};
    std::vector<Span> operations{};

    bool operator==(const SpanLists&) const = default;

    const std::vector<Span>& spans(SpanLevel level) const
    {
        return level == SpanLevel::Section  ? sections
            : level == SpanLevel::Layer     ? layers
            : level == SpanLevel::Component ? components
                                            : operations;
    }
    std::vector<Span>& spans(SpanLevel level)
    {
        return const_cast<std::vector<Span>&>(std::as_const(*this).spans(level));
    }
};

// All lists are sorted by start time.
struct RunTrace : SpanLists {
    TimeRange time; // the run itself: start of pre_inference to end of post_inference
    std::vector<PhaseSpan> phases;
    std::vector<TokenSpan> tokens;
    std::vector<PowerSample> samples; // may extend beyond `time` on both sides (idle baseline)
    std::vector<SecondarySource> secondary{}; // recorded besides the primary source

    bool operator==(const RunTrace&) const = default;
};

} // namespace ep
