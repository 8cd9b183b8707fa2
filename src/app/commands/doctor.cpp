// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_text.h"
#include "doctor_ways.h"
#include "exit_status.h"
#include "interrupt.h"
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

constexpr int kMaxSamples = 1'000'000'000;

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
        {.seconds = options.load ? options.seconds : 0.0, .interval_ms = options.power.interval_ms},
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

void addWays(CLI::App& command, DoctorOptions& options)
{
    auto* load = command.add_flag("--load", options.load,
                                  "Measure an alternating load with every sensor and compare them");
    auto* engine =
        command.add_flag("--engine", options.engine,
                         "Load the inference engine and report its libraries and devices");
    auto* test = command.add_flag(
        "--test", options.test,
        "Test everything the program depends on, on this machine; takes under two minutes");
    auto* report =
        command.add_flag("--report", options.report,
                         "Show the contents of a bug report: no prompts, no responses, no names");
    auto* watch =
        command.add_flag("--watch", options.watch, "Print the readings of a power source");
    test->excludes(report)->excludes(watch)->excludes(load)->excludes(engine);
    report->excludes(watch)->excludes(load)->excludes(engine);
    watch->excludes(load)->excludes(engine);

    command.add_flag("--json", options.json,
                     "Print the same as JSON; of --watch, one object for each reading");
    command
        .add_option("--seconds", options.seconds,
                    "Duration of the load of --load and --test (default 5)")
        ->check(realFrom(1.0, 600.0));
    options.power.addTo(command);
    command
        .add_option("--samples", options.samples,
                    "Number of readings (default 10; 0: until Ctrl-C)")
        ->check(CLI::Range(0, kMaxSamples));
    for (const char* const name : {"--power", "--samples", "--idle-watts", "--full-watts"})
        command.get_option(name)->needs(watch);
    command.add_option("--out", options.out, "Also save the report to this file")
        ->type_name("FILE")
        ->needs(report);
    command.add_flag("!--no-sensors", options.sensors, "Do not probe the power sources")
        ->needs(report);
}

} // namespace

void addDoctorCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command = app.add_subcommand(
        "doctor", "Report what this machine can measure, test it, or watch its sensors");
    addWays(*command, *options);
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        options->source = options->power.choice();
        invocation.action = [options, &invocation] {
            return options->test  ? testSelf(*options, invocation)
                : options->report ? reportDiagnostics(*options)
                : options->watch  ? watchPower(*options, invocation)
                                  : diagnose(*options, invocation);
        };
    });
}

} // namespace ep::app
