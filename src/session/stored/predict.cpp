// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/predict.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/energy/cost_fit.h"
#include "ep/energy/server_rules.h"
#include "ep/json/document.h"
#include "ep/model/analytic.h"
#include "ep/model/computed_model.h"
#include "ep/model/describe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <iterator>
#include <map>
#include <span>

namespace ep::session {
namespace {

using Columns = std::array<double, 3>; // bytes, FLOPs, passes
constexpr int kMinForError = 3;
constexpr double kMostFactor = 2.0; // less certain predictions are not shown

struct Shape {
    std::int64_t batch = 1;
    std::int64_t input = 1; // tokens per sequence
    std::int64_t output = 1;

    auto operator<=>(const Shape&) const = default;
};

struct Work {
    Columns prefill{};
    Columns decode{};
};

// The facts of a stored run that a fit needs.
struct Seen {
    Work work;
    std::optional<double> prefill; // seconds or joules
    std::optional<double> decode;
    Shape of{};
    std::string run{}; // id of the run

    double total() const { return prefill.value_or(0.0) + decode.value_or(0.0); }
};

Columns columnsOf(const model::PassCost& pass, double passes)
{
    const model::Cost cost = pass.total();
    return {cost.bytes() * passes, cost.flops * passes, passes};
}

Work workOf(const model::ModelDescription& described, const Shape& shape, const std::string& dtype,
            const std::string& device)
{
    const auto computed = model::computedIn(described, dtype, device != "cpu");
    Work work;
    work.prefill = columnsOf(
        model::passCost(computed.config, {.batch = shape.batch, .rows = shape.input, .context = 0},
                        computed.sizes),
        1.0);
    // The cost of a step grows linearly with its context, so the middle step is the mean.
    const std::int64_t steps = shape.output - 1;
    if (steps > 0) {
        work.decode = columnsOf(
            model::passCost(computed.config,
                            {.batch = shape.batch, .rows = 1, .context = shape.input + steps / 2},
                            computed.sizes),
            static_cast<double>(steps));
    }
    return work;
}

using Costs = Columns; // cost per unit of each column

std::optional<Costs> fitCosts(std::span<const Seen* const> runs)
{
    std::vector<energy::CostRow> rows;
    const auto add = [&](const Columns& work, const std::optional<double>& seen) {
        if (!seen || !(*seen > 0.0) || !(work[2] > 0.0))
            return;
        energy::CostRow row;
        for (std::size_t i = 0; i < row.x.size(); ++i)
            row.x[i] = work[i] / *seen;
        row.energy_pj = 1.0;
        rows.push_back(row);
    };
    for (const Seen* run : runs) {
        add(run->work.prefill, run->prefill);
        add(run->work.decode, run->decode);
    }
    const auto fit = energy::fitNonNegative(rows);
    if (!fit)
        return std::nullopt;
    return fit->k;
}

double times(const Costs& costs, const Columns& work)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i)
        sum += costs[i] * work[i];
    return sum;
}

double predictedBy(const Costs& costs, const Seen& run)
{
    return (run.prefill ? times(costs, run.work.prefill) : 0.0)
        + (run.decode ? times(costs, run.work.decode) : 0.0);
}

// Errors of predicting each run from all others.
std::vector<double> errorsOf(std::span<const Seen* const> runs)
{
    std::vector<double> errors;
    for (const Seen* run : runs) {
        std::vector<const Seen*> others(runs.begin(), runs.end());
        std::erase(others, run);
        const auto costs = fitCosts(others);
        if (costs && run->total() > 0.0)
            errors.push_back(std::abs(predictedBy(*costs, *run) / run->total() - 1.0));
    }
    std::sort(errors.begin(), errors.end());
    return errors;
}

// Half the 95 % interval of the logarithm of a prediction, from the error of each cluster of runs
// when it is predicted from the others. Absent with fewer than three clusters.
template <typename Cluster>
std::optional<double> logIntervalOf(std::span<const Seen* const> runs, Cluster Seen::*cluster)
{
    std::map<Cluster, std::vector<const Seen*>> clusters;
    for (const Seen* run : runs)
        clusters[run->*cluster].push_back(run);
    double squares = 0.0;
    int count = 0;
    for (const auto& entry : clusters) {
        std::vector<const Seen*> others;
        std::ranges::copy_if(runs, std::back_inserter(others),
                             [&](const Seen* run) { return run->*cluster != entry.first; });
        const auto costs = fitCosts(others);
        if (!costs)
            continue;
        double ofRuns = 0.0;
        int known = 0;
        for (const Seen* run : entry.second) {
            const double ratio = predictedBy(*costs, *run) / run->total();
            if (!(ratio > 0.0) || !std::isfinite(ratio))
                continue;
            ofRuns += std::log(ratio) * std::log(ratio);
            ++known;
        }
        if (known == 0)
            continue;
        squares += ofRuns / known;
        ++count;
    }
    if (count < kMinForError)
        return std::nullopt;
    return studentFactor(count) * kHalfInterval95 * std::sqrt(squares / count);
}

