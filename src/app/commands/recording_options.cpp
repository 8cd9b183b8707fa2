// SPDX-License-Identifier: GPL-3.0-or-later
#include "recording_options.h"

#include "terminal.h"

#include <utility>

namespace ep::app {

namespace {

constexpr int kMaxNewTokens = 1'000'000;
constexpr double kDaySeconds = 86'400.0;

} // namespace

void RecordingOptions::addLength(CLI::App& command)
{
    command
        .add_option("--max-new-tokens", max_new_tokens, "Maximum number of new tokens (default 64)")
        ->check(CLI::Range(1, kMaxNewTokens));
    command
        .add_option("--temperature", sampling.temperature,
                    "Sampling temperature (default 0: greedy)")
        ->check(realFrom(0.0, 100.0));
}

void RecordingOptions::addSeed(CLI::App& command)
{
    command.add_option("--seed", sampling.seed, "Seed of the random number generator")
        ->check(unsignedNumber());
}

void RecordingOptions::addMeasuring(CLI::App& command, const std::string& warmupHelp)
{
    command.add_option("--warmup", warmup, warmupHelp)->check(CLI::Range(0, kMaxNewTokens));
    command
        .add_option("--baseline-seconds", baseline_seconds,
                    "Duration of the idle power measurement before the run")
        ->check(realFrom(0.0, kDaySeconds));
}

CLI::Option* RecordingOptions::addRepeat(CLI::App& command)
{
    return command.add_option("--repeat", repeat, "Number of consecutive runs (default 1)")
        ->check(CLI::Range(1, kMaxNewTokens));
}

void RecordingOptions::addCoolDown(CLI::App& command)
{
    command
        .add_option("--cool-down", cool_down_seconds,
                    "Seconds to wait before every run except the first (default 0)")
        ->check(realFrom(0.0, kDaySeconds));
}

void RecordingOptions::addKeeping(CLI::App& command, const std::string& jsonHelp)
{
    command
        .add_option("--tag", tags,
                    "Tag to find the run by; may be repeated, or several separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--experiment", experiment,
                       "Name of the experiment that the run belongs to");
    auto* const asJson = command.add_flag("--json", as_json, jsonHelp);
    command.add_flag("--full", full, "With --json: everything, with all tokens and samples")
        ->needs(asJson);
    command.add_option("--json-file", json, "Write the same to FILE, a run with everything")
        ->type_name("FILE")
        ->excludes(asJson);
    command.add_flag("--details", details,
                     "Print also tables of phases and figures, the sampling, the engine and costs");
    addHashesOnly(command, hashes_only);
    command.add_flag("--no-save", no_save, "Do not store the run");
    database.addTo(command);
}

void RecordingOptions::readJson()
{
    full = full || !json.empty(); // a file gets everything
    if (as_json)
        json = "-";
}

void RecordingOptions::applyTo(session::RunRequest& request) const
{
    request.system = system;
    request.max_new_tokens = max_new_tokens;
    request.sampling = sampling;
    request.power = source;
    request.interval_ms = power.interval_ms;
    request.baseline_seconds = baseline_seconds;
    request.warmup_tokens = warmup;
    request.tags = tags;
    request.experiment = experiment;
    request.store_texts = !hashes_only;
    if (!no_save)
        request.database = database.path();
}

Status RecordingOptions::readFiles(session::RunRequest& request) const
{
    if (!prompt_file.empty()) {
        auto text = readText(prompt_file);
        if (!text)
            return text.error();
        request.prompt = *std::move(text);
    }
    auto conversations = messages.read();
    if (!conversations)
        return conversations.error();
    request.conversations = *std::move(conversations);
    auto variables = messages.variables();
    if (!variables)
        return variables.error();
    request.template_variables = *std::move(variables);
    return {};
}

} // namespace ep::app
