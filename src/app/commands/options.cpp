// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "resources.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/text_file.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"
#include "ep/model/kernel_names.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"
#include "ep/ui/settings_store.h"

#include <QString>

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace ep::app {

namespace {

constexpr double kMaxWatts = 1e6;
constexpr const char* kTokenVariable = "EP_SERVER_TOKEN";

std::string checkDType(const std::string& text)
{
    const auto plan = model::parseDTypePlan(text);
    return plan ? std::string() : plan.error().message.english();
}

// Written like CLI11's own lists of choices, which help and completion parse.
std::string choicesInBraces(const std::vector<std::string>& choices)
{
    std::string text;
    for (const std::string& choice : choices)
        text += (text.empty() ? "" : ",") + choice;
    return '{' + text + '}';
}

std::string checkDevice(const std::string& text)
{
    const bool numbered = text.rfind("cuda:", 0) == 0 && text.size() > 5
        && text.find_first_not_of("0123456789", 5) == std::string::npos;
    if (numbered || text == "auto" || text == "cpu" || text == "mps" || text == "cuda")
        return {};
    return "'" + text + "' is not a device; use auto, cpu, mps, cuda or cuda:N";
}

std::string checkKernels(const std::string& text)
{
    const Status known = model::checkKernelNames(text);
    return known ? std::string() : known.error().message.english();
}

std::string checkSource(const std::string& text)
{
    const auto choice = power::parseSourceChoice(text);
    return choice ? std::string() : choice.error().message.english();
}

} // namespace

void DatabaseOption::addTo(CLI::App& command)
{
    command
        .add_option("--db", text,
                    "Run database (default: $EP_DB, the window's, or application data)")
        ->type_name("FILE");
}

std::filesystem::path DatabaseOption::path() const
{
    return text.empty() ? ui::SettingsStore::database() : std::filesystem::path(text);
}

void addHashesOnly(CLI::App& command, bool& wanted)
{
    command.add_flag("--hashes-only", wanted,
                     "Store hashes of prompts and responses instead of their text");
}

Result<std::string> readServerToken(const std::string& file)
{
    std::string token;
    if (!file.empty()) {
        auto text = readTextFile(file);
        if (!text)
            return text.error();
        token = *std::move(text);
    } else if (const char* variable = std::getenv(kTokenVariable)) {
        token = variable;
    }
    token.erase(token.find_last_not_of(" \t\r\n") + 1);
    for (const char c : token) {
        if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7F)
            return Error{ErrorCode::InvalidInput,
                         {"%1 holds no token: it must be one word.",
                          file.empty() ? std::string(kTokenVariable) : file}};
    }
    return token;
}

CLI::Validator realFrom(double least, double most)
{
    return {[least, most](std::string& text) -> std::string {
                bool isNumber = false;
                const double value = QString::fromStdString(text).toDouble(&isNumber);
                if (isNumber && value >= least && value <= most)
                    return {};
                return "'" + text + "' is not a number from " + formatSignificant(least, 6) + " to "
                    + formatSignificant(most, 6);
            },
            ""};
}

CLI::Validator formatCheck()
{
    return {checkDType, choicesInBraces(model::formatChoices())};
}

CLI::Validator settingCheck(std::string_view name)
{
    return {[&row = session::numberSetting(name)](const std::string& text) {
                session::RunRequest unused;
                return session::readSetting(row, text, unused)
                    ? std::string()
                    : "'" + text + "' is not " + session::rangeText(row).english();
            },
            ""};
}

CLI::Option* addSetting(CLI::App& command, session::RunRequest& request, std::string_view name)
{
    const session::NumberSetting& row = session::numberSetting(name);
    const std::string usual =
        QString::number(session::valueOf(row, request), 'g', 15).toStdString();
    return command
        .add_option_function<std::string>(
            std::string(row.option),
            [&row, &request](const std::string& text) {
                static_cast<void>(session::readSetting(row, text, request));
            },
            std::string(row.help) + " (default " + usual + ')')
        ->type_name(row.whole() ? "INT" : "FLOAT")
        ->check(settingCheck(name));
}

void addSettings(CLI::App& command, session::RunRequest& request, unsigned places)
{
    for (const session::NumberSetting& row : session::numberSettings()) {
        if ((row.places & places) != 0
            && command.get_option_no_throw(std::string(row.option)) == nullptr)
            addSetting(command, request, row.name);
    }
}

