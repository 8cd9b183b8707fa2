// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_figure.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"

#include <cmath>

namespace ep {

namespace {

constexpr bool areInOrder()
{
    for (std::size_t i = 0; i < kRunFigures.size(); ++i) {
        if (static_cast<std::size_t>(kRunFigures[i].figure) != i)
            return false;
    }
    return true;
}
static_assert(areInOrder(), "a figure is found by its place");

// Reads a field in the unit of the API.
struct FieldReader {
    const RunInfo& info;
    const RunMetrics& metrics;

    std::optional<double> operator()(Nanoseconds RunMetrics::*field) const
    {
        return toMilliseconds(metrics.*field);
    }
    std::optional<double> operator()(std::optional<Nanoseconds> RunMetrics::*field) const
    {
        const auto& duration = metrics.*field;
        return duration ? std::optional(toMilliseconds(*duration)) : std::nullopt;
    }
    std::optional<double> operator()(std::optional<double> RunMetrics::*field) const
    {
        return metrics.*field;
    }
    std::optional<double> operator()(std::optional<Milliwatts> RunMetrics::*field) const
    {
        const auto& power = metrics.*field;
        return power ? std::optional(power->value) : std::nullopt;
    }
    std::optional<double> operator()(EnergyValue RunMetrics::*field) const
    {
        const auto& energy = (metrics.*field).total_mj;
        return energy ? std::optional(energy->value) : std::nullopt;
    }
    std::optional<double> operator()(FigureFunction function) const
    {
        return function(info, metrics);
    }
};

std::optional<double> apiValue(RunFigure figure, const RunInfo& info, const RunMetrics& metrics)
{
    const auto value = std::visit(FieldReader{info, metrics}, factsOf(figure).source);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// Number of API units in one unit of the figure.
double factorOf(RunFigure figure)
{
    constexpr double kMilli = 1e3;
    const std::string_view api = factsOf(figure).api;
    return api.ends_with("_ms") || api.ends_with("_mj") || api.ends_with("_mw") ? kMilli : 1.0;
}

} // namespace

std::optional<double> joulesPerTotalToken(const RunInfo& info, const RunMetrics& metrics)
{
    const auto& energy = metrics.energy.total_mj;
    const auto& perToken = metrics.joules_per_token;
    if (!energy || !perToken || *perToken <= 0.0 || info.input_tokens <= 0)
        return std::nullopt;
    // A part of a run has no such figure: its energy belongs to only some tokens, and its input may
    // lie outside.
    const double joules = energy->value / 1e3;
    if (std::llround(joules / *perToken) != info.output_tokens)
        return std::nullopt;
    return joules / (static_cast<double>(info.input_tokens) + info.output_tokens);
}

std::optional<double> netEnergyOf(const RunInfo& info, const RunMetrics& metrics)
{
    const auto net = netEnergy(metrics.energy.total_mj, metrics.duration_ns, info.power.baseline);
    return net ? std::optional(net->value) : std::nullopt;
}

std::optional<double> netJoulesPerToken(const RunInfo& info, const RunMetrics& metrics)
{
    return joulesPer(netEnergy(metrics.energy.total_mj, metrics.duration_ns, info.power.baseline),
                     info.output_tokens);
}

std::optional<double> joulesPerMillionParameters(const RunInfo& info, const RunMetrics& metrics)
{
    const std::int64_t used =
        info.model.active_parameters > 0 ? info.model.active_parameters : info.model.parameters;
    if (!metrics.energy.total_mj || used <= 0)
        return std::nullopt;
    return metrics.energy.total_mj->value / 1e3 / (static_cast<double>(used) / 1e6);
}

std::optional<RunFigure> runFigureFromName(std::string_view id)
{
    for (const RunFigureFacts& facts : kRunFigures) {
        if (facts.id == id)
            return facts.figure;
    }
    return std::nullopt;
}

std::optional<double> valueOf(RunFigure figure, const RunInfo& info, const RunMetrics& metrics)
{
    const auto value = apiValue(figure, info, metrics);
    // A run whose duration is zero did not run.
    if (!value || (figure == RunFigure::Duration && *value <= 0.0))
        return std::nullopt;
    return *value / factorOf(figure);
}

std::optional<double> valueOf(RunFigure figure, const RunSummary& run)
{
    return valueOf(figure, run.info, run.metrics);
}

std::optional<double> apiValueOf(RunFigure figure, const RunSummary& run)
{
    return apiValue(figure, run.info, run.metrics);
}

double toApiUnit(RunFigure figure, double value)
{
    return value * factorOf(figure);
}

std::string formatFigure(RunFigure figure, std::optional<double> value, bool sign)
{
    if (!value)
        return kMissingText;
    const std::string_view unit = factsOf(figure).unit;
    std::string text;
    if (unit == "J" || unit == "J/token")
        text = formatEnergy(Millijoules{*value * 1e3}) + formatUnit(unit.substr(1));
    else if (unit == "W")
        text = formatPower(Milliwatts{*value * 1e3});
    else if (unit == "s")
        text = formatDuration(std::llround(*value * 1e9));
    else if (unit == "J·s")
        text = formatEnergyDelay(*value);
    else
        text = formatSignificant(*value) + ' ' + formatUnit(unit);
    return sign ? withSign(std::move(text), *value) : text;
}

std::string formatCell(RunFigure figure, std::optional<double> value)
{
    std::string text = formatFigure(figure, value);
    for (const char* const unit : {"/token", " tokens/s", " tokens/J"}) {
        const std::string implied = formatUnit(unit);
        if (text.ends_with(implied))
            text.resize(text.size() - implied.size());
    }
    return text;
}

std::string heading(RunFigure figure)
{
    const std::string_view text = factsOf(figure).heading;
    return text.starts_with("J/") && numberStyle().energy == EnergyUnit::WattHours
        ? "Wh" + std::string(text.substr(1))
        : std::string(text);
}

} // namespace ep
