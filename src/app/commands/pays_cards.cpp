// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays_cards.h"

#include "exit_status.h"
#include "options.h"
#include "terminal.h"

#include "ep/session/pays_card.h"

#include <memory>
#include <vector>

namespace ep::app {

namespace {

struct MergeOptions {
    std::vector<std::string> files;
    double percent = 2.0;
    bool json = false;
};

int mergeFiles(const MergeOptions& options)
{
    std::vector<session::PaysCard> cards;
    for (const std::string& file : options.files) {
        auto card = session::readCard(std::filesystem::path(file));
        if (!card)
            return fail(card.error());
        cards.push_back(*std::move(card));
    }
    constexpr double kPercent = 100.0;
    const session::MergedCards merged = session::mergeCards(cards, options.percent / kPercent);
    options.json ? printJson(session::mergedJson(merged)) : print(session::mergedText(merged));
    return kExitDone;
}

} // namespace

CLI::App* addMergeCommand(CLI::App& pays, Invocation& invocation)
{
    auto options = std::make_shared<MergeOptions>();
    CLI::App* command =
        pays.add_subcommand("merge", "Check cards and pool them by class of machine");
    command->add_option("CARD", options->files, "Files that --card wrote")->required();
    command
        ->add_option("--smallest-difference", options->percent,
                     "Differences up to this do not matter (default 2)")
        ->check(realFrom(0.01, 90.0))
        ->type_name("PERCENT");
    command->add_flag("--json", options->json, "Print the pooled figures as JSON");
    command->callback(
        [options, &invocation] { invocation.action = [options] { return mergeFiles(*options); }; });
    return command;
}

Status writeCard(const session::PaysSpec& spec, const session::PaysResult& result,
                 const std::filesystem::path& database, const std::string& file)
{
    const auto store = store::Store::openToRead(database);
    if (!store)
        return store.error();
    const auto card = session::makeCard(spec, result, **store);
    if (!card)
        return card.error();
    return writeText(file, session::cardJson(*card));
}

} // namespace ep::app
