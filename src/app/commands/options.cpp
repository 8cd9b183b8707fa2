// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "resources.h"

#include "ep/core/joined.h"
#include "ep/core/number_text.h"
#include "ep/core/power_limits.h"
#include "ep/core/user_file.h"
#include "ep/json/writer.h"
#include "ep/store/store_files.h"
#include "ep/ui/settings_store.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace ep::app {

namespace {

constexpr const char* kTokenVariable = "EP_SERVER_TOKEN";

// Written like CLI11's own lists of choices, which help and completion parse.
std::string choicesInBraces(const std::vector<std::string>& choices)
{
    std::string text;
    for (const std::string& choice : choices)
        text += (text.empty() ? "" : ",") + choice;
    return '{' + text + '}';
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

CLI::Option* addOutput(CLI::App& command, const std::string& name, std::string& file,
                       const std::string& help)
{
    const auto check = [&command](const std::string& text) -> std::string {
        const CLI::Option* chosen = command.get_option_no_throw("--db");
        const DatabaseOption database{
            chosen != nullptr && chosen->count() > 0 ? chosen->results().back() : std::string()};
        const Status replaceable =
            text == "-" ? Status() : store::checkReplaceable(text, database.path());
        return replaceable ? std::string() : replaceable.error().message.english();
    };
    return command.add_option(name, file, help)
        ->type_name("FILE")
        ->check(CLI::Validator(check, ""));
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
    return {[least, most](const std::string& text) -> std::string {
                const auto value = readNumber(text);
                return value && *value >= least && *value <= most
                    ? std::string()
                    : "'" + text + "' is not a number from " + json::exactNumber(least) + " to "
                        + json::exactNumber(most);
            },
            ""};
}

CLI::Validator wholeFrom(std::int64_t least, std::int64_t most)
{
    return {[least, most](const std::string& text) -> std::string {
                const bool digits = text.find_first_of(".eE") == std::string::npos;
                const auto value = readWhole(text);
                return digits && value && *value >= least && *value <= most
                    ? std::string()
                    : "'" + text + "' is not a whole number from " + std::to_string(least) + " to "
                        + std::to_string(most);
            },
            ""};
}

CLI::Validator oneOf(std::vector<std::string> words)
{
    const std::string choices = choicesInBraces(words);
    return {[words = std::move(words)](const std::string& text) -> std::string {
                return std::ranges::find(words, text) != words.end()
                    ? std::string()
                    : "'" + text + "' is none of " + joined(words);
            },
            choices};
}

CLI::Validator refusing(std::function<Status(const std::string&)> check)
{
    return {[check = std::move(check)](const std::string& text) {
                const Status possible = check(text);
                std::string problem = possible ? std::string() : possible.error().message.english();
                problem.erase(problem.find_last_not_of('.') + 1); // more may follow
                return problem;
            },
            ""};
}

CLI::Validator notEmpty()
{
    return {[](const std::string& text) {
                return std::string(text.empty() ? "it is empty; leave the option out" : "");
            },
            ""};
}

Error emptyPrompt(const std::string& file)
{
    return {ErrorCode::InvalidInput,
            {"%1 is empty: give a prompt.", file == "-" ? "Standard input" : file}};
}

CLI::Validator settingCheck(std::string_view name)
{
    const session::RunSetting& row = session::runSetting(name);
    return refusing([&row](const std::string& text) {
               session::RunRequest unused;
               return session::readSetting(row, text, unused);
           })
        .description(row.values.list ? choicesInBraces(row.values.list()) : std::string());
}

CLI::Option* addSetting(CLI::App& command, session::RunRequest& request, std::string_view name)
{
    const session::RunSetting& row = session::runSetting(name);
    const auto set = [&row, &request](const std::string& text) {
        static_cast<void>(session::readSetting(row, text, request)); // checked before
    };
    std::string option(row.option);
    if (row.toggles()) {
        if (std::holds_alternative<std::optional<bool>*>(row.field(request)))
            option += ",!--no-" + option.substr(2);
        return command.add_flag_function(
            option, [set](std::int64_t count) { set(count > 0 ? "on" : "off"); }, row.helpText());
    }
    std::string help = row.helpText();
    if (row.number())
        help += " (default " + session::textOf(row, request) + ')';
    CLI::Option* const added = command.add_option_function<std::string>(option, set, help);
    if (row.number())
        added->type_name(row.whole() ? "INT" : "FLOAT");
    else if (!row.values.list) // a text
        added->check(notEmpty());
    return added->check(settingCheck(name));
}

void addSettings(CLI::App& command, session::RunRequest& request,
                 std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        addSetting(command, request, name);
}

void addSettings(CLI::App& command, session::RunRequest& request, unsigned places)
{
    for (const session::RunSetting& row : session::runSettings()) {
        const bool belongs = places == 0 || (row.places & places) != 0;
        if (belongs && !row.option.empty()
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
    addSettings(command, request, {"device", "dtype", "threads", "kernels"});
    command.get_option("--kernels")->type_name("WHICH");
}

void addLevers(CLI::App& command, session::RunRequest& request)
{
    addSettings(command, request, {"kv_cache", "prompt_cache", "draft", "draft_tokens"});
    command.get_option("--draft")->type_name("MODEL");
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

void PowerOptions::addTo(CLI::App& command, session::RunRequest& request)
{
    addSettings(command, request, {"power_source", "interval_ms"});
    command.add_option("--idle-watts", idle_watts, "Power of the idle machine for modelled")
        ->check(realFrom(0.0, kMaxWatts));
    command.add_option("--full-watts", full_watts, "Power with all cores busy for modelled")
        ->check(realFrom(0.0, kMaxWatts));
}

void PowerOptions::finish(power::SourceChoice& choice) const
{
    if ((idle_watts || full_watts) && choice.kind != "modelled") {
        throw CLI::ValidationError("--idle-watts and --full-watts apply to the modelled source, "
                                   "not to '"
                                   + choice.kind + "'");
    }
    choice.idle_watts = idle_watts.value_or(choice.idle_watts);
    choice.full_watts = full_watts.value_or(choice.full_watts);
    if (const Status usable = power::checkWatts(choice); !usable)
        throw CLI::ValidationError(usable.error().message.english());
}

} // namespace ep::app
