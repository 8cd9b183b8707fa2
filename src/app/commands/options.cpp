// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/text_file.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"
#include "ep/model/kernel_names.h"
#include "ep/store/store.h"
#include "ep/ui/settings_store.h"

#include <QString>

#include <cstdlib>

namespace ep::app {

namespace {

constexpr int kMaxIntervalMs = 60'000;
constexpr int kMaxThreads = 1024;
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

CLI::Validator unsignedNumber()
{
    return {[](std::string& text) -> std::string {
                const bool digits =
                    !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
                return digits ? "" : "'" + text + "' is not a whole number of 0 or more";
            },
            ""};
}

CLI::Validator formatCheck()
{
    return {checkDType, choicesInBraces(model::formatChoices())};
}

void ModelOptions::addTo(CLI::App& command)
{
    command.add_option("--model", model, "Model folder, GGUF file, or name of a known model")
        ->required()
        ->type_name("DIR");
    command.add_option("--device", device, "Device: auto (default), cpu, mps, cuda or cuda:N")
        ->check(CLI::Validator(checkDevice, ""));
    command
        .add_option(
            "--dtype", dtype,
            "Compute type: " + model::formatChoicesText()
                + "; auto is as stored. Of some layers or modules: layers.0-3=q8_0,lm_head=q6_k")
        ->check(formatCheck());
    command
        .add_option(
            "--threads", threads,
            "Number of compute threads (0: all cores; on Apple silicon, the performance cores)")
        ->check(CLI::Range(0, kMaxThreads));
    command
        .add_option("--kernels", kernels,
                    "Kernels of the processor: auto (the fastest, measured once), measure (again), "
                    "or by name: spread, 2048=pairs, many=blas")
        ->type_name("WHICH")
        ->check(CLI::Validator(checkKernels, ""));
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

void PowerOptions::addTo(CLI::App& command)
{
    command
        .add_option("--power", source,
                    "Power source (default auto): " + sourceForms()
                        + "; replay:RUN replays a stored run")
        ->check(CLI::Validator(checkSource, ""));
    command.add_option("--interval-ms", interval_ms, "Requested sampling interval (default 100)")
        ->check(CLI::Range(1, kMaxIntervalMs));
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
