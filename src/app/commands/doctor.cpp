// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_ways.h"
#include "exit_status.h"
#include "interrupt.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/core/run.h"
#include "ep/json/document.h"
#include "ep/model/engine_library.h"
#include "ep/model/library.h"
#include "ep/session/environment.h"
#include "ep/session/sensor_doctor.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <QCoreApplication>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::app {
namespace {

struct EngineFindings {
    Result<model::EngineFile> file;
    std::optional<model::EngineVersions> versions; // if LibTorch was loaded
    std::vector<std::string> devices{}; // if LibTorch was loaded
    std::vector<model::DeviceKernelCheck> kernels{}; // if LibTorch was loaded
};

// All findings, before they are formatted as text or JSON.
struct DoctorFindings {
    Environment environment;
    session::SensorExam sensors;
    EngineFindings engine;
    std::vector<model::ModelListing> models;
    std::filesystem::path database;
    std::string database_problem; // empty: it is writable, or can be created
};

using Json = json::OrderedJson;
using session::SensorCheck;

std::string join(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string sensorText(const SensorCheck& check)
{
    const power::SourceReport& source = check.report;
    std::string text = source.available ? "  + " : "  - ";
    // Drops the advice to choose another source, since the list shows the others.
    std::string explanation = source.explanation.english();
    constexpr std::string_view kAdvice = "; choose another power source.";
    if (!source.available && explanation.ends_with(kAdvice))
        explanation.replace(explanation.size() - kAdvice.size(), kAdvice.size(), ".");
    text += source.kind + ": " + explanation + '\n';
    if (!source.remedy.empty())
        text += "      " + source.remedy.english() + '\n';
    std::string rails;
    for (const Rail rail : source.rails)
        rails.append(rails.empty() ? "" : ", ").append(name(rail));
    if (source.available && !rails.empty())
        text += "      rails " + rails + "; resolution " + source.resolution.english()
            + "\n      error of the gain: " + source.gain.english() + '\n';
    if (!check.problem.empty())
        text += "      " + check.problem.english() + '\n';
    for (const Message& fault : check.faults)
        text += "      " + fault.english() + '\n';
    if (!check.quality)
        return text;
    const auto ms = [](double value) { return formatSignificant(value) + " ms"; };
    text += "      interval " + ms(check.quality->median_interval_ms) + " (p95 "
        + ms(check.quality->p95_interval_ms) + ", requested "
        + std::to_string(check.quality->asked_interval_ms) + " ms); idle "
        + formatPower(check.idle_mw) + ", load " + formatPower(check.load_mw) + '\n';
    text += "      power is " + ms(toMilliseconds(check.offset.ns)) + ' '
        + formatInterval95(check.offset.sd_ns / 1e6, ms) + " behind the load"
        + (check.offset.significant ? "" : " (not significant)") + ", correlation "
        + formatSignificant(check.offset.correlation);
    if (check.agreement)
        text += "; its step is " + formatPercent(*check.agreement) + " of the step of "
            + check.reference;
    return text + '\n';
}

// Lists working sensors first, then sources without a sensor, then unavailable sensors.
std::string sensorsText(const std::vector<SensorCheck>& checks)
{
    struct Part {
        const char* title;
        bool available;
        bool sensors; // sensors that auto may choose
    };
    std::string text;
    for (const Part& part : {Part{"power sensors that work here", true, true},
                             Part{"power sources without a sensor", true, false},
                             Part{"not available here", false, true}}) {
        std::string list;
        for (const SensorCheck& check : checks) {
            const bool sensor = check.report.kind != "replay" && check.report.kind != "modelled"
                && check.report.kind != "none";
            if (check.report.available == part.available && sensor == part.sensors)
                list += sensorText(check);
        }
        if (list.empty() && part.available && part.sensors)
            list = "  none; energies can be modelled, imported or replayed\n";
        if (!list.empty())
            text += '\n' + std::string(part.title) + '\n' + list;
    }
    return text;
}

std::string engineText(const EngineFindings& engine)
{
    if (!engine.file)
        return engine.file.error().message.english();
    if (!engine.versions)
        return "LibTorch " + engine.file->torch + " (not loaded; --engine loads it)";
    return "LibTorch " + engine.versions->torch + "; " + engine.versions->blas + "; devices "
        + join(engine.devices);
}

// Lists the kernels that accelerators use, and those that they cannot use, with the reason.
std::string kernelsText(const std::vector<model::DeviceKernelCheck>& kernels)
{
    std::vector<std::string> products;
    std::vector<std::string> operations;
    std::string problems;
    for (const model::DeviceKernelCheck& check : kernels) {
        const bool operation = check.dtype.empty();
        const std::string name = check.device + ' ' + (operation ? check.operation : check.dtype);
        if (check.problem.empty())
            (operation ? operations : products).push_back(name);
        else
            problems += "          " + name
                + (operation
                       ? ": by LibTorch's functions, because the kernel cannot be used: "
                       : ": dequantized before each matmul, because the kernels cannot be used: ")
                + check.problem + '\n';
    }
    std::string text;
    if (!products.empty())
        text += "          multiplied as stored: " + join(products) + '\n';
    if (!operations.empty())
        text += "          by one kernel each: " + join(operations) + '\n';
    return text + problems;
}

std::string doctorText(const DoctorFindings& findings)
{
    const Environment& machine = findings.environment;
    std::string text = "machine   " + machine.machine + ", " + machine.cpu + ", "
        + counted(machine.threads, "thread") + ", " + machine.os + '\n';
    text += sensorsText(findings.sensors.sources);
    text += "\nengine    ";
    text += engineText(findings.engine) + '\n' + kernelsText(findings.engine.kernels);
    text += "\nmodels\n";
    for (const model::ModelListing& listing : findings.models) {
        text += (listing.supported ? "  + " : "  - ") + listing.name + ": "
            + (listing.supported ? listing.architecture + ", " + formatBytes(listing.weight_bytes)
                                 : listing.problem.english())
            + "\n      " + listing.path.string() + '\n';
    }
    if (findings.models.empty())
        text += "  none found; name a folder with --model\n";
    text += "\ndatabase  " + findings.database.string() + '\n';
    if (!findings.database_problem.empty())
        text += "          " + findings.database_problem + '\n';
    return wrappedLines(text);
}

Json sourceAsJson(const SensorCheck& check)
{
    const power::SourceReport& source = check.report;
    Json rails = Json::array();
    for (const Rail rail : source.rails)
        rails.push_back(std::string(name(rail)));
    Json json = {{"kind", source.kind},
                 {"available", source.available},
                 {"automatic", source.automatic},
                 {"explanation", source.explanation},
                 {"remedy", source.remedy},
                 {"rails", std::move(rails)},
                 {"resolution", source.resolution},
                 {"gain", source.gain}};
    if (!check.problem.empty())
        json["problem"] = check.problem;
    if (!check.faults.empty())
        json["faults"] = check.faults;
    if (!check.quality)
        return json;
    json["test"] = {{"samples", check.quality->samples},
                    {"asked_interval_ms", check.quality->asked_interval_ms},
                    {"median_interval_ms", check.quality->median_interval_ms},
                    {"p95_interval_ms", check.quality->p95_interval_ms},
                    {"max_interval_ms", check.quality->max_interval_ms},
                    {"idle_mw", check.idle_mw},
                    {"load_mw", check.load_mw},
                    {"offset_ms", toMilliseconds(check.offset.ns)},
                    {"offset_sd_ms", check.offset.sd_ns / 1e6},
                    {"offset_significant", check.offset.significant},
                    {"correlation", check.offset.correlation},
                    {"agreement", check.agreement},
                    {"reference", check.reference}};
    return json;
}

Json engineAsJson(const EngineFindings& engine)
{
    if (!engine.file)
        return {{"available", false}, {"problem", engine.file.error().message.english()}};
    Json json = {{"available", true},
                 {"torch", engine.versions ? engine.versions->torch : engine.file->torch},
                 {"library", engine.file->path.string()},
                 {"loaded", engine.versions.has_value()}};
    if (engine.versions) {
        json["blas"] = engine.versions->blas;
        json["devices"] = engine.devices;
        json["kernels"] = Json::array();
        for (const model::DeviceKernelCheck& check : engine.kernels) {
            Json one{{"device", check.device}};
            if (check.dtype.empty())
                one["operation"] = check.operation;
            else
                one["dtype"] = check.dtype;
            if (!check.problem.empty())
                one["problem"] = check.problem;
            json["kernels"].push_back(std::move(one));
        }
    }
    return json;
}

std::string doctorJson(const DoctorFindings& findings)
{
    const Environment& machine = findings.environment;
    Json json{{"format", "energy-profiler-doctor"}, {"version", 1}};
    json["app_version"] = machine.app_version;
    json["machine"] = {{"os", machine.os},
                       {"machine", machine.machine},
                       {"cpu", machine.cpu},
                       {"threads", machine.threads}};
    json["sources"] = Json::array();
    for (const SensorCheck& check : findings.sensors.sources)
        json["sources"].push_back(sourceAsJson(check));
    json["engine"] = engineAsJson(findings.engine);
    json["models"] = Json::array();
    for (const model::ModelListing& listing : findings.models) {
        json["models"].push_back({{"name", listing.name},
                                  {"path", listing.path.string()},
                                  {"architecture", listing.architecture},
                                  {"supported", listing.supported},
                                  {"problem", listing.problem},
                                  {"file_bytes", listing.weight_bytes}});
    }
    json["database"] = {{"path", findings.database.string()}};
    json["database"]["problem"] =
        findings.database_problem.empty() ? Json() : Json(findings.database_problem);
    return json::textOf(json, 2) + '\n';
}

constexpr int kMaxSamples = 1'000'000'000;

std::string databaseProblem(const std::filesystem::path& database)
{
    if (!store::mayExist(database) || store::isEmptyFile(database)) // is made by the first run
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
        {.seconds = options.load ? options.seconds : 0.0, .interval_ms = options.run.interval_ms},
        session::realBackend(), cancel, [&](double fraction, const Message& what) {
            if (!options.json)
                progress.show(fraction, what.english());
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
    options.power.addTo(command, options.run);
    command
        .add_option("--samples", options.samples,
                    "Number of readings (default 10; 0: until Ctrl-C)")
        ->check(wholeFrom(0, kMaxSamples));
    for (const char* const name : {"--power", "--samples", "--idle-watts", "--full-watts"})
        command.get_option(name)->needs(watch);
    addOutput(command, "--out", options.out, "Also save the report to this file")->needs(report);
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
        options->power.finish(options->run.power);
        invocation.action = [options, &invocation] {
            return options->test  ? testSelf(*options, invocation)
                : options->report ? reportDiagnostics(*options)
                : options->watch  ? watchPower(*options, invocation)
                                  : diagnose(*options, invocation);
        };
    });
}

} // namespace ep::app
