// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/predict.h"

#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "resources.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/model/describe.h"
#include "ep/model/format.h"

#include <memory>

namespace ep::app {

namespace {

using session::PredictedFigure;

struct PredictOptions {
    DatabaseOption database;
    std::string model{};
    std::string device = "cpu";
    std::string dtype = "auto";
    session::PredictionRequest request{};
    bool json = false;
};

Result<session::Prediction> predictFrom(const PredictOptions& options,
                                        session::PredictionRequest& request)
{
    const auto folder = findModel(options.model);
    if (!folder)
        return folder.error();
    const auto described = model::describeModel(*folder);
    if (!described)
        return described.error();
    request.model = *folder;
    request.device = options.device;
    request.dtype = options.dtype == "auto" ? described->format : model::formatName(options.dtype);
    const auto store = openExisting(options.database.path());
    if (!store)
        return store.error();
    const auto runs = (*store)->list();
    if (!runs)
        return runs.error();
    return session::predict(request, *runs);
}

std::string errorText(const PredictedFigure& figure)
{
    if (!figure.median_error)
        return kMissingText;
    return formatPercent(*figure.median_error) + " median, " + formatPercent(*figure.largest_error)
        + " at most";
}

std::string asText(const session::PredictionRequest& request, const session::Prediction& found)
{
    using Align = TextTable::Align;
    constexpr double kNanoseconds = 1e9;
    constexpr double kMillijoules = 1000.0;
    TextTable table({{""},
                     {"prefill", Align::Right},
                     {"decode", Align::Right},
                     {"total", Align::Right},
                     {"95 % interval", Align::Right},
                     {"error", Align::Right},
                     {"from", Align::Right}});
    const auto add = [&](const char* title, const PredictedFigure& figure, auto format) {
        table.addRow(
            {title, format(figure.prefill), format(figure.decode), format(figure.total()),
             figure.low ? format(*figure.low) + " to " + format(*figure.high) : kMissingText,
             errorText(figure), counted(figure.runs, "run")});
    };
    add("time", found.seconds, [&](double seconds) {
        return formatDuration(static_cast<Nanoseconds>(seconds * kNanoseconds));
    });
    if (found.joules) {
        add("energy", *found.joules,
            [&](double joules) { return formatEnergy(Millijoules{joules * kMillijoules}); });
    }
    std::string text = table.toString() + '\n';
    if (found.joules) {
        const double tokens = static_cast<double>(request.output_tokens * request.batch_size);
        text += "per token  "
            + formatEnergy(Millijoules{found.joules->total() * kMillijoules / tokens}) + ", "
            + (found.modelled ? "modelled" : "from measurements by " + found.source) + '\n';
    } else {
        text += wrapped("No energy: " + found.joules_problem.english()) + '\n';
    }
    text += wrapped("Costs per byte, per FLOP and per pass, fitted to stored runs of "
                    + joined(found.models) + " on " + request.device + " in " + request.dtype
                    + ". The error is from predicting each of these runs from all the others.")
        + '\n';
    for (const Message& caution : found.cautions)
        text += wrapped(caution.english()) + '\n';
    return text;
}

int predictRun(const PredictOptions& options)
{
    session::PredictionRequest request = options.request;
    const auto found = predictFrom(options, request);
    if (!found)
        return fail(found.error());
    options.json ? printJson(session::predictionToJson(request.model.string(), request, *found))
                 : print(asText(request, *found));
    return kExitDone;
}

} // namespace

void addPredictCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<PredictOptions>();
    CLI::App* command =
        app.add_subcommand("predict", "Estimate the time and energy of a run from stored runs");
    command->add_option("--model", options->model, "Model folder, or name of a known model")
        ->required()
        ->type_name("DIR");
    command->add_option("--input-tokens", options->request.input_tokens, "Number of prompt tokens")
        ->required()
        ->check(wholeFrom(1, session::kMaxPredictedTokens));
    command
        ->add_option("--max-new-tokens", options->request.output_tokens,
                     "Number of tokens to generate")
        ->required()
        ->check(wholeFrom(1, session::kMaxPredictedTokens));
    command
        ->add_option("--batch-size", options->request.batch_size, "Number of sequences (default 1)")
        ->check(settingCheck("batch_size"));
    command
        ->add_option("--device", options->device,
                     "Device of the stored runs: cpu (default), mps, cuda:0")
        ->check(settingCheck("device"));
    command
        ->add_option("--dtype", options->dtype,
                     "Compute type: " + model::formatChoicesText() + "; auto is as stored")
        ->check(settingCheck("dtype"));
    command->add_flag("--json", options->json, "Print the prediction as JSON");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return predictRun(*options); }; });
}

} // namespace ep::app
