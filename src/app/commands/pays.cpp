// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/pays.h"

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "runs_options.h"
#include "terminal.h"

#include <memory>
#include <string>

namespace ep::app {

namespace {

struct PaysOptions {
    std::string from{};
    double percent = 2.0;
    bool json = false;
};

int decideFrom(const PaysOptions& options)
{
    const auto text = readText(options.from);
    if (!text)
        return fail(text.error());
    const std::string name = options.from == "-"
        ? "standard input"
        : std::filesystem::path(options.from).filename().string();
    const auto table = powerlog::readPairs(*text, name);
    if (!table)
        return fail(table.error());
    constexpr double kPercent = 100.0;
    const session::PaysDecision decision =
        session::decide(*table, {.smallest_difference = options.percent / kPercent});
    if (options.json)
        printJson(session::paysJson(decision));
    else
        print(session::verdictSentence(decision) + '\n' + session::paysText(decision));
    return kExitDone;
}

} // namespace

void addPaysCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<PaysOptions>();
    CLI::App* command = app.add_subcommand(
        "pays", "Say which of two settings costs less energy here, from interleaved pairs");
    command
        ->add_option("--from", options->from,
                     "Pairs recorded elsewhere, as a table with the columns pair, order (AB or "
                     "BA), a_mj_per_token and b_mj_per_token (-: stdin)")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--smallest-difference", options->percent,
                     "Differences up to this do not matter (default 2)")
        ->check(realFrom(0.01, 90.0))
        ->type_name("PERCENT");
    command->add_flag("--json", options->json, "Print the verdict as JSON");
    command->callback(
        [options, &invocation] { invocation.action = [options] { return decideFrom(*options); }; });
}

} // namespace ep::app
