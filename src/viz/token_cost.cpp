// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_cost.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/quantile.h"
#include "ep/core/run_tree.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace ep::viz {
namespace {

struct PartSums {
    std::array<std::optional<Tally>, kRunPartCount> parts;
    std::optional<Tally> layers; // the section of the layers
    bool split = false; // its components are known

    Tally& of(RunPart part)
    {
        auto& cost = parts[static_cast<std::size_t>(part)];
        if (!cost)
            cost.emplace();
        return *cost;
    }
};

std::vector<double> decodedValues(const TokenCosts& costs)
{
    std::vector<double> values;
    for (const TokenCost& token : costs.tokens) {
        if (token.phase == Phase::Decode && token.value)
            values.push_back(*token.value);
    }
    return values;
}

// The mean of the tokens that share an error.
struct TrendPoint {
    double position = 0.0;
    double value = 0.0;
    std::size_t tokens = 1;
};

struct TrendToken {
    double position = 0.0;
    double value = 0.0;
    std::optional<std::size_t> window;
};

std::vector<double> trendResiduals(const std::vector<TrendPoint>& points, const TrendLine& line)
{
    std::vector<double> residuals;
    residuals.reserve(points.size());
    for (const TrendPoint& point : points)
        residuals.push_back(point.value - line.at(point.position));
    return residuals;
}

double lagCorrelation(const std::vector<double>& residuals, std::size_t lag)
{
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
        squares += residuals[i] * residuals[i];
        products += i < lag ? 0.0 : residuals[i] * residuals[i - lag];
    }
    return squares > 0.0 ? products / squares : 0.0;
}

// The number of correlated points that are worth one independent point: 1 + 2 x the sum of the
// correlations, up to the first that may be chance.
double dependence(const std::vector<double>& residuals)
{
    const double chance = 1.0 / std::sqrt(static_cast<double>(residuals.size()));
    double sum = 1.0;
    for (std::size_t lag = 1; 2 * lag < residuals.size(); ++lag) {
        const double correlation = lagCorrelation(residuals, lag);
        if (correlation <= chance)
            break;
        sum += 2.0 * correlation;
    }
    return sum;
}

std::optional<TrendLine> leastSquares(const std::vector<TrendPoint>& points)
{
    double n = 0.0;
    double meanX = 0.0;
    double meanY = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    TrendLine line;
    for (const TrendPoint& point : points) { // Welford's algorithm: accurate for long runs
        n += 1.0;
        const double dx = point.position - meanX;
        const double dy = point.value - meanY;
        meanX += dx / n;
        meanY += dy / n;
        xx += dx * (point.position - meanX);
        xy += dx * (point.value - meanY);
        yy += dy * (point.value - meanY);
        line.tokens += point.tokens;
    }
    if (n < 3.0 || xx <= 0.0)
        return std::nullopt;
    line.slope = xy / xx;
    line.at_zero = meanY - line.slope * meanX;
    const double residual = std::max(0.0, yy - line.slope * xy);
    line.r2 = yy > 0.0 ? 1.0 - residual / yy : 0.0;
    const double shared = dependence(trendResiduals(points, line));
    line.slope_error = std::sqrt(shared * residual / (n - 2.0) / xx);
    // The interval of 96 %, so that it holds in 95 % although the correlation is an estimate too.
    constexpr double kUpper = 0.98;
    line.slope_half = line.slope_error * studentQuantile(kUpper, std::max(1.0, n / shared - 2.0));
    return line;
}

// Joins successive tokens for which `same` holds.
template <typename Same>
std::vector<TrendPoint> joinedTokens(const std::vector<TrendToken>& tokens, const Same& same)
{
    std::vector<TrendPoint> points;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0 && same(tokens[i - 1], tokens[i])) {
            TrendPoint& last = points.back();
            const auto count = static_cast<double>(++last.tokens);
            last.position += (tokens[i].position - last.position) / count;
            last.value += (tokens[i].value - last.value) / count;
        } else {
            points.push_back({.position = tokens[i].position, .value = tokens[i].value});
        }
    }
    return points;
}

std::vector<TrendPoint> eachToken(const std::vector<TrendToken>& tokens)
{
    return joinedTokens(tokens, [](const TrendToken&, const TrendToken&) { return false; });
}

std::vector<TrendPoint> independentPoints(const std::vector<TrendToken>& tokens)
{
    // With this many tokens and windows or more, a correlation between neighbours would be visible.
    constexpr std::size_t kEnoughToTell = 30;
    constexpr std::size_t kEnoughWindows = 10;
    const auto all = eachToken(tokens);
    const auto line = leastSquares(all);
    const auto windows =
        joinedTokens(tokens, [](const TrendToken& before, const TrendToken& token) {
            return token.window && token.window == before.window;
        });
    const bool apart = tokens.size() >= kEnoughToTell && windows.size() >= kEnoughWindows && line
        && dependence(trendResiduals(all, *line)) <= 1.0;
    return joinedTokens(tokens, [&](const TrendToken& before, const TrendToken& token) {
        constexpr double kEqualUpTo = 1e-9;
        return std::abs(token.value - before.value) <= kEqualUpTo * std::abs(token.value)
            || (!apart && token.window && token.window == before.window);
    });
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
    for (const Span& span : run.trace.sections) {
        PartSums* own = sumsOf(span.token);
        if (!own)
            continue;
        const Tally cost = tallyOf(span);
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
                own->split = true;
            }
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        PartSums& own = sums[i];
        TokenCost& token = result.tokens[i];
        if (own.layers && !own.split)
            own.of(RunPart::Layers).add(*own.layers);
        Tally all;
        for (const auto& cost : own.parts)
            if (cost)
                all.add(*cost);
        if (all.duration_ns > 0)
            own.of(RunPart::Rest).add(remainderOf(token.cost, all));
        for (std::size_t part = 0; part < kRunPartCount; ++part)
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

std::optional<TrendLine> fitTrend(const TokenCosts& costs)
{
    std::vector<TrendToken> tokens;
    for (const TokenCost& token : costs.tokens) {
        if (token.phase == Phase::Decode && token.value)
            tokens.push_back({static_cast<double>(token.position), *token.value, token.window});
    }
    const std::vector<TrendPoint> points = independentPoints(tokens);
    constexpr std::size_t kFewest = 3;
    if (points.size() < kFewest) { // a line through one or two windows says nothing about the error
        auto line = leastSquares(eachToken(tokens));
        if (line)
            line->slope_error = line->slope_half =
                std::max(line->slope_half, std::abs(line->slope));
        return line;
    }
    const auto all = leastSquares(points);
    constexpr std::size_t kEnough = 40; // with fewer, none is an anomaly
    if (!all || points.size() < kEnough)
        return all;
    const std::vector<double> residuals = trendResiduals(points, *all);
    const RobustScale scale = robustScale(residuals);
    std::vector<TrendPoint> usual;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!scale.anomalous(residuals[i]))
            usual.push_back(points[i]);
    }
    auto line = leastSquares(usual);
    if (!line)
        return all;
    line->left_out = tokens.size() - line->tokens;
    return line;
}

} // namespace ep::viz
