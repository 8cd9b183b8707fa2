// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/core/utf8.h"
#include "ep/energy/baseline.h"
#include "ep/energy/compared_metric.h"
#include "ep/energy/figures.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ep::energy {

namespace {

struct Description {
    ComparedMetric metric;
    const char* name;
    const char* title;
    const char* unit;
    Better better;
    bool energy;
    bool tested;
};

constexpr Description kDescriptions[] = {
    {ComparedMetric::JoulesPerToken, "joules_per_token", "Energy per token", "J/token",
     Better::Lower, true, true},
    {ComparedMetric::JoulesPerOutputToken, "joules_per_output_token", "Energy per decoded token",
     "J/token", Better::Lower, true, false},
    {ComparedMetric::JoulesPerInputToken, "joules_per_input_token",
     "Prefill energy per input token", "J/token", Better::Lower, true, false},
    {ComparedMetric::Energy, "energy", "Energy", "J", Better::Lower, true, false},
    {ComparedMetric::NetEnergy, "net_energy", "Net energy", "J", Better::Lower, true, false},
    {ComparedMetric::EnergyPerMillionParameters, "energy_per_million_parameters",
     "Energy per million parameters", "J", Better::Lower, true, false},
    {ComparedMetric::EnergyDelayProduct, "energy_delay_product", "Energy-delay product", "J·s",
     Better::Lower, true, false},
    {ComparedMetric::TokensPerJoule, "tokens_per_joule", "Tokens per joule", "token/J",
     Better::Higher, true, false},
    {ComparedMetric::MeanPower, "mean_power", "Mean power", "W", Better::Neither, true, true},
    {ComparedMetric::PeakPower, "peak_power", "Peak power", "W", Better::Neither, true, false},
    {ComparedMetric::Duration, "duration", "Duration", "s", Better::Lower, false, false},
    {ComparedMetric::TimeToFirstToken, "time_to_first_token", "Time to first token", "s",
     Better::Lower, false, true},
    {ComparedMetric::TokensPerSecond, "tokens_per_second", "Tokens per second", "token/s",
     Better::Higher, false, true},
};
static_assert(std::size(kDescriptions) == kComparedMetricCount);

const Description& of(ComparedMetric metric)
{
    return kDescriptions[static_cast<std::size_t>(metric)];
}

template <typename Milli>
std::optional<double> fromMilli(const std::optional<Milli>& value)
{
    return value ? std::optional(value->value * 1e-3) : std::nullopt;
}

std::optional<double> seconds(std::optional<Nanoseconds> duration)
{
    return duration && *duration > 0 ? std::optional(toSeconds(*duration)) : std::nullopt;
}

std::optional<double> rawValue(ComparedMetric metric, const RunInfo& info, const RunMetrics& m)
{
    switch (metric) {
    case ComparedMetric::JoulesPerToken:
        return m.joules_per_token;
    case ComparedMetric::JoulesPerOutputToken:
        return m.joules_per_output_token;
    case ComparedMetric::JoulesPerInputToken:
        return m.joules_per_input_token;
    case ComparedMetric::Energy:
        return fromMilli(m.energy.total_mj);
    case ComparedMetric::NetEnergy:
        return fromMilli(netEnergy(m.energy.total_mj, m.duration_ns, info.power.baseline));
    case ComparedMetric::EnergyPerMillionParameters:
        return joulesPerMillionParameters({info, m});
    case ComparedMetric::EnergyDelayProduct:
        return m.edp_joule_seconds;
    case ComparedMetric::TokensPerJoule:
        return m.tokens_per_joule;
    case ComparedMetric::MeanPower:
        return fromMilli(m.mean_power_mw);
    case ComparedMetric::PeakPower:
        return fromMilli(m.peak_power_mw);
    case ComparedMetric::Duration:
        return seconds(m.duration_ns);
    case ComparedMetric::TimeToFirstToken:
        return seconds(m.time_to_first_token_ns);
    case ComparedMetric::TokensPerSecond:
        return m.tokens_per_second;
    }
    return std::nullopt;
}

// The number at the front of a text, whatever the locale; the rest stays in `text`.
std::optional<double> takeNumber(std::string& text)
{
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double value = 0.0;
    if (!(stream >> value) || !std::isfinite(value))
        return std::nullopt;
    std::string rest;
    std::getline(stream, rest, '\0');
    text = std::string(trimmed(rest));
    return value;
}

} // namespace

std::string_view name(ComparedMetric metric)
{
    return of(metric).name;
}

std::string_view title(ComparedMetric metric)
{
    return of(metric).title;
}

std::string_view unit(ComparedMetric metric)
{
    return of(metric).unit;
}

Better better(ComparedMetric metric)
{
    return of(metric).better;
}

bool needsEnergy(ComparedMetric metric)
{
    return of(metric).energy;
}

bool isTested(ComparedMetric metric)
{
    return of(metric).tested;
}

std::optional<ComparedMetric> comparedMetricFromName(std::string_view word)
{
    for (const Description& description : kDescriptions) {
        if (description.name == word)
            return description.metric;
    }
    return std::nullopt;
}

std::optional<double> valueOf(ComparedMetric metric, const RunInfo& info, const RunMetrics& metrics)
{
    const auto value = rawValue(metric, info, metrics);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> valueOf(ComparedMetric metric, const RunSummary& run)
{
    return valueOf(metric, run.info, run.metrics);
}

std::string formatValue(ComparedMetric metric, std::optional<double> value, bool sign)
{
    if (!value)
        return kMissingText;
    std::string text;
    const std::string_view unit = energy::unit(metric);
    if (unit.starts_with("J") && unit != "J·s")
        text = formatEnergy(Millijoules{*value * 1e3}) + std::string(unit.substr(1));
    else if (unit == "W")
        text = formatPower(Milliwatts{*value * 1e3});
    else if (unit == "s")
        text = formatDuration(std::llround(*value * 1e9));
    else
        text = formatSignificant(*value) + ' ' + std::string(unit);
    return sign && *value > 0.0 ? '+' + text : text;
}

Result<DifferenceLimit> parseLimit(std::string_view text)
{
    const auto wrong = [&](const std::string& what) {
        std::string names;
        for (const Description& description : kDescriptions)
            names += std::string(names.empty() ? "" : ", ") + description.name;
        return Error{ErrorCode::InvalidInput,
                     "The limit '" + std::string(text) + "' " + what
                         + "; write it like \"joules_per_token > +5%\" with one of " + names + "."};
    };
    const auto sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return wrong("has neither > nor <");
    DifferenceLimit limit;
    const auto metric = comparedMetricFromName(trimmed(text.substr(0, sign)));
    if (!metric)
        return wrong("names no known figure");
    limit.metric = *metric;
    limit.above = text[sign] == '>';
    std::string rest(trimmed(text.substr(sign + 1)));
    const auto value = takeNumber(rest);
    if (!value || (!rest.empty() && rest != "%"))
        return wrong("has no number (with or without %) after it");
    limit.relative = rest == "%";
    limit.limit = limit.relative ? *value / 100.0 : *value;
    return limit;
}

bool exceeds(const DifferenceLimit& limit, double difference, std::optional<double> relative)
{
    if (limit.relative && !relative)
        return false;
    const double value = limit.relative ? *relative : difference;
    return limit.above ? value > limit.limit : value < limit.limit;
}

} // namespace ep::energy
