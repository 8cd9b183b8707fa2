// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/insights.h"

#include "ep/core/enum_words.h"
#include "ep/core/quantile.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/energy_origin.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace ep::energy {

std::string_view title(RunFeature feature)
{
    constexpr std::array<std::string_view, kRunFeatureCount> kTitles{
        "Active parameters", "Layers",     "Hidden size",    "Input tokens",
        "Output tokens",     "Batch size", "Bits per weight"};
    return wordOf(kTitles, feature);
}

std::optional<double> valueOf(RunFeature feature, const RunInfo& info)
{
    const auto positive = [](double value) {
        return value > 0.0 ? std::optional(value) : std::nullopt;
    };
    switch (feature) {
    case RunFeature::Parameters:
        return positive(static_cast<double>(info.model.active_parameters > 0
                                                ? info.model.active_parameters
                                                : info.model.parameters));
    case RunFeature::Layers:
        return positive(info.model.layers);
    case RunFeature::HiddenSize:
        return positive(info.model.hidden_size);
    case RunFeature::InputTokens:
        return positive(static_cast<double>(info.input_tokens) / batchSize(info));
    case RunFeature::OutputTokens:
        return positive(static_cast<double>(info.output_tokens) / batchSize(info));
    case RunFeature::BatchSize:
        return batchSize(info);
    case RunFeature::BitsPerWeight:
        return info.model.parameters > 0
            ? positive(8.0 * static_cast<double>(info.model.weight_bytes)
                       / static_cast<double>(info.model.parameters))
            : std::nullopt;
    }
    return std::nullopt;
}

std::string_view title(RunGrouping grouping)
{
    constexpr std::array<std::string_view, kRunGroupingCount> kTitles{
        "Model", "Number format", "Attention heads", "Device", "Batch size"};
    return wordOf(kTitles, grouping);
}

std::string modelAndEngine(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    const auto& command = info.profiling.command;
    std::string engine = server ? server->engine : command ? command->engine : "";
    if (constexpr std::string_view kPrefix = "recorded: "; engine.starts_with(kPrefix))
        engine.erase(0, kPrefix.size());
    return info.model.name.empty() || engine.empty() ? info.model.name
                                                     : info.model.name + ", " + engine;
}

std::string groupOf(RunGrouping grouping, const RunInfo& info)
{
    switch (grouping) {
    case RunGrouping::Model:
        return modelAndEngine(info);
    case RunGrouping::NumberFormat:
        return info.dtype;
    case RunGrouping::Attention:
        if (info.model.kv_heads <= 0 || info.model.attention_heads <= 0)
            return {};
        return info.model.kv_heads == info.model.attention_heads ? "MHA"
            : info.model.kv_heads == 1                           ? "MQA"
                                                                 : "GQA";
    case RunGrouping::Device:
        return info.device;
    case RunGrouping::BatchSize:
        return std::to_string(batchSize(info));
    }
    return {};
}

std::vector<const RunSummary*> alikeBut(MayDiffer differ,
                                        const std::vector<const RunSummary*>& runs)
{
    const auto keep = [](const std::vector<const RunSummary*>& from, const auto& valueOf) {
        std::map<std::string, std::size_t> counts;
        for (const RunSummary* run : from)
            ++counts[valueOf(run->info)];
        const auto most =
            std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        std::vector<const RunSummary*> kept;
        std::ranges::copy_if(from, std::back_inserter(kept), [&](const RunSummary* run) {
            return valueOf(run->info) == most->first;
        });
        return kept;
    };
    std::vector<const RunSummary*> kept = runs;
    if (!differ.model)
        kept = keep(kept, modelAndEngine);
    if (!differ.format)
        kept = keep(kept, [](const RunInfo& info) { return info.dtype; });
    return kept;
}

MayDiffer differingWith(RunFeature feature)
{
    const bool ofModel = feature == RunFeature::Parameters || feature == RunFeature::Layers
        || feature == RunFeature::HiddenSize;
    return {.model = ofModel, .format = feature == RunFeature::BitsPerWeight};
}

MayDiffer differingWith(RunGrouping grouping)
{
    return {.model = grouping == RunGrouping::Model || grouping == RunGrouping::Attention,
            .format = grouping == RunGrouping::NumberFormat};
}

