// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/words.h"

#include "ep/core/own_part.h"

#include <array>

namespace ep {

namespace {

constexpr std::array<std::string_view, kPhaseCount> kPhases{
    "idle", "pre_inference", "prefill", "decode", "post_inference", "load", "queue"};

constexpr std::array<std::string_view, kSectionCount> kSections{
    "tokenization",    "tensor_transfer", "kv_cache_init",  "embedding",      "position_embedding",
    "layers",          "final_norm",      "lm_head",        "kv_cache_store", "sampling",
    "kv_cache_append", "detokenization",  "memory_cleanup", "model_load"};

constexpr std::array<std::string_view, kComponentCount> kComponents{
#define EP_COMPONENT(enumerator, word, ...) word,
#include "ep/core/components.def"
#undef EP_COMPONENT
};

constexpr std::array<std::string_view, kOperationCount> kOperations{
#define EP_OPERATION(enumerator, word, ...) word,
#include "ep/core/operations.def"
#undef EP_OPERATION
};

constexpr std::array<std::string_view, kRailCount> kRailNames{"cpu", "gpu", "ane", "dram",
                                                              "system"};

constexpr std::array<std::string_view, 6> kProvenances{"measured", "attributed", "calibrated",
                                                       "modelled", "imported",   "missing"};

constexpr std::array<std::string_view, 3> kDepths{"none", "module", "deep"};

constexpr std::array<std::string_view, 5> kStatuses{"running", "complete", "cancelled", "failed",
                                                    "interrupted"};

constexpr std::array<std::string_view, 3> kMethods{"time", "cost", "calibrated"};

constexpr std::array<std::string_view, 2> kSampleKinds{"power", "counter"};

constexpr std::array<std::string_view, 2> kMoments{"before_load", "after_load"};

constexpr std::array<std::string_view, 6> kPressures{"unknown", "nominal",  "moderate",
                                                     "heavy",   "trapping", "sleeping"};

constexpr std::array<std::string_view, 3> kPowerModes{"automatic", "low", "high"};

constexpr std::array<std::string_view, 3> kVerdicts{"good", "fair", "poor"};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& words, std::string_view word)
{
    for (std::size_t i = 0; i < N; ++i) {
        if (words[i] == word)
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

template <typename Enum, std::size_t N>
std::string_view wordOf(const std::array<std::string_view, N>& words, Enum value)
{
    return words[static_cast<std::size_t>(value)];
}

} // namespace

std::string_view name(Phase phase)
{
    return wordOf(kPhases, phase);
}
std::string_view name(Section section)
{
    return isOwn(section) ? ownName(section) : wordOf(kSections, section);
}
std::string_view name(Component component)
{
    return isOwn(component) ? ownName(component) : wordOf(kComponents, component);
}
std::string_view name(Operation operation)
{
    return wordOf(kOperations, operation);
}
std::string_view name(Rail rail)
{
    return wordOf(kRailNames, rail);
}
std::string_view name(Provenance provenance)
{
    return wordOf(kProvenances, provenance);
}
std::string_view name(Depth depth)
{
    return wordOf(kDepths, depth);
}
std::string_view name(RunStatus status)
{
    return wordOf(kStatuses, status);
}
std::string_view name(AttributionMethod method)
{
    return wordOf(kMethods, method);
}
std::string_view name(SampleKind kind)
{
    return wordOf(kSampleKinds, kind);
}
std::string_view name(BaselineMoment moment)
{
    return wordOf(kMoments, moment);
}
std::string_view name(ThermalPressure pressure)
{
    return wordOf(kPressures, pressure);
}
std::string_view name(PowerMode mode)
{
    return wordOf(kPowerModes, mode);
}
std::string_view name(QualityVerdict verdict)
{
    return wordOf(kVerdicts, verdict);
}

std::optional<Phase> phaseFromName(std::string_view word)
{
    return find<Phase>(kPhases, word);
}
std::optional<Section> sectionFromName(std::string_view word)
{
    const auto known = find<Section>(kSections, word);
    return known ? known : ownSectionFromName(word);
}
std::optional<Component> componentFromName(std::string_view word)
{
    const auto known = find<Component>(kComponents, word);
    return known ? known : ownComponentFromName(word);
}
std::optional<Operation> operationFromName(std::string_view word)
{
    return find<Operation>(kOperations, word);
}
std::optional<Rail> railFromName(std::string_view word)
{
    return find<Rail>(kRailNames, word);
}
std::optional<Provenance> provenanceFromName(std::string_view word)
{
    return find<Provenance>(kProvenances, word);
}
std::optional<Depth> depthFromName(std::string_view word)
{
    return find<Depth>(kDepths, word);
}
std::optional<RunStatus> runStatusFromName(std::string_view word)
{
    return find<RunStatus>(kStatuses, word);
}
std::optional<AttributionMethod> attributionMethodFromName(std::string_view word)
{
    return find<AttributionMethod>(kMethods, word);
}
std::optional<SampleKind> sampleKindFromName(std::string_view word)
{
    return find<SampleKind>(kSampleKinds, word);
}
std::optional<BaselineMoment> baselineMomentFromName(std::string_view word)
{
    return find<BaselineMoment>(kMoments, word);
}
std::optional<ThermalPressure> thermalPressureFromName(std::string_view word)
{
    return find<ThermalPressure>(kPressures, word);
}
std::optional<PowerMode> powerModeFromName(std::string_view word)
{
    return find<PowerMode>(kPowerModes, word);
}
std::optional<QualityVerdict> qualityVerdictFromName(std::string_view word)
{
    return find<QualityVerdict>(kVerdicts, word);
}

} // namespace ep