// Runs of one shape have common errors, so the error is estimated by predicting shapes from each
// other. Runs predict each other only if all have the shape asked for.
std::optional<double> logIntervalFor(const Shape& asked, std::span<const Seen* const> runs)
{
    if (auto half = logIntervalOf(runs, &Seen::of))
        return half;
    const bool same = std::ranges::all_of(runs, [&](const Seen* run) { return run->of == asked; });
    return same ? logIntervalOf(runs, &Seen::run) : std::nullopt;
}

// Absent unless the interval is known and within a factor of two of the figure.
std::optional<PredictedFigure> figureOf(const std::vector<Seen>& all, const Work& work,
                                        const Shape& asked)
{
    std::vector<const Seen*> runs;
    for (const Seen& run : all)
        runs.push_back(&run);
    const auto costs = fitCosts(runs);
    const auto half = costs ? logIntervalFor(asked, runs) : std::nullopt;
    if (!half || *half > std::log(kMostFactor))
        return std::nullopt;
    PredictedFigure figure;
    figure.prefill = times(*costs, work.prefill);
    figure.decode = times(*costs, work.decode);
    figure.runs = static_cast<int>(runs.size());
    const auto errors = errorsOf(runs);
    if (static_cast<int>(errors.size()) >= kMinForError) {
        figure.median_error = quantileOf(errors, 0.5);
        figure.largest_error = errors.back();
    }
    figure.low = figure.total() * std::exp(-*half);
    figure.high = figure.total() * std::exp(*half);
    return figure;
}

Shape shapeOf(const RunInfo& info)
{
    Shape shape;
    shape.batch = std::max<std::int64_t>(1, static_cast<std::int64_t>(info.batch.size()));
    shape.input = std::max<std::int64_t>(1, info.input_tokens / shape.batch);
    shape.output = info.output_tokens / shape.batch;
    return shape;
}

struct Basis {
    std::vector<Seen> seconds;
    std::map<std::string, std::vector<Seen>> joules; // by source
    std::int64_t longest_input = 0;
    std::int64_t longest_output = 0;
    int disturbed = 0; // runs that were left out
};

void addTo(Basis& basis, const RunSummary& run, const model::ModelDescription& described)
{
    const RunMetrics& metrics = run.metrics;
    const Shape shape = shapeOf(run.info);
    const double decoded = static_cast<double>((shape.output - 1) * shape.batch);
    Seen seen{.work = workOf(described, shape, run.info.dtype, run.info.device),
              .prefill = std::nullopt,
              .decode = std::nullopt,
              .of = shape,
              .run = run.info.id};
    Seen energy = seen;
    if (metrics.time_to_first_token_ns)
        seen.prefill = toSeconds(*metrics.time_to_first_token_ns);
    if (metrics.tokens_per_second && *metrics.tokens_per_second > 0.0)
        seen.decode = decoded / *metrics.tokens_per_second;
    if (metrics.joules_per_input_token)
        energy.prefill = *metrics.joules_per_input_token * run.info.input_tokens;
    if (metrics.joules_per_output_token)
        energy.decode = *metrics.joules_per_output_token * decoded;
    if (seen.prefill || seen.decode)
        basis.seconds.push_back(seen);
    if (energy.prefill || energy.decode)
        basis.joules[run.info.power.source].push_back(energy);
    basis.longest_input = std::max(basis.longest_input, shape.input);
    basis.longest_output = std::max(basis.longest_output, shape.output);
}

bool isOf(const RunInfo& info, const ModelFacts& model)
{
    return info.model.fingerprint.empty() || model.fingerprint.empty()
        ? info.model.name == model.name
        : info.model.fingerprint == model.fingerprint;
}

// Other programs make times vary more than a few runs can show.
bool isDisturbed(const RunInfo& info)
{
    const auto& quality = info.power.quality;
    return quality && quality->other_cpu_share.value_or(0.0) > energy::kMaxOtherLoad;
}

// Runs of other models say nothing certain about this one.
Basis basisOf(const PredictionRequest& request, const model::ModelDescription& described,
              const std::vector<RunSummary>& runs)
{
    Basis basis;
    for (const RunSummary& run : runs) {
        const RunInfo& info = run.info;
        // Deep runs execute different code, so they are left out.
        if (info.status == RunStatus::Complete && info.device == request.device
            && info.dtype == request.dtype && info.depth != Depth::Deep && info.output_tokens > 0
            && isOf(info, described.facts)) {
            if (isDisturbed(info))
                ++basis.disturbed;
            else
                addTo(basis, run, described);
        }
    }
    return basis;
}