std::string_view energyOrigin(const RunSummary& run)
{
    Provenance provenance = run.metrics.energy.provenance;
    if (provenance == Provenance::Missing)
        return {};
    if (run.info.power.source == kImportedSource)
        provenance = Provenance::Imported;
    if (provenance == Provenance::Attributed || provenance == Provenance::Calibrated)
        provenance = Provenance::Measured;
    return originOf(run.info.power.source, provenance).label;
}

std::vector<InsightGroup> groupBy(RunGrouping grouping, RunFigure metric,
                                  const std::vector<const RunSummary*>& runs)
{
    struct Members {
        std::vector<double> values;
        Provenance worst = Provenance::Measured;
        std::set<std::string> sources{};
    };
    std::set<std::string_view> origins;
    for (const RunSummary* run : runs) {
        if (needsEnergy(metric) && valueOf(metric, *run))
            origins.insert(energyOrigin(*run));
    }
    const bool mixed = origins.size() > 1;
    std::map<std::string, Members> groups;
    for (const RunSummary* run : runs) {
        const auto value = valueOf(metric, *run);
        std::string group = groupOf(grouping, run->info);
        if (!value || group.empty())
            continue;
        if (mixed)
            group += " (" + std::string(energyOrigin(*run)) + ')';
        Members& members = groups[group];
        members.values.push_back(*value);
        members.sources.insert(run->info.power.source);
        if (needsEnergy(metric))
            members.worst = std::max(members.worst, run->metrics.energy.provenance);
    }
    std::vector<InsightGroup> all;
    for (const auto& [name, members] : groups)
        all.push_back({name, describe(members.values), members.worst,
                       members.sources.size() == 1 ? *members.sources.begin() : std::string()});
    const bool higher = factsOf(metric).better == Better::Higher;
    std::stable_sort(all.begin(), all.end(), [&](const InsightGroup& a, const InsightGroup& b) {
        return higher ? a.statistics.mean > b.statistics.mean
                      : a.statistics.mean < b.statistics.mean;
    });
    return all;
}

std::optional<TokenCosts> tokenCosts(const std::vector<const RunSummary*>& runs)
{
    std::vector<double> inputs;
    std::vector<double> decoded;
    for (const RunSummary* run : runs) {
        const auto input = run->metrics.joules_per_input_token;
        const auto output = run->metrics.joules_per_output_token;
        if (!input || !output || !(*input > 0.0))
            continue;
        inputs.push_back(*input);
        decoded.push_back(*output);
    }
    if (inputs.empty())
        return std::nullopt;
    return TokenCosts{describe(inputs), describe(decoded)};
}

double PowerLaw::at(double x) const
{
    return factor * std::pow(x, exponent);
}

bool PowerLaw::holds() const
{
    constexpr double kLeastExplained = 0.5; // R²
    return r2 >= kLeastExplained && exponent_ci95
        && (exponent_ci95->low > 0.0 || exponent_ci95->high < 0.0);
}

std::optional<Interval> PowerLaw::bandAt(double x) const
{
    if (!(t_quantile > 0.0) || !(x > 0.0))
        return std::nullopt;
    const double distance = std::log(x) - mean_log_x;
    const double error =
        residual_sd * std::sqrt(1.0 / static_cast<double>(points) + distance * distance / sxx);
    const double width = std::exp(t_quantile * error);
    return Interval{at(x) / width, at(x) * width};
}

namespace {

// The logarithms of one point: the mean of the repeats of a cluster at one x.
struct LogPoint {
    double x = 0.0;
    double y = 0.0;
    std::size_t cluster = 0;
};

struct LogPoints {
    std::vector<LogPoint> points;
    std::size_t clusters = 0;
    std::int64_t runs = 0;
};

LogPoints logPointsOf(const std::vector<double>& x, const std::vector<double>& y,
                      const std::vector<std::string>& clusters)
{
    LogPoints result;
    std::map<std::string, std::size_t> numbers;
    std::map<std::pair<std::size_t, double>, std::vector<double>> repeats;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (!(x[i] > 0.0) || !(y[i] > 0.0) || !std::isfinite(x[i]) || !std::isfinite(y[i]))
            continue;
        const std::size_t cluster = i < clusters.size()
            ? numbers.try_emplace(clusters[i], numbers.size()).first->second
            : i;
        ++result.runs;
        if (clusters.empty())
            result.points.push_back({std::log(x[i]), std::log(y[i]), cluster});
        else
            repeats[{cluster, std::log(x[i])}].push_back(std::log(y[i]));
    }
    for (const auto& [key, values] : repeats)
        result.points.push_back({key.second, meanOf(values), key.first});
    result.clusters = clusters.empty() ? result.points.size() : numbers.size();
    return result;
}

