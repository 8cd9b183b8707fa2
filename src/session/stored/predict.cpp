// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/predict.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/core/student.h"
#include "ep/energy/cost_fit.h"
#include "ep/model/analytic.h"
#include "ep/model/describe.h"
#include "ep/model/dtype_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace ep::session {

namespace {

using Columns = std::array<double, 3>; // bytes, FLOPs, passes
constexpr int kMinForError = 3;

struct Shape {
    std::int64_t batch = 1;
    std::int64_t input = 1; // tokens per sequence
    std::int64_t output = 1;
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
    std::string model{};
    std::string shape{}; // together with the model

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
    const auto computed = model::usualDType(dtype, described.stored);
    const auto sizes = model::numberSizes(computed, described.stored, device != "cpu");
    Work work;
    work.prefill =
        columnsOf(model::passCost(described.config,
                                  {.batch = shape.batch, .rows = shape.input, .context = 0}, sizes),
                  1.0);
    // The cost of a step grows linearly with its context, so the middle step is the mean.
    const std::int64_t steps = shape.output - 1;
    if (steps > 0) {
        work.decode = columnsOf(
            model::passCost(described.config,
                            {.batch = shape.batch, .rows = 1, .context = shape.input + steps / 2},
                            sizes),
            static_cast<double>(steps));
    }
    return work;
}

using Costs = Columns; // cost per unit of each column
using Cluster = std::string Seen::*; // runs with equal values have common errors

std::optional<Costs> fitCosts(std::span<const Seen* const> runs)
{
    std::map<std::string, int> ofModel;
    for (const Seen* run : runs)
        ++ofModel[run->model];
    std::vector<energy::CostRow> rows;
    const auto add = [&](const Columns& work, const std::optional<double>& seen, int repeats) {
        if (!seen || !(*seen > 0.0) || !(work[2] > 0.0))
            return;
        const double weight = 1.0 / std::sqrt(repeats);
        energy::CostRow row;
        for (std::size_t i = 0; i < row.x.size(); ++i)
            row.x[i] = weight * work[i] / *seen;
        row.energy_pj = weight;
        rows.push_back(row);
    };
    for (const Seen* run : runs) {
        add(run->work.prefill, run->prefill, ofModel[run->model]);
        add(run->work.decode, run->decode, ofModel[run->model]);
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
std::optional<double> logIntervalOf(std::span<const Seen* const> runs, Cluster cluster)
{
    std::map<std::string, std::vector<const Seen*>> clusters;
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

std::optional<PredictedFigure> figureOf(const std::vector<Seen>& all, const Work& asked,
                                        const std::string& model)
{
    std::vector<const Seen*> runs;
    bool ofModel = true; // whether all runs are of that model
    for (const Seen& run : all) {
        runs.push_back(&run);
        ofModel = ofModel && run.model == model;
    }
    const auto costs = fitCosts(runs);
    if (!costs)
        return std::nullopt;
    PredictedFigure figure;
    figure.prefill = times(*costs, asked.prefill);
    figure.decode = times(*costs, asked.decode);
    figure.runs = static_cast<int>(runs.size());
    const auto errors = errorsOf(runs);
    if (static_cast<int>(errors.size()) >= kMinForError) {
        figure.median_error = quantileOf(errors, 0.5);
        figure.largest_error = errors.back();
    }
    if (const auto half = logIntervalOf(runs, ofModel ? &Seen::shape : &Seen::model)) {
        figure.low = figure.total() * std::exp(-*half);
        figure.high = figure.total() * std::exp(*half);
    }
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

// Model descriptions, each read once; absent if the folder no longer exists.
class Descriptions {
public:
    const model::ModelDescription* of(const std::string& folder)
    {
        auto found = m_known.find(folder);
        if (found == m_known.end()) {
            auto read = model::describeModel(folder);
            std::optional<model::ModelDescription> value;
            if (read)
                value = std::move(*read);
            found = m_known.emplace(folder, std::move(value)).first;
        }
        return found->second ? &*found->second : nullptr;
    }

private:
    std::map<std::string, std::optional<model::ModelDescription>> m_known;
};

struct Basis {
    std::vector<Seen> seconds;
    std::map<std::string, std::vector<Seen>> joules; // by source
    std::set<std::string> models;
    std::int64_t longest_input = 0;
    std::int64_t longest_output = 0;
    int gone = 0; // runs whose model folder no longer exists
};

void addTo(Basis& basis, const RunSummary& run, const model::ModelDescription& described)
{
    const RunMetrics& metrics = run.metrics;
    const Shape shape = shapeOf(run.info);
    const double decoded = static_cast<double>((shape.output - 1) * shape.batch);
    Seen seen{.work = workOf(described, shape, run.info.dtype, run.info.device),
              .prefill = std::nullopt,
              .decode = std::nullopt,
              .model = run.info.model.name,
              .shape = run.info.model.name + ' ' + std::to_string(shape.batch) + ' '
                  + std::to_string(shape.input) + ' ' + std::to_string(shape.output)};
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
    basis.models.insert(run.info.model.name);
    basis.longest_input = std::max(basis.longest_input, shape.input);
    basis.longest_output = std::max(basis.longest_output, shape.output);
}

Basis basisOf(const PredictionRequest& request, const std::vector<RunSummary>& runs)
{
    Basis basis;
    Descriptions descriptions;
    for (const RunSummary& run : runs) {
        const RunInfo& info = run.info;
        // Deep runs execute different code, so they are left out.
        if (info.status != RunStatus::Complete || info.device != request.device
            || info.dtype != request.dtype || info.depth == Depth::Deep || info.output_tokens <= 0)
            continue;
        if (const auto* described = descriptions.of(info.model.path))
            addTo(basis, run, *described);
        else
            ++basis.gone;
    }
    return basis;
}

Error noBasis(const PredictionRequest& request, const Basis& basis)
{
    const bool none = basis.seconds.empty();
    const Message what("on %1 in %2", request.device, request.dtype);
    if (basis.gone > 0)
        return {ErrorCode::Unsupported,
                {none ? "There is no complete run %1 to predict from (%2 more, whose model folders "
                        "are gone): profile two or more runs %3, of different lengths or models."
                      : "One complete run %1 is not enough to separate the costs (%2 more, whose "
                        "model folders are gone): profile two or more runs %3, of different "
                        "lengths or models.",
                 what, basis.gone, what}};
    return {ErrorCode::Unsupported,
            {none ? "There is no complete run %1 to predict from: profile two or more runs %2, of "
                    "different lengths or models."
                  : "One complete run %1 is not enough to separate the costs: profile two or more "
                    "runs %2, of different lengths or models.",
             what, what}};
}

std::vector<Message> cautionsOf(const PredictionRequest& request, const Basis& basis,
                                const std::string& model)
{
    std::vector<Message> cautions;
    if (!basis.models.contains(model)) {
        cautions.push_back(Message(
            "No run of this model is among them: the costs of %1 other model(s) are used instead.",
            basis.models.size()));
    }
    if (request.input_tokens > 2 * basis.longest_input
        || request.output_tokens > 2 * basis.longest_output) {
        cautions.push_back(Message(
            "The requested lengths are more than twice the longest recorded (%1 in, %2 out).",
            basis.longest_input, basis.longest_output));
    }
    return cautions;
}

} // namespace

Result<Prediction> predict(const PredictionRequest& request, const std::vector<RunSummary>& runs)
{
    const auto described = model::describeModel(request.model);
    if (!described)
        return described.error();
    const Basis basis = basisOf(request, runs);
    const Work asked = workOf(*described,
                              {.batch = request.batch_size,
                               .input = request.input_tokens,
                               .output = request.output_tokens},
                              request.dtype, request.device);
    const auto seconds = figureOf(basis.seconds, asked, described->facts.name);
    if (!seconds)
        return noBasis(request, basis);

    Prediction prediction;
    prediction.seconds = *seconds;
    prediction.models.assign(basis.models.begin(), basis.models.end());
    prediction.cautions = cautionsOf(request, basis, described->facts.name);
    // Sources are not mixed: uses the one with the most runs, measured before modelled.
    const std::vector<Seen>* best = nullptr;
    for (const auto& [source, seen] : basis.joules) {
        if (source == kImportedSource)
            continue; // other machines and sensors
        const bool modelled = source == "modelled";
        if (best != nullptr && (modelled || (!prediction.modelled && seen.size() <= best->size())))
            continue;
        best = &seen;
        prediction.source = source;
        prediction.modelled = modelled;
    }
    if (best != nullptr)
        prediction.joules = figureOf(*best, asked, described->facts.name);
    if (!prediction.joules) {
        prediction.joules_problem = best == nullptr
            ? "None of the runs has energies; they had no power source."
            : "Only one run has energies of one source, which is too few.";
        prediction.source.clear();
        prediction.modelled = false;
    }
    if (!seconds->median_error) {
        prediction.cautions.push_back(
            "Only two runs: the error cannot be estimated; this needs three.");
    }
    return prediction;
}

} // namespace ep::session
