// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_cost.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace ep::viz {

namespace {

struct PartSums {
    std::array<std::optional<Tally>, kPartCount> parts;
    std::optional<Tally> layers; // the section of the layers
    Tally in_layers; // sum of its components

    Tally& of(Part part)
    {
        auto& cost = parts[static_cast<std::size_t>(part)];
        if (!cost)
            cost.emplace();
        return *cost;
    }
};

Tally restOf(const Tally& whole, const Tally& parts)
{
    Tally rest = whole - parts;
    rest.duration_ns = std::max<Nanoseconds>(0, rest.duration_ns);
    return rest;
}

std::vector<double> decodedValues(const TokenCosts& costs)
{
    std::vector<double> values;
    for (const TokenCost& token : costs.tokens) {
        if (token.phase == Phase::Decode && token.value)
            values.push_back(*token.value);
    }
    return values;
}

} // namespace

TokenCosts buildTokenCosts(const Run& run, const RunBreakdown* parts, CostMetric metric)
{
    TokenCosts result;
    result.metric = metric;
    result.split = parts && !parts->token_components.empty();
    const auto baseline = baselineOf(run);

    const std::vector<bool> disturbed = disturbedTokens(run.trace.tokens);
    std::unordered_map<std::int32_t, std::size_t> places;
    std::size_t window = 0;
    const std::vector<PowerSample>& samples = run.trace.samples;
    for (const TokenSpan& span : run.trace.tokens) {
        TokenCost token;
        token.disturbed = disturbed[result.tokens.size()];
        token.index = span.index;
        token.position = span.position;
        token.phase = span.phase;
        token.text = span.text;
        token.cost = tallyOf(span.time, span.energy);
        token.value = valueOf(token.cost, metric, baseline);
        const Nanoseconds middle = span.time.begin_ns + span.time.duration_ns() / 2;
        while (window < samples.size() && samples[window].window.end_ns <= middle)
            ++window;
        if (metric != CostMetric::Time && window < samples.size()
            && samples[window].window.begin_ns <= middle)
            token.window = window;
        if (token.value) {
            const Provenance own =
                metric == CostMetric::Time ? Provenance::Measured : token.cost.provenance;
            result.provenance =
                result.provenance == Provenance::Missing ? own : std::max(result.provenance, own);
        }
        places.emplace(span.index, result.tokens.size());
        result.tokens.push_back(std::move(token));
    }

    std::vector<PartSums> sums(result.tokens.size());
    const auto sumsOf = [&](std::int32_t token) -> PartSums* {
        const auto place = places.find(token);
        return place == places.end() ? nullptr : &sums[place->second];
    };
    for (const SectionSpan& span : run.trace.sections) {
        PartSums* own = sumsOf(span.token);
        if (!own)
            continue;
        const Tally cost = tallyOf(span.time, span.energy);
        if (span.section == Section::Layers)
            own->layers = cost;
        else
            own->of(partOf(span.section)).add(cost);
    }
    if (result.split) {
        for (const auto& of : parts->token_components) {
            if (PartSums* own = sumsOf(of.token)) {
                const Tally cost = of.sum;
                own->of(partOf(of.component)).add(cost);
                own->in_layers.add(cost);
            }
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        PartSums& own = sums[i];
        TokenCost& token = result.tokens[i];
        if (own.layers) { // what remains without the components
            own.of(Part::Layers).add(restOf(*own.layers, own.in_layers));
        }
        Tally all;
        for (const auto& cost : own.parts)
            if (cost)
                all.add(*cost);
        if (all.duration_ns > 0)
            own.of(Part::Rest).add(restOf(token.cost, all));
        for (std::size_t part = 0; part < kPartCount; ++part)
            if (own.parts[part])
                token.parts[part] = valueOf(*own.parts[part], metric, baseline);
    }
    return result;
}

std::size_t TokenHistogram::largest() const
{
    std::size_t most = 0;
    for (const auto& tokens : classes)
        most = std::max(most, tokens.size());
    return most;
}

TokenHistogram buildHistogram(const TokenCosts& costs, std::size_t most)
{
    TokenHistogram result;
    std::vector<double> values = decodedValues(costs);
    for (const TokenCost& token : costs.tokens)
        result.missing += token.phase == Phase::Decode && !token.value ? 1 : 0;
    if (values.empty())
        return result;
    std::sort(values.begin(), values.end());
    result.median = quantileOf(values, 0.5);
    std::vector<double> deviations;
    for (const double value : values)
        deviations.push_back(std::abs(value - result.median));
    std::sort(deviations.begin(), deviations.end());
    result.mad = quantileOf(deviations, 0.5);

    result.highest = values.back();
    const double usual = highestUsual(values);
    result.open_end = usual < values.back();
    const double range = usual - values.front();
    const double wanted = 2.0 * (quantileOf(values, 0.75) - quantileOf(values, 0.25))
        / std::cbrt(static_cast<double>(values.size()));
    std::size_t count = 1;
    if (range > 0.0 && most > 1) {
        const double ideal = wanted > 0.0 ? std::ceil(range / wanted) : 1.0;
        count = static_cast<std::size_t>(std::clamp(ideal, 5.0, static_cast<double>(most)));
    }
    result.low = values.front();
    result.width = range > 0.0 ? range / static_cast<double>(count) : 1.0;
    if (result.open_end)
        ++count;
    result.classes.resize(count);
    for (const TokenCost& token : costs.tokens) {
        if (token.phase != Phase::Decode || !token.value)
            continue;
        const double at = std::floor((*token.value - result.low) / result.width);
        auto place = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(count - 1)));
        if (result.open_end && place + 1 == count && *token.value <= usual)
            --place; // the largest normal value is the end of its bin
        result.classes[place].push_back(token.index);
    }
    return result;
}

RobustScale robustScale(std::vector<double> values)
{
    RobustScale scale;
    if (values.empty())
        return scale;
    std::sort(values.begin(), values.end());
    scale.median = quantileOf(values, 0.5);
    double sum = 0.0;
    for (double& value : values) {
        value = std::abs(value - scale.median);
        sum += value;
    }
    std::sort(values.begin(), values.end());
    const double mad = quantileOf(values, 0.5);
    scale.sigma = mad > 0.0 ? mad / 0.6745 : 1.2533 * sum / static_cast<double>(values.size());
    return scale;
}

double highestUsual(const std::vector<double>& values)
{
    constexpr std::size_t kFew = 10; // with fewer, none is an outlier
    constexpr double kFlattens = 3.0;
    if (values.empty())
        return 0.0;
    const double highest = *std::ranges::max_element(values);
    if (values.size() < kFew)
        return highest;
    const RobustScale scale = robustScale(values);
    double usual = 0.0;
    for (const double value : values) {
        if (!scale.anomalous(value))
            usual = std::max(usual, value);
    }
    return usual > 0.0 && highest > kFlattens * usual ? usual : highest;
}

} // namespace ep::viz
