// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

// Records and the types of their fields, for code that reads or writes any of them. The fields of a
// record are listed once, beside it: visitFields(record, visit) calls visit(name, field) for each,
// in the order of the JSON.
namespace ep {

struct IgnoreField {
    void operator()(const char*, auto&) const { }
};

// Records with a visitFields().
template <typename T>
concept HasFields = requires(T& record)
{
    visitFields(record, IgnoreField());
};

// A record that is read or written, const or not.
template <typename T, typename Record>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Record>;

// Whether T is an instance of a template: kIsA<T, std::optional>.
template <typename T, template <typename...> class Template>
inline constexpr bool kIsA = false;
template <template <typename...> class Template, typename... T>
inline constexpr bool kIsA<Template<T...>, Template> = true;

// The enumerator of a word; returns false if there is none.
#define EP_WORDS_OF(Enum, fromName)                                                                \
    inline bool parseWord(std::string_view word, std::optional<Enum>& value)                       \
    {                                                                                              \
        return (value = fromName(word)).has_value();                                               \
    }
EP_WORDS_OF(Phase, phaseFromName)
EP_WORDS_OF(Section, sectionFromName)
EP_WORDS_OF(Component, componentFromName)
EP_WORDS_OF(Operation, operationFromName)
EP_WORDS_OF(Provenance, provenanceFromName)
EP_WORDS_OF(Depth, depthFromName)
EP_WORDS_OF(RunStatus, runStatusFromName)
EP_WORDS_OF(AttributionMethod, attributionMethodFromName)
EP_WORDS_OF(BaselineMoment, baselineMomentFromName)
EP_WORDS_OF(ThermalPressure, thermalPressureFromName)
EP_WORDS_OF(QualityVerdict, qualityVerdictFromName)
EP_WORDS_OF(SampleKind, sampleKindFromName)
EP_WORDS_OF(PowerMode, powerModeFromName)
EP_WORDS_OF(Rail, railFromName)
#undef EP_WORDS_OF

} // namespace ep
