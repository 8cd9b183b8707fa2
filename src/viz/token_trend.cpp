// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/student.h"
#include "ep/viz/token_cost.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

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

// How many points carry as much as one independent one: 1 + 2 x the sum of the correlations, up to
// the first that may be chance.
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
    // From so many tokens and windows on, a correlation between neighbours would be seen.
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

std::optional<TrendLine> fitTrend(const TokenCosts& costs)
{
    std::vector<TrendToken> tokens;
    for (const TokenCost& token : costs.tokens) {
        if (token.phase == Phase::Decode && token.value)
            tokens.push_back({static_cast<double>(token.position), *token.value, token.window});
    }
    const std::vector<TrendPoint> points = independentPoints(tokens);
    constexpr std::size_t kFewest = 3;
    if (points.size() < kFewest) { // of one or two windows, which say nothing about the error
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