Error noBasis(const PredictionRequest& request, const std::string& model, const Basis& basis)
{
    const Message what("%1 on %2 in %3", model, request.device, request.dtype);
    if (basis.disturbed > 0)
        return {
            ErrorCode::Unsupported,
            {"The runs of %1 do not determine a prediction: other programs used more than %2 of "
             "the processor in %3 of them, which are left out. Profile some on a quiet machine, "
             "of at least three different lengths.",
             what, formatPercent(energy::kMaxOtherLoad), basis.disturbed}};
    if (basis.seconds.empty())
        return {ErrorCode::Unsupported,
                {"There is no complete run of %1 to predict from: profile some, of at least three "
                 "different lengths.",
                 what}};
    return {ErrorCode::Unsupported,
            {"The runs of %1 do not determine a prediction within a factor of two (%2 so far): "
             "profile more, of at least three different lengths.",
             what, basis.seconds.size()}};
}

std::vector<Message> cautionsOf(const PredictionRequest& request, const Basis& basis,
                                const ModelFacts& model)
{
    std::vector<Message> cautions;
    if (model.context_length > 0
        && request.input_tokens + request.output_tokens > model.context_length)
        cautions.push_back(Message("The model's context ends after %1 tokens, so no run can have "
                                   "these lengths.",
                                   model.context_length));
    if (request.input_tokens > 2 * basis.longest_input
        || request.output_tokens > 2 * basis.longest_output) {
        cautions.push_back(Message(
            "The requested lengths are more than twice the longest recorded (%1 in, %2 out).",
            basis.longest_input, basis.longest_output));
    }
    return cautions;
}

using PredictionJson = json::OrderedJson;

PredictionJson figureJson(const PredictedFigure& figure)
{
    return {{"prefill", figure.prefill},
            {"decode", figure.decode},
            {"total", figure.total()},
            {"low", figure.low},
            {"high", figure.high},
            {"median_error", figure.median_error},
            {"largest_error", figure.largest_error},
            {"runs", figure.runs}};
}

} // namespace

Result<Prediction> predict(const PredictionRequest& request, const std::vector<RunSummary>& runs)
{
    const auto described = model::describeModel(request.model);
    if (!described)
        return described.error();
    const Basis basis = basisOf(request, *described, runs);
    const Shape shape{.batch = request.batch_size,
                      .input = request.input_tokens,
                      .output = request.output_tokens};
    const Work asked = workOf(*described, shape, request.dtype, request.device);
    const ModelFacts& facts = described->facts;
    const auto seconds = figureOf(basis.seconds, asked, shape);
    if (!seconds)
        return noBasis(request, facts.name, basis);

    Prediction prediction;
    prediction.seconds = *seconds;
    prediction.models = {facts.name};
    prediction.cautions = cautionsOf(request, basis, facts);
    // Sources are not mixed: uses the one with the most runs, measured before modelled.
    const std::vector<Seen>* best = nullptr;
    for (const auto& [source, seen] : basis.joules) {
        if (source == kImportedSource)
            continue; // skips other machines and sensors
        const bool modelled = source == "modelled";
        if (best != nullptr && (modelled || (!prediction.modelled && seen.size() <= best->size())))
            continue;
        best = &seen;
        prediction.source = source;
        prediction.modelled = modelled;
    }
    if (best != nullptr)
        prediction.joules = figureOf(*best, asked, shape);
    if (!prediction.joules) {
        prediction.joules_problem = best == nullptr
            ? "None of the runs has energies; they had no power source."
            : "The energies of the runs do not determine a prediction within a factor of two.";
        prediction.source.clear();
        prediction.modelled = false;
    }
    if (prediction.modelled)
        prediction.cautions.push_back("The energies are modelled from the load of the whole "
                                      "machine, so they depend on what else runs.");
    return prediction;
}

std::string predictionToJson(const std::string& model, const PredictionRequest& request,
                             const Prediction& found, int indent)
{
    const PredictionJson json{
        {"format", "energy-profiler-prediction"},
        {"version", 1},
        {"model", model},
        {"device", request.device},
        {"dtype", request.dtype},
        {"input_tokens", request.input_tokens},
        {"output_tokens", request.output_tokens},
        {"batch_size", request.batch_size},
        {"seconds", figureJson(found.seconds)},
        {"joules", found.joules ? figureJson(*found.joules) : PredictionJson()},
        {"joules_problem", found.joules_problem},
        {"power_source", found.source},
        {"modelled", found.modelled},
        {"models", found.models},
        {"cautions", found.cautions}};
    return json::textOf(json, indent) + '\n';
}

} // namespace ep::session
