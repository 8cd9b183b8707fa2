// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/pays.h"

#include "commands.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "limit_check.h"
#include "options.h"
#include "resources.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/session/pays_card.h"
#include "ep/session/pays_runner.h"
#include "ep/session/run_settings.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <random>
#include <set>

namespace ep::app {
namespace {

// Checks the cards, pools them by class of machine and prints the result; returns the exit status.
int mergeCards(const std::vector<std::string>& files, double percent, bool json)
{
    std::vector<session::PaysCard> cards;
    for (const std::string& file : files) {
        auto card = session::readCard(std::filesystem::path(file));
        if (!card)
            return fail(card.error());
        cards.push_back(*std::move(card));
    }
    constexpr double kPercent = 100.0;
    const session::MergedCards merged = session::mergeCards(cards, percent / kPercent);
    json ? printJson(session::mergedJson(merged)) : print(session::mergedText(merged));
    return kExitDone;
}

Status writeCard(const session::PaysSpec& spec, const session::PaysResult& result,
                 const std::filesystem::path& database, const std::string& file)
{
    const auto card = session::makeCard(spec, result, database);
    if (!card)
        return card.error();
    return writeText(file, session::cardJson(*card));
}

// Converts a percentage from the command line to a fraction.
double fractionOf(double percent)
{
    return percent / 100.0;
}

struct PaysOptions {
    DatabaseOption database;
    std::string from{};
    std::string a{};
    std::string b{};
    std::string prompt_file{};
    std::string command_a{};
    std::string command_b{};
    session::PaysSpec spec{};
    session::RunRequest run = session::usualOfPairs(); // settings of both sides
    std::string card{};
    std::vector<std::string> merged{}; // cards
    LimitOption limits{};
    double percent = energy::kSmallestDifference * 100.0;
    bool seeded = false;
    bool hashes_only = false;
    bool json = false;
};

energy::SideTestOptions testOptions(const PaysOptions& options)
{
    return {.smallest_difference = fractionOf(options.percent), .error = options.limits.error()};
}

// Scripts must be able to tell an error from an exceeded limit.
int failed(const PaysOptions& options, const Error& error)
{
    const int status = fail(error);
    return options.limits.any() ? kExitUsage : status;
}

int checkLimits(const session::PaysDecision& decision, const PaysOptions& options)
{
    int status = kExitDone;
    for (std::size_t i = 0; i < options.limits.limits.size(); ++i) {
        const energy::DifferenceLimit& limit = options.limits.limits[i];
        std::optional<energy::SideTest> test;
        if (decision.test.pairs > 0 && limit.metric == decision.test.figure)
            test = decision.test;
        status = worseStatus(
            status, statusOfLimit(limit, options.limits.texts[i], test, 0.0, decision.b.english()));
    }
    return status;
}

int decideFrom(const PaysOptions& options)
{
    const auto text = readText(options.from);
    if (!text)
        return failed(options, text.error());
    const std::string name = options.from == "-"
        ? "standard input"
        : std::filesystem::path(options.from).filename().string();
    const auto table = powerlog::readPairs(*text, name);
    if (!table)
        return failed(options, table.error());
    // With a limit, the table is complete, so the pairs are not examined one by one.
    const session::PaysDecision decision =
        session::decide(*table, testOptions(options), !options.limits.any());
    if (options.json)
        printJson(session::paysJson(decision));
    else
        print(session::verdictSentence(decision).english() + '\n' + session::paysText(decision));
    return checkLimits(decision, options);
}

Result<session::PaysSpec> specOf(const PaysOptions& options)
{
    session::PaysSpec spec = options.spec;
    session::RunRequest run = options.run;
    if (!options.prompt_file.empty()) {
        auto text = readText(options.prompt_file);
        if (!text)
            return text.error();
        if (text->empty())
            return emptyPrompt(options.prompt_file);
        run.prompt = *std::move(text);
    }
    const bool commands = !options.command_a.empty();
    for (const auto& [text, side] :
         {std::pair{commands ? &options.command_a : &options.a, &spec.a},
          std::pair{commands ? &options.command_b : &options.b, &spec.b}}) {
        auto parsed = commands ? session::commandSide(*text, run) : session::parseSide(*text, run);
        if (!parsed)
            return parsed.error();
        if (const Status possible = session::checkTogether(parsed->run); !possible)
            return possible.error();
        *side = *std::move(parsed);
    }
    if (spec.name.empty())
        spec.name = "comparison "
            + QDateTime::currentDateTime().toString(u"yyyy-MM-dd HH:mm:ss").toStdString();
    if (!options.seeded)
        spec.seed = std::random_device{}();
    spec.test = testOptions(options);
    constexpr int kPairsOfCheck = 20;
    if (options.limits.any() && spec.fixed_pairs == 0)
        spec.fixed_pairs = kPairsOfCheck;
    return spec;
}

session::PaysResult measurePairs(const session::PaysSpec& spec, const PaysOptions& options,
                                 const std::string& token)
{
    const Interrupt interrupt;
    ProgressLine progress;
    std::string where;
    session::PaysRunner runner(spec,
                               {.database = options.database.path(),
                                .findModel = findModel,
                                .server_token = token,
                                .store_texts = !options.hashes_only},
                               session::realBackend());
    QTimer check;
    onInterrupt(check, interrupt, [&runner] { runner.cancel(); });
    QObject::connect(&runner, &session::PaysRunner::stepStarting, &runner,
                     [&](int pair, const Message& setting) {
                         where = "Pair " + std::to_string(pair) + ", " + setting.english();
                     });
    QObject::connect(&runner, &session::PaysRunner::progress, &runner,
                     [&](double fraction, const Message& what) {
                         progress.show(fraction, where + ": " + what.english());
                     });
    QObject::connect(&runner, &session::PaysRunner::pairFinished, &runner, [&] {
        if (options.json)
            return;
        const session::PaysResult& result = runner.result();
        progress.clear();
        const std::string number = "Pair " + std::to_string(result.decision.test.pairs);
        print(spec.fixed_pairs > 0 ? number + " of " + std::to_string(spec.fixed_pairs) + '\n'
                                   : number + ": "
                      + session::verdictSentence(result.decision, result.minutes_left).english()
                      + '\n');
        static_cast<void>(flushOutput());
    });
    QObject::connect(&runner, &session::PaysRunner::finished, &runner, &QCoreApplication::quit);
    check.start();
    runner.start();
    QCoreApplication::exec();
    return runner.result();
}

int measure(const PaysOptions& options, Invocation& invocation)
{
    const auto spec = specOf(options);
    if (!spec)
        return spec.error().code == ErrorCode::InvalidInput ? failUsage(spec.error().message)
                                                            : failed(options, spec.error());
    const bool server = spec->a.run.server || spec->b.run.server;
    if (!options.card.empty()) {
        if (const Status writable = checkWritable(options.card); !writable)
            return failed(options, writable.error());
    }
    const auto token = server ? readServerToken({}) : Result<std::string>(std::string());
    if (!token)
        return failed(options, token.error());
    const QCoreApplication application(invocation.argc, invocation.argv);
    const session::PaysResult result = measurePairs(*spec, options, *token);
    if (result.error)
        return result.error->code == ErrorCode::InvalidInput ? failUsage(result.error->message)
                                                             : failed(options, *result.error);
    if (!options.card.empty() && !result.cancelled) {
        if (const Status written = writeCard(*spec, result, options.database.path(), options.card);
            !written)
            return failed(options, written.error());
    }
    if (options.json) {
        printJson(session::paysJson(result.decision));
    } else {
        print('\n' + session::verdictSentence(result.decision, result.minutes_left).english() + '\n'
              + session::paysText(result.decision) + "experiment: " + spec->name + '\n');
    }
    if (result.cancelled) {
        printError("Cancelled; the same command with --experiment '" + spec->name + "' continues.");
        return kExitCancelled;
    }
    return checkLimits(result.decision, options);
}

void addMeasuring(CLI::App& command, PaysOptions& options)
{
    session::PaysSpec& spec = options.spec;
    session::RunRequest& run = options.run;
    command.add_option("A", options.a,
                       "One setting: a model, a number format, a device or a server's address, or "
                       "several such as dtype=int8,threads=2");
    command.add_option("B", options.b, "The other one");
    auto* const commandA =
        command
            .add_option("--command-a", options.command_a,
                        "Instead of settings, a command that is recorded, with its arguments")
            ->type_name("COMMAND");
    command.add_option("--command-b", options.command_b, "The other one")
        ->type_name("COMMAND")
        ->needs(commandA);
    command.add_option_function<std::string>(
        "--model", [&run](const std::string& text) { run.load.folder = text; },
        "Model of settings that name none");
    command.add_option("--prompt", run.prompt, "Prompt of all runs");
    command.add_option("--prompt-file", options.prompt_file, "File with it (-: stdin)")
        ->type_name("FILE");
    addSetting(command, run, "max_new_tokens");
    auto* const most =
        command
            .add_option("--most-pairs", spec.most_pairs, "Stop after this many pairs (default 200)")
            ->check(wholeFrom(3, 100'000));
    auto* const pairs =
        command
            .add_option("--pairs", spec.fixed_pairs,
                        "Make exactly this many pairs instead (default with --fail-if: 20)")
            ->check(wholeFrom(3, 100'000))
            ->excludes(most);
    command
        .add_option("--most-minutes", spec.most_minutes,
                    "Stop after this many minutes (default 60)")
        ->check(realFrom(0.01, 100'000.0));
    addSettings(command, run, {"power_source", "interval_ms", "warmup_tokens"});
    addOutput(command, "--card", options.card, "Write the result as a card to pass on")
        ->excludes(pairs); // pairs of a card continue until the verdict
    command.add_option("--experiment", spec.name,
                       "Name of the runs' experiment; that of an earlier measurement continues it");
    command
        .add_option_function<std::uint64_t>(
            "--seed",
            [&options](std::uint64_t seed) {
                options.spec.seed = seed;
                options.seeded = true;
            },
            "Seed for the order within pairs (default: a new one each time)")
        ->check(settingCheck("seed"));
}

// Refuses all other options beside one that replaces the measurement.
void refuseBeside(const CLI::App& command, const std::string& instead,
                  const std::set<std::string>& allowed)
{
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() > 0 && name != instead && !allowed.contains(name))
            throw CLI::ExcludesError(instead, name);
    }
}

} // namespace

void addPaysCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<PaysOptions>();
    CLI::App* command = app.add_subcommand(
        "pays", "Say which of two settings costs less energy here, from interleaved pairs");
    addMeasuring(*command, *options);
    command
        ->add_option("--from", options->from,
                     "Pairs recorded elsewhere instead, as a table with the columns pair, order "
                     "(AB or BA), a_mj_per_token and b_mj_per_token (-: stdin)")
        ->type_name("FILE");
    command
        ->add_option("--smallest-difference", options->percent,
                     "Differences up to this do not matter (default 2)")
        ->check(realFrom(0.01, 90.0))
        ->type_name("PERCENT");
    options->limits.addTo(*command);
    addHashesOnly(*command, options->hashes_only);
    command->add_flag("--json", options->json, "Print the verdict as JSON");
    options->database.addTo(*command);
    command
        ->add_option("--merge", options->merged,
                     "Instead of measuring, check the cards that --card wrote and pool them by "
                     "class of machine")
        ->type_name("FILE");
    command->callback([options, command, &invocation] {
        if (!options->merged.empty()) {
            refuseBeside(*command, "--merge", {"--smallest-difference", "--json", "--db"});
            invocation.action = [options] {
                return mergeCards(options->merged, options->percent, options->json);
            };
            return;
        }
        if (!options->from.empty())
            refuseBeside(*command, "--from",
                         {"--smallest-difference", "--json", "--db", "--fail-if"});
        const bool commands = !options->command_a.empty();
        const bool both = !options->a.empty() && !options->b.empty();
        if (options->from.empty() && !both && !commands)
            throw CLI::ValidationError("Give two settings, A and B, or pairs with --from.");
        if (int{!options->a.empty()} + int{commands} > 1)
            throw CLI::ValidationError("Settings and commands exclude each other.");
        if (commands && options->command_b.empty())
            throw CLI::ValidationError("Give the other command with --command-b.");
        if (options->limits.any() && !options->card.empty())
            throw CLI::ValidationError("A card ends with its verdict; leave out --fail-if.");
        if (commands && !options->card.empty())
            throw CLI::ValidationError(
                "A card is for settings: what commands do, others cannot see.");
        if (both && options->run.prompt.empty() == options->prompt_file.empty())
            throw CLI::ValidationError("Give a prompt with --prompt or --prompt-file.");
        if (const Status read = options->limits.read(); !read)
            throw CLI::ValidationError(read.error().message.english());
        const RunFigure figure = commands ? RunFigure::Energy : RunFigure::JoulesPerToken;
        for (const energy::DifferenceLimit& limit : options->limits.limits) {
            if ((limit.metric != RunFigure::JoulesPerToken && limit.metric != figure)
                || !limit.relative)
                throw CLI::ValidationError(
                    "Pairs have limits in percent on joules_per_token, and on energy for commands "
                    "that send no tokens.");
        }
        invocation.action = [options, &invocation] {
            return options->from.empty() ? measure(*options, invocation) : decideFrom(*options);
        };
    });
}

} // namespace ep::app