// Variance of the slope from the sums of x-weighted residuals over clusters.
double clusterVariance(const LogPoints& data, const PowerLaw& fit, double meanY)
{
    std::map<std::size_t, double> sums;
    for (const LogPoint& point : data.points) {
        const double dx = point.x - fit.mean_log_x;
        sums[point.cluster] += dx * (point.y - meanY - fit.exponent * dx);
    }
    double squares = 0.0;
    for (const auto& [cluster, sum] : sums)
        squares += sum * sum;
    const auto g = static_cast<double>(data.clusters);
    const auto n = static_cast<double>(data.points.size());
    return squares / (fit.sxx * fit.sxx) * g / (g - 1.0) * (n - 1.0) / (n - 2.0);
}

} // namespace

std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y,
                                    const std::vector<std::string>& clusters)
{
    const LogPoints data = logPointsOf(x, y, clusters);
    std::vector<double> logX;
    std::vector<double> logY;
    for (const LogPoint& point : data.points) {
        logX.push_back(point.x);
        logY.push_back(point.y);
    }
    if (std::set<double>(logX.begin(), logX.end()).size() < 3)
        return std::nullopt;
    PowerLaw fit;
    fit.n = data.runs;
    fit.points = std::ssize(data.points);
    fit.clusters = static_cast<std::int64_t>(data.clusters);
    fit.mean_log_x = meanOf(logX);
    const double meanY = meanOf(logY);
    double sxy = 0.0;
    double syy = 0.0;
    for (std::size_t i = 0; i < logX.size(); ++i) {
        const double dx = logX[i] - fit.mean_log_x;
        const double dy = logY[i] - meanY;
        fit.sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    fit.exponent = sxy / fit.sxx;
    fit.factor = std::exp(meanY - fit.exponent * fit.mean_log_x);
    const double residual = std::max(0.0, syy - fit.exponent * sxy);
    fit.r2 = syy > 0.0 ? 1.0 - residual / syy : 1.0;
    double df = static_cast<double>(fit.points - 2);
    double slopeSd = std::sqrt(residual / df / fit.sxx);
    constexpr std::int64_t kMinClusters = 3;
    if (fit.clusters >= kMinClusters && fit.clusters < fit.points) {
        slopeSd = std::max(slopeSd, std::sqrt(clusterVariance(data, fit, meanY)));
        df = static_cast<double>(fit.clusters - 2);
    }
    fit.residual_sd = slopeSd * std::sqrt(fit.sxx);
    fit.t_quantile = studentQuantile(0.975, df);
    const double half = fit.t_quantile * slopeSd;
    fit.exponent_ci95 = Interval{fit.exponent - half, fit.exponent + half};
    return fit;
}

std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (std::isfinite(x[i]) && std::isfinite(y[i]))
            order.push_back(i);
    }
    // Starting with the fastest, keeps only points that cost less than all faster ones.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return x[a] != x[b] ? x[a] > x[b] : y[a] < y[b];
    });
    std::vector<std::size_t> front;
    double cheapest = std::numeric_limits<double>::infinity();
    for (const std::size_t i : order) {
        if (y[i] < cheapest) {
            cheapest = y[i];
            front.push_back(i);
        }
    }
    std::reverse(front.begin(), front.end());
    return front;
}

std::optional<std::size_t> kneeOf(const std::vector<std::size_t>& front,
                                  const std::vector<double>& x, const std::vector<double>& y)
{
    if (front.size() < 3)
        return std::nullopt;
    const double width = x[front.back()] - x[front.front()];
    const double height = y[front.back()] - y[front.front()];
    std::size_t best = 0;
    double furthest = 0.0;
    for (std::size_t i = 1; i + 1 < front.size(); ++i) {
        const double across = (x[front[i]] - x[front.front()]) / width;
        const double up = (y[front[i]] - y[front.front()]) / height;
        const double distance = std::abs(across - up);
        if (distance > furthest) {
            furthest = distance;
            best = i;
        }
    }
    return furthest > 0.0 ? std::optional(best) : std::nullopt;
}

} // namespace ep::energy
