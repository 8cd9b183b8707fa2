// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "help_text.h"
#include "recording_options.h"
#include "run_front.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/session/require_energy.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"
#include "ep/text/answer_end.h"

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace ep::app {

namespace {

struct RunOptions : RecordingOptions {
    std::vector<std::string> prompts{};
    double until_percent = 0.0; // 0: the number of runs is fixed
    int at_most_runs = session::kMostUntil;
    double at_most_seconds = session::UntilKnown().most_seconds;
};

void addGeneration(CLI::App& command, RunOptions& options)
{
    session::RunRequest& request = options.request;
    auto* prompt = command.add_option_group("prompt");
    prompt
        ->add_option("--prompt", options.prompts,
                     "Text to continue; may be repeated, the texts then form a batch")
        ->type_name("TEXT")
        ->check(notEmpty())
        ->allow_extra_args(false);
    prompt->add_option("--prompt-file", options.prompt_file, "File with the text (-: stdin)")
        ->type_name("FILE");
    options.messages.addFile(*prompt);
    prompt->require_option(1);
    addSetting(command, request, "batch_size"); // listed before the other prompt options
    addSetting(command, request, "ignore_eos");
    command
        .add_option(
            "--stop", request.sampling.stop,
            "Stop at this text, which is not shown; may be repeated. answer:RULE stops when the "
            "answer is complete, by fence, json, repetition or regex:PATTERN")
        ->type_name("TEXT")
        ->check(refusing([](const std::string& text) { return text::checkStopRules({text}); }))
        ->check(notEmpty())
        ->allow_extra_args(false);
    addLevers(command, request);
}

void addChat(CLI::App& command, RunOptions& options)
{
    auto* const chat = addSetting(command, options.request, "chat");
    command.add_option("--system", options.request.system, "System message of the chat template")
        ->type_name("TEXT")
        ->needs(chat);
    options.messages.addVariables(command);
}

void addProfile(CLI::App& command, RunOptions& options)
{
    session::RunRequest& request = options.request;
    addSettings(command, request,
                {"profiling_depth", "statistics_every", "twin", "exact", "ignore_memory"});
    auto* repeat = addSetting(command, request, "repeats");
    auto* until =
        command
            .add_option("--until", options.until_percent,
                        "Repeat until the 95 % interval of the energy per token is within "
                        "PERCENT of its mean, as in 2%")
            ->type_name("PERCENT")
            ->transform(CLI::Validator(
                [](std::string& text) {
                    if (text.ends_with('%'))
                        text.pop_back();
                    return std::string();
                },
                ""))
            ->check(realFrom(0.1, 100.0))
            ->excludes(repeat);
    command
        .add_option("--at-most-runs", options.at_most_runs,
                    "With --until: the most runs (default 50)")
        ->check(wholeFrom(session::kMinUntil, static_cast<std::int64_t>(session::kMaxCount)))
        ->needs(until);
    command
        .add_option("--at-most-seconds", options.at_most_seconds,
                    "With --until: start no further run after this many seconds (default 600)")
        ->check(realFrom(1.0, session::kDaySeconds))
        ->needs(until);
}

void addEnergy(CLI::App& command, session::RunRequest& request)
{
    command
        .add_option_function<std::vector<std::string>>(
            "--also",
            [&request](const std::vector<std::string>& texts) {
                for (const std::string& text : texts)
                    request.also.push_back(*power::parseSourceChoice(text)); // checked before
            },
            "Additional power source to record for comparison; may be repeated")
        ->type_name("SOURCE")
        ->check(settingCheck("power_source").description(""))
        ->allow_extra_args(false);
    addSettings(command, request, {"attribution", "baseline_before_load"});
}

// Finds the stored run of a replay that names a run rather than a file.
Status findReplay(power::SourceChoice& choice, const std::filesystem::path& database)
{
    std::error_code ignored;
    if (choice.kind != "replay" || std::filesystem::exists(choice.argument, ignored))
        return {};
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return {};
    const auto id = (*store)->resolveId(choice.argument);
    if (!id) // a file that does not exist, which the source reports
        return {};
    const auto run = (*store)->source(*id);
    if (!run)
        return run.error();
    const std::vector<PowerSample>& samples = (*run)->head().trace.samples;
    if (samples.empty())
        return Error{
            ErrorCode::InvalidInput,
            {"The run %1 has no power samples to replay; choose another one.", choice.argument}};
    choice.recorded = std::make_shared<const std::vector<PowerSample>>(samples);
    choice.argument = *id; // "last" will be another run
    return {};
}

Result<session::RunRequest> makeRequest(const RunOptions& options)
{
    auto request = options.read();
    if (!request)
        return request;
    if (const Status found = findFolders(*request); !found)
        return found.error();
    if (!options.prompts.empty()) {
        request->prompt = options.prompts.front();
        request->further_prompts.assign(options.prompts.begin() + 1, options.prompts.end());
    }
    if (const Status found = findReplay(request->power, options.database.path()); !found)
        return found.error();
    return request;
}

int run(const RunOptions& options, Invocation& invocation)
{
    auto request = makeRequest(options);
    if (!request)
        return fail(request.error());
    if (const Status possible = session::checkTogether(*request); !possible)
        return failUsage(possible.error().message);
    if (!options.json.empty()) {
        if (const Status status = checkWritable(options.json); !status)
            return fail(status.error());
    }
    const QCoreApplication application(invocation.argc, invocation.argv);
    std::optional<session::UntilKnown> until;
    if (options.until_percent > 0.0) {
        if (const Status measures =
                session::requireEnergy(session::realBackend(), request->power, request->interval_ms,
                                       request->load.device == "auto" ? "" : request->load.device);
            !measures)
            return failAsked(measures.error());
        until = session::UntilKnown{.half_width = options.until_percent / 100.0,
                                    .most_seconds = options.at_most_seconds};
        request->repeats = options.at_most_runs;
    }
    RunFront front({.request = std::move(*request),
                    .until = until,
                    .json = options.json,
                    .full = options.full,
                    // --twin without --details would not show the comparison that it is for.
                    .details = options.details || options.request.twin.value_or(false)});
    return front.exec();
}

constexpr OptionGroup kGroups[] = {
    {"Model", "--model --device --dtype --threads"},
    {"Prompt", "--prompt --prompt-file --messages --chat --system --batch-size"},
    {"Generation",
     "--max-new-tokens --temperature --top-k --top-p --seed --stop --ignore-end "
     "--context"},
    {"Measuring",
     "--power --interval-ms --baseline-seconds --warmup --repeat --until --cool-down --depth"},
    {"Result",
     "--details --json --full --json-file --tag --experiment --no-save --hashes-only --db"},
    {kRarely,
     "--template-var --min-p --repetition-penalty --kv-cache --prompt-cache --draft --draft-tokens "
     "--kernels --idle-watts --full-watts --also --attribution --baseline-before-load "
     "--statistics-every --twin --exact --at-most-runs --at-most-seconds --ignore-memory"},
};

} // namespace

void addRunCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Profile one generation");
    addModel(*command, options->request);
    addGeneration(*command, *options);
    addChat(*command, *options);
    addProfile(*command, *options);
    options->power.addTo(*command, options->request);
    addEnergy(*command, options->request);
    addSettings(*command, options->request);
    options->addKeeping(*command, "Print the run as JSON; an array with --repeat above 1");
    groupOptions(*command, kGroups);
    command->callback([options, &invocation] {
        const session::RunRequest& request = options->request;
        options->messages.check(
            {.system = !request.system.empty(), .chat = request.chat != session::ChatUse::Off});
        options->finish();
        if (options->until_percent > 0.0) {
            if (const Status any = session::refuseNone(request.power); !any)
                throw CLI::ValidationError(any.error().message.english());
        }
        invocation.action = [options, &invocation] { return run(*options, invocation); };
    });
}

} // namespace ep::app
