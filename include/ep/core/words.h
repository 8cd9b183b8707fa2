// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The vocabulary of the program: names used in the database, in JSON and on the screen.
// Every enum has name(x), which returns the stored word, and all but SpanLevel have
// xFromName(word), the inverse.
// The order of the enumerators is never stored, only the words.
namespace ep {

// Load and Queue: only in requests to a server, which may load the model or let requests wait.
enum class Phase : std::uint8_t {
    Idle,
    PreInference,
    Prefill,
    Decode,
    PostInference,
    Load,
    Queue,
};
inline constexpr std::size_t kPhaseCount = 7;

enum class Section : std::uint8_t {
    Tokenization,
    TensorTransfer,
    KvCacheInit,
    Embedding,
    PositionEmbedding,
    Layers,
    FinalNorm,
    LmHead,
    KvCacheStore,
    Sampling,
    KvCacheAppend,
    Detokenization,
    MemoryCleanup,
    ModelLoad, // of a recorded command
};
inline constexpr std::size_t kSectionCount = 14;

// Components of a layer, in the order of the heatmap (components.def).
enum class Component : std::uint8_t {
#define EP_COMPONENT(enumerator, ...) enumerator,
#include "ep/core/components.def"
#undef EP_COMPONENT
};
#define EP_COMPONENT(...) +1
inline constexpr std::size_t kComponentCount = 0
#include "ep/core/components.def"
    ;
#undef EP_COMPONENT

// Single tensor operations inside a component (profiling depth `deep`).
enum class Operation : std::uint8_t {
#define EP_OPERATION(enumerator, ...) enumerator,
#include "ep/core/operations.def"
#undef EP_OPERATION
};
#define EP_OPERATION(...) +1
inline constexpr std::size_t kOperationCount = 0
#include "ep/core/operations.def"
    ;
#undef EP_OPERATION

// The levels of spans, from the outside to the inside.
enum class SpanLevel : std::uint8_t { Section, Layer, Component, Operation };
inline constexpr std::array kSpanLevels{SpanLevel::Section, SpanLevel::Layer, SpanLevel::Component,
                                        SpanLevel::Operation};
// The levels whose spans are read step by step.
inline constexpr std::array kStepLevels{SpanLevel::Layer, SpanLevel::Component,
                                        SpanLevel::Operation};

// Power rails. `system` is the power of the whole machine, which includes the others.
enum class Rail : std::uint8_t { Cpu, Gpu, Ane, Dram, System };
inline constexpr std::size_t kRailCount = 5;
inline constexpr std::array kPartRails{Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram};
inline constexpr std::array kRails{Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System};

// How a value was obtained, from best to worst. Combined values have the worst of their parts.
// Imported: read from another program's recording of power.
enum class Provenance : std::uint8_t {
    Measured,
    Attributed,
    Calibrated,
    Modelled,
    Imported,
    Missing
};

enum class Depth : std::uint8_t { None, Module, Deep };

// How measured energy is divided among the spans inside a window: evenly over time, by what the
// spans compute and transfer, or by that combined with a calibration of each kind.
enum class AttributionMethod : std::uint8_t { Time, Cost, Calibrated };

// The quantity that a source reads. A counter accumulates between readings, so a late or missing
// reading loses nothing: the next window begins at the previous reading. Power is only known for
// the window of each reading, so time between readings is lost.
enum class SampleKind : std::uint8_t { Power, Counter };

// When the idle power of a run was measured.
enum class BaselineMoment : std::uint8_t { BeforeLoad, AfterLoad };

// macOS calls these Nominal, Moderate, Heavy, Trapping, Sleeping.
enum class ThermalPressure : std::uint8_t { Unknown, Nominal, Moderate, Heavy, Trapping, Sleeping };

// The power mode set on the machine: `low` saves power, `high` favours speed.
enum class PowerMode : std::uint8_t { Automatic, Low, High };

enum class QualityVerdict : std::uint8_t { Good, Fair, Poor };

enum class RunStatus : std::uint8_t { Running, Complete, Cancelled, Failed, Interrupted };

std::string_view name(Phase phase);
std::string_view name(Section section);
std::string_view name(Component component);
std::string_view name(Operation operation);
std::string_view name(SpanLevel level);
std::string_view name(Rail rail);
std::string_view name(Provenance provenance);
std::string_view name(Depth depth);
std::string_view name(RunStatus status);
std::string_view name(AttributionMethod method);
std::string_view name(SampleKind kind);
std::string_view name(BaselineMoment moment);
std::string_view name(ThermalPressure pressure);
std::string_view name(PowerMode mode);
std::string_view name(QualityVerdict verdict);

std::optional<Phase> phaseFromName(std::string_view word);
std::optional<Section> sectionFromName(std::string_view word);
std::optional<Component> componentFromName(std::string_view word);
std::optional<Operation> operationFromName(std::string_view word);
std::optional<Rail> railFromName(std::string_view word);
std::optional<Provenance> provenanceFromName(std::string_view word);
std::optional<Depth> depthFromName(std::string_view word);
std::optional<RunStatus> runStatusFromName(std::string_view word);
std::optional<AttributionMethod> attributionMethodFromName(std::string_view word);
std::optional<SampleKind> sampleKindFromName(std::string_view word);
std::optional<BaselineMoment> baselineMomentFromName(std::string_view word);
std::optional<ThermalPressure> thermalPressureFromName(std::string_view word);
std::optional<PowerMode> powerModeFromName(std::string_view word);
std::optional<QualityVerdict> qualityVerdictFromName(std::string_view word);

} // namespace ep
