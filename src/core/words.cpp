// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/words.h"

#include "ep/core/enum_words.h"
#include "ep/core/own_part.h"

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

constexpr std::array<std::string_view, kSpanLevels.size()> kLevels{"section", "layer", "component",
                                                                   "operation"};

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

} // namespace

// name() of an enumeration and its inverse.
#define EP_WORDS(Enum, fromName, words)                                                            \
    std::string_view name(Enum value)                                                              \
    {                                                                                              \
        return wordOf(words, value);                                                               \
    }                                                                                              \
    std::optional<Enum> fromName(std::string_view word)                                            \
    {                                                                                              \
        return enumOf<Enum>(words, word);                                                          \
    }
EP_WORDS(Phase, phaseFromName, kPhases)
EP_WORDS(Operation, operationFromName, kOperations)
EP_WORDS(Rail, railFromName, kRailNames)
EP_WORDS(Provenance, provenanceFromName, kProvenances)
EP_WORDS(Depth, depthFromName, kDepths)
EP_WORDS(RunStatus, runStatusFromName, kStatuses)
EP_WORDS(AttributionMethod, attributionMethodFromName, kMethods)
EP_WORDS(SampleKind, sampleKindFromName, kSampleKinds)
EP_WORDS(BaselineMoment, baselineMomentFromName, kMoments)
EP_WORDS(ThermalPressure, thermalPressureFromName, kPressures)
EP_WORDS(PowerMode, powerModeFromName, kPowerModes)
EP_WORDS(QualityVerdict, qualityVerdictFromName, kVerdicts)
#undef EP_WORDS

std::string_view name(SpanLevel level)
{
    return kLevels[static_cast<std::size_t>(level)];
}

std::string_view name(Section section)
{
    return isOwn(section) ? ownName(section) : wordOf(kSections, section);
}
std::string_view name(Component component)
{
    return isOwn(component) ? ownName(component) : wordOf(kComponents, component);
}
std::optional<Section> sectionFromName(std::string_view word)
{
    const auto known = enumOf<Section>(kSections, word);
    return known ? known : ownSectionFromName(word);
}
std::optional<Component> componentFromName(std::string_view word)
{
    const auto known = enumOf<Component>(kComponents, word);
    return known ? known : ownComponentFromName(word);
}

} // namespace ep
