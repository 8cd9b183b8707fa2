// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "doctor_text.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/model/engine_library.h"
#include "ep/session/environment.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <QCoreApplication>

#include <memory>

namespace ep::app {

namespace {

struct DoctorOptions {
    DatabaseOption database;
    bool json = false;
    bool load = false;
    bool engine = false;
    double seconds = 5.0;
    int interval_ms = 100;
};

std::string databaseProblem(const std::filesystem::path& database)
{
    if (!store::mayExist(database))
        return {};
    const auto store = store::Store::open(database);
    return store ? std::string() : store.error().message.english();
}

// Loads LibTorch only if asked to, because that takes most of a second and hundreds of megabytes.
EngineFindings examineEngine(bool load)
{
    EngineFindings engine{.file = model::EngineLibrary::find(), .versions = {}};
    if (!load || !engine.file)
        return engine;
    if (const auto library = model::EngineLibrary::open()) {
        engine.versions = (*library)->versions();
        engine.devices = (*library)->devices();
        engine.kernels = (*library)->checkDeviceKernels();
    } else {
        engine.file = library.error();
    }
    return engine;
}

DoctorFindings examine(const DoctorOptions& options, const CancelToken& cancel)
{
    ProgressLine progress;
    auto exam = session::examineSensors(
        {.seconds = options.load ? options.seconds : 0.0, .interval_ms = options.interval_ms},
        session::realBackend(), cancel, [&](double fraction, const Message& what) {
            if (!options.json)
                progress.show(fraction, what);
        });
    progress.clear();
    return {.environment = session::readEnvironment(),
            .sensors = std::move(exam),
            .engine = examineEngine(options.engine),
            .models = model::discoverModels(modelFolders()),
            .database = options.database.path(),
            .database_problem = databaseProblem(options.database.path())};
}

int diagnose(const DoctorOptions& options, Invocation& invocation)
{
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    const DoctorFindings findings = examine(options, interrupt.token());
    if (interrupt.token().cancelled()) {
        printError("Cancelled.");
        return kExitCancelled;
    }
    options.json ? printJson(doctorJson(findings)) : print(doctorText(findings));
    return kExitDone;
}

} // namespace

void addDoctorCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command =
        app.add_subcommand("doctor", "Report what this machine can measure, and what is missing");
    command->add_flag("--json", options->json, "Print the findings as JSON");
    command->add_flag("--load", options->load,
                      "Measure an alternating load with every sensor and compare them");
    command->add_flag("--engine", options->engine,
                      "Load the inference engine and report its libraries and devices");
    command->add_option("--seconds", options->seconds, "Duration of the load (default 5)")
        ->check(realFrom(1.0, 600.0));
    command->add_option("--interval-ms", options->interval_ms, "Requested sampling interval")
        ->check(CLI::Range(1, 60'000));
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return diagnose(*options, invocation); };
    });
}

} // namespace ep::app
