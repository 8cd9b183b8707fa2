// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/calibrate.h"

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/model/format.h"
#include "ep/session/roofline.h"

#include <QCoreApplication>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

namespace ep::app {

namespace {

constexpr double kLeastRooflineSeconds = 2.0;

struct CalibrateOptions {
    session::RunRequest run{}; // without a model: the machine is measured
    PowerOptions power{};
    DatabaseOption database;
    session::CalibrateRequest request{};
    std::optional<double> seconds{};
    std::vector<std::string> dtypes{}; // formats to measure without a model
    bool no_save = false;
    bool json = false;
};

// Opens the database and stores the measurement with `save`.
template <typename Save>
Status store(const CalibrateOptions& options, const Save& save)
{
    if (options.no_save)
        return {};
    const auto store = openToChange(options.database.path(), true);
    return store ? save(**store) : store.error();
}

int measureMachine(const CalibrateOptions& options, const Interrupt& interrupt)
{
    session::RooflineRequest request{.threads = options.run.load.threads,
                                     .power = options.run.power,
                                     .interval_ms = options.run.interval_ms};
    request.seconds = options.seconds.value_or(request.seconds);
    if (!options.dtypes.empty())
        request.dtypes = options.dtypes;
    const auto report =
        session::measureRoofline(request, session::realBackend(), interrupt.token());
    if (!report)
        return fail(report.error());
    const Status saved = store(options, [&](store::Store& database) {
        Status status;
        for (const MachineRecord& record : report->limits)
            status = status ? database.saveMachine(record) : status;
        return status;
    });
    if (!saved)
        return fail(saved.error());
    if (options.json)
        printJson(session::rooflineToJson(*report) + '\n');
    else
        print(session::rooflineToText(*report));
    return kExitDone;
}

int measureModel(CalibrateOptions& options, const Interrupt& interrupt)
{
    if (const Status found = findFolders(options.run); !found)
        return fail(found.error());
    options.request.load = options.run.load;
    options.request.power = options.run.power;
    options.request.interval_ms = options.run.interval_ms;
    double& seconds = options.request.settings.block_seconds;
    seconds = options.seconds.value_or(seconds);
    ProgressLine progress;
    const auto report = session::calibrate(options.request, session::realBackend(),
                                           interrupt.token(), progress.shown());
    progress.clear();
    if (!report)
        return fail(report.error());
    if (report->usable()) {
        const Status saved = store(options, [&](store::Store& database) {
            return database.saveCalibration(report->record);
        });
        if (!saved)
            return fail(saved.error());
    }
    if (options.json)
        printJson(session::calibrationToJson(*report) + '\n');
    else
        print(session::calibrationToText(*report));
    return report->usable() ? kExitDone : fail(Error{ErrorCode::Unsupported, report->refusal});
}

int calibrate(CalibrateOptions& options, Invocation& invocation)
{
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    return options.run.load.folder.empty() ? measureMachine(options, interrupt)
                                           : measureModel(options, interrupt);
}

// Completes the power source; without a model, also checks --seconds and splits the list of
// formats.
void check(CalibrateOptions& options)
{
    options.power.finish(options.run.power);
    if (!options.run.load.folder.empty())
        return;
    if (options.seconds && *options.seconds < kLeastRooflineSeconds)
        throw CLI::ValidationError("--seconds: without --model, at least 2 seconds are needed");
    if (options.run.load.dtype == "auto")
        return;
    std::vector<std::string> known = session::runSetting("dtype").values.list();
    std::erase(known, "auto");
    std::istringstream words(options.run.load.dtype);
    for (std::string word; std::getline(words, word, ',');) {
        if (std::ranges::find(known, word) == known.end())
            throw CLI::ValidationError("--dtype: " + word + " is no number format of a machine");
        options.dtypes.push_back(word);
    }
}

} // namespace

void addCalibrateCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = app.add_subcommand(
        "calibrate",
        "Measure how fast this machine computes and reads memory, and what that costs; with "
        "--model, what each kind of component costs. Later runs and `runs why` use it");
    addModel(*command, options->run);
    CLI::Option* const model = command->get_option("--model")->required(false);
    // Without a model, several formats are measured.
    command->get_option("--dtype")->join(',');
    options->power.addTo(*command, options->run);
    command
        ->add_option("--seconds", options->seconds,
                     "Duration of the measurement (default 10); with --model, seconds for which "
                     "each kind is repeated at a time, at least 15 windows of the power source "
                     "(default 2)")
        ->check(realFrom(0.01, 600.0));
    command
        ->add_option("--rounds", options->request.settings.rounds,
                     "Times that each kind is measured, in random order (default 5)")
        ->check(wholeFrom(1, 100));
    command->add_option("--prompt", options->request.prompt,
                        "Text of which the tokens are recorded (default: a short story)");
    for (const char* const name : {"--device", "--kernels", "--rounds", "--prompt"})
        command->get_option(name)->needs(model);
    command->add_flag("--no-save", options->no_save, "Do not store the result");
    command->add_flag("--json", options->json, "Print the result as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        check(*options);
        invocation.action = [options, &invocation] { return calibrate(*options, invocation); };
    });
}

} // namespace ep::app
