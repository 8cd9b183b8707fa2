// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/energy_record.h"
#include "ep/core/energy_value.h"
#include "ep/core/operation_extras.h"
#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"
#include "ep/core/words.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
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

struct SectionSpan {
    Phase phase = Phase::Idle;
    Section section = Section::Tokenization;
    std::int32_t token = kNoToken; // kNoToken in pre_inference and post_inference
    TimeRange time;
    EnergyValue energy;
    std::optional<SpanWork> work{};
    std::optional<ActivationStats>
        stats{}; // statistics of the section's output, if it produces a tensor

    bool operator==(const SectionSpan&) const = default;
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

// Notes on the energy of a span; floats, because a run has millions of these spans. NaN: unknown.
struct SpanEnergyNotes {
    float sd_mj = std::numeric_limits<float>::quiet_NaN(); // standard deviation
    float alternative_mj = std::numeric_limits<float>::quiet_NaN(); // result of the other method

    std::optional<Millijoules> deviation() const
    {
        return sd_mj == sd_mj ? std::optional(Millijoules{static_cast<double>(sd_mj)})
                              : std::nullopt;
    }
    bool operator==(const SpanEnergyNotes& other) const
    {
        const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
        return same(sd_mj, other.sd_mj) && same(alternative_mj, other.alternative_mj);
    }
};

struct LayerSpan {
    std::int32_t token = 0;
    std::int32_t layer = 0;
    TimeRange time;
    std::optional<ActivationStats> stats; // statistics of the layer's output
    std::optional<Millijoules> energy_mj;
    SpanEnergyNotes energy_notes{};

    bool operator==(const LayerSpan&) const = default;
};

struct ComponentSpan {
    std::int32_t token = 0;
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    TimeRange time;
    std::optional<ActivationStats> stats;
    std::optional<Millijoules> energy_mj;
    std::optional<SpanWork> work{};
    SpanEnergyNotes energy_notes{};

    bool operator==(const ComponentSpan&) const = default;
};

// Recorded at depth `deep` only.
struct OperationSpan {
    std::int32_t token = 0;
    std::int32_t layer = 0;
    Component component = Component::Attention;
    Operation operation = Operation::QkMatmul;
    TimeRange time;
    std::optional<ActivationStats> stats;
    std::optional<Millijoules> energy_mj;
    std::optional<SpanWork> work{};
    SpanEnergyNotes energy_notes{};
    SharedExtras extras{};

    bool operator==(const OperationSpan&) const = default;
};

// Spans and samples are sorted by start time. Component spans of one token and layer are adjacent.
struct RunTrace {
    TimeRange time; // the run itself: start of pre_inference to end of post_inference
    std::vector<PhaseSpan> phases;
    std::vector<SectionSpan> sections;
    std::vector<TokenSpan> tokens;
    std::vector<LayerSpan> layers;
    std::vector<ComponentSpan> components;
    std::vector<OperationSpan> operations;
    std::vector<PowerSample> samples; // may extend beyond `time` on both sides (idle baseline)
    std::vector<SecondarySource> secondary{}; // recorded besides the primary source

    bool operator==(const RunTrace&) const = default;
};

} // namespace ep
