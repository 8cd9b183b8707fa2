// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Every figure of a whole run, described once. The JSON, the database, the CSV, the API and its
// schema, comparisons, History, the cards of a run and the terminal are derived from kRunFigures.
//
// A new figure needs an enumerator and a row below. A figure computed from the trace also needs a
// field of RunMetrics, its computation in core/metrics.cpp, a column in a new migration and a line
// in resources/schema/run_summary.schema.json.
namespace ep {

enum class RunFigure : std::uint8_t {
    JoulesPerToken,
    JoulesPerTotalToken, // input and output
    JoulesPerOutputToken, // of the decode only
    JoulesPerTypicalToken, // median of the undisturbed decoded tokens
    JoulesPerInputToken, // of the prefill only
    Energy,
    NetEnergy, // above the idle power
    NetJoulesPerToken,
    EnergyPerMillionParameters,
    EnergyDelayProduct,
    TokensPerJoule,
    MeanPower,
    PeakPower,
    Duration,
    TimeToFirstToken,
    TokensPerSecond,
    PrefillTokensPerSecond,
    InterTokenLatencyP95,
};

enum class Better : std::uint8_t { Neither, Lower, Higher };

// Whether the figure needs a power source, and whether comparisons test it. Derived figures are
// not tested, since that would test the same data twice.
enum class FigureBasis : std::uint8_t { Time, TestedTime, Energy, TestedEnergy };

// A field of RunMetrics, or a function for derived figures that returns the unit of the API.
using FigureFunction = std::optional<double> (*)(const RunInfo& info, const RunMetrics& metrics);
using FigureSource =
    std::variant<Nanoseconds RunMetrics::*, std::optional<Nanoseconds> RunMetrics::*,
                 std::optional<double> RunMetrics::*, std::optional<Milliwatts> RunMetrics::*,
                 EnergyValue RunMetrics::*, FigureFunction>;

struct RunFigureFacts {
    RunFigure figure;
    const char* id; // in comparisons: "mean_power"
    const char* field; // in JSON, the database and the CSV: "mean_power_mw"; null: none
    const char* api; // in replies of the API, in ms, mJ and mW: "mean_power_mw"
    const char* title; // "Energy per output token"
    const char* heading; // heading of a column: "J/token"
    const char* unit; // unit of valueOf() and formatFigure()
    Better better;
    FigureBasis basis;
    FigureSource source;
    const char* explanation; // description in the schemas
};

// Energies per token that other formats state next to the energy, under their API names.
inline constexpr std::array kFiguresPerToken{
    RunFigure::JoulesPerToken, RunFigure::JoulesPerTotalToken, RunFigure::JoulesPerOutputToken,
    RunFigure::JoulesPerInputToken};

std::optional<double> joulesPerTotalToken(const RunInfo& info, const RunMetrics& metrics);
std::optional<double> netEnergyOf(const RunInfo& info, const RunMetrics& metrics);
std::optional<double> netJoulesPerToken(const RunInfo& info, const RunMetrics& metrics);
std::optional<double> joulesPerMillionParameters(const RunInfo& info, const RunMetrics& metrics);

// In the order of RunFigure, which is the display order.
inline constexpr std::array kRunFigures{
    RunFigureFacts{RunFigure::JoulesPerToken, "joules_per_token", "joules_per_token",
                   "joules_per_token", "Energy per output token", "J/token", "J/token",
                   Better::Lower, FigureBasis::TestedEnergy, &RunMetrics::joules_per_token,
                   "Energy of the run / output tokens"},
    RunFigureFacts{RunFigure::JoulesPerTotalToken, "joules_per_total_token", nullptr,
                   "joules_per_total_token", "Energy per input and output token", "J/(in + out)",
                   "J/token", Better::Lower, FigureBasis::Energy, &joulesPerTotalToken,
                   "Energy of the run / (input + output tokens)"},
    RunFigureFacts{RunFigure::JoulesPerOutputToken, "joules_per_output_token",
                   "joules_per_output_token", "joules_per_output_token", "Energy per decoded token",
                   "J/decoded token", "J/token", Better::Lower, FigureBasis::Energy,
                   &RunMetrics::joules_per_output_token,
                   "Energy of the decode phase / tokens it produced"},
    RunFigureFacts{RunFigure::JoulesPerTypicalToken, "joules_per_typical_token",
                   "joules_per_typical_token", "joules_per_typical_token",
                   "Energy of a typical token", "J/typical token", "J/token", Better::Lower,
                   FigureBasis::Energy, &RunMetrics::joules_per_typical_token,
                   "Median of the decoded tokens that no other program disturbed"},
    RunFigureFacts{
        RunFigure::JoulesPerInputToken, "joules_per_input_token", "joules_per_input_token",
        "joules_per_input_token", "Prefill energy per input token", "J/input token", "J/token",
        Better::Lower, FigureBasis::Energy, &RunMetrics::joules_per_input_token,
        "Energy of the prefill / input tokens; of a server, those it did not have in its cache"},
    RunFigureFacts{RunFigure::Energy, "energy", "energy", "total_energy_mj", "Energy", "Energy",
                   "J", Better::Lower, FigureBasis::Energy, &RunMetrics::energy,
                   "Used during the run's own time, without the idle time before it"},
    RunFigureFacts{RunFigure::NetEnergy, "net_energy", nullptr, "net_energy_mj", "Net energy",
                   "Net energy", "J", Better::Lower, FigureBasis::Energy, &netEnergyOf,
                   "Above the idle power of the machine"},
    RunFigureFacts{RunFigure::NetJoulesPerToken, "net_joules_per_token", nullptr,
                   "net_joules_per_token", "Net energy per output token", "J/token (net)",
                   "J/token", Better::Lower, FigureBasis::Energy, &netJoulesPerToken,
                   "Energy of the run above the idle power / output tokens"},
    RunFigureFacts{RunFigure::EnergyPerMillionParameters, "energy_per_million_parameters", nullptr,
                   "joules_per_million_parameters", "Energy per million parameters",
                   "J/M parameters", "J", Better::Lower, FigureBasis::Energy,
                   &joulesPerMillionParameters,
                   "Energy of the run / million parameters that a token uses"},
    RunFigureFacts{RunFigure::EnergyDelayProduct, "energy_delay_product", "edp_joule_seconds",
                   "edp_joule_seconds", "Energy-delay product", "EDP", "J·s", Better::Lower,
                   FigureBasis::Energy, &RunMetrics::edp_joule_seconds, "Energy x duration"},
    RunFigureFacts{RunFigure::TokensPerJoule, "tokens_per_joule", "tokens_per_joule",
                   "tokens_per_joule", "Tokens per joule", "Tokens/J", "tokens/J", Better::Higher,
                   FigureBasis::Energy, &RunMetrics::tokens_per_joule,
                   "Output tokens / energy of the run"},
    RunFigureFacts{RunFigure::MeanPower, "mean_power", "mean_power_mw", "mean_power_mw",
                   "Mean power", "Mean power", "W", Better::Neither, FigureBasis::TestedEnergy,
                   &RunMetrics::mean_power_mw, "Energy / duration"},
    RunFigureFacts{RunFigure::PeakPower, "peak_power", "peak_power_mw", "peak_power_mw",
                   "Peak power", "Peak power", "W", Better::Neither, FigureBasis::Energy,
                   &RunMetrics::peak_power_mw,
                   "Largest mean power of a sample that overlaps the run"},
    RunFigureFacts{RunFigure::Duration, "duration", "duration_ns", "total_duration_ms", "Duration",
                   "Duration", "s", Better::Lower, FigureBasis::Time, &RunMetrics::duration_ns,
                   "From the start of the run to its end"},
    RunFigureFacts{RunFigure::TimeToFirstToken, "time_to_first_token", "time_to_first_token_ns",
                   "time_to_first_token_ms", "Time to first token", "First token", "s",
                   Better::Lower, FigureBasis::TestedTime, &RunMetrics::time_to_first_token_ns,
                   "From the start of the run to the end of the prefill"},
    RunFigureFacts{RunFigure::TokensPerSecond, "tokens_per_second", "tokens_per_second",
                   "tokens_per_second", "Tokens per second", "Tokens/s", "tokens/s", Better::Higher,
                   FigureBasis::TestedTime, &RunMetrics::tokens_per_second, "Decode phase only"},
    RunFigureFacts{RunFigure::PrefillTokensPerSecond, "prefill_tokens_per_second",
                   "prefill_tokens_per_second", "prefill_tokens_per_second",
                   "Prefill tokens per second", "Prefill tokens/s", "tokens/s", Better::Higher,
                   FigureBasis::Time, &RunMetrics::prefill_tokens_per_second,
                   "Input tokens / duration of the prefill; of a server, those it did not have in "
                   "its cache"},
    RunFigureFacts{RunFigure::InterTokenLatencyP95, "inter_token_latency_p95", "inter_token_p95_ns",
                   "inter_token_p95_ms", "Inter-token latency, 95th percentile", "Token p95", "s",
                   Better::Lower, FigureBasis::Time, &RunMetrics::inter_token_p95_ns,
                   "95 % of the decoded tokens followed the previous one within this time"},
};

constexpr const RunFigureFacts& factsOf(RunFigure figure)
{
    return kRunFigures[static_cast<std::size_t>(figure)];
}
constexpr std::string_view name(RunFigure figure)
{
    return factsOf(figure).id;
}
constexpr std::string_view title(RunFigure figure)
{
    return factsOf(figure).title;
}
constexpr bool needsEnergy(RunFigure figure)
{
    const FigureBasis basis = factsOf(figure).basis;
    return basis == FigureBasis::Energy || basis == FigureBasis::TestedEnergy;
}
constexpr bool isTested(RunFigure figure)
{
    const FigureBasis basis = factsOf(figure).basis;
    return basis == FigureBasis::TestedTime || basis == FigureBasis::TestedEnergy;
}
std::optional<RunFigure> runFigureFromName(std::string_view id);

// Value in the figure's unit; absent if the run has no such figure. Always finite.
std::optional<double> valueOf(RunFigure figure, const RunInfo& info, const RunMetrics& metrics);
std::optional<double> valueOf(RunFigure figure, const RunSummary& run);
// Value in the unit of the API: durations in ms, energies in mJ, powers in mW, others in the
// figure's unit.
std::optional<double> apiValueOf(RunFigure figure, const RunSummary& run);
double toApiUnit(RunFigure figure, double value); // converts from the figure's unit

// "23.4 mJ/token", "1.20 s": 3 significant digits with an SI prefix; `sign` adds a plus sign.
std::string formatFigure(RunFigure figure, std::optional<double> value, bool sign = false);
// For a table cell; the heading gives the denominator: "23.4 mJ".
std::string formatCell(RunFigure figure, std::optional<double> value);
std::string heading(RunFigure figure); // "J/token", or "Wh/token" if energies are shown in Wh

} // namespace ep
