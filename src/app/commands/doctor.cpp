// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/model/engine_library.h"
#include "ep/power/source.h"
#include "ep/session/environment.h"
#include "ep/store/store.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include <memory>

namespace ep::app {

namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
    DatabaseOption database;
    bool json = false;
};

// Everything that was found out, before it becomes text or JSON.
struct Findings {
    Environment environment;
    std::vector<power::SourceReport> sources;
    Result<model::EngineVersions> engine;
    std::vector<model::ModelListing> models;
    std::filesystem::path database;
    std::string database_problem; // empty: it can be written, or will be made
};

std::string databaseProblem(const std::filesystem::path& database)
{
    std::error_code ignored;
    if (!std::filesystem::exists(database, ignored))
        return {};
    const auto store = store::Store::open(database);
    return store ? std::string() : store.error().message;
}

Result<model::EngineVersions> engineVersions()
{
    const auto library = model::EngineLibrary::open();
    if (!library)
        return library.error();
    return (*library)->versions();
}

Findings examine(const DoctorOptions& options)
{
    return {.environment = session::readEnvironment(),
            .sources = power::probeSources(),
            .engine = engineVersions(),
            .models = model::discoverModels(modelFolders()),
            .database = options.database.path(),
            .database_problem = databaseProblem(options.database.path())};
}

std::string join(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string asText(const Findings& findings)
{
    const Environment& machine = findings.environment;
    std::string text = "machine   " + machine.machine + ", " + machine.cpu + ", "
        + std::to_string(machine.threads) + " threads, " + machine.os + "\n\npower sources\n";
    for (const power::SourceReport& source : findings.sources) {
        text +=
            (source.available ? "  + " : "  - ") + source.kind + ": " + source.explanation + '\n';
        if (!source.remedy.empty())
            text += "      " + source.remedy + '\n';
    }
    text += "\nengine    ";
    if (findings.engine) {
        text += "LibTorch " + findings.engine->torch + "; " + findings.engine->blas + "; devices "
            + join(findings.engine->devices) + '\n';
    } else {
        text += findings.engine.error().message + '\n';
    }
    text += "\nmodels\n";
    for (const model::ModelListing& listing : findings.models) {
        text += (listing.supported ? "  + " : "  - ") + listing.name + ": "
            + (listing.supported ? listing.architecture + ", " + formatBytes(listing.weight_bytes)
                                 : listing.problem)
            + "\n      " + listing.path.string() + '\n';
    }
    if (findings.models.empty())
        text += "  none found; name a folder with --model\n";
    text += "\ndatabase  " + findings.database.string() + '\n';
    if (!findings.database_problem.empty())
        text += "          " + findings.database_problem + '\n';
    return text;
}

Json sourceAsJson(const power::SourceReport& source)
{
    Json rails = Json::array();
    for (const Rail rail : source.rails)
        rails.push_back(std::string(name(rail)));
    return {{"kind", source.kind},
            {"available", source.available},
            {"explanation", source.explanation},
            {"remedy", source.remedy},
            {"rails", std::move(rails)}};
}

std::string asJson(const Findings& findings)
{
    const Environment& machine = findings.environment;
    Json json;
    json["app_version"] = machine.app_version;
    json["machine"] = {{"os", machine.os},
                       {"machine", machine.machine},
                       {"cpu", machine.cpu},
                       {"threads", machine.threads}};
    json["sources"] = Json::array();
    for (const power::SourceReport& source : findings.sources)
        json["sources"].push_back(sourceAsJson(source));
    if (findings.engine) {
        json["engine"] = {{"available", true},
                          {"torch", findings.engine->torch},
                          {"blas", findings.engine->blas},
                          {"devices", findings.engine->devices}};
    } else {
        json["engine"] = {{"available", false}, {"problem", findings.engine.error().message}};
    }
    json["models"] = Json::array();
    for (const model::ModelListing& listing : findings.models) {
        json["models"].push_back({{"name", listing.name},
                                  {"path", listing.path.string()},
                                  {"architecture", listing.architecture},
                                  {"supported", listing.supported},
                                  {"problem", listing.problem},
                                  {"weight_bytes", listing.weight_bytes}});
    }
    json["database"] = {{"path", findings.database.string()}};
    json["database"]["problem"] =
        findings.database_problem.empty() ? Json() : Json(findings.database_problem);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

int diagnose(const DoctorOptions& options, Invocation& invocation)
{
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Findings findings = examine(options);
    print(options.json ? asJson(findings) : printable(asText(findings)));
    return kExitDone;
}

} // namespace

void addDoctorCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command =
        app.add_subcommand("doctor", "Say what can be measured here, and why something cannot");
    command->add_flag("--json", options->json, "The findings as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return diagnose(*options, invocation); };
    });
}

} // namespace ep::app
