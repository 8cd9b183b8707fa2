// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/calibrate.h"

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "resources.h"
#include "runs_options.h"
#include "terminal.h"

#include <QCoreApplication>

#include <memory>

namespace ep::app {

namespace {

struct CalibrateOptions {
    ModelOptions model;
    PowerOptions power;
    DatabaseOption database;
    session::CalibrateRequest request{};
    bool no_save = false;
    bool json = false;
};

int calibrate(CalibrateOptions& options, Invocation& invocation)
{
    const auto folder = findModel(options.model.model);
    if (!folder)
        return fail(folder.error());
    options.request.load = {.folder = *folder,
                            .device = options.model.device,
                            .dtype = options.model.dtype,
                            .threads = options.model.threads,
                            .kernels = options.model.kernels};
    options.request.power = options.power.choice();
    options.request.interval_ms = options.power.interval_ms;
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    ProgressLine progress;
    const auto report = session::calibrate(options.request, session::realBackend(),
                                           interrupt.token(), progress.shown());
    progress.clear();
    if (!report)
        return fail(report.error());
    if (report->usable() && !options.no_save) {
        const auto store = openToChange(options.database.path(), true);
        if (!store)
            return fail(store.error());
        if (const Status saved = (*store)->saveCalibration(report->record); !saved)
            return fail(saved.error());
    }
    if (options.json)
        printJson(session::calibrationToJson(*report) + '\n');
    else
        print(session::calibrationToText(*report));
    return report->usable() ? kExitDone : fail(Error{ErrorCode::Unsupported, report->refusal});
}

} // namespace

void addCalibrateCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = app.add_subcommand(
        "calibrate",
        "Measure what each kind of component of a model costs on this machine, by repeating it "
        "alone; later runs of the model use it");
    options->model.addTo(*command);
    options->power.addTo(*command, "--power");
    energy::CalibrationSettings& settings = options->request.settings;
    command
        ->add_option(
            "--seconds", settings.block_seconds,
            "Seconds for which each kind is repeated at a time, at least 15 windows of the "
            "power source (default 2)")
        ->check(realFrom(0.01, 600.0));
    command
        ->add_option("--rounds", settings.rounds,
                     "Times that each kind is measured, in random order (default 5)")
        ->check(CLI::Range(1, 100));
    command->add_option("--prompt", options->request.prompt,
                        "Text of which the tokens are recorded (default: a short story)");
    command->add_flag("--no-save", options->no_save, "Do not store the calibration");
    command->add_flag("--json", options->json, "Print the calibration as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return calibrate(*options, invocation); };
    });
}

} // namespace ep::app