void addModel(CLI::App& command, session::RunRequest& request)
{
    model::LoadRequest& load = request.load;
    command
        .add_option_function<std::string>(
            "--model", [&load](const std::string& text) { load.folder = text; },
            "Model folder, GGUF file, or name of a known model")
        ->required()
        ->type_name("DIR");
    command.add_option("--device", load.device, "Device: auto (default), cpu, mps, cuda or cuda:N")
        ->check(CLI::Validator(checkDevice, ""));
    command
        .add_option(
            "--dtype", load.dtype,
            "Compute type: " + model::formatChoicesText()
                + "; auto is as stored. Of some layers or modules: layers.0-3=q8_0,lm_head=q6_k")
        ->check(formatCheck());
    addSetting(command, request, "threads");
    command
        .add_option("--kernels", load.kernels,
                    "Kernels of the processor: auto (the fastest, measured once), measure (again), "
                    "or by name: spread, 2048=pairs, many=blas")
        ->type_name("WHICH")
        ->check(CLI::Validator(checkKernels, ""));
}

void addDepth(CLI::App& command, Depth& depth, const std::string& help)
{
    command
        .add_option_function<std::string>(
            "--depth",
            [&depth](const std::string& word) { depth = depthFromName(word).value_or(depth); },
            help)
        ->check(CLI::IsMember({"none", "module", "deep"}));
}

void addKvCache(CLI::App& command, model::CacheKind& cache)
{
    command
        .add_option_function<std::string>(
            "--kv-cache",
            [&cache](const std::string& word) {
                cache = model::cacheKindFromName(word).value_or(cache);
            },
            "Cache of keys and values: growing (default), static (all of it allocated at "
            "the start) or q8_0 (growing, in blocks of 8 bits; on the processor)")
        ->check(CLI::IsMember({"growing", "static", "q8_0"}));
}

void addLevers(CLI::App& command, session::RunRequest& request)
{
    session::Levers& levers = request.levers;
    addKvCache(command, levers.cache);
    command.add_flag("--prompt-cache", levers.prompt_cache,
                     "Compute the beginnings that prompts have in common once; kept in memory");
    auto* const proposer =
        command
            .add_option("--draft", levers.draft,
                        "Let a smaller model with the same vocabulary propose tokens, or ngram: "
                        "what followed the same words before. The text is the same")
            ->type_name("MODEL");
    addSetting(command, request, "draft_tokens")->needs(proposer);
}

Status findFolders(session::RunRequest& request)
{
    auto folder = findModel(request.load.folder.string());
    if (!folder)
        return folder.error();
    request.load.folder = *std::move(folder);
    std::string& draft = request.levers.draft;
    if (draft.empty() || draft == session::kNgramDraft)
        return {};
    const auto found = findModel(draft);
    if (!found)
        return found.error();
    draft = found->string();
    return {};
}

namespace {

std::string sourceForms()
{
    std::vector<std::string> forms;
    for (const power::SourceKind& source : power::sourceKinds())
        forms.push_back(source.kind + source.argument);
    return joined(forms);
}

} // namespace

void PowerOptions::addTo(CLI::App& command, session::RunRequest& request)
{
    command
        .add_option("--power", source,
                    "Power source (default auto): " + sourceForms()
                        + "; replay:RUN replays a stored run")
        ->check(CLI::Validator(checkSource, ""));
    addSetting(command, request, "interval_ms");
    command.add_option("--idle-watts", idle_watts, "Power of the idle machine for modelled")
        ->check(realFrom(0.0, kMaxWatts));
    command.add_option("--full-watts", full_watts, "Power with all cores busy for modelled")
        ->check(realFrom(0.0, kMaxWatts));
}

power::SourceChoice PowerOptions::choice() const
{
    const auto parsed = power::parseSourceChoice(source);
    power::SourceChoice choice = parsed ? *parsed : power::SourceChoice();
    if ((idle_watts || full_watts) && choice.kind != "modelled") {
        throw CLI::ValidationError("--idle-watts and --full-watts apply to the modelled source, "
                                   "not to '"
                                   + choice.kind + "'");
    }
    choice.idle_watts = idle_watts.value_or(choice.idle_watts);
    choice.full_watts = full_watts.value_or(choice.full_watts);
    if (choice.kind == "modelled" && choice.full_watts <= choice.idle_watts)
        throw CLI::ValidationError("--full-watts must be greater than --idle-watts");
    return choice;
}

} // namespace ep::app
