// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "help_text.h"
#include "lever_options.h"
#include "recording_options.h"
#include "resources.h"
#include "run_front.h"
#include "runs_options.h"
#include "switch_option.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/session/require_energy.h"
#include "ep/store/store.h"

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace ep::app {

namespace {

constexpr int kMaxCount = 1'000'000;
constexpr int kMaxBatch = 4096;

struct RunOptions : RecordingOptions {
    ModelOptions model;
    std::vector<std::string> prompts{};
    int batch_size = 1;
    int context_length = 0;
    LeverOptions levers;
    std::string depth = "module";
    int statistics_every = 0;
    std::optional<bool> twin{};
    bool exact = false;
    bool chat = false;
    double until_percent = 0.0; // 0: the number of runs is fixed
    int at_most_runs = 50;
    double at_most_seconds = 600.0;
    bool ignore_memory = false;
    bool ignore_end = false;
    std::vector<std::string> also{};
    std::string attribution = "auto";
    bool baseline_before_load = false;
};

void addGeneration(CLI::App& command, RunOptions& options)
{
    auto* prompt = command.add_option_group("prompt");
    prompt
        ->add_option("--prompt", options.prompts,
                     "Text to continue; may be repeated, the texts then form a batch")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    prompt->add_option("--prompt-file", options.prompt_file, "File with the text (-: stdin)")
        ->type_name("FILE");
    options.messages.addFile(*prompt);
    prompt->require_option(1);
    command.add_option("--batch-size", options.batch_size, "Copies of each prompt in the batch")
        ->check(CLI::Range(1, kMaxBatch));
    options.addLength(command);
    command
        .add_option("--context", options.context_length,
                    "Most tokens of prompt and answer together (default: what the model allows)")
        ->check(CLI::Range(2, kMaxCount));
    command
        .add_option("--top-k", options.sampling.top_k,
                    "Sample from the K most likely tokens (default 0: all)")
        ->check(CLI::Range(0, kMaxCount));
    command
        .add_option(
            "--top-p", options.sampling.top_p,
            "Sample from the smallest set of tokens whose probability reaches P (default 1: all)")
        ->check(realFrom(0.0, 1.0));
    command
        .add_option("--min-p", options.sampling.min_p,
                    "Sample from tokens with at least this fraction of the highest probability")
        ->check(realFrom(0.0, 1.0));
    command
        .add_option("--repetition-penalty", options.sampling.repetition_penalty,
                    "Penalty on the logits of tokens that already occur (default 1: none)")
        ->check(realFrom(0.01, 100.0));
    options.addSeed(command);
    command.add_flag("--ignore-end", options.ignore_end, "Go on after the model's end token");
    command
        .add_option(
            "--stop", options.sampling.stop,
            "Stop at this text, which is not shown; may be repeated. answer:RULE stops when the "
            "answer is complete, by fence, json, repetition or regex:PATTERN")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    options.levers.addTo(command);
}

void addChat(CLI::App& command, RunOptions& options)
{
    auto* chat =
        command.add_flag("--chat", options.chat, "Apply the model's chat template to the prompt");
    command.add_option("--system", options.system, "System message of the chat template")
        ->type_name("TEXT")
        ->needs(chat);
    options.messages.addVariables(command);
}

void addProfile(CLI::App& command, RunOptions& options)
{
    command
        .add_option(
            "--depth", options.depth,
            "Profiling depth: none (sections and tokens), module (default) or deep (operations)")
        ->check(CLI::IsMember({"none", "module", "deep"}));
    command
        .add_option("--statistics-every", options.statistics_every,
                    "Compute statistics for one of every N tokens (default: as often as they cost "
                    "at most 0.25 % of the time)")
        ->check(CLI::Range(1, kMaxCount));
    addSwitch(
        command, "--twin,!--no-twin", options.twin,
        "First run without recording, to show what recording costs (default on accelerators)");
    command.add_flag("--exact", options.exact,
                     "Synchronise with the device around each span: exact, but slower");
    options.addMeasuring(command, "Tokens to generate and discard before the run");
    command.add_flag("--ignore-memory", options.ignore_memory,
                     "Load the model even if it seems too large for the free memory");
    auto* repeat = options.addRepeat(command);
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
        ->check(CLI::Range(session::kMinUntil, kMaxCount))
        ->needs(until);
    command
        .add_option("--at-most-seconds", options.at_most_seconds,
                    "With --until: start no further run after this many seconds (default 600)")
        ->check(realFrom(1.0, 86'400.0))
        ->needs(until);
    options.addCoolDown(command);
}

void addEnergy(CLI::App& command, RunOptions& options)
{
    command
        .add_option("--also", options.also,
                    "Additional power source to record for comparison; may be repeated")
        ->type_name("SOURCE")
        ->check(CLI::Validator(
            [](std::string& text) {
                const auto choice = power::parseSourceChoice(text);
                return choice ? std::string() : choice.error().message.english();
            },
            ""))
        ->allow_extra_args(false);
    command
        .add_option("--attribution", options.attribution,
                    "How to split energy: auto (default: calibrated where a calibration applies, "
                    "otherwise cost), calibrated, cost (by bytes, FLOPs and time, where the data "
                    "allow) or time")
        ->check(CLI::IsMember({"auto", "calibrated", "cost", "time"}));
    command.add_flag("--baseline-before-load", options.baseline_before_load,
                     "Measure the idle power before loading the model, not after");
}

// Finds the stored run of a replay that names a run rather than a file.
Status findReplay(power::SourceChoice& choice, const std::filesystem::path& database)
{
    std::error_code ignored;
    if (choice.kind != "replay" || std::filesystem::exists(choice.argument, ignored)
        || !std::filesystem::exists(database, ignored))
        return {};
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return {};
    const auto id = (*store)->resolveId(choice.argument);
    if (!id) // it is a file that does not exist, which the source reports
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
    return {};
}

Result<session::RunRequest> makeRequest(const RunOptions& options)
{
    session::RunRequest request;
    options.applyTo(request);
    const auto folder = findModel(options.model.model);
    if (!folder)
        return folder.error();
    request.load = {.folder = *folder,
                    .device = options.model.device,
                    .dtype = options.model.dtype,
                    .threads = options.model.threads,
                    .kernels = options.model.kernels};
    if (!options.prompts.empty()) {
        request.prompt = options.prompts.front();
        request.further_prompts.assign(options.prompts.begin() + 1, options.prompts.end());
    }
    request.batch_size = options.batch_size;
    request.context_length = options.context_length;
    auto levers = options.levers.levers();
    if (!levers)
        return levers.error();
    request.levers = *std::move(levers);
    if (const Status read = options.readFiles(request); !read)
        return read.error();
    request.ignore_memory = options.ignore_memory;
    request.ignore_eos = options.ignore_end;
    request.chat = options.chat ? session::ChatUse::Always : session::ChatUse::Off;
    request.depth = depthFromName(options.depth).value_or(Depth::Module);
    request.statistics_every = options.statistics_every;
    request.twin = options.twin;
    request.exact = options.exact;
    if (const Status found = findReplay(request.power, options.database.path()); !found)
        return found.error();
    for (const std::string& text : options.also) {
        auto choice = power::parseSourceChoice(text);
        if (!choice)
            return choice.error();
        request.also.push_back(std::move(*choice));
    }
    request.attribution = attributionMethodFromName(options.attribution); // absent means auto
    request.baseline_moment =
        options.baseline_before_load ? BaselineMoment::BeforeLoad : BaselineMoment::AfterLoad;
    return request;
}

int run(const RunOptions& options, Invocation& invocation)
{
    auto request = makeRequest(options);
    if (!request)
        return fail(request.error());
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
            return measures.error().code == ErrorCode::InvalidInput
                ? failUsage(measures.error().message)
                : fail(measures.error());
        until = session::UntilKnown{.half_width = options.until_percent / 100.0,
                                    .most_seconds = options.at_most_seconds};
    }
    RunFront front({.request = std::move(*request),
                    .repeat = until ? options.at_most_runs : options.repeat,
                    .cool_down_ms = options.coolDownMs(),
                    .until = until,
                    .json = options.json,
                    .full = options.full,
                    // --twin without --details would not show the comparison that it is for.
                    .details = options.details || options.twin.value_or(false)});
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
    options->model.addTo(*command);
    addGeneration(*command, *options);
    addChat(*command, *options);
    addProfile(*command, *options);
    options->power.addTo(*command);
    addEnergy(*command, *options);
    options->addKeeping(*command, "Print the run as JSON; an array with --repeat above 1");
    groupOptions(*command, kGroups);
    command->callback([options, &invocation] {
        options->messages.check(options->chat, options->system);
        options->readJson();
        options->source = options->power.choice();
        invocation.action = [options, &invocation] { return run(*options, invocation); };
    });
}

} // namespace ep::app
